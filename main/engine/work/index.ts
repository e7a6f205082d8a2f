// What long work runs in: jobs with progress and cancel, tasks in threads or inline, the queue.
export { atOnce, Cancelled, job, overRows, stepwise, type Job, type Progress, type Steps } from './job.ts'
export { openPool, openPools } from './pool.ts'
export { Queue, Urgency, type Worker } from './queue.ts'
export { compileLess } from './short-run.ts'
export { betweenSteps, type Pool, type Task, type TaskContext, type Tasks } from './task.ts'
export { serveTasks } from './thread.ts'

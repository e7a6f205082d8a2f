// Entry of the worker threads: runs the table of tasks.
import { serveTasks, type Tasks } from '../work/index.ts'
import { fileTasks } from './files.ts'

/** A thread that is started to save files does not wait for all that others may want of it. */
async function load(task?: string): Promise<Tasks> {
  if (task !== undefined && fileTasks[task]) return fileTasks
  const { tasks, warmUp } = await import('./index.ts')
  warmUp()
  return tasks
}

void serveTasks(load)

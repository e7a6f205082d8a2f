// Entry of the worker threads: runs the table of tasks.
import { tasks, warmUp } from './tasks.ts'
import { serveTasks } from './work/thread.ts'

serveTasks(tasks, warmUp)

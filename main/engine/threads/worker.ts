// Entry of the worker threads: runs the table of tasks.
import { tasks, warmUp } from './index.ts'
import { serveTasks } from '../work/index.ts'

serveTasks(tasks, warmUp)

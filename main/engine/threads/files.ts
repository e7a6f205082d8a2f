// Tasks that save files: loaded without the others by a thread that is started for them.
import { parseTask } from '../formats/index.ts'
import type { Task, Tasks } from '../work/index.ts'

export const fileTasks: Tasks = { parseRaw: parseTask satisfies Task }

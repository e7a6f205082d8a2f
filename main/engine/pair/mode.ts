// What two dumps can be compared by.
import { type Dump, type Mode, problem, Refusal } from '../model/index.ts'

/** Graphs are compared without any numbers too. */
export type GraphMode = Mode | 'structure'

/** Refuses dumps of different kinds. */
export function graphMode(debug: Dump, bench: Dump): GraphMode {
  const [mine, theirs] = [debug.header.task, bench.header.task]
  if (!mine || !theirs)
    throw new Refusal(problem('task-not-comparable', mine ? bench.file : debug.file, { task: '' }))
  if (mine !== theirs) throw new Refusal(problem('tasks-differ', debug.file, { debug: mine, bench: theirs }))
  if (mine === 'tensor' || mine === 'structure') return mine
  if (mine !== 'statistics') throw notComparable(debug)
  if (debug.header.hasMd5 !== bench.header.hasMd5) throw new Refusal(problem('modes-differ', debug.file))
  return debug.header.hasMd5 ? 'md5' : 'statistics'
}

/** The same for a table, which needs numbers. */
export function modeOf(debug: Dump, bench: Dump): Mode {
  const mode = graphMode(debug, bench)
  if (mode === 'structure') throw notComparable(debug)
  return mode
}

const notComparable = ({ file, header }: Dump): Refusal =>
  new Refusal(problem('task-not-comparable', file, { task: header.task }))

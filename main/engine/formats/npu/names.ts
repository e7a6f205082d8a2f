// Names of raw dump files, and of those that were too long for the file system.

export interface RawName {
  readonly type: string
  /** With `_` where the operation's name has `/` or `.`; it cannot be turned back. */
  readonly op: string
  readonly task: number
  /** 0 where the name has none. */
  readonly stream: number
  readonly time: bigint
  /** Names of nine parts say more. */
  readonly thread: {
    readonly taskType: number
    readonly context: number
    readonly thread: number
    readonly device: number
  } | null
  /** A .csv with statistics instead of values. */
  readonly summary: boolean
  /** An overflow record instead of an operation. */
  readonly opDebug: boolean
}

const usual =
  /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.(\d{1,15})(?:\.(\d{1,15}))?\.(\d+)(?:\.(\d)\.(\d{1,15})\.(\d{1,15})\.(\d{1,15}))?(\.csv)?$/

/** Of operations that several threads computed, each a part. */
const slicedType = 4
const sliceMark = /_lxslice(\d+)/

/** Operations that are to be cut stand in a sub-graph of their own, whose name is put before theirs. */
const cutGraph = /^.*sgt_graph_\d+[_/](?=.)/s

/** The operation without the marks of its slices, which graphs have in names, too. */
export const unsliced = (op: string): string => op.replace(cutGraph, '').replaceAll(/_lxslice\d+/g, '')

/** Which slice of an operation a file holds: by its name, else the thread that computed it; null of a whole one. */
export function sliceOf({ op, thread }: Pick<RawName, 'op' | 'thread'>): number | null {
  const [, marked] = sliceMark.exec(op) ?? []
  if (marked !== undefined) return Number(marked)
  return thread?.taskType === slicedType ? thread.thread : null
}

/** The parts of a raw dump's file name; null of another name. */
export function rawNameOf(name: string): RawName | null {
  const match = usual.exec(name)
  if (!match) return null
  const [, type, op, task, stream = '0', time, taskType, context, thread, device, csv] = match
  return {
    type,
    op,
    task: Number(task),
    stream: Number(stream),
    time: BigInt(time),
    thread:
      taskType === undefined
        ? null
        : {
            taskType: Number(taskType),
            context: Number(context),
            thread: Number(thread),
            device: Number(device),
          },
    summary: csv !== undefined,
    opDebug: type === 'Opdebug' && op === 'Node_OpDebug',
  }
}

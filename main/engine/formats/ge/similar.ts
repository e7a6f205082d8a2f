// How alike two graphs are: by type and layout of what goes into the ops of one name and comes out.
import type { Described, GeLookup } from './lookup.ts'

/** Ops of the compiler's own making say nothing about a network. */
const leftOut = new Set([
  'TransData',
  'Cast',
  'Recv',
  'Send',
  'Variable',
  'NetOutput',
  'NoOp',
  'Assign',
  'Constant',
  'StreamActive',
])

interface Unlike {
  readonly name: string
  readonly type: string
  /** Where type or layout differ. */
  readonly places: readonly {
    readonly io: 'input' | 'output'
    readonly index: number
    readonly left: string
    readonly right: string
  }[]
}

export interface Similarity {
  /** What the graphs of both sides have in common. */
  readonly session: string
  readonly onlyLeft: readonly string[]
  readonly onlyRight: readonly string[]
  /** Ops of both sides, and how many of them are alike. */
  readonly compared: number
  readonly similar: number
  readonly unlike: readonly Unlike[]
  /** Ops whose numbers of inputs or outputs differ, which does not make them unlike. */
  readonly countsDiffer: readonly string[]
}

/** Graphs are compared where both sides have them under one session. */
export function similarityOf(left: GeLookup, right: GeLookup): Similarity[] {
  const others = bySession(right)
  return [...bySession(left)].flatMap(([session, ops]) => {
    const theirs = others.get(session)
    return theirs ? [compare(session, [left, ops], [right, theirs])] : []
  })
}

type Side = readonly [GeLookup, ReadonlyMap<string, number>]

/** Ops that are compared, by name, of each session. */
function bySession(lookup: GeLookup): Map<string, Map<string, number>> {
  const sessions = new Map<string, Map<string, number>>()
  const { ops, graphs } = lookup.model
  for (const op of lookup.ops()) {
    const session = lookup.text(graphs.session[ops.graph[op]]) || 'UNKNOWN'
    const known = sessions.get(session) ?? new Map<string, number>()
    sessions.set(session, known)
    if (!leftOut.has(lookup.type(op))) known.set(lookup.name(op), op)
  }
  return sessions
}

function compare(session: string, [left, ops]: Side, [right, theirs]: Side): Similarity {
  const both = [...ops].flatMap(([name, op]) => {
    const other = theirs.get(name)
    return other === undefined ? [] : [{ name, op, other }]
  })
  const unlike: Unlike[] = []
  const countsDiffer: string[] = []
  for (const { name, op, other } of both) {
    const sides = (['input', 'output'] as const).map(
      io => [io, rowsOf(left, op, io), rowsOf(right, other, io)] as const,
    )
    const places = sides.flatMap(([io, mine, their]) => placesOf(io, mine, their))
    if (places.length > 0) unlike.push({ name, type: left.type(op), places })
    if (sides.some(([, mine, their]) => mine.length !== their.length)) countsDiffer.push(name)
  }
  return {
    session,
    onlyLeft: [...ops.keys()].filter(name => !theirs.has(name)),
    onlyRight: [...theirs.keys()].filter(name => !ops.has(name)),
    compared: both.length,
    similar: both.length - unlike.length,
    unlike,
    countsDiffer,
  }
}

function rowsOf(lookup: GeLookup, op: number, io: 'input' | 'output'): readonly Described[] {
  const { ops } = lookup.model
  const [from, to] =
    io === 'input' ? [ops.firstDesc[op], ops.firstOutput[op]] : [ops.firstOutput[op], ops.firstDesc[op + 1]]
  return Array.from({ length: to - from }, (_, i) => lookup.described(from + i))
}

function placesOf(
  io: 'input' | 'output',
  left: readonly Described[],
  right: readonly Described[],
): Unlike['places'] {
  const spell = ({ dtype, format }: Described): string => `${dtype} ${format}`
  return left.slice(0, right.length).flatMap((mine, index) => {
    const [one, two] = [spell(mine), spell(right[index])]
    return one === two ? [] : [{ io, index, left: one, right: two }]
  })
}

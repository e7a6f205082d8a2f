// Calls of functions as the other side counts them: ranks that share tensors make calls that one rank does not make, and
// numbers that are off by one would have every later call meet another one.
import { Direction, type Dump, Kind, type OpRow, State, type TextCode } from '../model/index.ts'
import type { MergedDump } from './merge.ts'
import { shapesOf } from './shapes.ts'

/** Calls that one module makes, more than which are paired by their order alone. */
const mostPairs = 4e6

export function countedAs(merged: MergedDump, other: Dump): MergedDump {
  const mine = callsByParent(merged)
  const theirs = callsByParent(other)
  const pieceName = pieceNames(merged, other)
  const numbers = new Map<string, number>()
  const taken = new Map<string, Set<number>>()
  const take = (owner: string, call: number, number: number): void => {
    numbers.set(`${owner} ${call}`, number)
    taken.set(owner, (taken.get(owner) ?? new Set()).add(number))
  }
  for (const [parent, calls] of mine)
    for (const [a, b] of pairsOf(
      { dump: merged, calls },
      { dump: other, calls: theirs.get(pieceName(parent)) ?? [] },
    ))
      take(a.owner, a.call, b.call)
  for (const calls of theirs.values())
    for (const { owner, call } of calls) taken.set(owner, (taken.get(owner) ?? new Set()).add(call))
  // What the other side does not call is counted behind all that it calls.
  const next = new Map<string, number>()
  for (const calls of mine.values())
    for (const { owner, call } of calls) {
      if (numbers.has(`${owner} ${call}`)) continue
      const number = next.get(owner) ?? Math.max(-1, ...(taken.get(owner) ?? [])) + 1
      next.set(owner, number + 1)
      numbers.set(`${owner} ${call}`, number)
    }
  return renamed(merged, numbers, pieceName)
}

const pieceForm = /^(Module|Cell)\.(\d+)\./

/** Only where a list of models was dumped do their names begin with a place in it. */
function pieceNames(merged: Dump, other: Dump): (name: string) => string {
  const isListed = ({ ops, texts }: Dump): boolean =>
    Array.from(ops.name).some(code => pieceForm.test(texts.get(code)))
  const [mine, theirs] = [isListed(merged), isListed(other)]
  if (mine === theirs) return name => name
  return mine ? name => name.replace(pieceForm, '$1.') : name => name.replace(/^(Module|Cell)\./, '$1.0.')
}

interface Call {
  readonly op: OpRow
  readonly owner: string
  readonly call: number
}

/** Forward calls of functions by the module that makes them, in their order. */
function callsByParent({ ops, texts, names, construct }: Dump): ReadonlyMap<string, readonly Call[]> {
  const found = new Map<string, Call[]>()
  for (let op = 0; op < ops.length; op++) {
    const { form, owner, call, direction } = names.parse(texts.get(ops.name[op]))
    if (form !== 'api' || direction !== Direction.forward) continue
    const row = construct.find(ops.name[op])
    const parent = row < 0 ? -1 : construct.parent[row]
    const key = parent < 0 ? '' : texts.get(parent)
    const calls = found.get(key)
    if (calls) calls.push({ op, owner, call })
    else found.set(key, [{ op, owner, call }])
  }
  return found
}

interface Calls {
  readonly dump: Dump
  readonly calls: readonly Call[]
}

/** In the order of both: the same functions, those that look alike before others. */
function pairsOf(mine: Calls, theirs: Calls): readonly (readonly [Call, Call])[] {
  const [ours, others] = [mine.calls, theirs.calls]
  if (ours.length === 0 || others.length === 0) return []
  if (ours.length * others.length > mostPairs) return inTurn(ours, others)
  const width = others.length + 1
  const best = new Float64Array((ours.length + 1) * width)
  const scores = new Float32Array(ours.length * others.length)
  for (let i = ours.length - 1; i >= 0; i--)
    for (let j = others.length - 1; j >= 0; j--) {
      const score =
        ours[i].owner === others[j].owner ? likeness(mine.dump, ours[i].op, theirs.dump, others[j].op) : 0
      scores[i * others.length + j] = score
      const both = score > 0 ? score + best[(i + 1) * width + j + 1] : 0
      best[i * width + j] = Math.max(both, best[(i + 1) * width + j], best[i * width + j + 1])
    }
  const pairs: (readonly [Call, Call])[] = []
  for (let i = 0, j = 0; i < ours.length && j < others.length;) {
    const score = scores[i * others.length + j]
    const here = best[i * width + j]
    if (score > 0 && here === score + best[(i + 1) * width + j + 1]) pairs.push([ours[i++], others[j++]])
    else if (here === best[(i + 1) * width + j]) i++
    else j++
  }
  return pairs
}

/** The first of each function with the first, and so on. */
function inTurn(ours: readonly Call[], others: readonly Call[]): readonly (readonly [Call, Call])[] {
  const waiting = new Map<string, Call[]>()
  for (const call of others) waiting.set(call.owner, [...(waiting.get(call.owner) ?? []), call])
  const at = new Map<string, number>()
  return ours.flatMap(call => {
    const turn = at.get(call.owner) ?? 0
    at.set(call.owner, turn + 1)
    const other = waiting.get(call.owner)?.[turn]
    return other ? [[call, other] as const] : []
  })
}

/** Sizes that may be the same, and results of the same norm. */
function likeness(mine: Dump, a: OpRow, theirs: Dump, b: OpRow): number {
  const [from, to] = [mine.ops.first[a], theirs.ops.first[b]]
  const count = mine.ops.first[a + 1] - from
  let score = 1
  if (count !== theirs.ops.first[b + 1] - to) return score
  score += 0.5
  let fits = true
  let near = 0
  for (let k = 0; k < count; k++) {
    const [i, j] = [from + k, to + k]
    if (mine.items.tensor[i] !== 1 || theirs.items.tensor[j] !== 1) continue
    fits &&= mayBeAlike(mine, i, theirs, j)
    if (mine.items.state[i] === State.output && near === 0) near = nearness(mine, i, theirs, j)
  }
  return fits ? score + 1.5 + near : score
}

function mayBeAlike(mine: Dump, item: number, theirs: Dump, other: number): boolean {
  if (mine.items.shape[item] < 0 || theirs.items.shape[other] < 0) return true
  const texts = new Set([...shapesOf({ dump: theirs, item: other })].map(({ text }) => text))
  return [...shapesOf({ dump: mine, item })].some(({ text }) => texts.has(text))
}

/** 2: norms agree but for rounding; 1: roughly. */
function nearness({ items: mine }: Dump, item: number, { items: theirs }: Dump, other: number): number {
  if (mine.norm.kind[item] !== Kind.float || theirs.norm.kind[other] !== Kind.float) return 0
  const [n, m] = [mine.norm.value[item], theirs.norm.value[other]]
  const off = Math.abs(n - m)
  return off <= 1e-5 * Math.abs(m) ? 2 : off <= 0.02 * Math.abs(m) ? 1 : 0
}

/** The dump with other numbers of calls. */
function renamed(
  merged: MergedDump,
  numbers: ReadonlyMap<string, number>,
  pieceName: (name: string) => string,
): MergedDump {
  const { ops, items, texts, names, construct, stacks } = merged
  const nameOf = (name: string): string => {
    const { form, owner, call, direction } = names.parse(name)
    if (form !== 'api') return pieceName(name)
    const number = numbers.get(`${owner} ${call}`)
    if (number === undefined || number === call) return name
    return `${owner}.${number}.${direction === Direction.backward ? 'backward' : 'forward'}`
  }
  const before = new Map<TextCode, TextCode>()
  const coded = (code: TextCode): TextCode => {
    const text = texts.get(code)
    const name = nameOf(text)
    const now = name === text ? code : texts.addPlain(name)
    before.set(now, code)
    return now
  }
  const opNames = Uint32Array.from(ops.name, coded)
  const itemNames = Uint32Array.from(items.name, (code, item) => {
    const op = items.op[item]
    if (opNames[op] === ops.name[op]) return code
    return texts.addPlain(texts.get(opNames[op]) + texts.get(code).slice(texts.get(ops.name[op]).length))
  })
  const child = Uint32Array.from(construct.child, coded)
  const parent = Int32Array.from(construct.parent, code => (code < 0 ? -1 : coded(code)))
  const rowOf = new Map(Array.from(child, (code, row) => [code, row]))
  return {
    ...merged,
    ops: { ...ops, name: opNames },
    items: { ...items, name: itemNames },
    stacks: {
      file: stacks.file,
      ...(stacks.newLayout !== undefined && { newLayout: stacks.newLayout }),
      length: stacks.length,
      of: name => stacks.of(before.get(name) ?? name),
      frames: stack => stacks.frames(stack),
    },
    construct: { ...construct, child, parent, find: code => rowOf.get(code) ?? -1 },
  }
}

// Were two dumps taken alike? What differs in how they were taken is no finding about the runs.
import {
  byText,
  Direction,
  type Dump,
  Kind,
  type ItemRow,
  itemShape,
  opName,
  type Side,
  State,
  type Taken,
  type TakenDifference,
  type TakenWhat,
} from '../model/index.ts'
import { lowRisk } from './risk.ts'

/** As it is said of a side; '' where the dump does not tell. */
type Ask = (facts: SideFacts) => string

interface SideFacts {
  readonly dump: Dump
  readonly calls: number
  readonly low: number
  readonly parts: ReadonlySet<string>
  readonly first: FirstInputs
  readonly dtypes: string
  /** What statistics of half precision were computed in. */
  readonly precision: 'low' | 'high' | ''
}

interface FirstInputs {
  readonly shapes: string
  readonly values: string
}

const questions: readonly (readonly [TakenWhat, Ask])[] = [
  ['framework', ({ dump }) => dump.header.framework],
  ['level', ({ dump }) => dump.header.level],
  ['task', ({ dump }) => dump.header.task],
  ['summary', ({ dump }) => (dump.header.hasMd5 ? 'md5' : 'statistics')],
  ['tool', ({ dump: { stacks } }) => toolOf(stacks)],
  ['data-mode', ({ parts }) => [...parts].toSorted().join(' ')],
  ['first-shapes', ({ first }) => first.shapes],
  ['first-values', ({ first }) => first.values],
  ['dtype', ({ dtypes }) => dtypes],
  ['calls', ({ calls }) => String(calls)],
  ['ranks', ({ dump }) => String(dump.header.ranks ?? '')],
  ['precision', ({ precision }) => precision],
  // No dump tells them.
  ['slice', () => ''],
  ['seed', () => ''],
]

/** The newest lists calls per stack. */
function toolOf({ length, newLayout }: Dump['stacks']): string {
  if (length === 0) return ''
  return newLayout === true ? '26' : '1.x'
}

/** An NPU's run is never taken as its script is: what these dump was not taken by msprobe, and is not asked for. */
const others = new Set(['cann', 'tensorflow'])
export const canBeAlike = (debug: Dump, bench: Dump): boolean =>
  ![debug, bench].some(({ header }) => others.has(header.framework) || header.stored)

export function takenOf(debug: Dump, bench: Dump): Taken {
  const across = debug.header.framework !== bench.header.framework
  const first = firstCalls(debug, bench, across)
  const mine = factsOf(debug, firstInputs(debug, first.debug))
  const theirs = factsOf(bench, firstInputs(bench, first.bench))
  const same: TakenWhat[] = []
  const unknown: TakenWhat[] = []
  const differ: TakenDifference[] = []
  for (const [what, ask] of questions) {
    const said = { debug: ask(mine), bench: ask(theirs) }
    if (said.debug === '' || said.bench === '') unknown.push(what)
    else if (said.debug === said.bench) same.push(what)
    // Two frameworks call otherwise, and name their types otherwise.
    else if (!(across && (what === 'calls' || what === 'dtype')))
      differ.push({ what, ...said, side: lacking(what, mine, theirs) })
  }
  judgeRisk(mine, theirs, { same, unknown, differ })
  judgeParallel(debug, bench, differ)
  return { same, differ: withoutEchoes(differ), unknown }
}

/** Other shapes are other values, and fewer calls follow from another level. */
function withoutEchoes(differ: readonly TakenDifference[]): readonly TakenDifference[] {
  const has = (what: TakenWhat): boolean => differ.some(one => one.what === what)
  return differ.filter(
    ({ what }) =>
      !(what === 'first-values' && (has('first-shapes') || has('dtype') || has('level') || has('summary'))) &&
      !(what === 'first-shapes' && has('level')) &&
      !(what === 'calls' && (has('level') || has('risk') || has('data-mode'))) &&
      !(what === 'summary' && has('task')),
  )
}

function lacking(what: TakenWhat, mine: SideFacts, theirs: SideFacts): Side | null {
  if (what === 'calls') return mine.calls < theirs.calls ? 'debug' : 'bench'
  if (what === 'data-mode') return mine.parts.size < theirs.parts.size ? 'debug' : 'bench'
  return null
}

/** Share of a side's calls from which those that are missing on the other side were left out on purpose. */
const enough = 5

function judgeRisk(
  mine: SideFacts,
  theirs: SideFacts,
  { same, unknown, differ }: { readonly [Key in keyof Taken]: Taken[Key][number][] },
): void {
  const most = Math.max(mine.low, theirs.low)
  const without = (['debug', 'bench'] as const).find((_, i) => [mine, theirs][i].low === 0)
  const side = without ?? null
  if (mine.low + theirs.low === 0) unknown.push('risk')
  else if (side !== null && most >= enough)
    differ.push({ what: 'risk', debug: riskOf(mine), bench: riskOf(theirs), side })
  else same.push('risk')
}

const riskOf = ({ low }: SideFacts): string => (low === 0 ? 'FOCUS' : 'ALL')

const factsOf = (dump: Dump, first: FirstInputs): SideFacts => ({
  dump,
  calls: dump.ops.length,
  ...dumpedOf(dump),
  first,
  dtypes: mostOf(dump),
  precision: precisionOf(dump),
})

const allParts = 4

/** Which calls and which parts of them were dumped; names are read only until that is known. */
function dumpedOf(dump: Dump): Pick<SideFacts, 'low' | 'parts'> {
  const { ops, items, names } = dump
  let low = 0
  const parts = new Set<string>()
  for (let op = 0; op < ops.length && (low < enough || parts.size < allParts); op++) {
    const name = opName(dump, op)
    if (lowRisk.has(names.word(name))) low++
    if (parts.size === allParts) continue
    const way = names.parse(name).direction === Direction.forward ? 'forward' : 'backward'
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
      if (!items.tensor[item]) continue
      if (items.state[item] === State.output) parts.add(`${way}.output`)
      if (items.state[item] === State.input) parts.add(`${way}.input`)
    }
  }
  return { low, parts }
}

/** The float type that most tensors have. */
function mostOf({ items, texts }: Dump): string {
  const found: string[] = []
  const ofItem = byText(texts, items.dtype, dtype => (/float|half/i.test(dtype) ? found.push(dtype) - 1 : -1))
  const counts: number[] = []
  for (let item = 0; item < items.length; item++) {
    const at = items.tensor[item] ? ofItem(item) : -1
    if (at >= 0) counts[at] = (counts[at] ?? 0) + 1
  }
  return found[counts.indexOf(Math.max(...counts))] ?? ''
}

/** Significant bits of the types whose statistics can be computed in themselves or in float32. */
const halves: readonly (readonly [RegExp, bits: number])[] = [
  [/bfloat16/i, 8],
  [/float16|half/i, 11],
]
/** Means from which it is told. */
const fewMeans = 5
const mostOfThem = 0.9

/** Means that were computed in half precision have no more bits than it has. */
function precisionOf({ items, texts }: Dump): SideFacts['precision'] {
  const bitsOf = byText(texts, items.dtype, dtype => halves.find(([is]) => is.test(dtype))?.[1] ?? 0)
  let [short, all] = [0, 0]
  for (let item = 0; item < items.length; item++) {
    const bits = items.tensor[item] ? bitsOf(item) : 0
    const mean = items.mean.value[item]
    if (bits === 0 || items.mean.kind[item] !== Kind.float || mean === 0 || !Number.isFinite(mean)) continue
    all++
    if (fitsIn(mean, bits)) short++
  }
  if (all < fewMeans) return ''
  if (short >= mostOfThem * all) return 'low'
  return short <= (1 - mostOfThem) * all ? 'high' : ''
}

const fitsIn = (value: number, bits: number): boolean =>
  Number.isInteger(value / 2 ** (Math.floor(Math.log2(Math.abs(value))) - bits + 1))

/** Calls with inputs among which the first one of both is looked for. */
const nearTheStart = 500

/** The first call that has inputs, of both the same: one side may have left out those before. Names of two frameworks say nothing. */
function firstCalls(
  debug: Dump,
  bench: Dump,
  across: boolean,
): { readonly debug: number | undefined; readonly bench: number | undefined } {
  const [mine, theirs] = [withInputs(debug), withInputs(bench)]
  if (across) return { debug: mine.values().next().value, bench: theirs.values().next().value }
  const [name = '', op] = [...mine].find(([called]) => theirs.has(called)) ?? []
  return { debug: op, bench: theirs.get(name) }
}

function withInputs(dump: Dump): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (let op = 0; op < dump.ops.length && found.size < nearTheStart; op++)
    if (inputsOf(dump, op).length > 0) found.set(opName(dump, op), op)
  return found
}

/** What the model was given. */
function firstInputs(dump: Dump, op: number | undefined): FirstInputs {
  if (op === undefined) return { shapes: '', values: '' }
  const rows = inputsOf(dump, op)
  const shapes = rows.map(item => itemShape(dump, item).replace(/\(/g, '[').replace(/,?\)/g, ']')).join(' ')
  const values = rows.map(item => valuesOf(dump, item)).join(' ')
  return { shapes, values: values.includes('?') ? '' : values }
}

function inputsOf(dump: Dump, op: number): readonly ItemRow[] {
  const out: ItemRow[] = []
  for (let item = dump.ops.first[op]; item < dump.ops.first[op + 1]; item++)
    if (dump.items.tensor[item] && dump.items.state[item] === State.input) out.push(item)
  return out
}

function valuesOf(dump: Dump, item: ItemRow): string {
  const { items, texts } = dump
  if (dump.header.hasMd5) return items.md5[item] < 0 ? '?' : texts.get(items.md5[item])
  const cells = [items.max, items.min, items.mean]
  if (cells.some(({ kind }) => kind[item] !== Kind.float && kind[item] !== Kind.int)) return '?'
  return cells.map(({ value }) => Number(value[item].toPrecision(5))).join(',')
}

/** Parameters that are whole multiples of their partners along one dimension. */
function judgeParallel(debug: Dump, bench: Dump, differ: TakenDifference[]): void {
  const theirs = parametersOf(bench)
  let split = 0
  let all = 0
  let ratio = ''
  for (const [name, shape] of parametersOf(debug)) {
    const other = theirs.get(name)
    if (!other || other.length !== shape.length) continue
    all++
    const unlike = shape.flatMap((dim, i) => (dim === other[i] ? [] : [[dim, other[i]] as const]))
    const [pair] = unlike
    if (unlike.length !== 1 || !pair) continue
    const [more, less] = pair[0] > pair[1] ? pair : [pair[1], pair[0]]
    if (less > 0 && more % less === 0) {
      split++
      ratio ||= pair[0] > pair[1] ? `1 ${more / less}` : `${more / less} 1`
    }
  }
  if (split < 2 || split * 5 < all) return
  const [mine = '', other = ''] = ratio.split(' ')
  differ.push({ what: 'parallel', debug: mine, bench: other, side: null })
}

function parametersOf({ items, texts }: Dump): ReadonlyMap<string, readonly number[]> {
  const shapes: (readonly number[])[] = []
  const shapeOf = byText(
    texts,
    items.shape,
    shape => shapes.push((shape.match(/\d+/g) ?? []).map(Number)) - 1,
  )
  const out = new Map<string, readonly number[]>()
  for (let item = 0; item < items.length; item++)
    if (items.state[item] === State.parameters) out.set(texts.get(items.name[item]), shapes[shapeOf(item)])
  return out
}

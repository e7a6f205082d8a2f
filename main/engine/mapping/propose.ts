// Proposals for what a mapping leaves unmatched: ranked, each with its reasons; never applied by themselves.
import {
  type BenchItem,
  type DebugItem,
  Direction,
  type ItemRow,
  type MappingChange,
  type MappingKind,
  type MappingProposal,
  type MappingReason,
  type OpRow,
} from '../model/index.ts'
import { apiOf, builtInName } from '../pair/index.ts'
import {
  addEvidence,
  bags,
  bestPairs,
  inPart,
  nameLikeness,
  noEvidence,
  valueOf,
  weigh,
  type Bag,
  type Evidence,
} from './likeness.ts'
import { proposeLayers } from './propose-layers.ts'
import type { MappingDesk } from './desk.ts'
import { indexOf, type CellInfo, type SideNames } from './names-of.ts'
import { isPart } from './parts.ts'
import { shapeOf, wire } from './wire.ts'

const leastScore = 0.35

export function propose(
  desk: MappingDesk,
  kind: MappingKind,
  text: string,
  limit: number,
): readonly MappingProposal[] {
  const found = kinds[kind](desk, text)
  return found
    .filter(one => one.score >= leastScore)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

const kinds: Readonly<Record<MappingKind, (desk: MappingDesk, text: string) => MappingProposal[]>> = {
  layer: proposeLayers,
  cell: proposeCells,
  api: proposeApis,
  data: proposeData,
}

// ---------------------------------------- cells

interface Candidate {
  readonly mine: string
  readonly theirs: string
  readonly score: number
  readonly reasons: MappingReason[]
  readonly matched: number
  readonly all: number
}

const evidenceOf = (names: SideNames, ops: readonly OpRow[]): Evidence => {
  const evidence = noEvidence()
  for (const op of ops.slice(0, 4)) addEvidence(names.dump, op, evidence)
  return evidence
}

function proposeCells(desk: MappingDesk, text: string): MappingProposal[] {
  const matched = {
    debug: matchedNames(desk, 'debug', text, 'cell'),
    bench: matchedNames(desk, 'bench', text, 'cell'),
  }
  const mine = [...desk.debug.cells.values()].filter(cell => !matched.debug.has(cell.name))
  const theirs = [...desk.bench.cells.values()].filter(cell => !matched.bench.has(cell.name))
  const cache = new Map<CellInfo, Evidence>()
  const evidence = (names: SideNames, cell: CellInfo): Evidence => {
    let known = cache.get(cell)
    if (!known) cache.set(cell, (known = evidenceOf(names, cell.ops)))
    return known
  }
  const index = new CellIndex(theirs, cell => shapeKey(evidence(desk.bench, cell).shapes))
  const position = new Map(theirs.map((cell, i) => [cell, i]))
  const pairs: Candidate[] = []
  mine.forEach((cell, place) => {
    const own = evidence(desk.debug, cell)
    for (const other of index.near(cell, shapeKey(own.shapes))) {
      const there = evidence(desk.bench, other)
      const [a, b] = [splitCell(cell.name), splitCell(other.name)]
      const { score, reasons } = weigh([
        ['place', 3, a.path === b.path ? 1 : nameLikeness(a.path, b.path)],
        ['class', 1.5, nameLikeness(a.type, b.type)],
        ['shapes', 2.5, bags(own.shapes, there.shapes)],
        ['values', 2, bags(own.values, there.values)],
        ['calls', 0.5, ratio(cell.ops.length, other.ops.length)],
        [
          'order',
          0.5,
          1 - Math.abs(place / (mine.length || 1) - (position.get(other) ?? 0) / (theirs.length || 1)),
        ],
      ])
      pairs.push({
        mine: cell.name,
        theirs: other.name,
        score,
        reasons,
        matched: Math.min(cell.ops.length, other.ops.length),
        all: cell.ops.length,
      })
    }
  })
  return bestPairs(pairs).map(pair =>
    proposal('cell', pair, { kind: 'cell', from: pair.mine, to: pair.theirs }),
  )
}

const shapeKey = (shapes: Bag): string =>
  [...shapes]
    .map(([shape, count]) => `${shape}*${count}`)
    .sort()
    .join(';')

const splitCell = (name: string): { path: string; type: string } => {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? { path: '', type: name } : { path: name.slice(0, dot), type: name.slice(dot + 1) }
}

/** Few candidates per cell instead of all: same path, same shapes, same last name. */
class CellIndex {
  readonly #path = new Map<string, CellInfo[]>()
  readonly #shapes = new Map<string, CellInfo[]>()
  readonly #last = new Map<string, CellInfo[]>()

  constructor(cells: readonly CellInfo[], shapes: (cell: CellInfo) => string) {
    for (const cell of cells) {
      const { path } = splitCell(cell.name)
      put(this.#path, path, cell)
      put(this.#last, path.slice(path.lastIndexOf('.') + 1), cell)
      put(this.#shapes, shapes(cell), cell)
    }
  }

  near(cell: CellInfo, shapes: string): Set<CellInfo> {
    const { path } = splitCell(cell.name)
    const last = path.slice(path.lastIndexOf('.') + 1)
    return new Set([
      ...(this.#path.get(path) ?? []),
      ...(this.#last.get(last) ?? []).slice(0, 40),
      ...(this.#shapes.get(shapes) ?? []).slice(0, 40),
    ])
  }
}

function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

const ratio = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : Math.min(a, b) / Math.max(a, b))

function matchedNames(
  desk: MappingDesk,
  side: 'debug' | 'bench',
  text: string,
  kind: 'cell' | 'api',
): ReadonlySet<string> {
  return new Set(
    desk
      .names(kind, text, side)
      .filter(name => name.state !== 'unmatched')
      .map(name => name.name),
  )
}

function proposal(kind: MappingKind, pair: Candidate, change: MappingChange): MappingProposal {
  return {
    id: `${kind} ${pair.mine} ${pair.theirs}`,
    changes: [change],
    score: pair.score,
    fits: { matched: pair.matched, all: pair.all },
    reasons: pair.reasons,
  }
}

// ---------------------------------------- apis

function proposeApis(desk: MappingDesk, text: string): MappingProposal[] {
  const matched = {
    debug: matchedNames(desk, 'debug', text, 'api'),
    bench: matchedNames(desk, 'bench', text, 'api'),
  }
  const mine = [...desk.debug.apis.values()].filter(api => !matched.debug.has(api.name))
  const theirs = [...desk.bench.apis.values()].filter(api => !matched.bench.has(api.name))
  const evidence = new Map([
    ...mine.map(api => [api, evidenceOf(desk.debug, api.ops)] as const),
    ...theirs.map(api => [api, evidenceOf(desk.bench, api.ops)] as const),
  ])
  const pairs: Candidate[] = []
  for (const api of mine) {
    const builtIn = apiOf(builtInName(`${api.name}.0`))
    for (const other of theirs) {
      const [own, there] = [evidence.get(api) ?? noEvidence(), evidence.get(other) ?? noEvidence()]
      const { score, reasons } = weigh([
        ['name', 4, nameLikeness(lastOf(api.name), lastOf(other.name))],
        ['built-in', 1, builtIn === other.name ? 1 : null],
        ['calls', 1, ratio(api.ops.length, other.ops.length)],
        ['shapes', 2.5, bags(own.shapes, there.shapes)],
        ['values', 2.5, bags(own.values, there.values)],
      ])
      const pair: Candidate = {
        mine: api.name,
        theirs: other.name,
        score,
        reasons,
        matched: Math.min(api.ops.length, other.ops.length),
        all: api.ops.length,
      }
      pairs.push(isPart(desk.debug, api.ops[0], desk.bench, other.ops[0]) ? inPart(pair) : pair)
    }
  }
  return bestPairs(pairs).flatMap(pair => {
    const [a, b] = [desk.debug.apis.get(pair.mine), desk.bench.apis.get(pair.theirs)]
    return a && b
      ? [
          proposal('api', pair, {
            kind: 'api',
            from: pair.mine,
            to: pair.theirs,
            args: wire(desk.debug, desk.bench, a, b, 'inputs'),
            outputs: wire(desk.debug, desk.bench, a, b, 'outputs'),
          }),
        ]
      : []
  })
}

const lastOf = (api: string): string => api.slice(api.indexOf('.') + 1)

// ---------------------------------------- data

/** Items with the same value or the same place in calls of the same kind. */
function proposeData(desk: MappingDesk, text: string): MappingProposal[] {
  const { debug, bench } = desk
  const [left, free] = unpaired(desk, text)
  const candidates = indexed(bench, free)
  const pairs = new Map<DebugItem, ItemMatch>()
  const taken = new Set<BenchItem>()
  const take = (item: DebugItem, match: ItemMatch): void => {
    pairs.set(item, match)
    taken.add(match.other)
  }
  // Names first, so that an equal value elsewhere does not take their partners away.
  for (const [index, nameOf, name] of [
    [candidates.byKey, plainName, 1],
    [candidates.byOwnName, ownName, 0.8],
  ] as const)
    for (const item of left) {
      if (pairs.has(item)) continue
      const others = index.get(`${nameOf(debug, item)} ${shapeOf(debug, item)}`)
      const other = others?.find(there => !taken.has(there))
      if (other !== undefined) take(item, { other, name })
    }
  for (const item of left) {
    const match = pairs.has(item) ? null : mostAlikeIn(desk, item, sameValued(candidates, debug, item), taken)
    if (match) take(item, match)
  }
  if (debug.dump.names.id !== 'msprobe') {
    const shapes = byShape(bench, free)
    for (const item of left) {
      const others = pairs.has(item) ? none : (shapes.get(shapeOf(debug, item)) ?? none)
      const match = nearestName(desk, item, others, taken)
      if (match) take(item, match)
    }
  }
  return [...pairs].map(([item, match]) =>
    itemProposal(desk, item, match, sameValued(candidates, debug, item)),
  )
}

function byShape(names: SideNames, items: readonly BenchItem[]): ReadonlyMap<string, readonly BenchItem[]> {
  const found = new Map<string, BenchItem[]>()
  for (const item of items) put(found, shapeOf(names, item), item)
  return found
}

/** Tensors by name have nothing else that tells them apart but the shape. */
const leastLikeness = 0.5

function nearestName(
  { debug, bench }: MappingDesk,
  item: DebugItem,
  others: readonly BenchItem[],
  taken: ReadonlySet<BenchItem>,
): ItemMatch | null {
  let best: ItemMatch | null = null
  for (const other of others.filter(one => !taken.has(one)).slice(0, mostAlike)) {
    const name = nameLikeness(debug.itemName(item), bench.itemName(other))
    if (name >= leastLikeness && name > (best?.name ?? 0)) best = { other, name }
  }
  return best
}

/** An item of the other side, and how alike the names are. */
interface ItemMatch {
  readonly other: BenchItem
  readonly name: number
}

/** Items of both sides that have no partner, in dump order. */
function unpaired(desk: MappingDesk, text: string): readonly [DebugItem[], BenchItem[]] {
  const { debugItem, benchItem } = desk.pairing('data', text)
  const paired = {
    debug: new Uint8Array(desk.debug.dump.items.length),
    bench: new Uint8Array(desk.bench.dump.items.length),
  }
  for (let row = 0; row < debugItem.length; row++) {
    if (benchItem[row] < 0) continue
    paired.debug[debugItem[row]] = 1
    paired.bench[benchItem[row]] = 1
  }
  const without = (flags: Uint8Array): number[] => [...flags.keys()].filter(item => flags[item] === 0)
  return [without(paired.debug), without(paired.bench)]
}

/** Items of the bench side by name, name without module, and value; each with the shape. */
interface Candidates {
  readonly byKey: ReadonlyMap<string, readonly BenchItem[]>
  readonly byOwnName: ReadonlyMap<string, readonly BenchItem[]>
  readonly byValue: ReadonlyMap<string, readonly BenchItem[]>
}

function indexed(bench: SideNames, free: readonly BenchItem[]): Candidates {
  const byKey = new Map<string, BenchItem[]>()
  const byOwnName = new Map<string, BenchItem[]>()
  const byValue = new Map<string, BenchItem[]>()
  for (const item of free) {
    put(byKey, `${plainName(bench, item)} ${shapeOf(bench, item)}`, item)
    put(byOwnName, `${ownName(bench, item)} ${shapeOf(bench, item)}`, item)
    const value = valueKey(bench, item)
    if (value !== '') put(byValue, value, item)
  }
  return { byKey, byOwnName, byValue }
}

/** Part, shape and value of an item; '' where it has no value. */
function valueKey(names: SideNames, item: ItemRow): string {
  const value = valueOf(names.dump, item, 6)
  return value === '' ? '' : `${names.dump.items.state[item]} ${shapeOf(names, item)} ${value}`
}

/** Items with the value of this one; undefined where it has none. */
function sameValued(
  { byValue }: Candidates,
  debug: SideNames,
  item: DebugItem,
): readonly BenchItem[] | undefined {
  const value = valueKey(debug, item)
  return value === '' ? undefined : (byValue.get(value) ?? none)
}

/** The one with the most similar name among items of the same value. */
function mostAlikeIn(
  { debug, bench }: MappingDesk,
  item: DebugItem,
  sameValue: readonly BenchItem[] | undefined,
  taken: ReadonlySet<BenchItem>,
): ItemMatch | null {
  const mine = callOf(debug, item)
  let best: ItemMatch | null = null
  for (const other of sameValue?.slice(0, mostAlike) ?? none) {
    const theirs = callOf(bench, other)
    if (taken.has(other) || mine.sort !== theirs.sort) continue
    const name = nameLikeness(mine.name, theirs.name) * (mine.number === theirs.number ? 1 : 0.8)
    if (!best || name > best.name) best = { other, name }
  }
  return best
}

function itemProposal(
  { debug, bench }: MappingDesk,
  item: DebugItem,
  { other, name }: ItemMatch,
  sameValue: readonly BenchItem[] | undefined,
): MappingProposal {
  const mine = debug.itemName(item)
  const share = sameValue?.includes(other) ? 1 : 0
  const { score, reasons } = weigh([
    ['name', 3, name],
    ['shapes', 2, 1],
    ['values', 2, sameValue === undefined ? null : share],
    ['dtypes', 0.5, dtypeWord(debug, item) === dtypeWord(bench, other) ? 1 : 0],
  ])
  return {
    id: `data ${mine}`,
    changes: [{ kind: 'data', from: mine, to: bench.itemName(other) }],
    score,
    fits: { matched: 1, all: 1 },
    reasons,
  }
}

const none: readonly BenchItem[] = []
const mostAlike = 24

/** Cells meet cells, and calls of one direction each other. */
function callOf(
  names: SideNames,
  item: ItemRow,
): { readonly sort: string; readonly name: string; readonly number: string } {
  const op = names.opName(names.dump.items.op[item])
  const segments = op.split('.')
  const { ofModule: cell, direction: way } = names.dump.names.parse(op)
  const direction = way === Direction.backward ? 'backward' : 'forward'
  return {
    sort: `${cell ? 'cell' : 'api'} ${direction}`,
    name: cell ? segments.slice(1, -3).join('.') : segments[1],
    number: segments.find(segment => /^\d+$/.test(segment)) ?? '',
  }
}

const dtypeWord = (names: SideNames, item: ItemRow): string => {
  const code = names.dump.items.dtype[item]
  return code < 0 ? '' : names.dump.texts.get(code).replace('torch.', '').toLowerCase()
}

/** A name without the module that an api belongs to. */
const ownName = (names: SideNames, item: ItemRow): string => plainName(names, item).replace(/^[^.]+\./, '')

/** A name without what differs by framework: built-in api names, Cell and Module, class words. */
function plainName(names: SideNames, item: ItemRow): string {
  const op = names.opName(names.dump.items.op[item])
  const index = indexOf(names.dump, item)
  const state = names.dump.items.state[item]
  const { form, owner, path, ofModule } = names.dump.names.parse(op)
  const attribute = path.lastIndexOf('.')
  const cell = (form === 'module' || form === 'gradients') && attribute > 0 && ofModule
  const plain = cell ? `Module.${path.slice(0, attribute)}${op.slice(owner.length)}` : builtInName(op)
  return `${plain} ${state} ${index}`
}

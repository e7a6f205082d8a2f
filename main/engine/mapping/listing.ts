// The names of one side as lists and trees, each with what became of it, and what pairing two layers says.
import type { Ids, ItemRow, MappingChange, MappingKind, MappingName, OpRow, Side } from '../model/index.ts'
import { apiOf, find, type Node, type Pairing, type Rules, translate } from '../pair/index.ts'
import { cellOf, type LayerInfo, type SideNames } from './names-of.ts'

export interface NamesQuestion {
  readonly find: string
  readonly show: 'all' | MappingName['state']
  /** Layers that are open. */
  readonly open: readonly string[]
}

/** What is on screen of a list: what fits, and of a tree what is open or leads to what fits. */
export function visible(
  names: readonly MappingName[],
  { find: wanted, show, open }: NamesQuestion,
): readonly MappingName[] {
  const text = wanted.toLowerCase()
  const fits = (name: MappingName): boolean =>
    (show === 'all' || name.state === show) &&
    (text === '' || name.name.toLowerCase().includes(text) || name.detail.toLowerCase().includes(text))
  if (!names.some(name => name.below > 0)) return names.filter(fits)
  const opened = new Set(open)
  const found: MappingName[] = []
  if (show === 'all' && text === '') {
    let closedAt = Infinity
    for (const name of names) {
      if (name.depth > closedAt) continue
      closedAt = name.below > 0 && !opened.has(name.name) ? name.depth : Infinity
      found.push(closedAt === Infinity && name.below > 0 ? { ...name, open: true } : name)
    }
    return found
  }
  // From the end, so that what lies above something kept is kept.
  let needed = 0
  for (let i = names.length - 1; i >= 0; i--) {
    const name = names[i]
    const leads = needed > name.depth
    if (!leads && !fits(name)) {
      needed = Math.min(needed, name.depth)
      continue
    }
    needed = name.depth
    // Closing what a filter opened hides what is below until it is opened again.
    found.push({ ...name, open: leads })
  }
  return found.reverse()
}

/** Every name of a side in the order of its dump; layers as a tree, parents before children. */
export function allNames(
  { debug, bench }: Readonly<Record<Side, SideNames>>,
  side: Side,
  kind: MappingKind,
  pairing: Pairing,
  layers: () => LayerNames,
): readonly MappingName[] {
  const [names, other] = side === 'debug' ? [debug, bench] : [bench, debug]
  if (kind === 'data') return itemNames(names, other, side, pairing)
  const partner = partnersOf(pairing, side, names, other)
  if (kind === 'layer') return layerNames(names, side, partner, layers())
  const word = kind === 'api' ? apiOf : (name: string): string => cellOf(name) ?? name
  const partnerNames = new Map<OpRow, string>()
  const wordOf = (op: OpRow): string => {
    let known = partnerNames.get(op)
    if (known === undefined) partnerNames.set(op, (known = word(other.opName(op))))
    return known
  }
  const row = (name: string, ops: readonly OpRow[], extra: Partial<MappingName> = {}): MappingName => {
    const met = new Set<string>()
    let matched = 0
    for (const op of ops) {
      if (partner[op] < 0) continue
      matched++
      met.add(wordOf(partner[op]))
    }
    return {
      ...plain,
      name,
      count: ops.length,
      matched,
      state: stateOf(matched, ops.length, met.size),
      partner: [...met][0] ?? '',
      ...extra,
    }
  }
  if (kind === 'cell') return [...names.cells.values()].map(cell => row(cell.name, cell.ops))
  const list = (items: ReadonlyMap<string, ItemRow>): MappingName['inputs'] =>
    [...items].map(([index, item]) => ({ index, detail: names.detail(item) }))
  return [...names.apis.values()].map(api =>
    row(api.name, api.ops, { inputs: list(api.inputs), outputs: list(api.outputs) }),
  )
}

const plain: MappingName = {
  name: '',
  depth: 0,
  below: 0,
  open: false,
  scope: '',
  detail: '',
  count: 0,
  matched: 0,
  state: 'unmatched',
  partner: '',
  inputs: [],
  outputs: [],
}

function stateOf(matched: number, all: number, partners: number): MappingName['state'] {
  if (matched === 0) return 'unmatched'
  return matched < all || partners > 1 ? 'ambiguous' : 'matched'
}

function itemNames(names: SideNames, other: SideNames, side: Side, pairing: Pairing): MappingName[] {
  const [mine, theirs] =
    side === 'debug' ? [pairing.debugItem, pairing.benchItem] : [pairing.benchItem, pairing.debugItem]
  const partner = new Int32Array(names.dump.items.length).fill(-1)
  for (let row = 0; row < mine.length; row++)
    if (mine[row] >= 0 && theirs[row] >= 0) partner[mine[row]] = theirs[row]
  return Array.from(partner, (met, item): MappingName => ({
    ...plain,
    name: names.itemName(item),
    detail: names.detail(item),
    count: 1,
    matched: met < 0 ? 0 : 1,
    state: met < 0 ? 'unmatched' : 'matched',
    partner: met < 0 ? '' : other.itemName(met),
  }))
}

/** By call: the call on the other side that it met, -1 none. */
function partnersOf(pairing: Pairing, side: Side, names: SideNames, other: SideNames): Ids<OpRow, OpRow> {
  const [mine, theirs] =
    side === 'debug' ? [pairing.debugItem, pairing.benchItem] : [pairing.benchItem, pairing.debugItem]
  const partner = new Int32Array(names.dump.ops.length).fill(-1)
  for (let row = 0; row < mine.length; row++)
    if (mine[row] >= 0 && theirs[row] >= 0)
      partner[names.dump.items.op[mine[row]]] = other.dump.items.op[theirs[row]]
  return partner
}

function layerNames(
  names: SideNames,
  side: Side,
  partner: Ids<OpRow, OpRow>,
  layers: LayerNames,
): MappingName[] {
  const infos = names.layers
  const place = new Map(infos.map((info, i) => [info, i]))
  const calls = new Int32Array(infos.length)
  const matched = new Int32Array(infos.length)
  for (let i = infos.length - 1; i >= 0; i--) {
    for (const list of infos[i].node.items.values())
      for (const { op } of list) {
        calls[i]++
        if (partner[op] >= 0) matched[i]++
      }
    const above = infos[i].parent
    const at = above ? (place.get(above) ?? -1) : -1
    if (at >= 0) {
      calls[at] += calls[i]
      matched[at] += matched[i]
    }
  }
  return infos.flatMap((info, i): MappingName[] =>
    info.parent === null
      ? []
      : [
          {
            ...plain,
            name: info.path.join('.'),
            depth: info.path.length - 1,
            below: info.node.children.size,
            scope: info.parent.node.type,
            detail: info.node.type,
            count: calls[i],
            matched: matched[i],
            state: stateOf(matched[i], calls[i], 1),
            partner:
              side === 'debug' ? layers.partnerOf(info.path.join('.')) : layers.partnerOfBench(info.node),
          },
        ],
  )
}

/** Layers of both sides under the rules of a text: who stands for whom, and by which rule. */
export class LayerNames {
  readonly #debug: ReadonlyMap<string, LayerInfo>
  readonly #debugTree: Node
  readonly #benchTree: Node
  readonly #rules: Rules
  readonly #partner = new Map<string, string>()
  readonly #rule = new Map<string, string>()
  readonly #ofBench = new Map<Node, string>()

  constructor(debug: SideNames, bench: SideNames, rules: Rules) {
    this.#debugTree = debug.tree
    this.#benchTree = bench.tree
    this.#rules = rules
    this.#debug = new Map(debug.layers.map(info => [info.path.join('.'), info]))
    for (const [path, info] of this.#debug) {
      const there = translate(debug.tree, ['', ...info.path].join('.'), rules, (type, rule, last) => {
        if (last) this.#rule.set(path, `${type}\n${rule.from.join('.')}`)
      })
      const node = find(bench.tree, there)
      if (!node) continue
      this.#partner.set(path, there.join('.'))
      this.#ofBench.set(node, path)
    }
  }

  partnerOf(path: string): string {
    return this.#partner.get(path) ?? ''
  }
  partnerOfBench(node: Node): string {
    return this.#ofBench.get(node) ?? ''
  }
  /** The key of the entry that says what a layer is called, '' where none does. */
  ruleOf(path: string): string {
    return this.#rule.get(path) ?? ''
  }

  /** The rule by which two layers would meet: below the nearest layers around them that have met. */
  change(from: string, to: string): MappingChange | null {
    const info = this.#debug.get(from)
    if (!info || !find(this.#benchTree, to.split('.'))) return null
    for (let above = info.parent; above; above = above.parent) {
      const there = translate(this.#debugTree, ['', ...above.path].join('.'), this.#rules).join('.')
      if (there !== '' && !to.startsWith(`${there}.`)) continue
      const { type } = above.node
      return {
        kind: 'layer',
        scope: above.parent ? type : 'Cell',
        from: info.path.slice(above.path.length).join('.'),
        to: there === '' ? to : to.slice(there.length + 1),
      }
    }
    return null
  }
}

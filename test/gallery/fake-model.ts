// A made-up pair of models for the gallery: names, hierarchy and numbers follow from the options, so pictures
// stay the same.
import { RowState } from '../../main/engine/model/names.ts'
import type { NodeShape, Side } from '../../preload/contract/engine.ts'

export interface FakeOptions {
  readonly layers: number
  /** Leaves straight below one module, for very wide levels. */
  readonly siblings: number
  /** Modules nested one in the other. */
  readonly depth: number
  /** Letters in a name, for very long ones. */
  readonly longNames: number
  readonly rows: number
  readonly single: boolean
  readonly failing: boolean
}

export const plainOptions: FakeOptions = {
  layers: 4,
  siblings: 0,
  depth: 0,
  longNames: 0,
  rows: 0,
  single: false,
  failing: true,
}

export interface FakeNode {
  readonly id: string
  readonly label: string
  readonly shape: NodeShape
  readonly parent: FakeNode | null
  readonly children: FakeNode[]
  readonly backward: boolean
  readonly depth: number
  partner: string
  bucket: number
  failing: number
  rows: number
  differs: number
  level: number
  origin: boolean
  holdsOrigin: boolean
  /** Place in execution order; `end` is behind the last node below. */
  place: number
  end: number
}

export interface FakeRow {
  readonly node: FakeNode
  readonly item: string
  readonly part: 'input' | 'output' | 'parameters'
  readonly shape: string
  readonly dtype: string
  readonly state: RowState
  readonly fill: 0 | 1 | 2
  readonly cosine: number
  readonly maxAbs: number
  readonly thousandth: number
}

export interface FakeModel {
  readonly debug: FakeNode
  readonly bench: FakeNode
  readonly order: { readonly debug: readonly FakeNode[]; readonly bench: readonly FakeNode[] }
  readonly byId: {
    readonly debug: ReadonlyMap<string, FakeNode>
    readonly bench: ReadonlyMap<string, FakeNode>
  }
  readonly rows: readonly FakeRow[]
}

/** Small, seeded and good enough to look like noise. */
export const noise = (seed: number): number => {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32
}

interface Part {
  readonly debug: string
  readonly bench: string
  readonly kind: 'module' | 'api' | 'group'
  readonly parts?: readonly Part[]
  readonly only?: Side
}

const leafApi = (debug: string, bench = debug.replace(/^Mint/, 'Torch')): Part => ({
  debug,
  bench,
  kind: 'api',
})
const mod = (debug: string, bench: string, parts: readonly Part[] = []): Part => ({
  debug,
  bench,
  kind: 'module',
  parts,
})

function layer(i: number): Part {
  return mod(`layers.${i}.TransformerLayer`, `layers.${i}.TransformerLayer`, [
    mod('input_norm.LayerNorm', 'input_norm.LayerNorm'),
    mod('attention.ParallelAttention', 'self_attention.ParallelAttention', [
      mod('qkv_proj.Dense', 'query_key_value.Linear'),
      leafApi(`Mint.reshape.${i * 2}`),
      leafApi(`Mint.split.${i}`),
      leafApi(`Mint.softmax.${i}`),
      mod('out_proj.Dense', 'dense.Linear'),
    ]),
    mod('post_attention_norm.LayerNorm', 'post_attention_norm.LayerNorm'),
    mod('mlp.ParallelMLP', 'mlp.ParallelMLP', [
      mod('up_proj.Dense', 'dense_h_to_4h.Linear'),
      leafApi(`Mint.gelu.${i}`),
      mod('down_proj.Dense', 'dense_4h_to_h.Linear'),
    ]),
  ])
}

function nested(depth: number): readonly Part[] {
  return depth === 0
    ? [leafApi('Mint.relu.99')]
    : [mod(`nest.${depth}.Block`, `nest.${depth}.Block`, nested(depth - 1))]
}

function parts(o: FakeOptions): readonly Part[] {
  const layers = Array.from({ length: o.layers }, (_, i) => layer(i))
  const long =
    o.longNames > 0
      ? [
          mod(
            `${'very_long_module_name_'.repeat(Math.ceil(o.longNames / 22)).slice(0, o.longNames)}.Dense`,
            `${'very_long_module_name_'.repeat(Math.ceil(o.longNames / 22)).slice(0, o.longNames)}.Linear`,
          ),
        ]
      : []
  return [
    leafApi('Functional.embedding.0'),
    leafApi('Tensor.__add__.0'),
    mod('embedding.Embedding', 'embedding.Embedding'),
    ...layers,
    ...long,
    ...nested(o.depth),
    ...Array.from({ length: o.siblings }, (_, i) => leafApi(`Mint.add.${i}`)),
    mod('final_norm.LayerNorm', 'final_norm.LayerNorm'),
    { ...leafApi('Mint.chunk.0'), only: 'debug' },
    { ...leafApi('Torch.split.3'), only: 'bench' },
    leafApi('Functional.cross_entropy.0'),
  ]
}

function build(side: Side, o: FakeOptions): { readonly root: FakeNode; readonly order: FakeNode[] } {
  const order: FakeNode[] = []
  const node = (
    id: string,
    label: string,
    shape: NodeShape,
    parent: FakeNode | null,
    backward: boolean,
  ): FakeNode => {
    const made: FakeNode = {
      id,
      label,
      shape,
      parent,
      children: [],
      backward,
      depth: parent ? parent.depth + 1 : 0,
      partner: '',
      bucket: -1,
      failing: 0,
      rows: 0,
      differs: 0,
      level: NaN,
      origin: false,
      holdsOrigin: false,
      place: order.length,
      end: 0,
    }
    order.push(made)
    parent?.children.push(made)
    return made
  }
  const name = (part: Part): string => (side === 'debug' ? part.debug : part.bench)
  const add = (part: Part, parent: FakeNode, path: string, backward: boolean): void => {
    if (part.only && part.only !== side) return
    const call = backward ? 'backward.0' : 'forward.0'
    const id = part.kind === 'api' ? `${name(part)}.${call.slice(0, -2)}` : `${path}.${name(part)}.${call}`
    const made = node(id, name(part), part.kind, parent, backward)
    const below = `${path}.${name(part).split('.').slice(0, -1).join('.')}`
    for (const inner of backward ? (part.parts ?? []).toReversed() : (part.parts ?? []))
      add(inner, made, below, backward)
    made.end = order.length
  }
  const root = node('DefaultModel', 'DefaultModel', 'module', null, false)
  const kind = side === 'debug' ? 'Cell' : 'Module'
  for (const backward of [false, true]) {
    const top = node(
      `${kind}.model.GPTModel.${backward ? 'backward' : 'forward'}.0`,
      `${kind}.model.GPTModel`,
      'module',
      root,
      backward,
    )
    for (const part of backward ? parts(o).toReversed() : parts(o)) add(part, top, `${kind}.model`, backward)
    top.end = order.length
  }
  root.end = order.length
  return { root, order }
}

export function makeModel(o: FakeOptions): FakeModel {
  const debug = build('debug', o)
  const bench = build('bench', o)
  pair(debug.root, bench.root)
  const rows = debug.order.flatMap((n, i) => rowsOf(n, i, o))
  for (const row of rows)
    if (row.state === RowState.differs)
      for (let at: FakeNode | null = row.node; at; at = at.parent) at.failing++
  for (const n of debug.order) {
    const mine = rows.filter(r => r.node === n)
    const worst = mine.reduce((w, r) => Math.max(w, 1 - r.thousandth), 0)
    n.rows = mine.length
    n.differs = mine.filter(r => r.state === RowState.differs).length
    if (mine.length > 0) n.level = worst
    n.origin = o.failing && n.differs > 0 && isOrigin(n) && !n.backward
    if (n.origin) for (let at = n.parent; at; at = at.parent) at.holdsOrigin = true
    n.bucket = o.single
      ? -1
      : n.partner === ''
        ? -2
        : mine.length === 0
          ? -1
          : worst > 0.9
            ? 5
            : worst > 0.6
              ? 4
              : worst > 0.3
                ? 3
                : worst > 0.1
                  ? 2
                  : worst > 0.02
                    ? 1
                    : 0
  }
  for (const n of debug.order.toReversed())
    if (n.children.length > 0)
      n.bucket = Math.max(
        n.bucket,
        ...n.children.filter(c => c.bucket >= 0).map(c => c.bucket - (n.depth > 2 ? 0 : 1)),
      )
  for (const n of bench.order) n.bucket = n.partner === '' ? -2 : -1
  const index = (list: readonly FakeNode[]): ReadonlyMap<string, FakeNode> =>
    new Map(list.map(n => [n.id, n]))
  return {
    debug: debug.root,
    bench: bench.root,
    order: { debug: debug.order, bench: bench.order },
    byId: { debug: index(debug.order), bench: index(bench.order) },
    rows,
  }
}

function pair(a: FakeNode, b: FakeNode): void {
  a.partner = b.id
  b.partner = a.id
  const lonely = (n: FakeNode): boolean => /chunk\.0|split\.3/.test(n.id)
  const left = a.children.filter(n => !lonely(n))
  const right = b.children.filter(n => !lonely(n))
  left.forEach((n, i) => {
    const other = right[i]
    if (other) pair(n, other)
  })
}

const isOrigin = (n: FakeNode): boolean => /layers\.1\.attention\.qkv_proj/.test(n.id)

function rowsOf(n: FakeNode, seed: number, o: FakeOptions): FakeRow[] {
  if (n.children.length > 4) return []
  const items =
    n.shape === 'module' && /Dense|Norm|Embedding/.test(n.id)
      ? ([
          ['input', 'input.0'],
          ['parameters', 'parameters.weight'],
          ['output', 'output.0'],
        ] as const)
      : ([
          ['input', 'input.0'],
          ['output', 'output.0'],
        ] as const)
  // The fault enters at layer 1's qkv_proj and fades with depth.
  const origin = isOrigin(n)
  const later =
    o.failing &&
    /layers\.[1-9]|final_norm|cross_entropy|backward/.test(n.id) &&
    !/layers\.1\.input_norm/.test(n.id)
  return items.map(([part, item], i) => {
    const bad = o.failing && (origin ? i > 0 : later)
    const err = bad
      ? origin
        ? 0.95
        : 0.25 * noise(seed * 7 + i) + (part === 'output' ? 0.15 : 0)
      : noise(seed + i) * 0.0004
    const state = n.partner === '' ? RowState.unpaired : err > 0.12 ? RowState.differs : RowState.noise
    return {
      node: n,
      item,
      part,
      shape: part === 'parameters' ? '[192, 64]' : '[2, 16, 64]',
      dtype: seed % 5 === 3 ? 'BFloat16' : 'Float32',
      state,
      fill: state === RowState.differs ? (err > 0.35 ? 2 : noise(seed * 3 + i) > 0.7 ? 1 : 0) : 0,
      cosine: 1 - err * 0.04,
      maxAbs: err * 0.43,
      thousandth: 1 - err,
    }
  })
}

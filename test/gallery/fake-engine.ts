// An EngineApi that answers from a made-up model: for the gallery and for looking at panels, never part of
// the app.
import { RecordBatchStreamWriter } from 'apache-arrow'
import type {
  Advice,
  EngineApi,
  EngineEvent,
  JobInfo,
  NodeDetail,
  NodeRef,
  Overall,
  PairRow,
  RowFilter,
  SessionId,
  SessionInfo,
  Side,
  SideInfo,
  ViewId,
  ViewQuery,
} from '../../preload/contract/engine.ts'
import { CancelledCall, RefusedCall, type Remote } from '../../preload/contract/rpc.ts'
import { RowState, rowStates, ruleNames } from '../../main/engine/model/names.ts'
import { defaultThresholds } from '../../main/engine/rules/thresholds.ts'
import { byteColumn, floatColumn, intColumn, recordBatch, textColumn } from '../../main/engine/view/arrow.ts'
import type { EngineLine } from '../../renderer/engine.ts'
import {
  makeModel,
  noise,
  plainOptions,
  type FakeModel,
  type FakeNode,
  type FakeOptions,
  type FakeRow,
} from './fake-model.ts'
import { fakeColumns } from './fake-columns.ts'
import { fakeScene } from './fake-scene.ts'

export type Mood = 'fine' | 'slow' | 'failing' | 'empty'

const problem = (
  code: string,
  facts: Record<string, string | number> = {},
  severity: 'error' | 'warning' | 'note' = 'error',
) => ({ code, severity, path: '/data/npu_dump/step0/rank0/dump.json', facts }) as never

export function fakeEngine(
  options: Partial<FakeOptions>,
  mood: Mood,
  emit: (event: EngineEvent) => void,
): EngineLine {
  const o = { ...plainOptions, ...options }
  const model = makeModel(o)
  const rowCount = mood === 'empty' ? 0 : o.rows || model.rows.length
  const rowAt = (i: number): FakeRow => model.rows[i % model.rows.length]!
  let session: SessionInfo = sessionInfo(o, model, rowCount, mood)
  const orders = new Map<number, Uint32Array>()
  let views = 0

  const api: Partial<EngineApi> = {
    async open(q) {
      session = { ...session, ...(q.options ? { options: { ...session.options, ...q.options } } : {}) }
      return { ok: true, value: session }
    },
    async close() {},
    async session() {
      return session
    },
    async choose(q) {
      session = { ...session, unit: q.unit }
      return session
    },
    async setOptions(q) {
      session = { ...session, options: { ...session.options, ...q.options } }
      return { ok: true, value: session }
    },
    async pause() {},
    async resume() {},

    async order(q) {
      const order = orderOf(q, rowCount, rowAt)
      const view = ++views
      orders.set(view, order)
      const all = orderOf({ ...q, filter: { ...q.filter, show: [] } }, rowCount, rowAt)
      const counts = {
        all: all.length,
        incomparable: 0,
        equal: 0,
        noise: 0,
        differs: 0,
        unpaired: 0,
        highlighted: 0,
      }
      for (const i of all) {
        const r = rowAt(i)
        counts[rowStates[r.state]]++
        if (r.fill > 0) counts.highlighted++
      }
      return { view: view as ViewId, rows: order.length, columns: fakeColumns, counts, recomputed: null }
    },
    async rows(q) {
      const order = orders.get(q.view) ?? new Uint32Array()
      const rows = order.subarray(q.first, q.first + q.count)
      const made = q.columns.flatMap(id => {
        if (id === 'row') return [intColumn(id, Int32Array.from(rows))]
        if (id === 'state' || id === 'fill')
          return [
            byteColumn(
              id,
              Uint8Array.from(rows, i => rowAt(i)[id]),
            ),
          ]
        const numeric = fakeColumns.find(c => c.id === id)?.numeric
        if (!numeric) return [textColumn(id, rows.length, i => textCell(rowAt(rows[i]!), id))]
        const values = Float64Array.from(rows, i => numberCell(rowAt(i), id))
        return [
          floatColumn(id, values),
          byteColumn(
            `${id}:kind`,
            Uint8Array.from(values, v => (Number.isNaN(v) ? 5 : 3)),
          ),
          textColumn(`${id}:text`, rows.length, i => (Number.isNaN(values[i]) ? 'N/A' : null)),
        ]
      })
      return new RecordBatchStreamWriter().writeAll([recordBatch(made, rows.length)]).toUint8Array(true)
    },
    async position(q) {
      return {
        place: (orders.get(q.view) ?? new Uint32Array()).indexOf(
          q.row ?? model.rows.findIndex(r => r.node.id === q.at.debug || r.node.partner === q.at.bench),
        ),
        block: null,
      }
    },
    why: () => Promise.resolve(null),
    async summary(q) {
      const counts = new Map<string, number>()
      const numeric = fakeColumns.find(c => c.id === q.column)?.numeric ?? false
      if (!numeric)
        for (const r of model.rows) {
          const t = textCell(r, q.column)
          counts.set(t, (counts.get(t) ?? 0) + 1)
        }
      return {
        values: [...counts]
          .map(([text, count]) => ({ text, count }))
          .sort((a, b) => b.count - a.count)
          .slice(0, 100),
        more: Math.max(0, counts.size - 100),
        min: 0,
        max: 1,
      }
    },

    async node(q) {
      return detailOf(model, q.at)
    },
    async raw(q) {
      return JSON.stringify(
        {
          [q.node]: {
            input_args: [
              {
                type: 'mindspore.Tensor',
                dtype: 'Float32',
                shape: [2, 16, 64],
                Max: 3.482,
                Min: -3.119,
                Mean: 0.0021,
                Norm: 45.03,
                requires_grad: true,
                data_name: `${q.node}.input.0.npy`,
              },
            ],
            input_kwargs: {},
            output: [
              {
                type: 'mindspore.Tensor',
                dtype: 'Float32',
                shape: [2, 16, 192],
                Max: 1.93,
                Min: -2.01,
                Mean: 0.0203,
                Norm: 22.4,
              },
            ],
          },
        },
        null,
        2,
      )
    },
    ...tensorLooks(mood),
    async closeness(q) {
      return {
        ok: true,
        value: {
          dtypes: ['Float32', 'Float32'],
          shapes: [
            [192, 64],
            [192, 64],
          ],
          elements: 12288,
          apart: Math.round(1200 / (1 + q.rtol * 1e4)),
          maxAbs: 0.020001,
          maxRel: 10.7,
          worst: [],
        },
      }
    },
    async flow(q) {
      const list = model.order[q.side].filter(n => n.children.length === 0).slice(4, 12)
      return {
        nodes: list.map((n, i) => ({
          id: n.id,
          label: n.label,
          bucket: n.bucket,
          origin: n.origin,
          backward: n.backward,
          inside: i > 1 && i < 6,
        })),
        edges: list
          .slice(1)
          .map((n, i) => ({
            from: list[i]!.id,
            to: n.id,
            item: 'output.0',
            input: 'input.0',
            shape: '[2, 16, 64]',
            by: 'md5',
            sure: i !== 2,
            bucket: 0,
            level: 0,
          })),
        cut: false,
        known: 'data',
      }
    },
    async findings() {
      if (mood === 'failing')
        throw new RefusedCall(problem('json-broken', { line: 1290, column: 17, byte: 48213 }))
      return adviceOf(model, o)
    },
    async overflows() {
      return []
    },
    async scriptChanges({ folder = '/data/precision_data', steps = '0' }) {
      return { folder, steps, snippets: [] }
    },
    async overflowStep() {
      const levels = { statistic: 0, medium: 0, high: 0, saturated: 0, critical: 0 }
      const answer = { origins: [], symptoms: [], later: 0, arrivals: [], notes: [], levels, calls: 0 }
      return { answer, ranks: [], problems: [] }
    },
    async replicasStep() {
      const compared = { parameters: 0, collectives: 0, calls: 0, recomputed: 0 }
      const answer = { findings: [], compared, ranks: 0, topology: null, copiesBy: 'none' as const }
      return { answer, units: [], problems: [] }
    },
    async overflowFirst() {
      return { steps: 1, first: null }
    },
    async overflowExplained() {
      return null
    },
    async overflowWalk() {
      return null
    },
    async overflowCalls() {
      const levels = { statistic: 0, medium: 0, high: 0, saturated: 0, critical: 0 }
      return { total: 0, levels, sides: null, calls: [] }
    },
    async overflowBench() {
      return null
    },
    async overall() {
      return overallOf(model, o)
    },
    async across() {
      return overallOf(model, o)
    },
    async search(q) {
      const text = q.text.toLowerCase()
      return (['debug', 'bench'] as const)
        .flatMap(side =>
          model.order[side]
            .filter(n => n.id.toLowerCase().includes(text))
            .map(n => ({
              side,
              node: n.id,
              what: 'name' as const,
              text: n.id,
              bucket: n.bucket,
              origin: n.origin,
            })),
        )
        .slice(0, q.limit)
    },

    async scene(q) {
      const dims = (n: FakeNode): boolean =>
        q.dimExcept !== undefined &&
        n.children.length === 0 &&
        (orders.get(q.dimExcept)?.length ?? 0) < rowCount &&
        n.failing === 0
      return {
        debug: fakeScene(model.debug, q.debug, dims),
        bench: q.bench && !o.single ? fakeScene(model.bench, q.bench, dims) : null,
      }
    },
    async locate(q) {
      const { boxes } = fakeScene(
        q.side === 'debug' ? model.debug : model.bench,
        { open: q.open, top: 0, bottom: 1e9 },
        () => false,
      )
      const box = boxes.find(b => b.id === q.node)
      return box ? { x: box.x, y: box.y, w: box.w, h: box.h } : null
    },
    async strip(q) {
      const strip = (side: Side) => ({
        bucket: Int8Array.from(
          { length: q.slots },
          (_, i) => model.order[side][Math.floor((i / q.slots) * model.order[side].length)]!.bucket,
        ),
        position: Float64Array.from({ length: q.slots }, (_, i) => i / q.slots),
        origin: model.order[side].findIndex(n => n.origin) / model.order[side].length,
        noted: new Float64Array(0),
      })
      return { debug: strip('debug'), bench: o.single ? null : strip('bench') }
    },
    async legend() {
      const bounds = [0, 0.001, 0.01, 0.05, 0.2, 1]
      return {
        colours: 'error',
        measure: 'error',
        choices: [
          { colours: 'error', measure: 'error' },
          { colours: 'msprobe', measure: 'fall' },
        ],
        buckets: bounds
          .slice(0, 5)
          .map((from, i) => ({
            bucket: i + (i > 0 ? 1 : 0),
            from,
            to: bounds[i + 1]!,
            count: model.order.debug.filter(n => n.bucket === i).length,
          })),
        unmatchedDebug: 2,
        unmatchedBench: 2,
        incomparable: 0,
        overflowed: 0,
        edges: 'data',
      }
    },
    async reveal(q) {
      const debug = q.at.debug === undefined ? undefined : model.byId.debug.get(q.at.debug)
      const bench = q.at.bench === undefined ? undefined : model.byId.bench.get(q.at.bench)
      const left = debug ?? (bench && model.byId.debug.get(bench.partner))
      const right = bench ?? (debug && model.byId.bench.get(debug.partner))
      return {
        at: { ...(left ? { debug: left.id } : {}), ...(right ? { bench: right.id } : {}) },
        debug: above(left),
        bench: above(right),
      }
    },
    async walk(q) {
      const here = q.from?.debug === undefined ? undefined : model.byId.debug.get(q.from.debug)
      const bad = model.order.debug.filter(n => n.children.length === 0 && n.differs > 0)
      const found = {
        first: () => bad.find(n => n.origin) ?? bad[0],
        next: () => bad.find(n => n.place > (here?.place ?? -1)),
        previous: () => bad.findLast(n => n.place < (here?.place ?? 0)),
      }[q.to]()
      const row = model.rows.findIndex(r => r.node === found && r.state === RowState.differs)
      return found ? { at: refOf(found), row: row as PairRow } : null
    },
    async stroll(q) {
      const here = q.from?.debug === undefined ? undefined : model.byId.debug.get(q.from.debug)
      const siblings = here?.parent?.children ?? []
      const found = {
        parent: () => here?.parent ?? undefined,
        child: () => here?.children[0],
        above: () => here && siblings[siblings.indexOf(here) - 1],
        below: () => here && siblings[siblings.indexOf(here) + 1],
      }[q.to]()
      return found ? refOf(found) : null
    },
    async expand(q) {
      const from = q.at?.debug === undefined ? model.debug : (model.byId.debug.get(q.at.debug) ?? model.debug)
      const want = (n: FakeNode): boolean =>
        n.children.length > 0 &&
        (q.to === 'all' || (q.to === 'differing' ? n.failing > 0 : n.depth - from.depth <= q.to))
      const ids = model.order.debug
        .filter(n => n.place >= from.place && n.place < from.end && want(n))
        .slice(0, 2000)
      return { debug: ids.map(n => n.id), bench: ids.map(n => n.partner).filter(Boolean) }
    },
    async nodeAt(q) {
      const list = model.order[q.side]
      const n = list[Math.min(list.length - 1, Math.floor(q.position * list.length))]
      return n ? (q.side === 'debug' ? refOf(n) : { bench: n.id, debug: n.partner }) : null
    },
    async list(q) {
      const all =
        q.list === 'differing'
          ? model.order.debug.filter(n => n.children.length === 0 && n.bucket >= 2)
          : model.order[q.list === 'unmatched-debug' ? 'debug' : 'bench'].filter(n => n.partner === '')
      return {
        reasons: [],
        total: all.length,
        nodes: all
          .slice(q.first, q.first + q.count)
          .map(n => ({
            at: q.list === 'unmatched-bench' ? { bench: n.id } : refOf(n),
            label: n.label,
            parent: n.parent?.label ?? '',
            bucket: n.bucket,
            differing: n.failing,
            origin: n.origin,
            backward: n.backward,
            why: q.list === 'differing' ? [] : [problem('nothing-matched', { name: n.id }, 'note')],
          })),
      }
    },
    async memory() {
      return 212e6
    },
    async write() {
      return { ok: true, value: { paths: ['/data/me/compare_result_20261118.xlsx'] } }
    },
  }

  if (mood === 'slow') {
    const job: JobInfo = {
      session: session.session,
      unit: 0,
      what: 'comparing',
      done: 1652,
      total: 2328,
      countedIn: 'items',
      startedMs: Date.now() - 900,
      finished: false,
    }
    setTimeout(() => emit({ is: 'job', job }), 50)
  }
  const call = new Proxy(
    {},
    {
      get: (_, name: keyof EngineApi | 'then') => {
        if (name === 'then') return undefined
        return async (arg: never, signal: AbortSignal = new AbortController().signal) => {
          if (mood === 'slow' && !['open', 'session', 'order', 'reveal', 'walk'].includes(name))
            await new Promise((_, reject) =>
              signal.addEventListener('abort', () => reject(new CancelledCall())),
            )
          await new Promise(resolve => setTimeout(resolve, 4))
          if (signal.aborted) throw new CancelledCall()
          const method = api[name] as ((arg: never, signal: AbortSignal) => unknown) | undefined
          if (!method) throw new Error(`the made-up engine has no ${name}`)
          return method(arg, signal)
        }
      },
    },
  ) as Remote<EngineApi>
  return { call, meter: new Map() }
}

const above = (n: FakeNode | undefined): string[] => {
  const ids: string[] = []
  for (let at = n?.parent; at; at = at.parent) ids.unshift(at.id)
  return ids
}
const refOf = (n: FakeNode): NodeRef => ({ debug: n.id, ...(n.partner === '' ? {} : { bench: n.partner }) })

const fakeSides: readonly SideInfo[] = [
  {
    side: 'debug',
    root: '/data/npu_dump',
    name: 'npu_dump',
    framework: 'mindspore',
    level: 'mix',
    task: 'tensor',
  },
  {
    side: 'bench',
    root: '/data/gpu_dump',
    name: 'gpu_dump',
    framework: 'pytorch',
    level: 'mix',
    task: 'tensor',
  },
]

const studyOf = (single: boolean): Pick<SessionInfo, 'kind' | 'sides' | 'panes' | 'reports' | 'can'> => ({
  kind: single ? 'single' : 'pair',
  sides: single ? fakeSides.slice(0, 1) : fakeSides,
  panes: ['advisor', ...(single ? [] : ['mapping']), 'nodes', 'graph', 'grid', 'inspector'],
  reports: single ? ['vis', 'vis.db'] : ['xlsx', 'csv', 'advisor', 'html', 'json', 'vis', 'vis.db'],
  can: { compare: !single, match: !single, join: true, recompute: false },
})

function sessionInfo(o: FakeOptions, model: FakeModel, rows: number, mood: Mood): SessionInfo {
  const differs = mood === 'empty' ? 0 : model.rows.filter(r => r.state === RowState.differs).length
  const unit = (n: number, step: number, rank: number) => ({
    unit: n,
    name: '',
    aside: false,
    sideNames: [],
    step,
    rank,
    dirs: [`/data/npu_dump/step${step}/rank${rank}`, `/data/gpu_dump/step${step}/rank${rank}`],
    failure: null,
    state: n === 0 ? ('done' as const) : ('waiting' as const),
    rows,
    equal: 0,
    noise: rows - differs,
    differs: n === 0 ? differs : 0,
    incomparable: 0,
    failing: 0,
    red: 0,
    yellow: 0,
    unmatchedDebug: rows === 0 ? 0 : 4,
    unmatchedBench: rows === 0 ? 0 : 4,
    calls: { debug: { all: 120, paired: 116 }, bench: { all: 118, paired: 114 } },
    worst: 0.95,
    headline: 'Cell.model.layers.1.attention.qkv_proj.Dense.forward.0',
    partial: false,
    outdated: false,
    growing: false,
    versions: { dumps: 1, pairs: 1, metrics: 1, states: 1, graph: 1, findings: 1 },
  })
  return {
    session: 1 as SessionId,
    paused: false,
    ...studyOf(o.single),
    beside: [],
    mode: 'tensor',
    mapping: { layer: '' },
    options: {
      rules: 'plumbline',
      fuzzy: false,
      mapping: { layer: '' },
      thresholds: defaultThresholds,
      colours: 'error',
      noise: [],
    },
    units: [unit(0, 0, 0), unit(1, 0, 1), unit(2, 1, 0), unit(3, 1, 1)],
    unit: 0,
    problems:
      mood === 'failing'
        ? [problem('json-truncated', { byte: 48213, line: 1290, column: 17 }, 'warning')]
        : [],
  }
}

function orderOf(q: ViewQuery, rowCount: number, rowAt: (i: number) => FakeRow): Uint32Array {
  const found: number[] = []
  for (let i = 0; i < rowCount; i++) if (passes(rowAt(i), q.filter)) found.push(i)
  const [sort] = q.sort
  if (sort) found.sort((a, b) => (sort.down ? -1 : 1) * compareCells(rowAt(a), rowAt(b), sort.column))
  return Uint32Array.from(found)
}

const compareCells = (a: FakeRow, b: FakeRow, id: string): number => {
  const d = numberCell(a, id) - numberCell(b, id)
  return Number.isNaN(d) ? textCell(a, id).localeCompare(textCell(b, id)) : d
}

function passes(r: FakeRow, f: RowFilter): boolean {
  const state = rowStates[r.state]
  if (f.show.length > 0 && !f.show.includes(state) && !(f.show.includes('highlighted') && r.fill > 0))
    return false
  if (f.node && r.node.id !== f.node.debug && !above(r.node).includes(f.node.debug ?? '')) return false
  if (f.quick !== '' && !`${r.node.id} ${r.shape} ${r.dtype}`.toLowerCase().includes(f.quick.toLowerCase()))
    return false
  return f.columns.every(c =>
    c.is === 'set'
      ? c.values.includes(textCell(r, c.column))
      : c.is === 'text'
        ? textCell(r, c.column).toLowerCase().includes(c.text.toLowerCase())
        : c.op === '>'
          ? numberCell(r, c.column) > c.value
          : numberCell(r, c.column) < c.value,
  )
}

function textCell(r: FakeRow, id: string): string {
  switch (id) {
    case 'debugName':
      return `${r.node.id}.${r.item}`
    case 'benchName':
      return r.node.partner === '' ? 'N/A' : `${r.node.partner}.${r.item}`
    case 'debugOp':
      return r.node.id
    case 'benchOp':
      return r.node.partner
    case 'debugDtype':
    case 'benchDtype':
      return r.node.partner === '' && id === 'benchDtype' ? 'N/A' : r.dtype
    case 'debugShape':
    case 'benchShape':
      return r.node.partner === '' && id === 'benchShape' ? 'N/A' : r.shape
    case 'accuracy':
      return r.node.partner === '' ? 'None' : r.state === RowState.differs ? 'No' : 'Yes'
    case 'message':
      return r.fill === 2
        ? "The input/parameters's one thousandth err ratio exceeds 0.9, while the output's is below 0.6"
        : r.fill === 1
          ? "The output's cosine decreases by more than 0.1"
          : ''
    case 'dataName':
      return `${r.node.id}.${r.item}.npy`
    default:
      return ''
  }
}

function numberCell(r: FakeRow, id: string): number {
  if (r.node.partner === '') return NaN
  switch (id) {
    case 'cosine':
      return r.cosine
    case 'maxAbs':
      return r.maxAbs
    case 'maxRel':
      return r.maxAbs * 3.3
    case 'thousandth':
      return r.thousandth
    case 'fiveThousandths':
      return Math.min(1, r.thousandth * 1.1)
    case 'debugMax':
      return 0.541207 + r.maxAbs
    case 'benchMax':
      return 0.541207
    case 'debugMin':
      return -0.498115
    case 'benchMin':
      return -0.518115
    case 'debugMean':
    case 'benchMean':
      return 0.020318
    case 'debugNorm':
    case 'benchNorm':
      return 11.39021
    default:
      return NaN
  }
}

function detailOf(model: FakeModel, at: NodeRef): NodeDetail {
  const node =
    (at.debug === undefined ? undefined : model.byId.debug.get(at.debug)) ??
    model.byId.bench.get(at.bench ?? '') ??
    model.debug
  const rows = model.rows.map((r, i) => [r, i] as const).filter(([r]) => r.node === node)
  const side = (r: FakeRow, debug: boolean) => ({
    name: `${debug ? r.node.id : r.node.partner}.${r.item}`,
    dtype: r.dtype,
    shape: r.shape,
    max: debug ? String(0.541207 + r.maxAbs) : '0.541207',
    min: '-0.498115',
    mean: debug ? '0.020318' : '0.000318',
    norm: debug ? '11.390210384' : '11.172200011',
    value: '',
    md5: '',
    file: `/data/x/${r.item}.npy`,
    layout: '',
  })
  const frame = (file: string, line: number, func: string, code: string, framework: boolean) => ({
    file,
    line,
    func,
    code,
    framework,
  })
  const stack = [
    frame(
      '/usr/local/lib/python3.11/site-packages/mindspore/nn/cell.py',
      705,
      '__call__',
      'return self._run_construct(args, kwargs)',
      true,
    ),
    frame('/workspace/models/gpt.py', 118, 'construct', 'qkv = self.qkv_proj(x)', false),
    frame('/workspace/models/gpt.py', 161, 'construct', 'h = self.attention(h, mask)', false),
    frame(
      '/usr/local/lib/python3.11/site-packages/mindspore/common/api.py',
      121,
      'wrapper',
      'return fn(*args)',
      true,
    ),
    frame('/workspace/train.py', 77, 'main', 'loss = net(tokens, labels)', false),
  ]
  const noWaits = { after: { names: [], total: 0 }, before: { names: [], total: 0 } }
  return {
    at: refOf(node),
    title: node.id,
    path: {
      debug: [...above(node), node.id],
      bench: node.partner === '' ? [] : [...above(model.byId.bench.get(node.partner)), node.partner],
    },
    items: rows.map(([r, i]) => ({
      row: i,
      part: r.part,
      debug: side(r, true),
      bench: r.node.partner === '' ? null : side(r, false),
      state: r.state,
      level: NaN,
      reason: null,
      fill: r.fill,
      cells: [
        { id: 'cosine', title: 'Cosine', text: String(r.cosine) },
        { id: 'maxAbs', title: 'MaxAbsErr', text: String(r.maxAbs) },
        { id: 'thousandth', title: 'One Thousandth Err Ratio', text: String(r.thousandth) },
        { id: 'message', title: 'Err_message', text: textCell(r, 'message') },
      ],
      links:
        r.part === 'parameters'
          ? []
          : [
              {
                node: model.order.debug[Math.max(0, node.place - 1)]!.id,
                item: 'output.0',
                by: 'md5',
                sure: true,
                side: 'debug' as const,
              },
            ],
    })),
    facts: { debug: [], bench: [] },
    stack: { debug: stack, bench: stack.slice(1) },
    waits: { debug: noWaits, bench: noWaits },
    whyUnmatched: node.partner === '' ? [problem('nothing-matched', { name: node.id }, 'note')] : [],
  }
}

function adviceOf(model: FakeModel, o: FakeOptions): Advice {
  const n = 400
  const origin = 130
  const level = Float64Array.from({ length: n }, (_, i) =>
    o.failing && i >= origin
      ? Math.min(1, 0.62 + 0.22 * Math.sin(i / 28) + noise(i) * 0.05)
      : 0.02 + noise(i) * 0.02,
  )
  const leaves = model.order.debug.filter(x => x.children.length === 0)
  const head = model.order.debug.find(x => /layers\.1\.attention\.qkv_proj/.test(x.id))
  const rows = model.rows.map((r, i) => [r, i] as const).filter(([r]) => r.node === head)
  return {
    stored: false,
    first: o.failing
      ? { line: 40, node: `${head?.id ?? ''}.parameters.weight`, advice: 'advice.forwardOutput' }
      : null,
    findings:
      !o.failing || !head
        ? []
        : [
            {
              kind: 'different-weights',
              node: head.id,
              side: 'debug',
              partner: '',
              step: 0,
              rank: 0,
              rows: rows.map(([, i]) => i),
              explains: { rows: 214, of: 231, by: 'edges' },
              evidence: rows.map(([r, i]) => ({
                row: i,
                label: r.item,
                metric: 'norm',
                state: 'differs',
                debug: '0.541207',
                bench: '0.521207',
                level: 1 - r.thousandth,
              })),
              proof: rows.map(([, i]) => i),
              hints: [{ key: 'hint.proportional', facts: { factor: 1.08 } }],
              made: { arrived: 0.0021, made: 0.037, out: 0.039, gain: 1.1, gainFrom: 'layers', way: 'makes' },
              variant: '',
              facts: {},
              at: 12,
              of: 231,
              collectives: 0,
              jump: Infinity,
            },
            {
              kind: 'unmatched-call',
              node: 'Mint.chunk.0.forward',
              side: 'debug',
              partner: '',
              step: 0,
              rank: 0,
              rows: [],
              explains: { rows: 2, of: 231, by: 'scope' },
              evidence: [],
              proof: [],
              hints: [],
              made: null,
              variant: '',
              facts: {},
              at: 40,
              of: 231,
              collectives: 0,
              jump: Infinity,
            },
          ],
    curve: {
      position: Float64Array.from({ length: n }, (_, i) => i),
      level,
      nodes: Array.from({ length: n }, (_, i) => leaves[i % leaves.length]!.id),
      floor: new Float64Array(n).fill(0.05),
      made: level.map((one, i) => Math.max(0, one - (level[i - 1] ?? 0))),
      origin: o.failing ? origin : -1,
    },
    noise: [{ key: 'hint.noise-floor', facts: { debug: 'bf16', bench: 'fp32', floor: 0.0039 } }],
    transfers: [],
    checked: ruleNames.map(rule => ({
      rule,
      state: o.failing && rule === 'weights' ? 'fail' : rule === 'collectives' ? 'not-applicable' : 'pass',
      looked: rule === 'collectives' ? 0 : 214,
      found: o.failing && rule === 'weights' ? 1 : 0,
      why: '',
    })),
    taken: { same: ['level', 'task', 'framework', 'calls'], differ: [], unknown: ['tool'] },
    makers: [],
    amplifiers: [],
    flips: [],
    dumpNext: { task: 'tensor', level: 'mix', list: ['Cell.model.layers.1.attention'] },
    alone: { debug: 3, bench: 1 },
  }
}

function overallOf(model: FakeModel, o: FakeOptions): Overall {
  const [finding = null] = adviceOf(model, o).findings
  const differ = finding ? [0] : []
  return {
    first: finding ? 0 : null,
    start: finding ? 0 : null,
    finding,
    differ,
    agree: finding ? [] : [0],
    undecided: [],
    failed: [],
    coming: [1, 2, 3],
  }
}

/** A tensor of 192 × 64 with one bad channel. */
function tensorLooks(
  mood: Mood,
): Pick<
  EngineApi,
  'tensorNumbers' | 'tensorAbout' | 'tensorSpread' | 'tensorHeat' | 'tensorKind' | 'tensorProposals'
> {
  const isPair = mood !== 'empty'
  const spec = { dtype: 'float32', shape: [192, 64] }
  const bell = (shift: number) =>
    Float64Array.from({ length: 64 }, (_, i) => Math.round(900 * Math.exp(-((i - 24 - shift) ** 2) / 64)))
  const edges = Float64Array.from({ length: 65 }, (_, i) => -0.6 + i * 0.02)
  const health = {
    ...spec,
    count: 12_288,
    zeros: 12,
    max: 0.541207,
    min: -0.498,
    mean: 0.02,
    norm: 11.39,
    std: 0.1,
    ailments: [{ kind: 'nan' as const, count: 3, first: [17, 40] }],
  }
  const error = (scale: number): Float64Array =>
    Float64Array.from({ length: 64 }, (_, i) => (i === 40 ? 0.02 : 1e-3 * Math.abs(noise(i))) * scale)
  const cells = (count: number, shift: number) => ({
    ...spec,
    values: Float64Array.from({ length: count }, (_, i) => (noise(i) - 0.5) * 0.4 + shift),
    texts: Array.from({ length: count }, () => ''),
    bits: Array.from({ length: count }, (_, i) => (0x3c000000 + i * 7919).toString(16)),
  })
  return {
    async tensorNumbers({ part: { rows, cols } }) {
      const count = rows * cols
      const debug = cells(count, 0.02)
      return {
        ok: true,
        value: {
          rows,
          cols,
          debug,
          bench: isPair ? cells(count, 0) : null,
          ulp: isPair ? debug.values.map((_, i) => i % 7) : null,
        },
      }
    },
    async tensorAbout() {
      return {
        ok: true,
        value: {
          sampled: null,
          debug: health,
          bench: isPair ? { ...health, ailments: [] } : null,
          pair: isPair
            ? { mismatched: 192, maxAbs: 0.02, meanAbs: 1e-4, maxRel: 10.7, cosine: 0.9999, ulp: 812 }
            : null,
          worst: isPair
            ? [
                [17, 40],
                [3, 9],
                [160, 63],
              ].map((index, i) => ({
                index,
                debug: 0.021871 - i * 0.07,
                bench: 0.00187 - i * 0.07,
                error: 0.020001 - i * 1e-6,
              }))
            : [],
          along: isPair ? [{ axis: 1, length: 64, max: error(1), mean: error(0.3), unevenness: 0.4 }] : [],
          telling: isPair ? 1 : null,
          snippet: "import numpy as np\ndebug = np.load('a.npy')\n",
          problems: [],
        },
      }
    },
    async tensorSpread() {
      const against = Float64Array.from({ length: 4096 }, (_, i) => {
        const [y, x] = [Math.floor(i / 64), i % 64]
        return Math.round(400 * Math.exp(-((x - y) ** 2) / 3 - (x - 24) ** 2 / 80))
      })
      return {
        ok: true,
        value: {
          sampled: null,
          values: { edges, debug: bell(0), bench: isPair ? bell(3) : null },
          error: isPair ? { edges: edges.map(edge => edge / 30), counts: bell(8) } : null,
          log: null,
          against: isPair ? { bins: 64, counts: against } : null,
        },
      }
    },
    async tensorHeat({ look: { rows, cols } }) {
      const [height, width] = [64, 128]
      const values = Float64Array.from({ length: height * width }, (_, i) => {
        const [r, c] = [Math.floor(i / width), i % width]
        return Math.max(0, Math.exp(-((r - 30 - c / 6) ** 2) / 60) * (0.4 + 0.6 * noise(i))) * 0.02
      })
      return { ok: true, value: { sampled: null, rows, cols, height, width, values } }
    },
    async tensorKind() {
      const kind = {
        kind: 'channel' as const,
        facts: { axis: 1, from: 40, to: 40, length: 64 },
        before: { mismatched: 192, maxAbs: 0.02, relative: 0.1 },
        after: { mismatched: 0, maxAbs: 0, relative: 0 },
        elements: 12_288,
        whole: true,
        exact: true,
        apart: null,
        within: null,
      }
      return { ok: true, value: isPair ? kind : null }
    },
    async tensorProposals() {
      return { ok: true, value: { debug: spec, bench: isPair ? spec : null, proposals: [] } }
    },
  }
}

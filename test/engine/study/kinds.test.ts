// What each kind of study says of itself, and that it can do what it says.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { kindOf } from '../../../main/engine/study/index.ts'
import {
  rulesNames,
  type NodeRef,
  type ReportFormat,
  type SessionId,
  type SessionInfo,
} from '../../../preload/contract/engine.ts'
import { dumpFolder } from '../../support/dumps.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { allDone, never, watchedEngine, type Watched } from '../../support/watched.ts'

const mix = ['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix'].map(dumpFolder)
const apis = ['ms_lenet_extra_relu_statistics_L1', 'ms_lenet_half_statistics_L1'].map(dumpFolder)

const gradients = ['pt_lenet_w_conv2_L2', 'pt_lenet_none_L2'].map(name =>
  path.join(fixturesRoot(), 'grad', name),
)

/** Of the same name, as an operator has it in both runs. */
const tensorFiles = ['pt_lenet_w_conv2_tensor_mix', 'pt_lenet_none_tensor_mix'].map(name =>
  path.join(dumpFolder(name), 'step0', 'rank', 'dump_tensor_data', 'Functional.conv2d.0.forward.output.0.pt'),
)

/** What a pair, or one of its sides, was written to. */
async function written(paths: readonly string[], format: ReportFormat): Promise<string> {
  const watched = watchedEngine()
  const { session } = await watched.open(paths)
  const folder = temporaryFolder()
  const result = await watched.engine.write({ session, unit: 0, format, folder, language: 'en' }, never)
  await watched.engine.close({ session }, never)
  if (!result.ok) throw new Error(result.problem.code)
  return result.value.paths[0]
}

const opened: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  'a pair': () => mix,
  'a pair of single APIs': () => apis,
  'one dump': () => mix.slice(0, 1),
  'a graph file of a pair': async () => [await written(mix, 'vis')],
  'a graph file of one dump': async () => [await written(mix.slice(0, 1), 'vis')],
  'a finished table': async () => [await written(mix, 'csv')],
  'two tensor files': () => tensorFiles,
  'one tensor file': () => tensorFiles.slice(0, 1),
  'a run of TensorFlow': () => [path.join(import.meta.dirname, '../../fixtures/tf/net/precision_data')],
  'an NPU run alone': () => [path.join(import.meta.dirname, '../../fixtures/tf/net/precision_data/npu')],
  'a result of the pre-check': () => {
    const folder = path.join(fixturesRoot(), 'next', 'api_precision', 'real_26', 'npu')
    return [path.join(folder, readdirSync(folder)[0])]
  },
  'two gradient probes': () => gradients,
  'one gradient probe': () => gradients.slice(0, 1),
  'a training monitor': () => [path.join(fixturesRoot(), 'next', 'monitor', 'alerts_1_26', 'in')],
  'two packages of configuration': () =>
    ['c52d4e92.zip', '3d80a721.zip'].map(name =>
      path.join(fixturesRoot(), 'next', 'config', 'packages', name),
    ),
  kernels: () => [path.join(fixturesRoot(), 'cases', 'kernel_npy_r1_s0', 'compare.json')],
}

const expected: Readonly<Record<keyof typeof opened, Partial<SessionInfo> & { readonly sideCount: number }>> =
  {
    'a pair': {
      kind: 'pair',
      sideCount: 2,
      panes: [
        'advisor',
        'mapping',
        'nodes',
        'units',
        'collect',
        'overflow',
        'graph',
        'grid',
        'inspector',
        'overtime',
      ],
      can: { compare: true, match: true, join: true, recompute: true },
    },
    'a pair of single APIs': {
      kind: 'pair',
      sideCount: 2,
      panes: ['advisor', 'mapping', 'nodes', 'units', 'collect', 'overflow', 'grid', 'inspector'],
      can: { compare: true, match: true, join: true, recompute: true },
    },
    'one dump': {
      kind: 'single',
      sideCount: 1,
      panes: ['advisor', 'nodes', 'overflow', 'collect', 'graph', 'grid', 'inspector', 'overtime'],
      can: { compare: false, match: false, join: true, recompute: true },
    },
    'a graph file of a pair': {
      kind: 'graph',
      sideCount: 2,
      panes: ['advisor', 'nodes', 'graph', 'grid', 'inspector'],
      can: { compare: true, match: false, join: false, recompute: false },
    },
    'a graph file of one dump': {
      kind: 'single',
      sideCount: 1,
      panes: ['advisor', 'nodes', 'graph', 'grid', 'inspector'],
      can: { compare: false, match: false, join: false, recompute: false },
    },
    'a finished table': {
      kind: 'table',
      sideCount: 2,
      panes: ['advisor', 'nodes', 'grid', 'inspector'],
      can: { compare: true, match: false, join: false, recompute: false },
    },
    'two tensor files': {
      kind: 'tensors',
      sideCount: 2,
      panes: ['values'],
      can: { compare: true, match: false, join: true, recompute: false },
    },
    'one tensor file': {
      kind: 'tensor',
      sideCount: 1,
      panes: ['values'],
      can: { compare: false, match: false, join: true, recompute: false },
    },
    'a run of TensorFlow': {
      kind: 'pair',
      sideCount: 2,
      panes: ['advisor', 'mapping', 'nodes', 'units', 'script', 'graph', 'grid', 'inspector'],
      can: { compare: true, match: true, join: true, recompute: true },
    },
    'an NPU run alone': {
      kind: 'single',
      sideCount: 1,
      panes: ['advisor', 'nodes', 'script', 'graph', 'grid', 'inspector'],
      can: { compare: false, match: false, join: true, recompute: true },
    },
    'a result of the pre-check': {
      kind: 'verdicts',
      sideCount: 1,
      panes: ['verdicts'],
      reports: [],
      can: { compare: false, match: false, join: true, recompute: false },
    },
    'two gradient probes': {
      kind: 'series',
      sideCount: 2,
      panes: ['series'],
      reports: [],
      can: { compare: false, match: false, join: true, recompute: false },
    },
    'one gradient probe': { kind: 'series', sideCount: 1, panes: ['series'] },
    'a training monitor': { kind: 'series', sideCount: 1, panes: ['series'] },
    'two packages of configuration': {
      kind: 'sheets',
      sideCount: 2,
      panes: ['sheets'],
      reports: [],
      can: { compare: false, match: false, join: true, recompute: false },
    },
    kernels: {
      kind: 'table',
      sideCount: 2,
      panes: ['advisor', 'nodes', 'grid', 'inspector'],
      can: { compare: true, match: false, join: false, recompute: false },
    },
  }

describe.each(Object.keys(opened))('%s', name => {
  it('says what it is, and writes every report that it offers', async () => {
    const watched = watchedEngine()
    const { session } = await watched.open(await opened[name]())
    const info = await watched.until(session, allDone)
    const { sideCount, ...says } = expected[name]
    expect(info).toMatchObject(says)
    expect([info.sides.length, info.units[0].dirs.length]).toEqual([sideCount, sideCount])
    for (const format of info.reports) {
      const order = { session, unit: 0, format, folder: temporaryFolder(), language: 'en' } as const
      expect([format, await watched.engine.write(order, never)]).toMatchObject([format, { ok: true }])
    }
  })
})

describe('two tensor files of one name', () => {
  it('are told apart by the folders that they lie in, and nobody advises on them', async () => {
    const watched = watchedEngine()
    const { session } = await watched.open(tensorFiles)
    const { sides } = await watched.until(session, allDone)
    expect(sides.map(({ name }) => name)).toEqual([
      'pt_lenet_w_conv2_tensor_mix/…/Functional.conv2d.0.forward.output.0.pt',
      'pt_lenet_none_tensor_mix/…/Functional.conv2d.0.forward.output.0.pt',
    ])
    expect((await watched.engine.across({ session }, never)).finding).toBe(null)
  })
})

describe('a pair that cannot be compared', () => {
  it('says why once, and leaves no counts of a part', async () => {
    const watched = watchedEngine()
    const other = dumpFolder('pt_lenet_none_md5_mix')
    const { session } = await watched.open([mix[0], other])
    const { units, problems } = await watched.until(session, allSettled)
    expect(units[0]).toMatchObject({ state: 'failed', rows: 0, failure: { code: 'modes-differ' } })
    expect(problems.filter(({ code }) => code === 'modes-differ')).toHaveLength(1)
  })
})

describe('one dump', () => {
  const rulesAndDumps = rulesNames.flatMap(rules =>
    ['pt_lenet_none_statistics_mix', 'pt_lenet_none_tensor_mix', 'ms_lenet_none_md5_mix'].map(
      dump => [dump, rules] as const,
    ),
  )

  // Nothing is compared: neither can tensor files of another side be missing, nor does a rule set drop calls.
  it.each(rulesAndDumps)('of %s shows all of its items by %s', async (dump, rules) => {
    const watched = watchedEngine()
    const { session } = await watched.open([dumpFolder(dump)], { rules })
    const { units } = await watched.until(
      session,
      info => info.units[0].state !== 'waiting' && allSettled(info),
    )
    const { rows, columns, counts } = await watched.rows(session)
    expect([units[0].state, rows > 100, counts.unpaired]).toEqual(['done', true, rows])
    expect(columns.filter(({ id }) => !/^debug|^stack$|^dataName$/.test(id))).toEqual([])
    const items = await watched.engine.node(
      { session, unit: 0, at: await firstNode(watched, session) },
      never,
    )
    expect(items.items.every(({ debug, bench }) => debug !== null && bench === null)).toBe(true)
  })
})

const allSettled = (info: SessionInfo): boolean =>
  info.units.every(({ state }) => state === 'done' || state === 'failed')

async function firstNode({ engine }: Watched, session: SessionId): Promise<NodeRef> {
  const found = await engine.nodeAt({ session, unit: 0, side: 'debug', position: 0.5 }, never)
  if (!found) throw new Error('the graph has no node')
  return found
}

describe('a unit', () => {
  // What a kind has no step for has no version to wait for.
  it('has versions of the steps of its kind', async () => {
    const watched = watchedEngine()
    const stepsOf = async (paths: readonly string[]): Promise<readonly string[]> =>
      Object.keys((await watched.open(paths)).units[0].versions)
    const [pair, single] = [await stepsOf(mix), await stepsOf(mix.slice(0, 1))]
    expect(pair).toContain('findings')
    expect(single).not.toContain('findings')
    expect(pair).toEqual(expect.arrayContaining([...single]))
  })

  it('of no known kind is refused', () => {
    expect(() => kindOf({ holds: 'nothing' as never, units: [] })).toThrow(/no kind of study/)
  })
})

// The training monitor: folders of both generations, rows that were torn, alert rules, runs, and the order of anomalies.
import { describe, expect, it } from 'vitest'
import {
  type Alert,
  type AlertRule,
  alertsOf,
  anomaliesIn,
  monitorAt,
  rankedAnomalies,
  readAlertRules,
  Points,
  readMonitor,
} from '../../../main/engine/series/index.ts'
import type { Problem, Rules } from '../../../main/engine/model/index.ts'
import { job } from '../../../main/engine/work/index.ts'
import { memoryFiles } from '../../support/memory-files.ts'

type Tree = Readonly<Record<string, string>>
const folder = 'Dec03_21-34-40-rank0-1a2b3c4d'

interface Found {
  readonly alerts: readonly Alert[]
  readonly problems: readonly Problem[]
}

async function alerts(tree: Tree, rules: Rules, specs: readonly AlertRule[]): Promise<Found> {
  const files = memoryFiles(
    Object.fromEntries(Object.entries(tree).map(([name, text]) => [`/m/${name}`, text])),
  )
  const problems: Problem[] = []
  const found: Alert[] = []
  for (const run of monitorAt(files, '/m').runs)
    for (const one of run)
      found.push(
        ...(await alertsOf(one, rules, specs, { files, job: job(), tell: told => void problems.push(told) })),
      )
  return { alerts: found, problems }
}

const values = (numbers: readonly (string | number)[], op = 'norm'): Tree => ({
  [`${folder}/grad_reduced_0-9.csv`]: `\uFEFFvpp_stage,name,step,${op}\n${numbers.map((value, step) => `0,w,${step},${value}\n`).join('')}`,
})
const turbulence: AlertRule = { name: 'AnomalyTurbulence', threshold: 0.5 }
const nan: AlertRule = { name: 'AnomalyNan', threshold: 10 }
const stepsOf = ({ alerts: found }: Found): readonly string[] =>
  found.map(({ step, rule }) => `${step} ${rule}`)

describe('alert rules', () => {
  it('of 1.2.2 take the mean of what was before, by its sign', async () => {
    expect(stepsOf(await alerts(values([1, 3, 2, 4]), 'msprobe-1.2.2', [turbulence]))).toEqual([
      '1 AnomalyTurbulence',
      '3 AnomalyTurbulence',
    ])
    expect(stepsOf(await alerts(values([-1, -3, 5]), 'msprobe-1.2.2', [turbulence]))).toEqual([
      '1 AnomalyTurbulence',
    ])
    expect(stepsOf(await alerts(values([1, 'nan', 9]), 'msprobe-1.2.2', [turbulence, nan]))).toEqual([])
  })

  it('of 26 forget slowly, by magnitude, and tell jumps of norm and mean only', async () => {
    expect(stepsOf(await alerts(values([1, -1.6, 1.5]), 'msprobe-26', [turbulence]))).toEqual([
      '1 AnomalyTurbulence',
    ])
    expect(stepsOf(await alerts(values([1, 3, 3], 'max'), 'msprobe-26', [turbulence]))).toEqual([])
    // The first rule that speaks hides the second.
    expect(stepsOf(await alerts(values([1, 99], 'max'), 'msprobe-26', [turbulence, nan]))).toEqual([])
    expect(stepsOf(await alerts(values([1, 99], 'max'), 'msprobe-26', [nan, turbulence]))).toEqual([
      '1 AnomalyNan',
    ])
  })

  it('of our own let no infinity silence what comes after it, and none hide another', async () => {
    const found = await alerts(values([1, 'inf', 2, 'nan', 2]), 'plumbline', [turbulence, nan])
    expect(stepsOf(found)).toEqual([
      '1 AnomalyTurbulence',
      '1 AnomalyNan',
      '2 AnomalyTurbulence',
      '3 AnomalyNan',
      '4 AnomalyTurbulence',
    ])
    expect(stepsOf(await alerts(values([1, 'inf', 2, 'nan', 2]), 'msprobe-26', [turbulence]))).toEqual([
      '1 AnomalyTurbulence',
    ])
  })

  it('keep micro batches apart', async () => {
    const text = 'vpp_stage,name,step,micro_step,norm\n0,w,0,0,1\n0,w,0,1,9\n0,w,1,0,1\n0,w,1,1,9\n'
    const found = await alerts({ [`${folder}/actv_0-1.csv`]: text }, 'msprobe-26', [turbulence])
    expect(found.alerts).toEqual([])
  })

  it('are read as a list or from a configuration; what is unknown is said', () => {
    const spec = [
      { rule_name: 'AnomalyTurbulence', args: { threshold: 0.2 } },
      { rule_name: 'AnomalyNan' },
      { rule_name: 'Other', args: {} },
      { rule_name: 'AnomalyTurbulence' },
    ]
    const files = memoryFiles({
      '/list.json': JSON.stringify(spec),
      '/config.json': JSON.stringify({ targets: {}, alert: { rules: spec.slice(0, 1), dump: true } }),
      '/none.json': '{"a": 1}',
    })
    const told: Problem[] = []
    const read = (file: string, rules: Rules): readonly AlertRule[] =>
      readAlertRules(files, file, rules, found => void told.push(found))
    const first = { name: 'AnomalyTurbulence', threshold: 0.2 }
    expect(read('/list.json', 'msprobe-26')).toEqual([first, { name: 'AnomalyNan', threshold: null }])
    expect(told.map(({ code }) => code)).toEqual(['alert-unknown', 'alert-unknown'])
    expect(read('/list.json', 'msprobe-1.2.2')).toEqual([first])
    expect(read('/config.json', 'plumbline')).toEqual([first])
    expect(() => read('/none.json', 'plumbline')).toThrow('alert-invalid')
  })
})

describe('csv files', () => {
  const read = async (tree: Tree): Promise<{ cells: object; codes: readonly string[] }> => {
    const files = memoryFiles(
      Object.fromEntries(Object.entries(tree).map(([name, text]) => [`/m/${name}`, text])),
    )
    const problems: Problem[] = []
    const cells: Record<string, unknown> = {}
    const ports = { files, job: job(), tell: (found: Problem): void => void problems.push(found) }
    const found = new Map<string, Points>()
    const sinkOf = (metric: string): Points => {
      const points = found.get(metric) ?? new Points()
      found.set(metric, points)
      return points
    }
    await readMonitor(monitorAt(files, '/m').runs[0], sinkOf, ports)
    for (const [metric, points] of found)
      for (let row = 0; row < points.length; row++)
        cells[
          `${metric} ${points.rankAt(row)} ${points.stepAt(row)} ${points.target(points.targetAt(row))}`
        ] = Object.fromEntries(
          points.stats.filter(stat => stat.has(row)).map(stat => [stat.name, stat.value(row)]),
        )
    return { cells, codes: problems.map(({ code }) => code) }
  }

  it('of a resumed run have their header again, with other columns', async () => {
    const text =
      'vpp_stage,name,step,norm\n0,w,0,1.5\n\uFEFFvpp_stage,name,step,min,norm\n0,w,1,-2,nan\n0,w,2,7'
    expect(await read({ [`${folder}/param_0-9.csv`]: text })).toEqual({
      cells: { 'param 0 0 0:w': { norm: 1.5 }, 'param 0 1 0:w': { min: -2, norm: NaN } },
      codes: ['series-cut'],
    })
  })

  it('have names that were torn at their colons put together again', async () => {
    const text = 'vpp_stage,name,step,micro_step,norm\n0,fc.input,3,0,1,2.5\n0,fc.input,3,x,y,2.5\n'
    expect(await read({ [`${folder}/actv_0-9.csv`]: text })).toEqual({
      cells: { 'actv 0 3 0:fc.input:0:1': { norm: 2.5 }, 'actv 0 3 0:fc.input': {} },
      codes: ['series-ragged'],
    })
  })

  it('of the second monitor come under the names of the first', async () => {
    const text =
      'vpp_stage,step,module_name,norm,scope,micro_step\n0,4,layers.0.w,1,unreduced,2\n0,4,layers.0.w,3,reduced,2\n'
    expect(await read({ 'rank_7/weight_grad_step0-9.csv': text, 'rank_7/other.csv': 'a,b\n' })).toEqual({
      cells: {
        'grad_unreduced 7 4 0:layers.0.w:2': { norm: 1 },
        'grad_reduced 7 4 0:layers.0.w:2': { norm: 3 },
      },
      codes: [],
    })
  })
})

it('takes folders of a rank that comes again as another run, in the order of their times', () => {
  const names = [
    'Dec03_21-34-40-rank0-a',
    'Dec03_21-34-41-rank1-a',
    'Feb03_21-34-40-rank0-b',
    'rank0',
    'logs',
  ]
  const files = memoryFiles(
    Object.fromEntries(names.map(name => [`/m/${name}/param_0-0.csv`, 'vpp_stage,name,step,norm\n'])),
  )
  const { runs, problems } = monitorAt(files, '/m')
  expect(runs.map(run => run.map(({ rank, time }) => [rank, time]))).toEqual([
    [[0, 'Feb03_21-34-40']],
    [
      [0, 'Dec03_21-34-40'],
      [1, 'Dec03_21-34-41'],
    ],
  ])
  expect(problems.map(({ code }) => code)).toEqual(['monitor-runs'])
})

it('puts anomalies into the order of forward, backward and optimizer, and reads those of all ranks', () => {
  const anomaly = (tag: string, vpp: number, pp: number, call: number): object => ({
    rank: 0,
    step: 1,
    micro_step: 0,
    pp_stage: pp,
    vpp_stage: vpp,
    call_id: call,
    tag_name: `0:x/rank0/${tag}`,
  })
  const files = memoryFiles({
    '/m/anomaly_detected/rank0/anomaly.json': JSON.stringify({
      a: anomaly('exp_avg', 0, 0, 0),
      b: anomaly('actv_grad', 0, 0, 0),
      c: anomaly('actv_grad', 0, 1, 0),
      d: anomaly('actv', 0, 1, 0),
      e: { ...anomaly('actv', 0, 0, 0), more: 1 },
    }),
    '/m/anomaly_detected/rank1/anomaly.json': `${JSON.stringify({ f: anomaly('actv', 0, 0, 5), g: anomaly('param', 0, 0, 0) }).slice(0, -1)},`,
  })
  const told: Problem[] = []
  const all = anomaliesIn(files, '/m', found => void told.push(found))
  const order = rankedAnomalies(all, 99).map(({ tag, pp }) => `${tag.slice('0:x/rank0/'.length)} ${pp}`)
  expect(order).toEqual(['param 0', 'actv 0', 'actv 1', 'actv_grad 1', 'actv_grad 0', 'exp_avg 0'])
  expect(told.map(({ code }) => code)).toEqual(['anomaly-other', 'anomaly-broken'])
  expect(rankedAnomalies(all, 2)).toHaveLength(2)
  expect(rankedAnomalies(all, 9, [3])).toEqual([])
})

// Anomalies that a training monitor has recorded: read from every rank, and put into the order in which they came.
import { baseOf, type Files, join } from '../../io/index.ts'
import {
  isArray,
  isObject,
  type Json,
  JsonNumber,
  type JsonObject,
  JsonReader,
  JsonStop,
} from '../../json/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'

export interface Anomaly {
  readonly rank: number
  readonly step: number
  readonly micro: number
  readonly pp: number
  readonly vpp: number
  readonly call: number
  readonly tag: string
  readonly message: string
  readonly mates: readonly number[] | null
}

const fileName = 'anomaly.json'
const inside = 'anomaly_detected'
const largest = 512 << 20

/** All anomalies below a folder of rank folders; also below the monitor's own, which holds it. */
export function anomaliesIn(
  files: Files,
  folder: string,
  tell: (found: Problem) => void,
): readonly Anomaly[] {
  const paths = filesIn(files, folder)
  if (paths.length === 0) throw new Refusal(problem('anomaly-none', folder))
  return paths.flatMap(path => anomaliesAt(files, path, tell))
}

function filesIn(files: Files, folder: string): readonly string[] {
  const found: string[] = []
  for (const { name, kind } of files.list(folder)) {
    if (kind !== 'folder') continue
    const path = join(folder, name, fileName)
    if (files.stat(path)?.kind === 'file') found.push(path)
    else if (name === inside) found.push(...filesIn(files, join(folder, name)))
  }
  const rankOf = (path: string): number => Number(/\d+/.exec(baseOf(join(path, '..')))?.[0] ?? -1)
  return found.sort((a, b) => rankOf(a) - rankOf(b))
}

function anomaliesAt(files: Files, path: string, tell: (found: Problem) => void): readonly Anomaly[] {
  const reader = new JsonReader(files.readAll(path, largest))
  const found: Anomaly[] = []
  let others = 0
  try {
    reader.members(() => {
      const anomaly = anomalyOf(reader.value(1))
      if (anomaly) found.push(anomaly)
      else others++
    })
  } catch (error) {
    if (!(error instanceof JsonStop)) throw error
    tell(problem('anomaly-broken', path, { byte: error.at, count: found.length }, 'warning'))
  }
  if (others > 0) tell(problem('anomaly-other', path, { count: others }, 'warning'))
  return found
}

/** Numbers that an anomaly may leave out; then they are 0. */
const numbers = ['rank', 'step', 'micro_step', 'pp_stage', 'vpp_stage', 'call_id'] as const
const fields: readonly string[] = [...numbers, 'tag_name', 'message', 'group_mates']

function anomalyOf(value: Json): Anomaly | null {
  if (!isObject(value) || [...value.keys()].some(key => !fields.includes(key))) return null
  const tag = value.get('tag_name')
  if (typeof tag !== 'string') return null
  const [rank, step, micro, pp, vpp, call] = numbers.map(name => numberAt(value, name))
  if ([rank, step, micro, pp, vpp, call].some(Number.isNaN)) return null
  const message = value.get('message')
  const mates = value.get('group_mates')
  return {
    rank,
    step,
    micro,
    pp,
    vpp,
    call,
    tag,
    message: typeof message === 'string' ? message : '',
    mates: isArray(mates) ? mates.map(mate => (mate instanceof JsonNumber ? mate.value : NaN)) : null,
  }
}

function numberAt(value: JsonObject, name: string): number {
  const found = value.get(name)
  if (found === undefined) return 0
  return found instanceof JsonNumber ? found.value : NaN
}

// ---------------------------------------- order

const stages: ReadonlyMap<string, number> = new Map([
  ['actv', 0],
  ...['actv_grad', 'pre_grad', 'post_grad', 'acc_grad'].map(name => [name, 1] as const),
  ...['exp_avg', 'exp_avg_sq'].map(name => [name, 2] as const),
])

/** Forward 0, backward 1, optimizer 2; anything else stands before them. */
const stageOf = ({ tag }: Anomaly): number => stages.get(tag.slice(tag.lastIndexOf('/') + 1)) ?? -1

/** As they came: forward through the pipeline, then back through it. */
function keysOf(anomaly: Anomaly): readonly number[] {
  const stage = stageOf(anomaly)
  const way = stage === 0 ? 1 : -1
  return [anomaly.step, anomaly.micro, stage, way * anomaly.vpp, way * anomaly.pp, anomaly.call]
}

function compare(a: Anomaly, b: Anomaly): number {
  const [mine, theirs] = [keysOf(a), keysOf(b)]
  for (let i = 0; i < mine.length; i++) if (mine[i] !== theirs[i]) return mine[i] - theirs[i]
  return 0
}

/** The first `most` of those at the given steps; none given: at all. */
export const rankedAnomalies = (
  all: readonly Anomaly[],
  most: number,
  steps: readonly number[] = [],
): readonly Anomaly[] =>
  all
    .filter(({ step }) => steps.length === 0 || steps.includes(step))
    .sort(compare)
    .slice(0, most)

/** What msprobe writes: by a key of tag, step and call, of which the last one counts. */
export const anomalyJson = (anomalies: readonly Anomaly[]): string =>
  ascii(
    JSON.stringify(
      Object.fromEntries(
        anomalies.map(anomaly => [
          `${anomaly.tag}_step_${anomaly.step}_call_${anomaly.call}`,
          recordOf(anomaly),
        ]),
      ),
      null,
      1,
    ),
  )

const recordOf = ({ rank, step, micro, pp, vpp, call, tag, message, mates }: Anomaly): object => ({
  rank,
  step,
  micro_step: micro,
  pp_stage: pp,
  vpp_stage: vpp,
  call_id: call,
  tag_name: tag,
  message,
  group_mates: mates,
})

const ascii = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

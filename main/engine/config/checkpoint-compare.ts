// Two checkpoints parameter by parameter, whatever ranks they were saved by.
import { type Parameter, readCheckpoint } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { type Json, JsonNumber } from '../json/index.ts'
import { problem, type Problem, type Rules } from '../model/index.ts'
import { ruleSets } from '../rules/index.ts'
import type { Job } from '../work/index.ts'
import { ParameterValues, stretch } from './checkpoint-values.ts'

/** Null where a number does not exist: other shapes, or a norm of zero. */
export interface ParameterAnswer {
  readonly name: string
  readonly benchShape: readonly number[]
  readonly debugShape: readonly number[]
  readonly l2: number | null
  readonly cosine: number | null
  readonly maxAbs: number | null
  /** The norm of the difference against that of the bench. */
  readonly relativeL2: number | null
  /** Share of elements with the same sign. */
  readonly signs: number | null
}

export interface CheckpointsCompared {
  readonly rules: Rules
  readonly parameters: readonly ParameterAnswer[]
  readonly benchOnly: readonly string[]
  readonly debugOnly: readonly string[]
}

export interface CheckpointSides {
  readonly bench: string
  readonly debug: string
  readonly rules: Rules
  readonly files: Files
  readonly job: Job
  tell(found: Problem): void
}

export async function compareCheckpoints(sides: CheckpointSides): Promise<CheckpointsCompared> {
  const { rules, files, job, tell } = sides
  const exact = !ruleSets[rules].deviates['config-meaning']
  const [bench, debug] = [sides.bench, sides.debug].map(folder =>
    readCheckpoint(folder, { files, exact, tell }),
  )
  const parameters: ParameterAnswer[] = []
  const common = [...bench.values()].filter(({ name }) => debug.has(name))
  for (const [done, mine] of common.entries()) {
    const theirs = debug.get(mine.name)
    if (theirs) parameters.push(await compareOne(mine, theirs, { files, job }))
    for (const side of theirs ? [mine, theirs] : [])
      if (!(await replicasAgree(side, { files, job })))
        tell(problem('ckpt-replicas-differ', side.shards[0].file, { name: side.name }, 'warning'))
    job.report({ what: 'job.comparing', done: done + 1, total: common.length, countedIn: 'items' })
  }
  return {
    rules,
    parameters,
    benchOnly: [...bench.keys()].filter(name => !debug.has(name)),
    debugOnly: [...debug.keys()].filter(name => !bench.has(name)),
  }
}

interface Ports {
  readonly files: Files
  readonly job: Job
}

async function compareOne(bench: Parameter, debug: Parameter, ports: Ports): Promise<ParameterAnswer> {
  const shapes = { name: bench.name, benchShape: bench.shape, debugShape: debug.shape }
  const same =
    bench.shape.length === debug.shape.length && bench.shape.every((dim, i) => dim === debug.shape[i])
  if (!same) return { ...shapes, l2: null, cosine: null, maxAbs: null, relativeL2: null, signs: null }
  let [aa, bb, ab, dd, maxAbs, agree] = [0, 0, 0, 0, 0, 0]
  const size = await together(bench, debug, ports, (a, b) => {
    const difference = a - b
    aa += a * a
    bb += b * b
    ab += a * b
    dd += difference * difference
    // NaN stays what it is.
    if (!(Math.abs(difference) <= maxAbs)) maxAbs = Math.abs(difference)
    if (Math.sign(a) === Math.sign(b)) agree++
  })
  return {
    ...shapes,
    l2: Math.sqrt(dd),
    cosine: cosineOf(ab, aa, bb),
    maxAbs,
    relativeL2: aa === 0 ? null : Math.sqrt(dd / aa),
    signs: size === 0 ? null : agree / size,
  }
}

function cosineOf(ab: number, aa: number, bb: number): number | null {
  if (aa === 0 && bb === 0) return 1
  return aa === 0 || bb === 0 ? null : ab / (Math.sqrt(aa) * Math.sqrt(bb))
}

/** Visits the elements of two parameters of one shape; returns how many there are. */
async function together(
  first: Parameter,
  second: Parameter,
  { files, job }: Ports,
  visit: (a: number, b: number) => void,
): Promise<number> {
  const a = new ParameterValues(files, first)
  try {
    const b = new ParameterValues(files, second)
    try {
      let done = 0
      while (done < a.size) {
        const many = Math.min(a.read(stretch), b.read(stretch))
        if (many === 0) break
        for (let i = 0; i < many; i++) visit(a.values[i], b.values[i])
        done += many
        await job.breathe()
      }
      return done
    } finally {
      b.close()
    }
  } finally {
    a.close()
  }
}

const close = { relative: 1e-5, absolute: 1e-8 }

/** Whether ranks that each hold the whole hold the same. */
async function replicasAgree(parameter: Parameter, ports: Ports): Promise<boolean> {
  const { axis, shards } = parameter
  if (axis !== null) return true
  const [first, ...others] = shards.map(shard => ({
    ...parameter,
    shape: shard.layout.shape,
    shards: [shard],
  }))
  for (const other of others) {
    let agree = other.shape.join() === first.shape.join()
    if (agree)
      await together(first, other, ports, (a, b) => {
        if (!(a === b || Math.abs(a - b) <= close.absolute + close.relative * Math.abs(b))) agree = false
      })
    if (!agree) return false
  }
  return true
}

/** The file that the tool writes; our own rules add what they know besides. */
export function checkpointsJson({ rules, parameters }: CheckpointsCompared): Json {
  const exact = !ruleSets[rules].deviates['config-meaning']
  return new Map(parameters.map(one => [one.name, parameterJson(one, exact)]))
}

function parameterJson(one: ParameterAnswer, exact: boolean): Json {
  const { benchShape, debugShape, l2, cosine } = one
  const differ = benchShape.join() !== debugShape.join()
  const counts = [benchShape, debugShape].map(shape =>
    whole(shape.reduce((product, dim) => product * dim, 1)),
  )
  const shapes = [benchShape, debugShape].map(shape => shape.map(whole))
  return new Map<string, Json>([
    ['l2', float(l2)],
    ['cos', float(cosine)],
    ['numel', counts[0].text === counts[1].text ? counts[0] : counts],
    ['shape', differ ? shapes : shapes[0]],
    ...(exact
      ? []
      : ([
          ['max_abs', float(one.maxAbs)],
          ['relative_l2', float(one.relativeL2)],
          ['same_sign', float(one.signs)],
        ] as const)),
  ])
}

const whole = (value: number): JsonNumber => new JsonNumber(String(value), false)
const float = (value: number | null): JsonNumber | null =>
  value === null ? null : new JsonNumber(String(value), true)

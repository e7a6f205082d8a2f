// Two tensors of a row by hand: are they close? Streams; no tensor is held.
import { indexOf, OpenTensor, sameShape, walk } from '../formats/index.ts'
import { type Files, quickFiles, type Root } from '../io/index.ts'
import { betweenSteps, Cancelled, type Job, type Pool, type TaskContext } from '../work/index.ts'
import { type Closeness, problem, Refusal, type TensorRef } from '../model/index.ts'
import { absoluteError, Largest } from '../measure/index.ts'

interface ClosenessQuery {
  readonly debug: TensorRef
  readonly bench: TensorRef
  readonly atol: number
  readonly rtol: number
}

/** Refuses files that cannot be read. */
export function closeness(pool: Pool, files: Files, query: ClosenessQuery, job: Job): Promise<Closeness> {
  if (job.signal.aborted) return Promise.reject(new Cancelled())
  const tell = (share: unknown): void =>
    job.report({
      what: 'job.reading',
      done: Math.round(Number(share) * 1000),
      total: 1000,
      countedIn: 'items',
    })
  return pool.run(
    'closeness',
    { roots: files.roots(), query },
    { signal: job.signal, priority: betweenSteps - 1, tell },
  )
}

// ---------------------------------------- in the thread

/** Tells a share of the work now and then. */
function sharesOf(context: TaskContext): (share: number) => void {
  let told = 0
  return share => {
    if (share >= told + 0.01) {
      told = share
      context.tell(share)
    }
  }
}

const mostWorst = 20

export function* closenessTask(
  arg: { roots: readonly Root[]; query: ClosenessQuery },
  context: TaskContext,
): Generator<void, Closeness, void> {
  const {
    query: { atol, rtol, ...query },
  } = arg
  if (!(atol >= 0) || !(rtol >= 0)) throw new Refusal(problem('tolerance-invalid', query.debug.file))
  const files = quickFiles(arg.roots)
  const debug = new OpenTensor(files, query.debug)
  try {
    const bench = new OpenTensor(files, query.bench)
    try {
      return yield* compare(debug, bench, atol, rtol, sharesOf(context))
    } finally {
      bench.close()
    }
  } finally {
    debug.close()
  }
}

function* compare(
  debug: OpenTensor,
  bench: OpenTensor,
  atol: number,
  rtol: number,
  report: (share: number) => void,
): Generator<void, Closeness, void> {
  const { size, shape } = debug.layout
  const worst = new Largest(mostWorst)
  let [apart, maxAbs, maxRel] = [0, 0, 0]
  const same = sameShape(debug.layout, bench.layout)
  if (same) {
    yield* walk(
      [debug, bench],
      (first, count) => {
        const { values: x } = debug
        const { values: y } = bench
        for (let i = 0; i < count; i++) {
          const a = x[i]
          const b = y[i]
          if (a === b) continue
          const size = Math.abs(b)
          let error = Math.abs(a - b)
          // As in numpy, NaN is close to nothing, not even to NaN.
          if (!(error <= atol + rtol * size) || size === Infinity) apart++
          if (!(error < Infinity)) error = absoluteError(a, b)
          if (error > maxAbs) maxAbs = error
          if (error / size > maxRel) maxRel = error / size
          if (error > worst.least) worst.add({ element: first + i, debug: a, bench: b, error })
        }
      },
      report,
    )
  }
  return {
    dtypes: [debug.layout.dtype.name, bench.layout.dtype.name],
    shapes: [shape, bench.layout.shape],
    elements: size,
    apart: same ? apart : size,
    maxAbs: same ? maxAbs : NaN,
    maxRel: same ? maxRel : NaN,
    worst: worst.items.map(({ element, ...rest }) => ({ index: indexOf(element, shape), ...rest })),
  }
}

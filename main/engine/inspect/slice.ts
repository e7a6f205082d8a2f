// numpy's slice expressions: integers, `a:b:c` and `...` with commas between them.
import { problem, Refusal } from '../model/index.ts'

/** What is taken of one axis: `count` indices from `first` on; `keeps` says that the axis stays. */
interface Taken {
  readonly first: number
  readonly step: number
  readonly count: number
  readonly keeps: boolean
}

export interface Cut {
  readonly shape: readonly number[]
  /** How many elements it holds. */
  readonly size: number
  /** Number in the whole tensor of the element that is the n-th of the cut. */
  element(n: number): number
}

/** Refuses what numpy refuses. */
export function cutOf(expression: string, shape: readonly number[], file: string): Cut {
  const axes = takenOf(expression, shape, file)
  const kept = axes.filter(axis => axis.keeps)
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((size, dim) => size * dim, 1))
  return {
    shape: kept.map(axis => axis.count),
    size: kept.reduce((size, axis) => size * axis.count, 1),
    element(n) {
      let rest = n
      let element = 0
      for (let axis = axes.length - 1; axis >= 0; axis--) {
        const { first, step, count, keeps } = axes[axis]
        const index = keeps ? first + (rest % count) * step : first
        if (keeps) rest = Math.floor(rest / count)
        element += index * strides[axis]
      }
      return element
    },
  }
}

function takenOf(expression: string, shape: readonly number[], file: string): readonly Taken[] {
  const refusal = (part: string): Refusal =>
    new Refusal(problem('slice-invalid', file, { part, shape: `[${shape.join(', ')}]` }))
  const bare = expression.trim().replace(/^\[(.*)\]$/s, '$1')
  const parts =
    bare.trim() === ''
      ? []
      : bare
          .replace(/,\s*$/, '')
          .split(',')
          .map(part => part.trim())
  const dots = parts.indexOf('...')
  if (dots >= 0 && parts.includes('...', dots + 1)) throw refusal('...')
  const given = parts.length - (dots >= 0 ? 1 : 0)
  if (given > shape.length) throw refusal(bare)
  const rest = Array.from({ length: shape.length - given }, () => ':')
  const all = dots >= 0 ? [...parts.slice(0, dots), ...rest, ...parts.slice(dots + 1)] : [...parts, ...rest]
  return all.map((part, axis) => {
    const taken = axisOf(part, shape[axis])
    if (!taken) throw refusal(part)
    return taken
  })
}

function axisOf(part: string, length: number): Taken | null {
  if (/^[+-]?\d+$/.test(part)) {
    const index = Number(part)
    const first = index < 0 ? index + length : index
    return first >= 0 && first < length ? { first, step: 1, count: 1, keeps: false } : null
  }
  const found = /^([+-]?\d+)?\s*:\s*([+-]?\d+)?\s*(?::\s*([+-]?\d+)?)?$/.exec(part)
  if (!found) return null
  const [, from, to, by = '1'] = found
  const step = Number(by)
  if (step === 0) return null
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1]
  const bound = (text: string | undefined, otherwise: number): number => {
    if (text === undefined) return otherwise
    const index = Number(text)
    return Math.max(least, Math.min(most, index < 0 ? index + length : index))
  }
  const first = bound(from, step > 0 ? 0 : length - 1)
  const end = bound(to, step > 0 ? length : -1)
  return { first, step, count: Math.max(0, Math.ceil((end - first) / step)), keeps: true }
}

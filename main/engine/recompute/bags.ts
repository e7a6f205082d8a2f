// Embeddings of several entries at once: their sum, mean or largest.
import type { Given } from './arguments.ts'
import { array, type NdArray } from './array.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  summed,
  summedInSteps,
} from './operation.ts'
import { absolute } from './product.ts'
import { Unsupported } from './unsupported.ts'

interface Bags {
  readonly weight: NdArray
  /** Rows of the weight per bag, and where among all entries each stands. */
  readonly entries: readonly (readonly { readonly row: number; readonly at: number }[])[]
  readonly mode: string
  readonly shares: NdArray | null
}

function bagsOf(given: Given): Bags {
  const [a, weight] = [given.tensor('input'), given.tensor('weight')]
  const [rows] = weight.shape
  const mode = given.text('mode', 'mean')
  if (!['sum', 'mean', 'max'].includes(mode)) throw new Unsupported('arguments', mode)
  if (given.has('max_norm')) throw new Unsupported('unsupported', 'max_norm')
  const width = a.shape[1] ?? 1
  const starts =
    a.shape.length === 2
      ? Array.from({ length: a.shape[0] }, (_, i) => i * width)
      : [...(given.ints('offsets') ?? [])].slice(0, given.flag('include_last_offset', false) ? -1 : undefined)
  const padding = given.has('padding_idx') ? given.number('padding_idx') : null
  const left = padding !== null && padding < 0 ? padding + rows : padding
  const entries = starts.map((from, i) => {
    const to = starts[i + 1] ?? a.data.length
    return Array.from({ length: Math.max(0, to - from) }, (_, k) => ({
      row: a.data[from + k],
      at: from + k,
    })).filter(({ row }) => {
      if (!(row >= 0 && row < rows)) throw new Unsupported('arguments', `index ${row}`)
      return row !== left
    })
  })
  return { weight, entries, mode, shares: given.maybe('per_sample_weights') }
}

/** How much each entry of a bag counts. */
const shareOf = ({ mode, shares }: Bags, count: number, at: number): number =>
  mode === 'mean' ? 1 / count : (shares?.data[at] ?? 1)

/** For each result of a bag the entry that it comes from. */
function largestOf({ weight }: Bags, bag: Bags['entries'][number], column: number): number {
  const width = weight.shape[1]
  return bag.reduce(
    (best, { row }) =>
      best < 0 || weight.data[row * width + column] > weight.data[best * width + column] ? row : best,
    -1,
  )
}

function bagged(given: Given): readonly Outcome[] {
  const bags = bagsOf(given)
  const { weight, entries, mode } = bags
  const width = weight.shape[1]
  const shape = [entries.length, width]
  const into = new Float64Array(entries.length * width)
  if (mode === 'max') {
    for (const [b, bag] of entries.entries())
      for (let c = 0; c < width; c++) {
        const row = largestOf(bags, bag, c)
        into[b * width + c] = row < 0 ? 0 : weight.data[row * width + c]
      }
    return [exact(array(into, shape, weight.dtype))]
  }
  const sums = (data: Float64Array, share: (count: number, at: number) => number): Float64Array => {
    const all = new Float64Array(into.length)
    for (const [b, bag] of entries.entries())
      for (const { row, at } of bag)
        for (let c = 0; c < width; c++) all[b * width + c] += share(bag.length, at) * data[row * width + c]
    return all
  }
  const most = Math.max(1, ...entries.map(bag => bag.length))
  const values = array(
    sums(weight.data, (count, at) => shareOf(bags, count, at)),
    shape,
    weight.dtype,
  )
  const terms = (): Float64Array =>
    sums(absolute(weight).data, (count, at) => Math.abs(shareOf(bags, count, at)))
  return [summedInSteps(values, most, terms)]
}

function backOfBags(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const bags = bagsOf(call.given)
  const { weight, entries, mode, shares } = bags
  const width = weight.shape[1]
  const back = (grads: Float64Array, size: (x: number) => number): Float64Array => {
    const into = new Float64Array(weight.data.length)
    for (const [b, bag] of entries.entries())
      for (let c = 0; c < width; c++) {
        const g = grads[b * width + c]
        if (mode === 'max') {
          const row = largestOf(bags, bag, c)
          if (row >= 0) into[row * width + c] += g
        } else for (const { row, at } of bag) into[row * width + c] += g * size(shareOf(bags, bag.length, at))
      }
    return into
  }
  const count = entries.reduce((sum, bag) => sum + bag.length, 0)
  const forWeight = summed(
    array(
      back(grad.data, x => x),
      weight.shape,
    ),
    count,
    () => back(grad.data.map(Math.abs), Math.abs),
  )
  return [forWeight, shares && forShares(bags, grad, shares)]
}

function forShares({ weight, entries }: Bags, grad: NdArray, shares: NdArray): Gradient {
  const width = weight.shape[1]
  const of = (w: NdArray, g: NdArray): Float64Array => {
    const into = new Float64Array(shares.data.length)
    for (const [b, bag] of entries.entries())
      for (const { row, at } of bag)
        for (let c = 0; c < width; c++) into[at] += g.data[b * width + c] * w.data[row * width + c]
    return into
  }
  return summed(array(of(weight, grad), shares.shape), width, () => of(absolute(weight), absolute(grad)))
}

export const bagOperations: readonly Operation[] = [
  operation(
    'embedding_bag',
    'input weight offsets max_norm norm_type scale_grad_by_freq mode sparse per_sample_weights include_last_offset padding_idx',
    bagged,
    { backward: backOfBags },
  ),
]

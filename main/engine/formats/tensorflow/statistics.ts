// Max, min, mean and norm of tensors that are small enough to be read while a run is opened: raw dumps hold none.
import { quickFiles, type QuickFiles } from '../../io/index.ts'
import { type Dump, Kind, Refusal, stats, type TensorRef } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { noneCell, type OneCell } from '../dump-columns.ts'
import { throughText } from '../tensors/through.ts'
import { OpenTensor, walk } from '../tensors/walk.ts'

type FourCells = readonly [OneCell, OneCell, OneCell, OneCell]

const noStatistics: FourCells = [noneCell, noneCell, noneCell, noneCell]

/** Elements that are read for it in all: some tenths of a second. */
const mostElements = 1 << 24

/** Fills the columns of a dump that nobody has seen yet; beyond a number of elements it leaves them as they are. */
export async function fillStatistics(
  dump: Dump,
  roots: Parameters<typeof quickFiles>[0],
  job: Job,
): Promise<void> {
  const { items, tensors } = dump
  const refs = Array.from({ length: items.length }, (_, item) => tensors.ref(item))
  const sizes = countsIn(dump)
  if (refs.reduce((sum, ref, item) => sum + (ref ? sizes(item) : 0), 0) > mostElements) return
  const files = quickFiles(roots)
  const known = new Map<string, FourCells>()
  for (const [item, ref] of refs.entries()) {
    if (!ref) continue
    const key = `${ref.file} ${typeof ref.part === 'object' ? ref.part.from : ''} ${throughText(ref)}`
    const cells = known.get(key) ?? ofTensor(files, ref)
    known.set(key, cells)
    stats.forEach((stat, at) => {
      items[stat].kind[item] = cells[at].kind
      items[stat].value[item] = cells[at].value
    })
    if ((item & 63) === 63) await job.breathe()
  }
}

/** Elements by the texts of shapes, which are few. */
function countsIn({ items, texts }: Dump): (item: number) => number {
  const known = new Map<number, number>()
  return item => {
    const code = items.shape[item]
    const count = known.get(code) ?? countOf(code < 0 ? '' : texts.get(code))
    known.set(code, count)
    return count
  }
}

const countOf = (shape: string): number =>
  [...shape.matchAll(/\d+/g)].reduce((size, [dim]) => size * Number(dim), 1)

function ofTensor(files: QuickFiles, ref: TensorRef): FourCells {
  let tensor: OpenTensor | null = null
  try {
    tensor = new OpenTensor(files, ref)
    return cellsOf(tensor)
  } catch (error) {
    // Whoever compares it says what is wrong with it.
    if (error instanceof Refusal) return noStatistics
    throw error
  } finally {
    tensor?.close()
  }
}

function cellsOf(tensor: OpenTensor): FourCells {
  const { layout, values } = tensor
  // Of complex numbers only one part is read.
  if (layout.size === 0 || layout.dtype.arithmetic === 'complex') return noStatistics
  let [max, min, sum, squares] = [-Infinity, Infinity, 0, 0]
  for (const _ of walk(
    [tensor],
    (_first, count) => {
      for (let i = 0; i < count; i++) {
        const value = values[i]
        // NaN is neither; once seen it stays.
        if (!(value <= max)) max = value > max ? value : NaN
        if (!(value >= min)) min = value < min ? value : NaN
        sum += value
        squares += value * value
      }
    },
    () => {},
  ))
    continue
  const cell = (value: number): OneCell => ({ kind: Kind.float, value })
  return [cell(max), cell(min), cell(sum / layout.size), cell(Math.sqrt(squares))]
}

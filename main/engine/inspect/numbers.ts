// Part of two tensors as numbers: as many rows and columns as are on screen, wherever they lie.
import { quickFiles, type Files, type Root } from '../io/index.ts'
import type { NumbersQuery, TensorCells, TensorNumbers, TensorRef } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import type { LookQuery } from './about.ts'
import { type Exact, Side } from './side.ts'
import { runner, sameDims, type Threads } from './survey.ts'
import { stepsOfAny } from './ulp.ts'

const mostCells = 1 << 13

export const numbersOfTensors = (
  pool: Threads,
  files: Files,
  query: LookQuery & { readonly part: NumbersQuery },
  job: Job,
): Promise<TensorNumbers> => runner(pool, files, job)('numbersOfTensors', query)

// ---------------------------------------- in the thread

interface NumbersOrder extends LookQuery {
  readonly roots: readonly Root[]
  readonly part: NumbersQuery
}

export function* numbersTask({
  roots,
  debug,
  bench,
  part,
}: NumbersOrder): Generator<void, TensorNumbers, void> {
  const files = quickFiles(roots)
  const open = (ref: TensorRef | null): Side | null => (ref?.file ? new Side(files, ref) : null)
  const sides = { debug: open(debug), bench: null as Side | null }
  try {
    sides.bench = open(bench)
    yield
    const rows = Math.max(0, Math.min(part.rows, mostCells))
    const cols = Math.max(0, Math.min(part.cols, Math.floor(mostCells / Math.max(1, rows))))
    const cellsIn = (side: Side | null): Cells | null => side && new Cells(side, part, rows, cols)
    const [mine, theirs] = [cellsIn(sides.debug), cellsIn(sides.bench)]
    const ulp = mine && theirs && sameDims(mine.side.shape, theirs.side.shape) ? stepsIn(mine, theirs) : null
    return { rows, cols, debug: mine && mine.read(), bench: theirs && theirs.read(), ulp }
  } finally {
    sides.debug?.close()
    sides.bench?.close()
  }
}

/** The elements that are asked for, by their numbers in the whole tensor; -1 where there is none. */
class Cells {
  readonly side: Side
  readonly elements: Float64Array

  constructor(side: Side, { rowAxis, colAxis, at, wrap }: NumbersQuery, rows: number, cols: number) {
    this.side = side
    const { shape, size } = side
    this.elements = new Float64Array(rows * cols).fill(-1)
    if (wrap > 0) {
      const first = (at[0] ?? 0) * wrap
      for (let row = 0; row < rows; row++)
        for (let col = 0; col < Math.min(cols, wrap); col++) {
          const element = first + row * wrap + col
          if (element < size) this.elements[row * cols + col] = element
        }
      return
    }
    const steps = shape.map((_, axis) => shape.slice(axis + 1).reduce((length, dim) => length * dim, 1))
    const lengthOf = (axis: number): number => shape[axis] ?? 1
    const startOf = (axis: number): number => Math.max(0, Math.floor(at[axis] ?? 0) || 0)
    let base = 0
    for (let axis = 0; axis < shape.length; axis++)
      if (axis !== rowAxis && axis !== colAxis) base += Math.min(startOf(axis), shape[axis] - 1) * steps[axis]
    if (size === 0) return
    for (let row = 0; row < rows && startOf(rowAxis) + row < lengthOf(rowAxis); row++)
      for (let col = 0; col < cols && startOf(colAxis) + col < lengthOf(colAxis); col++)
        this.elements[row * cols + col] =
          base +
          (startOf(rowAxis) + row) * (steps[rowAxis] ?? 0) +
          (startOf(colAxis) + col) * (steps[colAxis] ?? 0)
  }

  /** Runs of elements that follow each other: first cell, first element, how many. */
  *runs(): Generator<readonly [cell: number, element: number, count: number]> {
    const { elements } = this
    for (let cell = 0; cell < elements.length;) {
      let count = 1
      while (
        cell + count < elements.length &&
        elements[cell + count] === elements[cell] + count &&
        elements[cell] >= 0
      )
        count++
      if (elements[cell] >= 0) yield [cell, elements[cell], count]
      cell += count
    }
  }

  read(): TensorCells {
    const { side, elements } = this
    const values = new Float64Array(elements.length).fill(NaN)
    const texts = Array.from(elements, () => '')
    const bits = Array.from(elements, () => '')
    for (const [cell, element, count] of this.runs())
      for (let done = 0; done < count;) {
        const got = side.read(element + done, count - done)
        if (got === 0) break
        for (let i = 0; i < got; i++) {
          values[cell + done + i] = side.values[i]
          texts[cell + done + i] = textOf(side.exact(i))
          bits[cell + done + i] = bitsOf(side, i)
        }
        done += got
      }
    return { dtype: side.dtype.name, shape: side.shape, values, texts, bits }
  }
}

/** NaN where either number is not finite. */
function stepsIn(mine: Cells, theirs: Cells): Float64Array {
  const steps = stepsOfAny(mine.side, theirs.side)
  const between = new Float64Array(mine.elements.length).fill(NaN)
  for (const [cell, element, count] of mine.runs())
    for (let done = 0; done < count;) {
      const got = Math.min(
        mine.side.read(element + done, count - done),
        theirs.side.read(element + done, count - done),
      )
      if (got === 0) break
      steps.refresh()
      for (let i = 0; i < got; i++)
        if (Number.isFinite(mine.side.values[i] - theirs.side.values[i]))
          between[cell + done + i] = steps.between(i)
      done += got
    }
  return between
}

function textOf(exact: Exact): string {
  if (typeof exact === 'number') return ''
  if (typeof exact === 'boolean') return exact ? 'True' : 'False'
  if (typeof exact === 'string') return exact
  const [real, imaginary] = exact
  return `${real}${imaginary < 0 || Object.is(imaginary, -0) ? '-' : '+'}${Math.abs(imaginary)}j`
}

/** The bytes of an element as they are read, the highest first. */
function bitsOf({ bytes, dtype }: Side, i: number): string {
  const width = dtype.bytes
  return Array.from(bytes.subarray(i * width, (i + 1) * width), byte => byte.toString(16).padStart(2, '0'))
    .toReversed()
    .join('')
}

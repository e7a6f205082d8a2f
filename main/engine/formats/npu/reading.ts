// How a raw tensor is to be read: its type, and the layout that people know it in, if that can be told for
// sure; else as it lies, with a problem that says why.
import { type ByteRange, problem, type Problem, type TiledAxis, type Tiling } from '../../model/index.ts'
import { dtypes } from '../tensors/dtype.ts'
import { packedBytes } from '../tensors/packing.ts'
import { formatName, npuType } from './codes.ts'
import type { RawTensor } from './raw.ts'
import { inOrder, matrixTiling, type Sizes, tilings } from './tiling.ts'

/** What is known or wanted beyond the file. */
export interface RawWish {
  /** The layout to read it in; absent: that of the original shape. `device`: as it lies. */
  readonly layout?: string
  /** The layout of the original shape, as a graph tells it. */
  readonly original?: string
  /** In place of the original shape of the file. */
  readonly shape?: readonly number[]
}

/** `bytes`: a type that nobody has told how to read; `unsupported`: one that is not known at all. */
export type RawStatus = 'decoded' | 'bytes' | 'unsupported' | 'truncated'

export interface RawReading {
  readonly status: RawStatus
  /** The part of the file to read, as a `TensorRef` names it; null where it cannot be read. */
  readonly range: ByteRange | null
  /** The layout it is read in. */
  readonly layout: string
  /** Why it cannot be read, or why it is read as it lies. */
  readonly problems: readonly Problem[]
}

export function rawReading(file: string, tensor: RawTensor, wish: RawWish = {}): RawReading {
  const name = formatName(tensor.format)
  const type = npuType(tensor.dtype)
  const dtype = type.as
  const without = (status: RawStatus, found: Problem): RawReading => ({
    status,
    range: null,
    layout: name,
    problems: [found],
  })
  const of = `${tensor.io} ${tensor.index}`
  if (tensor.truncated) return without('truncated', problem('raw-tensor-truncated', file, { tensor: of }))
  if (dtype === null)
    return without(
      type.name.startsWith('TYPE_') ? 'unsupported' : 'bytes',
      problem('raw-dtype', file, { tensor: of, dtype: type.name }, 'warning'),
    )
  const shape = tensor.dtype === 0 ? [tensor.size] : tensor.shape
  const elements = shape.reduce((size, dim) => size * dim, 1)
  if (isAbsurd(shape) || isAbsurd(wish.shape ?? tensor.originalShape ?? []))
    return without('unsupported', problem('shape-absurd', file, { shape: shape.join(', ') }))
  const bytes = type.packing ? packedBytes(type.packing, elements) : elements * dtypes[dtype].bytes
  if (bytes > tensor.size) return without('truncated', problem('raw-tensor-truncated', file, { tensor: of }))
  const placed = arrange(tensor.dtype === 0 ? { ...tensor, shape } : tensor, name, wish)
  const range: ByteRange = {
    from: tensor.from,
    dtype,
    shape: placed.shape,
    ...(type.packing && { packing: type.packing }),
    ...(placed.tiling && { tiling: placed.tiling }),
  }
  const problems = placed.doubt ? [problem(placed.doubt, file, { tensor: of, layout: name }, 'warning')] : []
  return { status: 'decoded', range, layout: placed.layout, problems }
}

/** What no memory could hold, or nobody knows. */
const isAbsurd = (shape: readonly number[]): boolean =>
  shape.length > 64 ||
  shape.some(dim => dim < 0) ||
  shape.reduce((all, dim) => all * Math.max(dim, 1), 1) > 2 ** 50

interface Arranged {
  readonly layout: string
  readonly shape: readonly number[]
  readonly tiling: Tiling | null
  readonly doubt:
    | 'raw-layout-told'
    | 'raw-layout-misfit'
    | 'raw-layout-unknown'
    | 'raw-layout-assumed'
    | 'raw-layout-unsupported'
    | null
}

/** Layouts that are nothing but an order of these letters. */
const plainLetters = /^[NCDHW]{2,5}$/
const isPlain = (name: string): boolean =>
  name !== 'ND' && plainLetters.test(name) && new Set(name).size === name.length

/** Thousands of tensors of one run lie alike: what was found out of one, and how it is read, holds for all of them. */
const arranged = new Map<string, Arranged>()
const mostArranged = 4096

function arrange(tensor: RawTensor, name: string, wish: RawWish): Arranged {
  if (wish.layout === 'device' || tensor.dtype === 0)
    return { layout: name, shape: tensor.shape, tiling: null, doubt: null }
  const original = wish.shape ?? tensor.originalShape
  const key = `${name} ${tensor.shape} ${original ?? ''} ${tensor.groups} ${hintOf(tensor, wish)} ${wish.layout}`
  const known = arranged.get(key)
  if (known) return known
  if (arranged.size >= mostArranged) arranged.clear()
  const found = arrangedAnew(tensor, name, wish)
  arranged.set(key, found)
  return found
}

function arrangedAnew(tensor: RawTensor, name: string, wish: RawWish): Arranged {
  const { shape } = tensor
  const asItLies: Arranged = { layout: name, shape, tiling: null, doubt: null }
  const original = wish.shape ?? tensor.originalShape
  if (name === 'FRACTAL_NZ') {
    const tiling = original && matrixTiling(shape, original)
    return tiling && original ? { layout: 'ND', shape: original, tiling, doubt: null } : misfit(asItLies)
  }
  const tiled = Object.hasOwn(tilings, name) ? tilings[name] : null
  if (tiled) return original ? untiled(tensor, name, original, wish) : misfit(asItLies)
  if (isPlain(name) && name.length === shape.length) return turned(tensor, name, original, wish)
  const flat = name === 'ND' || isPlain(name)
  return flat ? reshaped(asItLies, original) : { ...asItLies, doubt: 'raw-layout-unsupported' }
}

const misfit = (asItLies: Arranged): Arranged => ({ ...asItLies, doubt: 'raw-layout-misfit' })

/** The same elements in the same order. */
function reshaped(arranged: Arranged, original: readonly number[] | null): Arranged {
  const size = (shape: readonly number[]): number => shape.reduce((all, dim) => all * dim, 1)
  return original && size(original) === size(arranged.shape) ? { ...arranged, shape: original } : arranged
}

/** Letters in another order, where it is asked for or the original one is known to be another. */
function turned(
  tensor: RawTensor,
  name: string,
  original: readonly number[] | null,
  wish: RawWish,
): Arranged {
  const asItLies: Arranged = { layout: name, shape: tensor.shape, tiling: null, doubt: null }
  const wanted = wish.layout ?? hintOf(tensor, wish)
  const same = (letters: string): boolean => [...letters].sort().join('') === [...name].sort().join('')
  if (wanted === null || wanted === name || !isPlain(wanted) || !same(wanted)) {
    // Written in its own layout, or flattened.
    return original?.length === tensor.shape.length ? asItLies : reshaped(asItLies, original)
  }
  const turnedShape = [...wanted].map(letter => tensor.shape[name.indexOf(letter)])
  // Nobody asked for it, and the original shape says otherwise.
  if (wish.layout === undefined && String(original) !== String(turnedShape)) return asItLies
  let step = 1
  const axes: Record<string, TiledAxis[]> = {}
  for (const letter of [...name].reverse()) {
    const length = tensor.shape[name.indexOf(letter)]
    axes[letter] = [{ length, block: 1, outer: step, inner: 0 }]
    step *= length
  }
  return { layout: wanted, shape: turnedShape, tiling: inOrder(axes, wanted, step), doubt: null }
}

/** The layout of the original shape, as a graph or the file tells it. */
function hintOf(tensor: RawTensor, wish: RawWish): string | null {
  if (wish.original !== undefined) return wish.original
  return tensor.origin ? formatName(tensor.origin.format) : null
}

/** Orders of letters that an original shape may be written in, by its number of axes. */
const orders: Readonly<Record<number, readonly string[]>> = {
  0: [''],
  1: ['C'],
  2: ['NC'],
  3: ['NCW', 'NWC', 'CHW', 'HWC'],
  4: ['NCHW', 'NHWC', 'HWCN'],
  5: ['NCDHW', 'NDHWC', 'DHWCN'],
}

interface Candidate {
  readonly letters: string
  readonly sizes: Sizes
}

function untiled(tensor: RawTensor, name: string, original: readonly number[], wish: RawWish): Arranged {
  const asItLies: Arranged = { layout: name, shape: tensor.shape, tiling: null, doubt: null }
  const hint = hintOf(tensor, wish)
  const fitting = candidates(tensor, name, original, hint)
  const wanted = wish.layout !== undefined && isPlain(wish.layout) ? wish.layout : null
  const hinted = fitting.find(one => one.letters === hint) ?? null
  const alike = new Set(fitting.map(one => JSON.stringify(one.sizes))).size === 1
  const assumed = fitting.find(one => one.letters === wanted)
  // Without an order that is known, all that fit must come to the same.
  const chosen = hinted ?? (alike || fitting.length === 1 ? fitting[0] : (assumed ?? null))
  if (!chosen)
    return { ...asItLies, doubt: fitting.length === 0 ? 'raw-layout-misfit' : 'raw-layout-unknown' }
  const known = hinted !== null || fitting.length === 1
  const letters = orderOf(chosen, wanted, known)
  if (letters === null) return { ...asItLies, doubt: 'raw-layout-unknown' }
  const axes = tilings[name](tensor.shape, chosen.sizes, tensor.groups)
  if (!axes) return misfit(asItLies)
  const size = tensor.shape.reduce((all, dim) => all * dim, 1)
  const misleading = hint !== null && isPlain(hint) && hint.length === original.length && !hinted
  let doubt: Arranged['doubt'] = misleading ? 'raw-layout-told' : null
  if (!known && !alike) doubt = 'raw-layout-assumed'
  return {
    layout: letters === '' ? 'ND' : letters,
    shape: [...letters].map(letter => chosen.sizes[letter]),
    tiling: inOrder(axes, letters, size),
    doubt,
  }
}

/** The letters to write in; null where the order of the original shape is wanted and not known. */
function orderOf(chosen: Candidate, wanted: string | null, known: boolean): string | null {
  const fits = wanted !== null && wanted.length === chosen.letters.length
  if (fits && [...wanted].every(letter => chosen.letters.includes(letter))) return wanted
  return known ? chosen.letters : null
}

/** Orders in which the original shape fits what lies there. */
function candidates(
  tensor: RawTensor,
  name: string,
  original: readonly number[],
  hint: string | null,
): readonly Candidate[] {
  const formula = tilings[name]
  const usual = orders[original.length] ?? []
  const told = hint !== null && isPlain(hint) && hint.length === original.length && !usual.includes(hint)
  return [...usual, ...(told ? [hint] : [])].flatMap(letters => {
    const sizes: Record<string, number> = { N: 1, C: 1, D: 1, H: 1, W: 1 }
    for (const [i, letter] of [...letters].entries()) sizes[letter] = original[i]
    return formula(tensor.shape, sizes, tensor.groups) ? [{ letters, sizes }] : []
  })
}

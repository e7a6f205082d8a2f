// A call's arguments as they were recorded, bound to the names of an operation's parameters.
import { isArray, isObject, type Json, JsonNumber } from '../json/index.ts'
import { type DtypeName, dtypeOf } from '../formats/index.ts'
import { type NdArray, scalar, sizeOf } from './array.ts'
import { isComplex, isFloat } from './rounding.ts'
import { Unsupported } from './unsupported.ts'

/** A tensor of the call; its values are read when they are asked for. */
export interface TensorArgument {
  readonly is: 'tensor'
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  /** Name of the file of its values; '' where none was written. */
  readonly file: string
  readonly requiresGrad: boolean | null
}
export interface Slice {
  readonly is: 'slice'
  readonly range: readonly (number | null)[]
}
export interface Scalar {
  readonly is: 'number'
  readonly kind: 'int' | 'float' | 'bool'
  readonly value: number
  readonly imaginary?: number
}
export type Argument =
  | null
  | string
  | Scalar
  | TensorArgument
  | Slice
  | { readonly is: 'ellipsis' }
  | { readonly is: 'dtype'; readonly dtype: DtypeName }
  | { readonly is: 'unknown'; readonly type: string }
  | readonly Argument[]

export const isList = (of: Argument | undefined): of is readonly Argument[] => Array.isArray(of)
export const isTensor = (of: Argument | undefined): of is TensorArgument => isKind(of, 'tensor')
export const isNumber = (of: Argument | undefined): of is Scalar => isKind(of, 'number')

function isKind<K extends string>(of: Argument | undefined, kind: K): of is Extract<Argument, { is: K }> {
  return typeof of === 'object' && of !== null && !isList(of) && of.is === kind
}

/** A leaf of a dump, or a list of them. */
export function argumentOf(json: Json | undefined): Argument {
  if (json === null || json === undefined) return null
  if (isArray(json)) return json.map(argumentOf)
  if (!isObject(json)) return plainOf(json)
  const type = textOf(json.get('type'))
  const dtype = json.get('dtype')
  if (typeof dtype === 'string' && isArray(json.get('shape'))) return tensorOf(json, dtype)
  if (type === '' && !json.has('value')) return { is: 'unknown', type: 'map' }
  return typedOf(type, json.get('value'))
}

function plainOf(json: Json): Argument {
  if (typeof json === 'string') return json
  if (typeof json === 'boolean') return { is: 'number', kind: 'bool', value: json ? 1 : 0 }
  if (json instanceof JsonNumber) return numberOf(json, json.float ? 'float' : 'int')
  return null
}

const textOf = (json: Json | undefined): string => (typeof json === 'string' ? json : '')

function numberOf(json: Json | undefined, kind: 'int' | 'float'): Argument {
  if (json instanceof JsonNumber) {
    if (kind === 'int' && !json.exact) throw new Unsupported('wideIntegers', json.text)
    return { is: 'number', kind, value: json.value }
  }
  const text = typeof json === 'string' ? json.trim().toLowerCase() : ''
  const value = /^[-+]?inf(inity)?$/.test(text) ? Infinity * (text.startsWith('-') ? -1 : 1) : Number(text)
  return text === 'nan' || (text !== '' && !Number.isNaN(value))
    ? { is: 'number', kind, value: text === 'nan' ? NaN : value }
    : { is: 'unknown', type: kind }
}

const shapeOf = (json: Json | undefined): readonly number[] =>
  isArray(json ?? null)
    ? (json as readonly Json[]).map(dim => (dim instanceof JsonNumber ? dim.value : -1))
    : []

function tensorOf(json: ReadonlyMap<string, Json>, text: string): Argument {
  const dtype = dtypeOf(text)
  if (!dtype) return { is: 'unknown', type: text }
  const grad = json.get('requires_grad')
  return {
    is: 'tensor',
    dtype: dtype.name,
    shape: shapeOf(json.get('shape')),
    file: textOf(json.get('data_name')),
    requiresGrad: typeof grad === 'boolean' ? grad : null,
  }
}

type Reader = (value: Json | undefined) => Argument
const readers: Readonly<Record<string, Reader>> = {
  int: value => numberOf(value, 'int'),
  float: value => numberOf(value, 'float'),
  bool: value => (typeof value === 'boolean' ? plainOf(value) : { is: 'unknown', type: 'bool' }),
  str: value => textOf(value),
  NoneType: () => null,
  ellipsis: () => ({ is: 'ellipsis' }),
  slice: sliceOf,
  complex: complexOf,
}
/** Numbers of numpy are written as Python's. */
const aliases: readonly (readonly [RegExp, string])[] = [
  [/^(?:numpy\.|np\.)?u?int\d*$/, 'int'],
  [/^(?:numpy\.|np\.)?float\d*$/, 'float'],
  [/^(?:numpy\.|np\.)?bool_?$/, 'bool'],
]

function typedOf(type: string, value: Json | undefined): Argument {
  const name = aliases.find(([form]) => form.test(type))?.[1] ?? type
  if (Object.hasOwn(readers, name)) return readers[name](value)
  if (/(?:dtype|Type)$/.test(type) || type.startsWith('mindspore.')) {
    const dtype = dtypeOf(textOf(value))
    return dtype ? { is: 'dtype', dtype: dtype.name } : { is: 'unknown', type: textOf(value) || type }
  }
  if (/Size$|^tuple$|^list$/.test(type) && isArray(value ?? null)) return argumentOf(value)
  return { is: 'unknown', type }
}

function sliceOf(value: Json | undefined): Argument {
  if (!isArray(value ?? null)) return { is: 'unknown', type: 'slice' }
  const parts = (value as readonly Json[]).map(argumentOf)
  if (!parts.every(part => part === null || isNumber(part))) return { is: 'unknown', type: 'slice' }
  return { is: 'slice', range: parts.map(part => (isNumber(part) ? part.value : null)) }
}

function complexOf(value: Json | undefined): Argument {
  if (isArray(value ?? null)) {
    const [re, im] = (value as readonly Json[]).map(argumentOf)
    if (isNumber(re) && isNumber(im))
      return { is: 'number', kind: 'float', value: re.value, imaginary: im.value }
  }
  return { is: 'unknown', type: 'complex' }
}

// ---------------------------------------- binding

/** Spellings of one parameter in different frameworks. */
const spellings: readonly (readonly string[])[] = [
  ['input', 'self', 'x', 'input_x', 'tensor', 'a', 'logits', 'x1', 'inputs', 'query', 'cond', 'condition'],
  ['other', 'y', 'x2', 'b', 'value', 'divisor', 'input_y', 'tensor2', 'mat2', 'vec2'],
  ['dim', 'axis', 'dims', 'axes', 'dim0', 'permutation', 'perm'],
  ['dim1', 'axis1', 'axis2'],
  ['keepdim', 'keepdims', 'keep_dims'],
  ['tensors', 'xs', 'values', 'operands'],
  ['min', 'clip_value_min', 'a_min', 'min_val'],
  ['max', 'clip_value_max', 'a_max', 'max_val'],
  ['size', 'shape', 'output_size', 'out_size', 'newshape'],
  ['split_size', 'split_size_or_sections', 'chunks', 'indices_or_sections', 'output_num'],
  ['index', 'indices', 'input_indices', 'idx'],
  ['target', 'labels', 'label', 'targets'],
  ['weight', 'weights', 'gamma', 'embeddings'],
  ['bias', 'beta'],
  ['eps', 'epsilon', 'variance_epsilon'],
  ['unbiased', 'correction', 'ddof'],
  ['normalized_shape', 'begin_norm_axis'],
  ['src', 'update', 'updates', 'source'],
  ['num_classes', 'depth'],
  ['pad', 'paddings', 'padding'],
  ['repeats', 'multiples', 'reps', 'sizes'],
  ['diagonal', 'k', 'offset'],
  ['tensor1', 'mat1', 'batch1', 'vec1'],
  ['tensor2', 'mat2', 'batch2'],
  ['exponent', 'other'],
  ['end', 'other'],
  ['mask', 'condition'],
  ['factor', 'upscale_factor', 'downscale_factor'],
  ['fill_value', 'value'],
]
/** What changes where or how a result is written, not what it is. */
const idle = new Set([
  'out',
  'memory_format',
  'inplace',
  'device',
  'layout',
  'pin_memory',
  'non_blocking',
  'copy',
  'name',
  'stable',
  'sorted',
  'sparse',
  'scale_grad_by_freq',
  'requires_grad',
  '_stacklevel',
  'antialias_off',
  'split_once',
])

export interface Arguments {
  readonly positional: readonly Argument[]
  readonly keywords: ReadonlyMap<string, Argument>
}

/** Parameters by name, `*name` takes all that is left; after `|` only by keyword. */
export function bind(signature: string, { positional, keywords }: Arguments): ReadonlyMap<string, Argument> {
  const [ordered, named = ''] = signature.split('|')
  const names = ordered.split(' ').filter(Boolean)
  const all = [...names, ...named.split(' ').filter(Boolean)].map(name => name.replace('*', ''))
  const bound = new Map<string, Argument>()
  for (const [i, name] of names.entries()) {
    if (name.startsWith('*')) {
      const rest = positional.slice(i)
      if (rest.length > 0) bound.set(name.slice(1), rest.length === 1 && isList(rest[0]) ? rest[0] : rest)
    } else if (i < positional.length) bound.set(name, positional[i])
  }
  const open = names.some(name => name.startsWith('*'))
  if (!open && positional.length > names.length && positional.slice(names.length).some(one => one !== null))
    throw new Unsupported('arguments', `${positional.length}`)
  for (const [key, value] of keywords) {
    const name = nameIn(all, key, bound)
    if (name !== null) bound.set(name, value)
    else if (!idle.has(key) && value !== null) throw new Unsupported('arguments', key)
  }
  return bound
}

function nameIn(all: readonly string[], key: string, bound: ReadonlyMap<string, Argument>): string | null {
  if (all.includes(key)) return key
  for (const group of spellings)
    if (group.includes(key)) {
      const found = all.find(name => group.includes(name) && !bound.has(name))
      if (found !== undefined) return found
    }
  return null
}

// ---------------------------------------- what an operation asks for

export type LoadTensor = (of: TensorArgument) => NdArray

/** Arguments of one call as an operation asks for them. */
export class Given {
  readonly #bound: ReadonlyMap<string, Argument>
  readonly #load: LoadTensor

  /** Shapes of the results that were stored, where a dump leaves out what decides them; null for no tensor. */
  readonly results: readonly (readonly number[] | null)[]
  /** Numbers become float32 before the call: so MindSpore takes them. */
  readonly narrowNumbers: boolean

  constructor(
    bound: ReadonlyMap<string, Argument>,
    load: LoadTensor,
    results: readonly (readonly number[] | null)[] = [],
    narrowNumbers = false,
  ) {
    this.#bound = bound
    this.#load = load
    this.results = results
    this.narrowNumbers = narrowNumbers
  }

  /** Some tensor of the call holds floating values. */
  get readsFloats(): boolean {
    const floats = (of: Argument): boolean => {
      if (isList(of)) return of.some(floats)
      return isTensor(of) && (isFloat(of.dtype) || isComplex(of.dtype))
    }
    return [...this.#bound.values()].some(floats)
  }

  /** The tensors of the call; null where some stand in lists. */
  get tensorArguments(): readonly TensorArgument[] | null {
    const all = [...this.#bound.values()]
    return all.some(one => isList(one) && one.some(isTensor)) ? null : all.filter(isTensor)
  }

  /** The same call with other values. */
  through(load: (of: TensorArgument, name: string) => NdArray): Given {
    const names = new Map([...this.#bound].map(([name, value]) => [value, name]))
    return new Given(this.#bound, of => load(of, names.get(of) ?? ''), this.results, this.narrowNumbers)
  }

  /** As recorded; undefined where it was not given. */
  raw(name: string): Argument | undefined {
    return this.#bound.get(name)
  }

  has(name: string): boolean {
    const value = this.raw(name)
    return value !== undefined && value !== null
  }

  isTensor(name: string): boolean {
    return isTensor(this.raw(name))
  }

  tensor(name: string): NdArray {
    const value = this.raw(name)
    if (!isTensor(value)) throw new Unsupported('arguments', name)
    return this.#load(value)
  }

  /** Null where none was given. */
  maybe(name: string): NdArray | null {
    return this.has(name) ? this.operand(name) : null
  }

  /** A tensor, or a number as one. */
  operand(name: string): NdArray {
    return this.asArray(this.raw(name), name)
  }

  asArray(value: Argument | undefined, name: string): NdArray {
    if (isTensor(value)) return this.#load(value)
    if (isNumber(value)) return this.narrowNumbers ? narrowed(weak(value)) : weak(value)
    throw new Unsupported('arguments', name)
  }

  tensors(name: string): readonly NdArray[] {
    const value = this.raw(name)
    if (isTensor(value)) return [this.#load(value)]
    if (!isList(value)) throw new Unsupported('arguments', name)
    return value.map(one => this.asArray(one, name))
  }

  number(name: string, fallback?: number): number {
    const value = this.raw(name)
    if (isNumber(value)) return value.value
    if (isTensor(value) && sizeOf(value.shape) === 1) return this.#load(value).data[0]
    if ((value === undefined || value === null) && fallback !== undefined) return fallback
    throw new Unsupported('arguments', name)
  }

  flag(name: string, fallback: boolean): boolean {
    return this.number(name, fallback ? 1 : 0) !== 0
  }

  text(name: string, fallback: string): string {
    const value = this.raw(name)
    if (typeof value === 'string') return value
    if (value === undefined || value === null) return fallback
    throw new Unsupported('arguments', name)
  }

  dtype(name: string): DtypeName | null {
    const value = this.raw(name)
    if (value === undefined || value === null) return null
    if (typeof value === 'string') {
      const known = dtypeOf(value)
      if (known) return known.name
    } else if (!isList(value) && value.is === 'dtype') return value.dtype
    throw new Unsupported('arguments', name)
  }

  /** Whole numbers: one, a list of them, or a tensor of them; null where none is given. */
  ints(name: string): readonly number[] | null {
    const value = this.raw(name)
    if (value === undefined || value === null) return null
    if (isTensor(value)) return [...this.#load(value).data]
    const list = isList(value) ? value : [value]
    return list.map(one => {
      if (isNumber(one)) return one.value
      if (isTensor(one) && sizeOf(one.shape) === 1) return this.#load(one).data[0]
      throw new Unsupported('arguments', name)
    })
  }

  /** A size per axis: one number stands for all. */
  perAxis(name: string, axes: number, fallback: number): readonly number[] {
    const given = this.ints(name) ?? [fallback]
    if (given.length === 1) return Array.from({ length: axes }, () => given[0])
    // MindSpore names batch and channels as well.
    if (given.length === axes + 2) return given.slice(2)
    if (given.length !== axes) throw new Unsupported('arguments', name)
    return given
  }
}

/** What a framework makes of a number of Python. */
export const dtypeOfNumber = { float: 'float32', int: 'int64', bool: 'bool' } as const

function weak({ kind, value, imaginary }: Scalar): NdArray {
  const dtype = dtypeOfNumber[kind]
  return imaginary === undefined
    ? { ...scalar(value, dtype), weak: true }
    : { ...scalar(value, 'complex64'), weak: true, imaginary: Float64Array.of(imaginary) }
}

const narrowed = (a: NdArray): NdArray =>
  a.dtype === 'float32' ? { ...a, data: a.data.map(Math.fround) } : a

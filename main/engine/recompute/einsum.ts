// einsum: labels of axes that are multiplied and summed, brought to one product of matrices after the other.
import {
  array,
  map,
  multiply,
  type NdArray,
  permute,
  reshape,
  sizeOf,
  sumOver,
  take,
  stridesOf,
} from './array.ts'
import { matrices } from './product.ts'
import { promoted } from './promote.ts'
import { Unsupported } from './unsupported.ts'

interface Labelled {
  readonly labels: readonly string[]
  readonly values: NdArray
}

export interface Einsum {
  readonly values: NdArray
  /** Terms of each sum. */
  readonly length: number
  terms(): Float64Array
}

export function einsumParts(equation: string, operands: readonly NdArray[]): Einsum {
  const text = equation.replaceAll(' ', '')
  const [inputs, output] = text.split('->')
  const parts = inputs.split(',')
  if (parts.length !== operands.length) throw new Unsupported('arguments', 'equation')
  const ellipsis = Math.max(
    0,
    ...parts.map((part, i) => (part.includes('...') ? operands[i].shape.length - (part.length - 3) : 0)),
  )
  const labelled = parts.map((part, i) => labelling(part, operands[i], ellipsis))
  const wanted = output === undefined ? implied(labelled) : labelsOf(output, ellipsis, ellipsis)
  const sizes = new Map(
    labelled.flatMap(({ labels, values }) =>
      labels.map((label, axis) => [label, values.shape[axis]] as const),
    ),
  )
  const summedLabels = [...sizes.keys()].filter(label => !wanted.includes(label))
  const run = (all: readonly Labelled[]): NdArray => contract(all, wanted)
  return {
    values: { ...run(labelled), dtype: promoted(...operands) },
    length: sizeOf(summedLabels.map(label => sizes.get(label) ?? 1)),
    terms: () => run(labelled.map(({ labels, values }) => ({ labels, values: map(values, Math.abs) }))).data,
  }
}

/** Axes of the ellipsis are numbered from its end. */
function labelsOf(part: string, ellipsis: number, own: number): string[] {
  const labels: string[] = []
  for (let i = 0; i < part.length; i++) {
    if (part.startsWith('...', i)) {
      for (let axis = own; axis > 0; axis--) labels.push(`.${axis}`)
      i += 2
    } else if (/[A-Za-z]/.test(part[i])) labels.push(part[i])
    else throw new Unsupported('arguments', 'equation')
  }
  return ellipsis >= 0 ? labels : []
}

function labelling(part: string, values: NdArray, ellipsis: number): Labelled {
  const own = part.includes('...') ? values.shape.length - (part.length - 3) : 0
  const labels = labelsOf(part, ellipsis, own)
  if (labels.length !== values.shape.length) throw new Unsupported('arguments', 'equation')
  return diagonalOf({ labels, values })
}

/** A label that stands twice takes the diagonal. */
function diagonalOf({ labels, values }: Labelled): Labelled {
  const unique = [...new Set(labels)]
  if (unique.length === labels.length) return { labels, values }
  const strides = stridesOf(values.shape)
  const shape = unique.map(label => values.shape[labels.indexOf(label)])
  const steps = unique.map(label =>
    labels.reduce((sum, one, axis) => (one === label ? sum + strides[axis] : sum), 0),
  )
  return { labels: unique, values: take(values, { shape, strides: steps, offset: 0 }) }
}

/** Without an arrow: the ellipsis, then labels that occur once, in the order of the alphabet. */
function implied(all: readonly Labelled[]): string[] {
  const labels = all.flatMap(one => one.labels)
  const dots = [...new Set(labels.filter(label => label.startsWith('.')))].sort(
    (a, b) => Number(b.slice(1)) - Number(a.slice(1)),
  )
  const once = labels.filter(
    label => !label.startsWith('.') && labels.indexOf(label) === labels.lastIndexOf(label),
  )
  return [...dots, ...once.sort()]
}

function contract(all: readonly Labelled[], wanted: readonly string[]): NdArray {
  let [result] = all
  for (let i = 1; i < all.length; i++) {
    const later = new Set([...wanted, ...all.slice(i + 1).flatMap(one => one.labels)])
    result = twoOf(result, all[i], later)
  }
  const extra = result.labels
    .map((label, axis) => (wanted.includes(label) ? -1 : axis))
    .filter(axis => axis >= 0)
  const values = sumOver(result.values, extra)
  const labels = result.labels.filter(label => wanted.includes(label))
  if (!wanted.every(label => labels.includes(label))) throw new Unsupported('arguments', 'equation')
  return permute(
    values,
    wanted.map(label => labels.indexOf(label)),
  )
}

/** One product: labels of both sides that are needed later are batches, those that are not are summed. */
function twoOf(a: Labelled, b: Labelled, later: ReadonlySet<string>): Labelled {
  const left = summedAlone(a, b, later)
  const right = summedAlone(b, a, later)
  const both = left.labels.filter(label => right.labels.includes(label))
  const batch = both.filter(label => later.has(label))
  const inner = both.filter(label => !later.has(label))
  const rows = left.labels.filter(label => !both.includes(label))
  const columns = right.labels.filter(label => !both.includes(label))
  const size = (label: string): number => Math.max(extent(left, label), extent(right, label))
  const x = brought(left, [batch, rows, inner], size)
  const y = brought(right, [batch, inner, columns], size)
  const labels = [...batch, ...rows, ...columns]
  const values = inner.length ? matrices(x, y) : multiply(x, y)
  return { labels, values: reshape(values, labels.map(size)) }
}

const extent = ({ labels, values }: Labelled, label: string): number => {
  const axis = labels.indexOf(label)
  return axis < 0 ? 1 : values.shape[axis]
}

/** Labels that only one side has and nobody needs are summed first. */
function summedAlone(one: Labelled, other: Labelled, later: ReadonlySet<string>): Labelled {
  const gone = (label: string): boolean => !other.labels.includes(label) && !later.has(label)
  const axes = one.labels.flatMap((label, axis) => (gone(label) ? [axis] : []))
  return { labels: one.labels.filter(label => !gone(label)), values: sumOver(one.values, axes) }
}

function brought(
  one: Labelled,
  groups: readonly (readonly string[])[],
  size: (label: string) => number,
): NdArray {
  const order = groups.flat()
  const turned = permute(
    one.values,
    order.map(label => one.labels.indexOf(label)),
  )
  const full = order.map(size)
  // An axis of length 1 is broadcast.
  const data = turned.shape.every((dim, axis) => dim === full[axis])
    ? turned
    : take(turned, {
        shape: full,
        strides: stridesOf(turned.shape).map((step, axis) => (turned.shape[axis] === full[axis] ? step : 0)),
        offset: 0,
      })
  return array(
    data.data,
    groups.map(group => sizeOf(group.map(size))),
  )
}

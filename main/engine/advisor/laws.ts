// What a call's own numbers must be: a sum or mean, whatever only moves or scales, a function that rises follow from the
// statistics of what was read, on each side for itself and whatever noise came in.
import { Direction, isFloatItem, type SideView } from '../pair/index.ts'
import { itemName, type ItemRow, Kind, type OpRow, State, itemShape } from '../model/index.ts'
import { normalCdf, sigmoid, softplus } from '../recompute/index.ts'

/** A statistic of a result, and what it must be by what was read. */
export interface Demand {
  readonly item: ItemRow
  readonly of: 'max' | 'min' | 'mean' | 'norm'
  readonly found: number
  readonly expected: number
  /** By how much the numbers that it was put together from, rounded in a precision, may miss it: per unit of that. */
  readonly rounding: number
  /** What sums and functions may be off by in any precision. */
  readonly slack: number
  /** Sizes of all statistics that it was put together from. */
  readonly terms: number
}

/** A float tensor by its statistics. */
interface Tensor {
  readonly item: ItemRow
  readonly count: number
  readonly max: number
  readonly min: number
  readonly mean: number
  readonly norm: number
}

interface Told {
  readonly view: SideView
  readonly op: OpRow
  /** What was read and given, in order; a value that is no tensor is a number, null where it tells nothing. */
  readonly reads: readonly (Tensor | number | null)[]
  readonly gives: readonly Tensor[]
}

type Law = (told: Told) => readonly Demand[]

const nothing: readonly Demand[] = []

// ---------------------------------------- sizes of errors

/** Sums are added up in 32 bits, of long tensors by luck of the order. */
const added = (count: number): number => 2 ** -17 + 2 ** -27 * Math.sqrt(count)
/** Functions are made from tables and polynomials, which devices cut short. */
const tabulated = 2 ** -11
/** What products are made of may be rounded to ten bits before. */
const reduced = 2 ** -10

const rms = ({ norm, count }: Tensor): number => norm / Math.sqrt(Math.max(1, count))

/** Every element is rounded by itself: over many of them little is left of it, unless they are all cut off. */
const roundedMean = (size: number, mean: number, count: number, deviations = manyDeviations): number =>
  Math.abs(mean) / 2 + size * Math.min(1, deviations / Math.sqrt(Math.max(1, count)))
/** What is added to coarse numbers is lost in most of them alike. */
const manyDeviations = 4
/** One rounding deviates by 0.41 of the most that it may: six of these, or four where a call rounds twice. */
const fewDeviations = 2.5

/** `parts`: means that were added up; `from`: the tensors that they are of, each `scale` times. */
function meanOf(out: Tensor, parts: readonly number[], from: readonly Tensor[], scale = 1): Demand {
  const expected = parts.reduce((sum, part) => sum + part, 0)
  return {
    item: out.item,
    of: 'mean',
    found: out.mean,
    expected,
    rounding: roundedMean(rms(out), expected, out.count),
    slack: from.reduce((sum, one) => sum + Math.abs(scale) * rms(one) * added(one.count), 0),
    terms: parts.reduce((sum, part) => sum + Math.abs(part), 0),
  }
}

const normOf = (out: Tensor, expected: number): Demand => ({
  item: out.item,
  of: 'norm',
  found: out.norm,
  expected,
  rounding: roundedMean(expected, expected, out.count),
  slack: expected * added(out.count),
  terms: expected,
})

const extremeOf = (out: Tensor, of: 'max' | 'min', expected: number, off: number): Demand => ({
  item: out.item,
  of,
  found: out[of],
  expected,
  rounding: 2 * Math.abs(expected),
  slack: off * Math.max(Math.abs(expected), Number.MIN_VALUE),
  terms: Math.abs(expected),
})

// ---------------------------------------- what laws are made of

const isTensor = (one: Tensor | number | null | undefined): one is Tensor =>
  typeof one === 'object' && one !== null

const tensors = ({ reads }: Pick<Told, 'reads'>): readonly Tensor[] => reads.filter(isTensor)

/** A number, or a tensor of one element. */
const single = (one: Tensor | number | null | undefined): number | null => {
  if (isTensor(one)) return one.count === 1 ? one.mean : null
  return one ?? null
}

const totalOf = (one: Tensor): number => one.mean * one.count

/** The sum over all elements stays what it was. `plainly`: each element of the result is added up from its own ones alone. */
const keepsTotal = (out: Tensor, from: readonly Tensor[], plainly = false): Demand => {
  const share = 1 / out.count
  const parts = from.map(one => totalOf(one) * share)
  const scaled = from.map(one => ({ ...one, norm: one.norm * Math.max(one.count * share, 1) }))
  const kept = meanOf(out, parts, scaled)
  if (!plainly) return kept
  const apart = Math.min(
    out.count,
    from.reduce((count, one) => count + one.count, 0),
  )
  return { ...kept, rounding: roundedMean(rms(out), kept.expected, apart, fewDeviations) }
}

const one =
  (of: (out: Tensor, told: Told) => readonly (Demand | null)[]): Law =>
  told =>
    told.gives.length === 0 ? nothing : of(told.gives[0], told).filter(demand => demand !== null)

/** All that the backward half gives, for each of them by itself. */
const eachGiven =
  (of: (out: Tensor, came: Tensor, told: Told) => readonly (Demand | null)[]): Law =>
  told => {
    const came = tensors(told)
    return came.length === 1
      ? told.gives.flatMap(out => of(out, came[0], told).filter(demand => demand !== null))
      : nothing
  }

const scaledBy = (out: Tensor, from: Tensor, factor: number): readonly Demand[] =>
  Number.isFinite(factor) && from.count === out.count
    ? [meanOf(out, [factor * from.mean], [from], factor), normOf(out, Math.abs(factor) * from.norm)]
    : nothing

/** Sums of two, each spread over the result. */
const sum = (signs: readonly [number, number]): Law =>
  one((out, { view, op, reads }) => {
    const [a, b] = reads
    if (a === null || b === null || a === undefined || b === undefined) return nothing
    const alpha = givenAs(view, op, 'alpha') ?? 1
    const means = [a, b].map(
      (part, k) => signs[k] * (k === 1 ? alpha : 1) * (isTensor(part) ? part.mean : part),
    )
    return [meanOf(out, means, [a, b].filter(isTensor))]
  })

const factor = (times: (a: number) => number): Law =>
  one((out, { reads: [a, b] }) => {
    const [left, right] = [single(a), single(b)]
    if (isTensor(a) && right !== null) return scaledBy(out, a, times(right))
    return isTensor(b) && left !== null && times(2) === 2 ? scaledBy(out, b, left) : nothing
  })

/** A function that only rises where both ends of what is read lie. */
const rising = (of: (x: number) => number, from = Number.NEGATIVE_INFINITY): Law =>
  one((out, { reads: [a] }) =>
    isTensor(a)
      ? [
          a.max >= from ? extremeOf(out, 'max', of(a.max), tabulated) : null,
          a.min >= from ? extremeOf(out, 'min', of(a.min), tabulated) : null,
        ]
      : nothing,
  )

const kept = (of: 'max' | 'min'): Law =>
  one((out, { reads: [a], gives }) =>
    isTensor(a) && gives.length > 0 ? [extremeOf(out, of, a[of], 2 ** -20)] : nothing,
  )

/** Shares along one dimension add up to one. */
const shares: Law = one((out, { view }) => {
  const sizes = (itemShape(view.dump, out.item).match(/\d+/g) ?? []).map(Number).filter(size => size > 1)
  const means = sizes.map(size => 1 / size)
  const near = (value: number): number => Math.abs(Math.log(out.mean / value))
  const expected = means.toSorted((a, b) => near(a) - near(b))[0]
  return expected === undefined || !(out.mean > 0)
    ? nothing
    : [{ ...meanOf(out, [expected], [out]), slack: tabulated * expected }]
})

const squared: Law = one((out, { reads: [a] }) =>
  isTensor(a) && a.count === out.count
    ? [
        { ...meanOf(out, [rms(a) ** 2], [out]), slack: 4 * rms(a) ** 2 * added(a.count) },
        extremeOf(out, 'max', Math.max(a.max ** 2, a.min ** 2), 2 ** -15),
      ]
    : nothing,
)

/** All its parts, one after the other. */
const joined: Law = told =>
  one(out => {
    const from = tensors(told)
    const count = from.reduce((all, part) => all + part.count, 0)
    return count === out.count
      ? [keepsTotal(out, from), normOf(out, Math.hypot(...from.map(x => x.norm)))]
      : nothing
  })(told)

const handedBack: Law = eachGiven((out, came) => [
  keepsTotal(out, [came]),
  out.count === came.count ? normOf(out, came.norm) : null,
])

/** Where a gradient is taken off instead of added, its sign is the other. */
const handedBackSigned: Law = eachGiven((out, came) => {
  const kept = keepsTotal(out, [came], true)
  const turned = Math.sign(kept.found) !== Math.sign(kept.expected)
  return [
    turned ? { ...kept, expected: -kept.expected } : kept,
    out.count === came.count ? normOf(out, came.norm) : null,
  ]
})

const spreadBack: Law = eachGiven((out, came) => [
  meanOf(out, [came.mean], [came]),
  normOf(out, came.norm * Math.sqrt(out.count / came.count)),
])

/** The gradient of a bias, the last vector given, is the sum over all places of what came in. */
const biasBack: Law = told => {
  const out = told.gives.at(-1)
  const came = tensors(told)
  if (!out || came.length !== 1) return nothing
  const [sizes, all] = [sizesOf(told.view, out.item), sizesOf(told.view, came[0].item)]
  if (sizes.length !== 1 || out.count < 2 || out.count === came[0].count || !all.includes(out.count))
    return nothing
  const kept = keepsTotal(out, came, true)
  return [{ ...kept, slack: kept.slack + (reduced * came[0].norm) / out.count }]
}

const sizesOf = ({ dump }: SideView, item: ItemRow): readonly number[] =>
  (itemShape(dump, item).match(/\d+/g) ?? []).map(Number)

const scaledBack: Law = told => {
  const forward = told.view.forward[told.op]
  if (forward < 0) return nothing
  const numbers = readsOf(told.view, forward).filter(one => one !== null)
  const plain = numbers.find(one => typeof one === 'number')
  if (plain === undefined) return nothing
  const divides = /div/.test(wordOf(told.view, told.op))
  return eachGiven((out, came) => scaledBy(out, came, divides ? 1 / plain : plain))(told)
}

/** What the gradient of a bias is of: class names of modules that add one to each place. */
const biased = /(?:Linear|Dense|Conv\dd|Norm(?:\dd)?)$/

/** The gradient of a bias is the sum over all places of what came into its module on the way back, over all its calls. */
export function biasGradient(view: SideView, came: readonly OpRow[], item: ItemRow): Demand | null {
  const forward = view.forward[view.dump.items.op[item]]
  if (forward < 0 || !biased.test(view.names.text(view.api[forward]))) return null
  if (!isBias.test(itemName(view.dump, item))) return null
  const out = tensorAt(view, item)
  const parts = came.map(op => readsOf(view, op).find(isTensor))
  if (!out || out.count < 2 || parts.length === 0 || !parts.every(isTensor)) return null
  if (!parts.every(part => part.count > out.count && sizesOf(view, part.item).includes(out.count)))
    return null
  const kept = keepsTotal(out, parts, true)
  // Each call's share is rounded before it is added.
  return {
    ...kept,
    slack: kept.slack + parts.reduce((sum, part) => sum + (reduced * part.norm) / out.count, 0),
    rounding: kept.rounding * Math.sqrt(parts.length),
  }
}

const isBias = /parameters_grad\.(?:\w+\.)*bias\b/

interface Row {
  readonly words: RegExp
  readonly law: Law
}

const forwardLaws: readonly Row[] = [
  {
    words: /^(?:reduce)?mean$|^adaptive_?avg_?pool[123]d$/,
    law: one((out, { reads: [a] }) => (isTensor(a) ? [meanOf(out, [a.mean], [a])] : nothing)),
  },
  {
    words: /^(?:reduce)?sum$/,
    law: one((out, { reads: [a] }) => (isTensor(a) ? [keepsTotal(out, [a])] : nothing)),
  },
  { words: /^(?:index_add|scatter_add)_?$/, law: told => one(out => [keepsTotal(out, tensors(told))])(told) },
  { words: /^_{0,2}i?add_{0,2}$|^__radd__$/, law: sum([1, 1]) },
  { words: /^_{0,2}i?sub_{0,2}$/, law: sum([1, -1]) },
  { words: /^__rsub__$|^rsub$/, law: sum([-1, 1]) },
  { words: /^_{0,2}i?mul_{0,2}$|^__rmul__$/, law: factor(a => a) },
  { words: /^_{0,2}i?(?:true)?div_{0,2}$/, law: factor(a => 1 / a) },
  {
    words: /^neg$|^__neg__$/,
    law: one((out, { reads: [a] }) => (isTensor(a) ? scaledBy(out, a, -1) : nothing)),
  },
  { words: /^(?:cat|concat|concatenate|stack|hstack|vstack)$/, law: joined },
  { words: /^softmax$/, law: shares },
  { words: /^(?:pow|__pow__)$/, law: told => (single(told.reads[1]) === 2 ? squared(told) : nothing) },
  { words: /^square$/, law: squared },
  { words: /^(?:a?max|reducemax)$/, law: kept('max') },
  { words: /^(?:a?min|reducemin)$/, law: kept('min') },
  { words: /^relu_?$/, law: rising(x => Math.max(0, x)) },
  {
    words: /^(?:elu|leaky_?relu|selu)_?$/,
    law: one((out, { reads: [a], view, op }) =>
      isTensor(a) && a.max > 0 && !wordOf(view, op).startsWith('selu')
        ? [extremeOf(out, 'max', a.max, tabulated)]
        : nothing,
    ),
  },
  { words: /^sigmoid_?$/, law: rising(sigmoid) },
  { words: /^tanh_?$/, law: rising(Math.tanh) },
  { words: /^exp_?$/, law: rising(Math.exp) },
  { words: /^sqrt_?$/, law: rising(Math.sqrt, 0) },
  { words: /^log_?$/, law: rising(Math.log, Number.MIN_VALUE) },
  { words: /^softplus$/, law: rising(softplus) },
  { words: /^gelu$/, law: rising(x => x * normalCdf(x), 1) },
  { words: /^(?:silu|swish)_?$/, law: rising(x => x * sigmoid(x), 1) },
]

const backwardLaws: readonly Row[] = [
  { words: /^_{0,2}i?(?:add|sub)_{0,2}$|^__r(?:add|sub)__$|^rsub$/, law: handedBackSigned },
  {
    words: /^(?:reduce)?mean$/,
    law: told =>
      eachGiven((out, came) => [
        keepsTotal(out, [came]),
        normOf(out, came.norm * Math.sqrt(came.count / out.count)),
      ])(told),
  },
  { words: /^(?:reduce)?sum$/, law: spreadBack },
  {
    words:
      /^(?:view|view_as|reshape|transpose|permute|t|flatten|unflatten|squeeze|unsqueeze|contiguous|swapaxes|clone|expand|expand_as|__getitem__|narrow|select|index_select|repeat|gather|embedding|flip|roll)$/,
    law: handedBack,
  },
  { words: /^_{0,2}i?mul_{0,2}$|^__rmul__$|^_{0,2}i?(?:true)?div_{0,2}$/, law: scaledBack },
  { words: /linear|dense|conv|norm/, law: biasBack },
]

// ---------------------------------------- reading a call

const wordOf = (view: SideView, op: OpRow): string => {
  const api = view.names.text(view.api[op])
  return api.slice(api.lastIndexOf('.') + 1).toLowerCase()
}

/** A number that a call is given by this name. */
function givenAs(view: SideView, op: OpRow, name: string): number | null {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (
      items.state[i] === State.input &&
      items.tensor[i] === 0 &&
      isPlain(items.max.kind[i]) &&
      itemName(view.dump, i).endsWith(`.${name}`)
    )
      return items.max.value[i]
  return null
}

const isPlain = (kind: number): boolean => kind === Kind.float || kind === Kind.int

/** Null: not a float tensor of finite statistics. */
function tensorAt(view: SideView, i: ItemRow): Tensor | null {
  const { items } = view.dump
  const [mean, norm] = [items.mean.value[i], items.norm.value[i]]
  if (!isFloatItem(view, i) || view.counted[i] === 0 || view.nonFinite[i] === 1) return null
  if (!isPlain(items.mean.kind[i]) || !isPlain(items.norm.kind[i]) || !Number.isFinite(mean + norm))
    return null
  const count = view.numel[i]
  const [max, min] = [items.max.value[i], items.min.value[i]]
  // Of a single number dumps hold the number itself as its norm, below zero as well.
  return count > 0 ? { item: i, count, max, min, mean, norm: Math.abs(norm) } : null
}

function readsOf(view: SideView, op: OpRow): (Tensor | number | null)[] {
  const { ops, items } = view.dump
  const reads: (Tensor | number | null)[] = []
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    if (items.state[i] !== State.input) continue
    if (items.tensor[i] === 1) reads.push(tensorAt(view, i))
    else reads.push(isPlain(items.max.kind[i]) ? items.max.value[i] : null)
  }
  return reads
}

function givesOf(view: SideView, op: OpRow): Tensor[] {
  const { ops, items } = view.dump
  const gives: Tensor[] = []
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    if (items.state[i] !== State.output || items.tensor[i] === 0) continue
    const tensor = tensorAt(view, i)
    if (tensor) gives.push(tensor)
  }
  return gives
}

/**
 * A result that its laws leave no room in: one number that must be some mean, or a mean and a norm that both must be.
 * Where both sides keep to that, a difference came in and was not made.
 */
export const leavesNoRoom = (demands: readonly Demand[], count: number): boolean =>
  demands.some(({ of }) => of === 'mean') && (count === 1 || demands.some(({ of }) => of === 'norm'))

/** The laws of one side's calls, looked up once per API. */
export class Laws {
  readonly #known = new Map<number, Law | null>()

  /** All that must hold of what a call gives; none where no law is known. */
  of(view: SideView, op: OpRow): readonly Demand[] {
    const backward = view.direction[op] === Direction.backward
    const key = 2 * view.api[op] + (backward ? 1 : 0)
    let law = this.#known.get(key)
    if (law === undefined) {
      const word = wordOf(view, op)
      law = (backward ? backwardLaws : forwardLaws).find(({ words }) => words.test(word))?.law ?? null
      this.#known.set(key, law)
    }
    return law ? law({ view, op, reads: readsOf(view, op), gives: givesOf(view, op) }) : nothing
  }
}

// What kind of difference it is: each hypothesis is tested on the data, cheapest first.
import type { DifferenceKind, KindOfDifference } from '../../model/index.ts'
import { affine, constant, type Fit, offset, scale, sign, truncated } from './arithmetic.ts'
import { type Reordered, reordered, transposed } from './order.ts'
import { channel, few, type Mask, maskOf, periodic, singleBits, suffix } from './places.ts'
import {
  epsilonOf,
  explains,
  finite,
  type InMemory,
  oneSided,
  partAlong,
  partSides,
  type Rest,
  restOf,
  sameShape,
  type Sides,
  sizeOf,
} from './sides.ts'

interface Found extends Fit {
  readonly kind: KindOfDifference
}

/** What is tried: one side made the other. */
const makings: readonly ((sides: Sides) => Found | null)[] = [
  kindOf('sign', sign),
  kindOf('truncated', truncated),
  kindOf('scale', scale),
  kindOf('offset', offset),
  kindOf('affine', affine),
]
const orders: readonly ((sides: Sides) => Found | null)[] = [
  sides => (sameShape(sides) ? (reordered(sides) satisfies Reordered | null) : null),
  kindOf('transposed', transposed),
]
/** Where they differ, when it is not everywhere. */
const placings: readonly ((sides: Sides, mask: Mask) => Found | null)[] = [
  placed('suffix', suffix),
  placed('channel', channel),
  placed('bits', singleBits),
  placed('few', few),
  placed('period', periodic),
]

function kindOf(kind: KindOfDifference, of: (sides: Sides) => Fit | null): (sides: Sides) => Found | null {
  return sides => {
    const fit = of(sides)
    return fit && { kind, ...fit }
  }
}

function placed(
  kind: KindOfDifference,
  of: (sides: Sides, mask: Mask) => Fit | null,
): (sides: Sides, mask: Mask) => Found | null {
  return (sides, mask) => {
    const fit = of(sides, mask)
    return fit && { kind: kind === 'suffix' && 'side' in fit.facts ? 'padding' : kind, ...fit }
  }
}

/** Places in places: a head of one token, no more. */
const deepest = 2

export function* differenceKind(
  left: InMemory,
  right: InMemory,
  whole: boolean,
  depth = 0,
): Generator<void, DifferenceKind> {
  const sides: Sides = { left, right, whole, epsilon: epsilonOf(left.dtype, right.dtype) }
  const answer = (found: Found | null, before: Rest | null): DifferenceKind => ({
    elements: right.values.length,
    whole,
    kind: found?.kind ?? null,
    facts: found?.facts ?? {},
    before,
    after: found?.rest ?? null,
    exact: found !== null && exact(found, sides),
    apart: null,
    within: null,
  })
  if (!sameShape(sides)) {
    const turned = whole ? orders[1](sides) : null
    if (turned && (turned.rest.mismatched === 0 || turned.rest.relative < 0.05)) return answer(turned, null)
    return answer(grown(sides), null)
  }
  const before = restOf(left.values, right.values)
  if (before.mismatched === 0) return answer(null, before)
  const flat = constant(sides)
  if (flat) return answer({ kind: 'constant', ...flat }, before)
  const found = yield* foundIn(sides, before)
  if (found) return { ...answer(found, before), within: yield* within(found, sides, depth) }
  if (!left.odd && !right.odd) return answer(null, before)
  // What is no number hides what the others have in common.
  const apart = oneSided(sides)
  const { list, placed } = finite(sides)
  const others = restOf(list.left.values, list.right.values)
  if (others.mismatched === 0) return answer({ kind: 'nonfinite', facts: { ...apart }, rest: others }, before)
  const made = yield* foundIn(list, others, placed)
  return made
    ? { ...answer(made, others), apart, within: yield* within(made, placed, depth) }
    : answer(null, before)
}

/** What explains most with least; `inPlace`: the same sides where they have a shape, when they are mere lists here. */
function* foundIn(sides: Sides, before: Rest, inPlace = sides): Generator<void, Found | null> {
  const holds = (found: Found | null): found is Found =>
    found !== null && explains(before, found.rest, sides.epsilon)
  const candidates: Found[] = []
  const tried = trial(sides)
  for (const making of [...makings.filter(tried), ...(inPlace === sides ? orders : [])]) {
    const found = making(sides)
    if (holds(found)) {
      // What makes them equal needs no rival.
      if (exact(found, sides)) return found
      candidates.push(found)
    }
    yield
  }
  // First what is not equal at all, then only what stands out.
  for (const share of [0, 0.05]) {
    const mask = maskOf(inPlace, share)
    if (share > 0 && inPlace.left.values.length < 64) break
    for (const placing of placings) {
      const found = placing(inPlace, mask)
      if (holds(found)) candidates.push(found)
      yield
    }
  }
  // What is said with less comes first, and gives way only to what leaves far less.
  return candidates.reduce<Found | null>(
    (known, one) => (known === null || one.rest.relative < known.rest.relative / 2 ? one : known),
    null,
  )
}

/** Of what kind the difference is at the indices where there is one. */
function* within(
  found: Found,
  { left, right, whole }: Sides,
  depth: number,
): Generator<void, DifferenceKind | null> {
  if (depth >= deepest || (found.kind !== 'channel' && found.kind !== 'suffix')) return null
  const { axis, from, to = left.shape[Number(axis)] - 1 } = found.facts
  const part = (side: InMemory): InMemory => partAlong(side, Number(axis), Number(from), Number(to) + 1)
  const kind = yield* differenceKind(part(left), part(right), whole, depth + 1)
  return kind.kind === null ? null : kind
}

/** Whether a hypothesis may hold for all elements: it does for a part of them. Few elements are all tried. */
function trial(sides: Sides): (making: (sides: Sides) => Found | null) => boolean {
  const part = partSides(sides)
  if (!part) return () => true
  const before = restOf(part.left.values, part.right.values)
  // Nothing that is done to all elements leaves most of them as they were.
  if (before.mismatched === 0) return () => false
  return making => {
    const found = making(part)
    return (
      found !== null && explains({ ...before, relative: before.relative * 2 }, found.rest, 2 * sides.epsilon)
    )
  }
}

const exact = ({ rest }: Found, { epsilon }: Sides): boolean =>
  rest.mismatched === 0 || rest.relative <= 2 * epsilon

/** One side is the other with more behind it along an axis. */
function grown({ left, right }: Sides): Found | null {
  if (left.shape.length !== right.shape.length) return null
  const other = left.shape.flatMap((dim, axis) => (dim === right.shape[axis] ? [] : [axis]))
  if (other.length !== 1) return null
  const [axis] = other
  const [longer, shorter] = left.shape[axis] > right.shape[axis] ? [left, right] : [right, left]
  const inner = sizeOf(longer.shape.slice(axis + 1))
  const [long, short] = [longer.shape[axis] * inner, shorter.shape[axis] * inner]
  // Nothing is like anything.
  if (shorter.values.length === 0 || short === 0) return null
  const cut = shorter.values.slice()
  for (let block = 0; (block + 1) * short <= cut.length; block++)
    cut.set(longer.values.subarray(block * long, block * long + short), block * short)
  const rest = restOf(cut, shorter.values)
  if (rest.mismatched > 0 && rest.relative > 0.05) return null
  return {
    kind: 'longer',
    facts: {
      axis,
      side: longer === left ? 'left' : 'right',
      from: shorter.shape[axis],
      length: longer.shape[axis],
    },
    rest,
  }
}

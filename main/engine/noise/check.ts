// Whether two runs can tell the noise of a pair: of the same model and level, with numbers, and healthy.
import { Direction, type Dump, itemName, type ItemRow, problem, type Problem, State } from '../model/index.ts'
import { Equal } from '../measure/index.ts'
import { type Compared, type ItemErrors, itemErrors } from './errors.ts'

/** Of the pair's tensors, twins must know so many. */
const leastKnown = 0.5
/** Of the twins' tensors, so many must have a partner. */
const leastMet = 0.8
/** Healthy runs are never so far apart in half of their forward results: this is other data, or other weights. */
const mostApart = 0.05
/** Nor are they in what the first call reads: rounding alone. */
const mostApartBefore = 0.01

/** Null where they can. */
export function whyNoTwins(
  twins: Compared,
  pair: { readonly debug: Dump; readonly bench: Dump } | null,
): Problem | null {
  const { debug, bench } = twins
  const given = debug.header.level
  if (given !== bench.header.level)
    return problem('noise-levels', debug.file, {
      other: bench.file,
      first: given,
      second: bench.header.level,
    })
  return (pair && ofAnother(debug, pair)) ?? unhealthy(twins, itemErrors(twins))
}

/** Not of this model, or dumped in another way. */
function ofAnother(debug: Dump, pair: { readonly debug: Dump; readonly bench: Dump }): Problem | null {
  const [given, wanted] = [debug.header.level, pair.debug.header.level]
  if (given !== wanted && wanted !== '') return problem('noise-other-level', debug.file, { given, wanted })
  const names = tensorNames(debug)
  // One side may have been run twice: the names of either will do.
  const [mine, theirs] = [knownOf(names, pair.debug), knownOf(names, pair.bench)]
  const { found: known, all: of } = mine.found * theirs.all >= theirs.found * mine.all ? mine : theirs
  return known < leastKnown * of ? problem('noise-other-model', debug.file, { known, of }) : null
}

function unhealthy({ debug, bench }: Compared, errors: ItemErrors): Problem | null {
  const { toBench, level, equal } = errors
  let [all, met, sized, apart, results] = [0, 0, 0, 0, 0]
  for (let item = 0; item < debug.items.length; item++) {
    if (debug.items.tensor[item] !== 1) continue
    all++
    if (toBench[item] < 0) continue
    met++
    const told =
      equal[item] === Equal.yes || (level[item] >= 0 && (level[item] < 1 || hasNumbers(debug, item)))
    if (told) sized++
    if (debug.items.state[item] !== State.output || isBackward(debug, item)) continue
    results++
    if (told && level[item] > mostApart) apart++
  }
  const facts = { other: bench.file }
  if (met > 0 && sized === 0) return problem('noise-without-numbers', debug.file, facts)
  const other = inputApart(debug, errors)
  if (other >= 0) return problem('noise-data-differ', debug.file, { ...facts, item: itemName(debug, other) })
  if (met < leastMet * all) return problem('noise-calls-differ', debug.file, { ...facts, met, of: all })
  if (apart > results / 2) return problem('noise-twins-differ', debug.file, { ...facts, apart, of: results })
  return null
}

/** What the first call reads and is not the same on both sides; -1: nothing. */
function inputApart({ ops, items }: Dump, { toBench, equal, level }: ItemErrors): ItemRow {
  for (let op = 0; op < ops.length; op++) {
    let reads = false
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
      if (items.state[item] !== State.input || items.tensor[item] !== 1 || toBench[item] < 0) continue
      reads = true
      if (equal[item] === Equal.no && level[item] > mostApartBefore) return item
    }
    if (reads) return -1
  }
  return -1
}

const isBackward = ({ ops, items, texts, names }: Dump, item: ItemRow): boolean =>
  names.direction(texts.get(ops.name[items.op[item]])) !== Direction.forward

const hasNumbers = ({ items }: Dump, item: number): boolean => items.max.kind[item] > 1

function tensorNames(dump: Dump): ReadonlySet<string> {
  const names = new Set<string>()
  for (let item = 0; item < dump.items.length; item++)
    if (dump.items.tensor[item] === 1) names.add(itemName(dump, item))
  return names
}

function knownOf(names: ReadonlySet<string>, dump: Dump): { readonly found: number; readonly all: number } {
  let [found, all] = [0, 0]
  for (let item = 0; item < dump.items.length; item++) {
    if (dump.items.tensor[item] !== 1) continue
    all++
    if (names.has(itemName(dump, item))) found++
  }
  return { found, all }
}

// The columns of numbers as the reference writes them: how each follows from the sums, and why it cannot be told.
import { fixed } from '../python/index.ts'
import { epsilon, type NumberName, numberNames } from './sums.ts'

/** What the texts of a pair depend on besides its numbers. */
export interface PairKind {
  /** Both sides hold truth values. */
  readonly bool: boolean
  /** Elements that were compared. */
  readonly count: number
  /** Every axis of the compared array is 1 long. */
  readonly scalar: boolean
}

interface Spelled {
  readonly text: string
  readonly reason: string
}

type Numbers = (name: NumberName) => number

interface VectorMetric {
  readonly title: string
  /** Whether truth values have it. */
  readonly ofBools: boolean
  /** `number`: the plain number of this name; else the text itself. */
  readonly spell: NumberName | ((numbers: Numbers, kind: PairKind) => Spelled)
}

const said = (text: string, reason = ''): Spelled => ({ text, reason })

/** In the order of the columns. */
export const vectorMetrics: readonly VectorMetric[] = [
  { title: 'CosineSimilarity', ofBools: true, spell: cosineText },
  { title: 'MaxAbsoluteError', ofBools: false, spell: 'maxAbs' },
  { title: 'AccumulatedRelativeError', ofBools: false, spell: 'accumulated' },
  {
    title: 'RelativeEuclideanDistance',
    ofBools: true,
    spell: (of, { bool }) =>
      bool && of('rightNorm') > 0
        ? said('NaN', noBools('RelativeEuclideanDistance'))
        : said(six(of('euclid'))),
  },
  { title: 'KullbackLeiblerDivergence', ofBools: false, spell: 'divergence' },
  {
    title: 'StandardDeviation',
    ofBools: false,
    spell: of =>
      said(
        `(${three(of('leftMean'))};${three(of('leftDeviation'))}),(${three(of('rightMean'))};${three(of('rightDeviation'))})`,
      ),
  },
  { title: 'MeanAbsoluteError', ofBools: false, spell: 'meanAbs' },
  { title: 'RootMeanSquareError', ofBools: false, spell: 'rootMeanSquare' },
  { title: 'MaxRelativeError', ofBools: false, spell: 'maxRel' },
  { title: 'MeanRelativeError', ofBools: false, spell: 'meanRel' },
]

const six = (x: number): string => fixed(x, 6)
/** Magnitudes below a thousandth are shown as 0. */
const three = (x: number): string => fixed(Math.abs(x) < 0.001 ? 0 : x, 3)
const noBools = (title: string): string => `${title} is not defined for boolean tensors.`

function cosineText(of: Numbers, { scalar }: PairKind): Spelled {
  if (scalar) return said('1.000000', 'The tensor has one element: its cosine says nothing.')
  const cosine = of('cosine')
  const [left, right] = [of('leftNorm'), of('rightNorm')]
  if (left <= epsilon && right <= epsilon) return said('1.0')
  if (!Number.isNaN(cosine)) return said(six(cosine))
  if (left === 0 || right === 0)
    return said('NaN', `No cosine: every value of the ${left === 0 ? 'left' : 'right'} tensor is zero.`)
  return said('nan')
}

export interface SpelledMetrics {
  readonly cells: readonly string[]
  readonly reasons: readonly string[]
}

/** The cells of a pair that was measured. */
export function spellMetrics(numbers: Float64Array, kind: PairKind): SpelledMetrics {
  const of: Numbers = name => numbers[numberNames.indexOf(name)]
  const spelled = vectorMetrics.map(({ title, ofBools, spell }): Spelled => {
    if (kind.bool && !ofBools) return said('NaN', noBools(title))
    if (typeof spell === 'function') return spell(of, kind)
    return kind.count === 0 && Number.isNaN(of(spell)) ? said('NaN') : said(six(of(spell)))
  })
  const reasons = spelled.map(({ reason }) => reason).filter(Boolean)
  return {
    cells: spelled.map(({ text }) => text),
    reasons: kind.count === 0 ? ['The tensors have no elements.', ...reasons] : reasons,
  }
}

/** The cells of a pair that could not be measured. */
export const noMetrics: readonly string[] = vectorMetrics.map(() => 'NaN')

/** Above this, float16 counts as overflowed: chips of the first generation stop at their largest number. */
export const halfLimit = 65504

// What each colour of the graphs stands for, in words of what they measure: for the legend and for pictures.
import type { Legend as LegendFacts } from '../../../preload/contract/engine.ts'
import { shortNumber } from '../../state/format.ts'
import type { Say } from '../../state/words.ts'

export interface LegendRow {
  readonly bucket: number
  readonly text: string
  /** Nodes of this colour. */
  readonly n: number
}

export function legendRows(say: Say, facts: LegendFacts): readonly LegendRow[] {
  const { colours, measure, buckets, incomparable } = facts
  const unmatched = colours === 'overflow' ? 0 : facts.unmatchedDebug + facts.unmatchedBench
  return [
    ...buckets.map(b => ({ bucket: b.bucket, text: rangeIn(say, measure, b), n: b.count })),
    ...(incomparable > 0 ? [{ bucket: -3, text: say('state.incomparable'), n: incomparable }] : []),
    ...(unmatched > 0 ? [{ bucket: -2, text: say('legend.none'), n: unmatched }] : []),
  ]
}

type Range = LegendFacts['buckets'][number]

/** What a bucket holds, in words of its measure. */
function rangeIn(say: Say, measure: string, { bucket, from, to }: Range): string {
  const said: Readonly<Record<string, () => string>> = {
    overflow: () => say(`overflow.${from as 0 | 1 | 2 | 3}`),
    md5: () => say(from === 1 ? 'legend.equal' : 'legend.different'),
    error: () => (bucket === 0 ? say('legend.explained') : rangeText(from, to, share)),
  }
  return (said[measure] ?? (() => rangeText(from, to, shortRange)))()
}

function rangeText(from: number, to: number, text: (value: number) => string): string {
  if (from === to) return text(from)
  if (from === 0) return `< ${text(to)}`
  return to >= 1 ? `≥ ${text(from)}` : `${text(from)}–${text(to)}`
}

const share = (value: number): string => `${Number((value * 100).toPrecision(2))}%`

const shortRange = (value: number): string =>
  Number.isInteger(value) ? String(value) : shortNumber(value).replace(/0+$/, '')

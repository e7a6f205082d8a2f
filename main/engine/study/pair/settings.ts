// What options come to for one pair of dumps.
import type { CompareOptions, Dump } from '../../model/index.ts'
import { mappingInForce, type HandMatches, type PairSettings } from '../../pair/index.ts'
import { defaultThresholds } from '../../rules/index.ts'
import type { UnitRef } from '../../layout/index.ts'
import type { SourceDumps } from '../sources.ts'

/** Of whoever does not say otherwise, in the window and on the command line. */
export const defaultOptions: CompareOptions = {
  rules: 'plumbline',
  fuzzy: false,
  mapping: {},
  thresholds: defaultThresholds,
  colours: 'error',
  noise: [],
}

/** Whose dialect a comparison speaks: the debug side's. */
export const engineOf = (debug: Dump): PairSettings['engine'] =>
  debug.header.framework === 'pytorch' ? 'pytorch' : 'mindspore'

export function settingsOf(
  { dialect, builtInTable }: Pick<UnitRef, 'dialect' | 'builtInTable'>,
  dumps: Pick<SourceDumps, 'debug' | 'bench' | 'given'>,
  { rules, fuzzy, mapping }: Pick<CompareOptions, 'rules' | 'fuzzy' | 'mapping'>,
  hand: HandMatches,
): PairSettings {
  const { debug, given } = dumps
  return {
    rules,
    fuzzy,
    // msprobe 26 has names meet as they are unless it is asked otherwise.
    mapping: builtInTable && rules !== 'msprobe-26' ? mappingOf(dumps, mapping) : mapping,
    engine: dialect ?? engineOf(debug),
    hand,
    ...(given && { given }),
  }
}

/** Mappings have no part in what a finished result says itself. */
export const mappingOf = (
  { debug, bench, given }: Pick<SourceDumps, 'debug' | 'bench' | 'given'>,
  mapping: CompareOptions['mapping'],
): CompareOptions['mapping'] => (given || !bench ? mapping : mappingInForce(mapping, debug, bench))

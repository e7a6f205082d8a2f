// Two frameworks: whether the sides are of different ones, and the mapping that is in force then.
import type { Dump, MappingTexts } from '../model/index.ts'

const spelling = ({ header: { framework } }: Dump): string =>
  framework === 'mindtorch' ? 'pytorch' : framework

/** Names of the two sides do not compare; MindTorch spells as PyTorch does. */
export function isAcross(debug: Dump, bench: Dump): boolean {
  const [mine, theirs] = [spelling(debug), spelling(bench)]
  return mine !== '' && theirs !== '' && mine !== theirs
}

/**
 * Across frameworks hardly anything matches by name alone: the built-in API table applies where no mapping was
 * asked for.
 */
export const mappingInForce = (mapping: MappingTexts, debug: Dump, bench: Dump): MappingTexts =>
  debug.header.framework === 'mindspore' &&
  bench.header.framework === 'pytorch' &&
  Object.keys(mapping).length === 0
    ? { api: '' }
    : mapping

// How strictly step and rank folders are read, and which of two sides meet: one row per way of asking.
import type { Candidate } from '../formats/index.ts'
import type { Rules } from '../model/index.ts'
import { ruleSets } from '../rules/index.ts'

export interface WalkRules {
  readonly step: RegExp
  readonly rank: RegExp
  /** What lies beside step and rank folders. */
  readonly strays: 'passed' | 'noted' | 'refused'
  readonly order: 'number' | 'text'
  /** Whether the folder that was given may be that of a rank itself. */
  isRank(root: Candidate): boolean
  /** A rank folder without a dump counts: reading it fails and says why. */
  readonly keepsEmpty: boolean
  /**
   * Which folders of two sides belong together: those of one number, and in order where no numbers are
   * common; by number only; by their place in the order; or all, when both sides have the same names.
   */
  readonly meet: 'number, else place' | 'number' | 'place' | 'same names'
}

const anyStep = /^step\d+$/
const anyRank = /^(?:rank\d*|proc\d+)$/
const exactStep = /^step(?:0|[1-9]\d*)$/
const exactRank = /^rank(?:0|[1-9]\d*)?$/

/** Paths that were dropped or named: what looks like a dump is one. */
export const openRules: WalkRules = {
  step: anyStep,
  rank: anyRank,
  strays: 'passed',
  order: 'number',
  isRank: () => true,
  keepsEmpty: false,
  meet: 'number, else place',
}

/** The two step folders that a compare.json names. */
export function jsonRules(rules: Rules): WalkRules {
  const { deviates } = ruleSets[rules]
  return {
    step: exactStep,
    rank: exactRank,
    strays: deviates['stray-entries'] ? 'noted' : 'refused',
    order: deviates['rank-order'] ? 'number' : 'text',
    isRank: () => false,
    keepsEmpty: true,
    meet: deviates['rank-order'] ? 'number, else place' : 'place',
  }
}

const rankFiles = ['dump.json', 'construct.json', 'stack.json']

/** The folders of the graph command. */
export function graphWalkRules(rules: Rules): WalkRules {
  const strict = ruleSets[rules].graph.strictBatch
  return {
    step: strict ? exactStep : anyStep,
    rank: strict ? exactRank : anyRank,
    strays: strict ? 'refused' : 'noted',
    order: strict ? 'text' : 'number',
    isRank: root => isSingle(root, strict),
    keepsEmpty: true,
    meet: strict ? 'same names' : 'number',
  }
}

/** A folder of one rank holds its files; by strict rules also any folder without folders in it. */
function isSingle({ entries }: Candidate, strict: boolean): boolean {
  const names = entries.map(entry => entry.name)
  if (names.includes('dump_tensor_data') || !entries.some(entry => entry.kind === 'folder'))
    return entries.length > 0
  return !strict && rankFiles.some(name => names.includes(name))
}

// What a folder holds for the graph command: one rank, ranks of a step, or steps of ranks; and which folders of two sides belong together.
import type { Entry, Files } from '../io/files.ts'
import { baseOf, dirOf, join } from '../io/paths.ts'
import type { Rules } from '../model.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import { graphRules } from './rules.ts'

export interface GraphUnit {
  /** Words between `build`/`compare` and the time in the file's name: '', `rank0`, `step1_rank`. */
  readonly label: string
  readonly step: number
  readonly rank: number
  readonly debug: string
  /** '' for a single graph. */
  readonly bench: string
}

export type FolderClass = 'single' | 'ranks' | 'steps'

export interface GraphBatch {
  readonly is: FolderClass
  readonly units: readonly GraphUnit[]
  readonly problems: readonly Problem[]
}

const rankName = /^rank\d+$/
const stepName = /^step\d+$/
const processName = /^proc\d+$/
const strictRank = /^rank(?:0|[1-9]\d*)?$/
const strictStep = /^step(?:0|[1-9]\d*)$/
const isFolder = (entry: Entry): boolean => entry.kind === 'folder'
const dumpNames = ['dump.json', 'construct.json', 'stack.json']

/** The class of a folder; refuses what is none. Strict rules count every entry, ours look past what does not belong there. */
export function classify(files: Files, dir: string, strict: boolean): FolderClass {
  const entries = files.list(dir)
  if (entries.length === 0) throw new Refusal(problem('empty-dump', dir))
  if (entries.some(entry => entry.name === 'dump_tensor_data') || entries.every(entry => !isFolder(entry))) return 'single'
  const folders = entries.filter(isFolder)
  if (!strict && entries.some(entry => dumpNames.includes(entry.name))) return 'single'
  const only = folders[0].name
  if ((strict ? entries : folders).length === 1 && (only === 'rank' || (!strict && processName.test(only)))) return 'ranks'
  const fits = (name: RegExp): boolean => (strict ? folders.every(entry => name.test(entry.name)) : folders.some(entry => name.test(entry.name)))
  if (fits(rankName) || (!strict && fits(/^(?:rank|proc\d+)$/))) return 'ranks'
  if (fits(stepName)) return 'steps'
  throw new Refusal(problem('not-a-dump', dir, { found: folders.slice(0, 3).map(entry => entry.name).join(', ') }))
}

/** The pairs of rank folders that a debug and a bench folder hold; bench '' gives single graphs. */
export function batchOf(files: Files, debug: string, bench: string, rules: Rules): GraphBatch {
  const strict = graphRules[rules].strictBatch
  const mine = rankFolder(files, debug, strict)
  const theirs = bench === '' ? '' : rankFolder(files, bench, strict)
  const is = classify(files, mine, strict)
  const other = theirs === '' ? is : classify(files, theirs, strict)
  if (other !== is) throw new Refusal(problem('layouts-differ', theirs, { debug: is, bench: other }))
  const problems: Problem[] = []
  const units: GraphUnit[] = []
  if (is === 'single') units.push({ label: '', step: numberOf(baseOf(dirOf(mine)), 'step'), rank: numberOf(baseOf(mine), 'rank'), debug: mine, bench: theirs })
  if (is === 'ranks') units.push(...ranksOf(files, mine, theirs, '', 0, strict, problems))
  if (is === 'steps') {
    for (const name of common(files, mine, theirs, stepName, strictStep, strict, 'step', 0, problems)) {
      units.push(...ranksOf(files, join(mine, name), theirs && join(theirs, name), `${name}_`, numberOf(name, 'step'), strict, problems))
    }
  }
  if (units.length === 0) throw new Refusal(problem('ranks-differ', mine, { bench: theirs }))
  return { is, units, problems }
}

/** A dump.json stands for its folder. */
function rankFolder(files: Files, path: string, strict: boolean): string {
  files.allow(path)
  const entry = files.stat(path)
  if (!entry) throw new Refusal(problem('not-found', path))
  if (entry.kind === 'folder' || entry.kind === 'link') return path
  if (strict || baseOf(path) !== 'dump.json') throw new Refusal(problem('not-a-folder', path))
  files.allow(dirOf(path))
  return dirOf(path)
}

function ranksOf(files: Files, debug: string, bench: string, label: string, step: number, strict: boolean, problems: Problem[]): GraphUnit[] {
  const lenient = /^(?:rank\d*|proc\d+)$/
  return common(files, debug, bench, lenient, strictRank, strict, 'rank', step, problems)
    .map(name => ({ label: label + name, step, rank: numberOf(name, 'rank'), debug: join(debug, name), bench: bench && join(bench, name) }))
}

/** Names that both sides have, in order. */
function common(files: Files, debug: string, bench: string, lenient: RegExp, exact: RegExp, strict: boolean, kind: 'rank' | 'step', step: number, problems: Problem[]): string[] {
  const namesIn = (dir: string): string[] => {
    const kept: string[] = []
    for (const entry of files.list(dir)) {
      const fits = isFolder(entry) && (strict ? exact : lenient).test(entry.name)
      if (fits) kept.push(entry.name)
      else if (strict) throw new Refusal(problem('stray-entry-stops', join(dir, entry.name), { name: entry.name }))
      else problems.push(problem('stray-entry', join(dir, entry.name), { name: entry.name }, 'note'))
    }
    return strict ? kept.sort((a, b) => (a < b ? -1 : 1)) : kept.sort((a, b) => digits(a) - digits(b) || (a < b ? -1 : 1))
  }
  const mine = namesIn(debug)
  if (bench === '') return mine
  const theirs = namesIn(bench)
  if (strict && mine.join() !== theirs.join()) throw new Refusal(problem(kind === 'rank' ? 'ranks-differ' : 'steps-differ-stops', debug, { bench }))
  const both = mine.filter(name => theirs.includes(name))
  for (const [names, others, dir] of [[mine, theirs, bench], [theirs, mine, debug]] as const) {
    for (const name of names) {
      if (others.includes(name)) continue
      problems.push(kind === 'rank' ? problem('rank-missing', dir, { step, rank: name }, 'warning') : problem('steps-differ', dir, { step: name }, 'warning'))
    }
  }
  return both
}

const digits = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0)
const numberOf = (name: string, word: 'step' | 'rank'): number => Number(new RegExp(`^${word}(\\d+)$`).exec(name)?.[1] ?? 0)

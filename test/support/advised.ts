// A pair of dump folders, read, compared and advised, as the product does it.
import { advise } from '../../main/engine/advisor/advise.ts'
import type { Thresholds } from '../../preload/contract/engine.ts'
import type { Dump } from '../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { diskFiles, type Files } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { compareDumps } from '../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../main/engine/rules/thresholds.ts'
import { measurePairs } from '../../main/engine/measure/tensor-pairs.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import type { Advice, MappingTexts } from '../../preload/contract/engine.ts'
import type { Pair } from './faults/index.ts'
import { memoryFiles } from './memory-files.ts'

export interface Advised {
  readonly comparison: Comparison
  readonly advice: Advice
  /** msprobe's own answer: the item name of the first failing row, NA when there is none. */
  readonly firstRow: string
}

export async function compareFolders(
  debugDir: string,
  benchDir: string,
  mapping: MappingTexts = {},
  files: Files = diskFiles(),
): Promise<Comparison> {
  const here = job()
  files.allow(debugDir)
  files.allow(benchDir)
  const debug = await readDump(files, dumpFilesOf(files, debugDir), here)
  const bench = await readDump(files, dumpFilesOf(files, benchDir), here)
  const pool = inlinePool(tasks)
  const engine =
    debug.header.framework === 'mindspore' && mapping.layer === undefined ? 'mindspore' : 'pytorch'
  return compareDumps(
    debug,
    bench,
    { rules: 'plumbline', engine, fuzzy: false, mapping, stack: 'auto', thresholds: defaultThresholds },
    { job: here, measure: (pairs, at, grown) => measurePairs(pool, files, pairs, at, grown) },
  )
}

export async function adviseFolders(
  debugDir: string,
  benchDir: string,
  mapping: MappingTexts = {},
  files: Files = diskFiles(),
  step: number | null = null,
): Promise<Advised> {
  const comparison = await compareFolders(debugDir, benchDir, mapping, files)
  const { advice, explained } = await advise({ comparison, step }, job())
  return {
    comparison: comparison.judged(defaultThresholds, explained),
    advice,
    firstRow: firstRowOf(comparison),
  }
}

/**
 * Two dumps that were never on disk. `right` says whether the headline names the node where the fault is;
 * null without a fault.
 */
export async function adviseFiles(
  pair: Pair,
  thresholds: Partial<Thresholds> = {},
  mapping: MappingTexts = {},
): Promise<Advised & { readonly right: boolean | null; readonly firstRight: boolean }> {
  const content: Record<string, string | Uint8Array> = {}
  for (const side of ['debug', 'bench'] as const)
    for (const [name, text] of Object.entries(pair[side])) content[`/${side}/${name}`] = text
  const compared = await compareFolders('/debug', '/bench', mapping, memoryFiles(content))
  const { advice, explained } = await advise({ comparison: compared, thresholds }, job())
  const comparison = compared.judged({ ...defaultThresholds, ...thresholds }, explained)
  const head = advice.findings[0]
  const firstRow = firstRowOf(comparison)
  const right =
    pair.of.kind === null
      ? null
      : head !== undefined && pair.right(chainOf(comparison[head.side], head.node), head.kind)
  return {
    comparison,
    advice,
    firstRow,
    right,
    firstRight: pair.right(chainOf(comparison.debug, opOf(firstRow)), 'first-row'),
  }
}

/** A node and what construct.json puts around it. */
export function chainOf(dump: Dump, node: string): string[] {
  const { texts, construct } = dump
  const find = (name: string): number => {
    const code = texts.find(name)
    return code < 0 ? -1 : construct.find(code)
  }
  const names = [node]
  let at = find(node)
  if (at < 0) at = find(node.replaceAll('backward', 'forward'))
  for (let steps = 0; at >= 0 && steps < 50; steps++) {
    names.push(texts.get(construct.child[at]))
    at = construct.parent[at] < 0 ? -1 : construct.find(construct.parent[at])
  }
  return names
}

/** Op key of an item name. */
const opOf = (item: string): string =>
  item
    .replace(/\.(input|output|parameters|kwargs)\b.*$/, '')
    .replace(/parameters_grad\..*$/, 'parameters_grad')

function firstRowOf(comparison: Comparison): string {
  for (let row = 0; row < comparison.length; row++)
    if (comparison.failing(row)) return comparison.text(row, 0)
  return 'NA'
}

/**
 * The hit rule: the node, or a module that construct.json puts around it on the debug side, matches where the
 * fault was put.
 */
export const hits = (comparison: Comparison, node: string, where: RegExp): boolean =>
  chainOf(comparison.debug, opOf(node)).some(name => where.test(name))

// Runs made pairs through the advisor and counts, by kind, how often the headline and msprobe's first row name the fault.
import type { Dump } from '../../main/engine/dump.ts'
import { adviseFolders } from './advised.ts'
import { makePair, type CaseOf, type NoiseName } from './faults/index.ts'
import { faultKinds } from './faults/kinds.ts'
import { modelNames } from './faults/models.ts'
import { seedOf } from './faults/numbers.ts'
import { memoryFiles } from './memory-files.ts'

export interface Score { readonly all: number; readonly headline: number; readonly firstRow: number; readonly misses: readonly string[] }

export interface Battery {
  readonly styles: readonly ('pt' | 'ms' | 'x')[]
  readonly noise: NoiseName
  readonly task: CaseOf['task']
  /** Kinds × models that were kept out while the rules were made, or the others. */
  readonly held: boolean
}

const isHeld = (kind: string, model: string): boolean => seedOf(`${kind}|${model}`) % 3 === 0

/** A node and what construct.json puts around it. */
function chainOf({ texts, construct }: Dump, node: string): string[] {
  const find = (name: string): number => {
    const code = texts.find(name)
    return code < 0 ? -1 : construct.find(code)
  }
  const names = [node]
  let at = find(node)
  if (at < 0) at = find(node.replaceAll('backward', 'forward'))
  for (let k = 0; at >= 0 && k < 50; k++) {
    names.push(texts.get(construct.child[at]))
    at = construct.parent[at] < 0 ? -1 : construct.find(construct.parent[at])
  }
  return names
}

const opOfItem = (item: string): string => item.replace(/\.(input|output|parameters|kwargs)\b.*$/, '').replace(/parameters_grad\..*/, 'parameters_grad')

export async function runBattery({ styles, noise, task, held }: Battery): Promise<ReadonlyMap<string, Score>> {
  const scores = new Map<string, { all: number; headline: number; firstRow: number; misses: string[] }>()
  for (const { name: kind } of faultKinds) {
    for (const model of modelNames) {
      if (isHeld(kind, model) !== held) continue
      for (const style of styles) {
        const [debug, bench] = style === 'x' ? ['ms', 'pt'] as const : [style, style] as const
        const pair = makePair({ kind, model, task, level: 'mix', debug, bench, noise, seed: 0 })
        if (!pair) continue
        const files = memoryFiles(Object.fromEntries([...Object.entries(pair.debug).map(([file, text]) => [`/d/${file}`, text]), ...Object.entries(pair.bench).map(([file, text]) => [`/b/${file}`, text])]))
        const { comparison, advice, firstRow } = await adviseFolders('/d', '/b', style === 'x' ? { layer: '' } : {}, files)
        const [first] = advice.findings
        const right = first !== undefined && pair.right(chainOf(first.side === 'bench' ? comparison.bench : comparison.debug, first.node), first.kind)
        const score = scores.get(kind) ?? { all: 0, headline: 0, firstRow: 0, misses: [] }
        score.all++
        if (right) score.headline++
        else score.misses.push(`${model} ${style}: ${first ? `${first.kind} ${first.node}` : 'nothing'}; wanted ${pair.wanted.slice(0, 1).join('')}`)
        if (firstRow !== 'NA' && pair.right(chainOf(comparison.debug, opOfItem(firstRow)), 'first-row')) score.firstRow++
        scores.set(kind, score)
      }
    }
  }
  return scores
}

export function total(scores: ReadonlyMap<string, Score>): Score {
  const list = [...scores.values()]
  const sum = (of: (score: Score) => number): number => list.reduce((n, score) => n + of(score), 0)
  return { all: sum(s => s.all), headline: sum(s => s.headline), firstRow: sum(s => s.firstRow), misses: list.flatMap(s => s.misses) }
}

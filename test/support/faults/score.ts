// Scores the advisor on generated pairs: how often the headline, and msprobe's first row, name the node where
// the fault is.
import type { MappingTexts } from '../../../preload/contract/engine.ts'
import { adviseFiles } from '../advised.ts'
import { makePair, noiseNames, type CaseOf, type NoiseName, type Pair } from './index.ts'
import { faultKinds } from './kinds.ts'
import { modelNames } from './models.ts'
import { seedOf } from './numbers.ts'

type SetName = 'no noise' | 'noise' | 'frameworks' | 'frameworks, noise'
export const setNames: readonly SetName[] = ['no noise', 'noise', 'frameworks', 'frameworks, noise']

export interface Scored {
  readonly of: CaseOf
  readonly set: SetName
  /** Kind and model were left out while the rules were made. */
  readonly held: boolean
  readonly right: boolean
  readonly firstRight: boolean
  readonly said: string
}

/** A third of kinds × models was never looked at while building. */
const isHeld = (kind: string, model: string): boolean => seedOf(`${kind}|${model}`) % 3 === 0

const ways = [
  ['mix', 'statistics'],
  ['mix', 'md5'],
  ['L1', 'statistics'],
  ['mix', 'tensor'],
  ['L0', 'statistics'],
  ['L1', 'md5'],
  ['L0', 'tensor'],
  ['L1', 'tensor'],
  ['L0', 'md5'],
] as const
const noisy = noiseNames.filter((name): name is NoiseName => name !== 'none')

/** The cases of a set, modes and devices in turn. */
function casesOf(set: SetName, seeds: number): CaseOf[] {
  const cases: CaseOf[] = []
  const across = set.startsWith('frameworks')
  let turn = 0
  for (let seed = 0; seed < seeds; seed++)
    for (const { name } of faultKinds)
      for (const model of modelNames)
        for (const style of across ? (['ms'] as const) : (['pt', 'ms'] as const)) {
          turn++
          const [level, task] = across ? ways[[0, 1, 4, 3][turn % 4]] : ways[turn % ways.length]
          cases.push({
            kind: name,
            model,
            task: set.endsWith('noise') && set !== 'no noise' && task === 'md5' ? 'statistics' : task,
            level,
            debug: style,
            bench: across ? 'pt' : style,
            seed: seed + (turn % 5),
            noise: set === 'noise' || set === 'frameworks, noise' ? noisy[turn % noisy.length] : 'none',
          })
        }
  return cases
}

/** Pairs that differ by noise alone. */
function noiseCases(): CaseOf[] {
  const cases: CaseOf[] = []
  for (const noise of noiseNames)
    for (const model of modelNames)
      for (const [debug, bench] of [
        ['pt', 'pt'],
        ['ms', 'ms'],
        ['ms', 'pt'],
      ] as const) {
        const [level, task] =
          debug === bench ? ways[cases.length % ways.length] : ways[[0, 4, 3][cases.length % 3]]
        cases.push({
          kind: null,
          model,
          task: noise !== 'none' && task === 'md5' ? 'statistics' : task,
          level,
          debug,
          bench,
          noise,
          seed: cases.length % 3,
        })
      }
  return cases
}

/**
 * Across frameworks by turns with a layer mapping, with nothing chosen (the built-in API table), and the same
 * with modules that have other names.
 */
const mappingOf = (of: CaseOf): MappingTexts =>
  of.debug === of.bench ? {} : of.seed % 3 === 0 ? { layer: '' } : { api: '' }
const othersNames = (of: CaseOf): boolean => of.debug !== of.bench && of.seed % 3 === 2

const otherWords: readonly (readonly [RegExp, string])[] = [
  [/Module\.(?:model|net)\./g, 'Module.module.'],
  [/\.attention\./g, '.self_attention.'],
  [/\.fc1\./g, '.up_proj.'],
  [/\.fc2\./g, '.down_proj.'],
  [/\.norm1\./g, '.input_layernorm.'],
  [/\.norm2\./g, '.post_layernorm.'],
  [/\.embed\./g, '.word_embeddings.'],
  [/\.wte\./g, '.tok_embed.'],
  [/\.qkv\./g, '.query_key_value.'],
]
const renamed = (text: string): string =>
  otherWords.reduce((so, [word, other]) => so.replace(word, other), text)

function made(of: CaseOf): Pair | null {
  const pair = makePair(of)
  if (!pair || !othersNames(of)) return pair
  const bench = Object.entries(pair.bench).map(
    ([name, content]) => [name, typeof content === 'string' ? renamed(content) : content] as const,
  )
  return { ...pair, bench: Object.fromEntries(bench) }
}

export async function scoreSet(set: SetName, seeds: number): Promise<Scored[]> {
  const scored: Scored[] = []
  for (const of of casesOf(set, seeds)) {
    const pair = made(of)
    if (!pair || of.kind === null) continue
    const { advice, right, firstRight } = await adviseFiles(pair, {}, mappingOf(of))
    const head = advice.findings[0]
    scored.push({
      of,
      set,
      held: isHeld(of.kind, of.model),
      right: right === true,
      firstRight,
      said: head ? `${head.kind} ${head.node}` : 'nothing',
    })
  }
  return scored
}

/** Pairs of noise alone in which something was found. */
export async function falseAlarms(): Promise<{ readonly pairs: number; readonly alarms: readonly string[] }> {
  const alarms: string[] = []
  let pairs = 0
  for (const of of noiseCases()) {
    const pair = made(of)
    if (!pair) continue
    pairs++
    const { advice } = await adviseFiles(pair, {}, mappingOf(of))
    const head = advice.findings[0]
    if (head) alarms.push(`${nameOf(of)}: ${head.kind} ${head.node}`)
  }
  return { pairs, alarms }
}

export const nameOf = (of: CaseOf): string =>
  `${of.kind ?? 'noise alone'}, ${of.model}, ${of.debug === of.bench ? of.debug : `${of.debug}/${of.bench}`}, ${of.task} ${of.level}, ${of.noise}, seed ${of.seed}`

const share = (list: readonly Scored[], hit: (one: Scored) => boolean): string =>
  list.length === 0 ? '–' : `${list.filter(hit).length}/${list.length}`
export const rate = (list: readonly Scored[]): number =>
  list.filter(one => one.right).length / Math.max(1, list.length)

/**
 * One row per kind, one column per set, and what msprobe's rule makes of all of them; the last rows sum up.
 */
export function tableOf(scored: readonly Scored[]): string {
  const row = (name: string, list: readonly Scored[]): string =>
    `| ${name} | ${setNames
      .map(set =>
        share(
          list.filter(one => one.set === set),
          one => one.right,
        ),
      )
      .join(' | ')} | ${share(list, one => one.firstRight)} |`
  const percent = (name: string, list: readonly Scored[]): string =>
    `| **${name}** | ${setNames.map(set => `**${(100 * rate(list.filter(one => one.set === set))).toFixed(1)} %**`).join(' | ')} | **${((100 * list.filter(one => one.firstRight).length) / Math.max(1, list.length)).toFixed(1)} %** |`
  return [
    `| fault | ${setNames.join(' | ')} | first row |`,
    `|---|${setNames.map(() => '---').join('|')}|---|`,
    ...faultKinds.map(({ name }) =>
      row(
        name,
        scored.filter(one => one.of.kind === name),
      ),
    ),
    percent(
      'kinds × models seen',
      scored.filter(one => !one.held),
    ),
    percent(
      'kinds × models held out',
      scored.filter(one => one.held),
    ),
    percent('all', scored),
  ].join('\n')
}

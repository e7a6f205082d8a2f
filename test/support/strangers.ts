// Networks that the rules were not made with, dumped by the real tool: how often the headline is right, and how often it
// is raised where two runs differ by rounding alone.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { adviseAcross } from '../../main/engine/advisor/across.ts'
import type { Finding } from '../../preload/contract/engine.ts'
import { adviseFolders } from './advised.ts'
import { memoryFiles } from './memory-files.ts'

const folder = path.join(import.meta.dirname, '..', 'fixtures', 'strangers')

const dump = z.object({ dump: z.string(), construct: z.string() })
type DumpText = z.infer<typeof dump>

const network = z.object({
  /** Left out while the rules were made. */
  kept: z.boolean(),
  dumps: z.record(z.string(), dump),
  pairs: z.array(
    z.object({
      debug: z.string(),
      bench: z.string(),
      noise: z.string().nullable(),
      level: z.string(),
      fault: z.string().nullable(),
      /** The first call to differ without rounding and the modules around it; a call that is gone. */
      truth: z
        .object({
          around: z.array(z.string()),
          gone: z.string().nullable(),
          /** Around the calls of a tensor that was overwritten. */
          construct: z.record(z.string(), z.string().nullable()),
          /** Calls that are given another number or word. */
          given: z.array(z.string()).default([]),
          /** Names of calls that one side alone makes where both first part. */
          others: z.array(z.string()).default([]),
          /** The first call to differ of those that are dumped at the level of this pair. */
          atLevel: z.string().nullable().default(null),
        })
        .nullable(),
      /** The fault changes nothing that such a dump holds. */
      unseen: z.boolean(),
      /** Of a run of several steps. */
      step: z.number().nullable().default(null),
    }),
  ),
})
export type StrangerPair = z.infer<typeof network>['pairs'][number]

const ranksFile = z.object({
  dumps: z.record(z.string(), z.array(dump)),
  pairs: z.array(
    z.object({
      debug: z.string(),
      bench: z.string(),
      noise: z.string().nullable(),
      fault: z.string().nullable(),
      node: z.string().nullable(),
      rank: z.number().nullable(),
    }),
  ),
})

const readPacked = (file: string): unknown => JSON.parse(brotliDecompressSync(readFileSync(file)).toString())

export interface Judged {
  readonly network: string
  readonly kept: boolean
  readonly pair: Pick<StrangerPair, 'noise' | 'fault'> & { readonly level?: string }
  /** Rounding alone made NaN. */
  readonly breaks: boolean
  /** Without a fault: nothing was found. */
  readonly right: boolean
  readonly said: string
}

const plain = (name: string): string =>
  name.replace(/\.parameters_grad$/, '').replace(/\.(?:forward|backward)(?:\.\d+)?$/, '')

const apiOf = (call: string): string => plain(call).replace(/\.\d+$/, '')

const withoutNumbers = (call: string): string =>
  call
    .split('.')
    .filter(part => !/^\d+$/.test(part))
    .join('.')

/** Faults that lie in what the network is given. */
const otherInput = /^(?:input:|bug:(?:lengths|selfloop)$)/

/** The call itself or one of the same innermost module; modules alone: the innermost that was dumped. */
export function isRight({ fault, level, truth }: StrangerPair, head: Finding, construct: unknown): boolean {
  if (!truth || fault === null) return false
  if (otherInput.test(fault) && head.kind === 'different-input') return true
  const [node = '', ...outer] = truth.around
  const modules = outer.filter(name => /^(?:Module|Cell)\./.test(name))
  // Between modules nothing is recorded: that it enters there is all that can be said.
  if (level === 'L0' && modules.length === 0 && head.kind === 'uncovered-entry') return true
  const parents = z.record(z.string(), z.string().nullable()).parse(construct)
  const around = parents[head.node] ?? parents[head.node.replace('backward', 'forward')] ?? ''
  const innermost = plain(modules[0] ?? node)
  const [, overwritten = ''] = /^over:(.*)$/.exec(fault) ?? []
  if (overwritten !== '' && head.node.startsWith(`Module.${overwritten}.`)) return true
  if (overwritten !== '' && head.kind === 'hidden-producer' && head.variant === 'overwritten')
    return within(head.facts.from, overwritten, truth.construct)
  if (head.kind === 'argument' && truth.given.includes(head.node)) return true
  if (head.kind === 'unmatched-call' && truth.others.includes(withoutNumbers(head.node))) return true
  // Another level counts calls anew, and shows what it leaves out where it is read.
  if (level !== 'mix' && head.node === truth.atLevel) return true
  const [, held = null] = /^weight:(.*)\.[^.]*:[^:]*$/.exec(fault) ?? []
  if (held !== null && head.kind === 'different-weights' && head.node.startsWith(`Module.${held}.`))
    return true
  const [, hooked = null] = /^ghook:(.*?)\.?[^.]*$/.exec(fault) ?? []
  if (hooked !== null && isHook(head, hooked)) return true
  return (
    // Where a call is gone the others of its name are counted anew.
    (truth.gone !== null && head.kind === 'unmatched-call' && apiOf(head.node) === apiOf(truth.gone)) ||
    [plain(node), innermost].includes(plain(head.node)) ||
    (around !== '' && plain(around) === innermost) ||
    (level === 'L0' && modules.slice(0, 2).map(plain).includes(plain(head.node)))
  )
}

/** The multiplication of a hook on a gradient is a call of its own; else the gradient that it changes. */
const isHook = ({ kind, variant, node }: Finding, module: string): boolean =>
  (kind === 'unmatched-call' && apiOf(node) === 'Tensor.__mul__') ||
  ((variant === 'gradient' || node.endsWith('.parameters_grad')) &&
    module !== '' &&
    node.startsWith(`Module.${module}.`))

const rounds = /^glitch:(\w+):\d+:\w*16$/
const products = /^(?:(?:add|b|badd)?b?mm|convolution)/

/** A call computed in float16 among rounding that is as coarse is no fault. */
function isAsCoarse({ fault, noise }: StrangerPair): boolean {
  if (noise === 'tf' && /^glitch:\w+:\d+:tf$/.test(fault ?? '')) return true
  const [, call] = rounds.exec(fault ?? '') ?? []
  if (call === undefined) return false
  return noise === 'bf16' || noise === 'fp16' || (noise === 'tf' && products.test(call))
}

/**
 * One side alone holds NaN, or its calls give other types: rounding itself is the fault, as where float16 makes zero
 * of an epsilon.
 */
function breaksDown(debug: DumpText | undefined, bench: DumpText | undefined): boolean {
  const has = (text: DumpText | undefined): boolean => /: NaN\b/.test(text?.dump ?? '')
  const types = (text: DumpText | undefined): string => (text?.dump.match(/"dtype": "[^"]*"/g) ?? []).join()
  return (has(debug) && !has(bench)) || types(debug) !== types(bench)
}

/** A call that lies in a module, by the hierarchy of the faulty run at level mix. */
function within(call: string, module: string, construct: Readonly<Record<string, string | null>>): boolean {
  for (
    let at: string | null = call, steps = 0;
    at !== null && steps < 40;
    at = construct[at] ?? null, steps++
  )
    if (at.startsWith(`Module.${module}.`)) return true
  return false
}

const told = (head: Finding | undefined): string =>
  head ? `${head.kind}${head.variant === '' ? '' : `.${head.variant}`} ${head.node}` : 'nothing'

const filesOf = (sides: Readonly<Record<string, DumpText | undefined>>): ReturnType<typeof memoryFiles> =>
  memoryFiles(
    Object.fromEntries(
      Object.entries(sides).flatMap(([at, text]) =>
        text
          ? [
              [`/${at}/dump.json`, text.dump],
              [`/${at}/construct.json`, text.construct],
            ]
          : [],
      ),
    ),
  )

/** Both sides of one pair, by the name of its debug side; `file` as in `later/fpn`. */
export function networkPair(file: string, debug: string): ReturnType<typeof memoryFiles> {
  const { dumps, pairs } = network.parse(readPacked(path.join(folder, `${file}.json.br`)))
  const pair = pairs.find(one => one.debug === debug)
  if (!pair) throw new Error(`${file} has ${pairs.map(one => one.debug).join(', ')}, and no ${debug}`)
  return filesOf({ debug: dumps[pair.debug], bench: dumps[pair.bench] })
}

/** Of the earlier networks every miss has been looked at since, whatever had been kept out. */
const sets = [
  { name: 'networks', looked: true },
  { name: 'later', looked: true },
  { name: 'last', looked: true },
  { name: 'further', looked: true },
  { name: 'newest', looked: true },
  { name: 'sixth', looked: true },
  { name: 'seventh', looked: true },
  { name: 'eighth', looked: true },
  { name: 'ninth', looked: true },
  { name: 'tenth', looked: true },
  // Networks of the other sets with other weights and other inputs: rounding alone.
  { name: 'again', looked: true },
] as const

const packedNetworks = (): { readonly file: string; readonly looked: boolean }[] =>
  sets.flatMap(({ name, looked }) => {
    const home = path.join(folder, name)
    const files = readdirSync(home).sort()
    return files.map(file => ({ file: path.join(home, file), looked }))
  })

/** All single networks, one pair after the other. */
export async function* judgedNetworks(): AsyncGenerator<Judged> {
  for (const { file, looked } of packedNetworks()) {
    const { dumps, pairs, ...packed } = network.parse(readPacked(file))
    const kept = packed.kept && !looked
    for (const pair of pairs) {
      if (pair.unseen || isAsCoarse(pair)) continue
      const files = filesOf({ debug: dumps[pair.debug], bench: dumps[pair.bench] })
      const [head] = (await adviseFolders('/debug', '/bench', {}, files, pair.step)).advice.findings
      const construct: unknown = JSON.parse(dumps[pair.debug]?.construct ?? '{}')
      const breaks = pair.fault === null && breaksDown(dumps[pair.debug], dumps[pair.bench])
      const right =
        pair.fault !== null
          ? head !== undefined && isRight(pair, head, construct)
          : breaks
            ? head?.kind === 'nan' || head?.kind === 'precision'
            : head === undefined
      yield { network: path.basename(file, '.json.br'), kept, pair, breaks, right, said: told(head) }
    }
  }
}

/** Pipelines and split layers over several ranks: the node and the rank. */
export async function* judgedRanks(): AsyncGenerator<Judged> {
  const { dumps, pairs } = ranksFile.parse(readPacked(path.join(folder, 'ranks.json.br')))
  for (const pair of pairs) {
    const [debug = [], bench = []] = [dumps[pair.debug], dumps[pair.bench]]
    const units = await Promise.all(
      debug.map(async (text, rank) => {
        const files = filesOf({ debug: text, bench: bench[rank] })
        const { advice } = await adviseFolders('/debug', '/bench', {}, files)
        return {
          step: 0,
          rank,
          advice: { ...advice, findings: advice.findings.map(one => ({ ...one, rank })) },
        }
      }),
    )
    const [head] = adviseAcross(units)
    const right =
      pair.fault === null
        ? head === undefined
        : head !== undefined && head.rank === pair.rank && new RegExp(pair.node ?? '').test(head.node)
    const said = head ? `${told(head)} on rank ${head.ranks ?? head.rank}` : 'nothing'
    yield { network: pair.debug, kept: false, pair, breaks: false, right, said }
  }
}

const rows = [
  ['rounding alone: nothing found', ({ pair, breaks }: Judged) => pair.fault === null && !breaks],
  ['rounding that makes NaN or another type: named', ({ breaks }: Judged) => breaks],
  [
    'one fault, no rounding: headline right',
    ({ pair }: Judged) => pair.fault !== null && pair.noise === null,
  ],
  [
    'one fault among rounding: headline right',
    ({ pair }: Judged) => pair.fault !== null && pair.noise !== null,
  ],
] as const

export const share = (
  judged: readonly Judged[],
  row: (typeof rows)[number][0],
  kept: boolean | null,
): number => {
  const of = rows.find(([name]) => name === row)?.[1] ?? (() => false)
  const own = judged.filter(one => of(one) && (kept === null || one.kept === kept))
  return own.length === 0 ? 1 : own.filter(one => one.right).length / own.length
}

export const tableOf = (judged: readonly Judged[]): string =>
  [
    '| | kept out | seen |',
    '|---|---|---|',
    ...rows.map(([name, of]) => {
      const cell = (kept: boolean): string => {
        const own = judged.filter(one => of(one) && one.kept === kept)
        return `${own.filter(one => one.right).length} of ${own.length}`
      }
      return `| ${name} | ${cell(true)} | ${cell(false)} |`
    }),
  ].join('\n')

// `map check` and `map propose`: diagnostics and proposals as lines.
import type { Batch } from '../engine/batch/index.ts'
import type { Rules } from '../engine/model.ts'
import type { MappingCoverage, MappingKind, MappingProposal } from '../../preload/contract/engine.ts'
import { isWordKey, say, type Language } from '../../preload/contract/words/index.ts'
import { UsageError, type Arguments } from './args.ts'
import { jsonText, type Summary } from './json.ts'
import type { Terminal } from './terminal.ts'

const kinds = ['api', 'cell', 'data', 'layer'] as const satisfies readonly MappingKind[]
const defaultScore = 0.6

interface MapCall {
  readonly args: Arguments
  readonly terminal: Terminal
  readonly batch: Batch
  readonly head: Summary
  readonly rules: Rules
}

/** True when the command found something wrong. */
export async function map(call: MapCall): Promise<boolean> {
  const [what, ...paths] = call.args.paths
  if (what === 'check') return check(call, paths)
  if (what === 'propose') return propose(call, paths)
  throw new UsageError('cli.usage.map')
}

const kindIn = ({ options }: Arguments): MappingKind | null => kinds.find(kind => kind === options['kind']) ?? null

async function check({ args, terminal, batch, head, rules }: MapCall, [file, ...dumps]: readonly string[]): Promise<boolean> {
  if (file === undefined || (dumps.length !== 0 && dumps.length !== 2)) throw new UsageError('cli.usage.mapCheck')
  const result = await batch.mapCheck({ file, kind: kindIn(args), dumps: dumps.length === 2 ? [dumps[0], dumps[1]] : null, rules })
  if ('json' in args.options) terminal.print(jsonText({ ...head, file, ...result }))
  else {
    for (const { line, column, severity, code, facts } of result.diagnostics) terminal.print(`${file}:${line}:${column}: ${terminal.say(`cli.severity.${severity}`)}: ${diagnosticText(terminal.language, code, facts)}`)
    if (result.coverage) terminal.print(coverageText(terminal, result.coverage))
    if (result.diagnostics.length === 0) terminal.print(terminal.say('cli.map.fine', { file }))
  }
  return result.diagnostics.some(one => one.severity === 'error')
}

async function propose({ args, terminal, batch, head, rules }: MapCall, [debug, bench, ...more]: readonly string[]): Promise<boolean> {
  const kind = kindIn(args)
  if (debug === undefined || bench === undefined || more.length > 0) throw new UsageError('cli.usage.paths', { command: 'map propose', count: String(args.paths.length - 1) })
  if (!kind) throw new UsageError('cli.usage.needs', { command: 'map propose', option: '--kind' })
  const given = args.options['score']
  const score = given === undefined ? defaultScore : Number(given)
  if (!(score >= 0 && score <= 1)) throw new UsageError('cli.usage.choice', { option: '--score', choices: '0 … 1', value: given ?? '' })
  const result = await batch.mapPropose({ dumps: [debug, bench], kind, score, rules, file: args.options['output'] || null })
  if ('json' in args.options) { terminal.print(jsonText({ ...head, kind, ...result })); return false }
  for (const proposal of result.taken) terminal.note(terminal.say('cli.map.taken', { what: changesText(proposal), score: percent(proposal.score), ...proposal.fits }))
  for (const proposal of result.left.slice(0, 20)) terminal.note(terminal.say('cli.map.left', { what: changesText(proposal), score: percent(proposal.score) }))
  terminal.note(`${coverageText(terminal, result.before)} → ${coverageText(terminal, result.after)}`)
  if (result.files.length === 0) terminal.print(result.text.trimEnd())
  else for (const path of result.files) terminal.print(terminal.say('cli.written', { path }))
  return false
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

const changesText = ({ changes }: MappingProposal): string =>
  changes.map(change => `${change.kind === 'layer' ? `${change.scope}: ` : ''}${change.from} → ${change.to}`).join(', ')

const coverageText = (terminal: Terminal, { debug, bench }: MappingCoverage): string =>
  terminal.say('cli.map.coverage', { debug: debug.matched, ofDebug: debug.all, bench: bench.matched, ofBench: bench.all })

/** The sentence of a diagnostic; the editor says the same. */
function diagnosticText(language: Language, code: string, facts: Readonly<Record<string, string | number>>): string {
  const key = `mapping.says.${code}`
  return isWordKey(key) ? say(language, key, facts) : `${code} ${JSON.stringify(facts)}`
}

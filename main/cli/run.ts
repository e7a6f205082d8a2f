// Runs one command line: arguments to calls of the engine, results to streams, the outcome to an exit code.
import { abandonAll, Cancelled, openBatch, tableFormats, type Batch, type CompareRequest, type CompareResult, type Counts, type GraphCommand, type MappingFiles, type TableFormat, type UnitResult } from '../engine/batch/index.ts'
import { ruleSets, type Rules } from '../engine/model.ts'
import { Refusal, type Problem } from '../engine/problem.ts'
import { isWordKey, languages, say, type Facts, type Language, type WordKey } from '../../preload/contract/words/index.ts'
import { commands, readArguments, UsageError, type Arguments } from './args.ts'
import { adviceLines } from '../../preload/contract/words/advice.ts'
import { map } from './map.ts'
import { adviseSummary, compareSummary, jsonText, type Summary } from './json.ts'
import { colorWanted, languageOf, openTerminal, type Streams, type Terminal } from './terminal.ts'

export const exitCodes = { ran: 0, found: 1, refused: 2, bug: 3, interrupted: 130 } as const
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export interface Surroundings {
  readonly streams: Streams
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal
  readonly version: string
}

interface Call {
  readonly args: Arguments
  readonly terminal: Terminal
  readonly batch: Batch
  readonly head: Summary
  readonly problems: (Problem & { readonly text: string })[]
}

const runners: Readonly<Record<string, (call: Call) => Promise<ExitCode>>> = { compare, advise, graph, merge_result: mergeResults, map: mappings }

export async function run(argv: readonly string[], { streams, signal, version }: Surroundings): Promise<ExitCode> {
  const asked = argv.find((_, i) => argv[i - 1] === '--lang') ?? argv.find(word => word.startsWith('--lang='))?.slice('--lang='.length)
  const early = openTerminal(streams, { language: languageOf(asked, streams.env), quiet: false, color: colorWanted(streams, argv.includes('--no-color')) })
  let args: Arguments
  try {
    args = readArguments(argv)
    checkChoices(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return misused(early, error)
  }
  const terminal = openTerminal(streams, { language: early.language, quiet: 'quiet' in args.options, color: colorWanted(streams, 'noColor' in args.options) })
  if ('version' in args.options) { terminal.print(version); return exitCodes.ran }
  const help: WordKey = `cli.help${args.command ? `.${args.command}` : ''}` as WordKey
  if ('help' in args.options) { terminal.print(terminal.say(help)); return exitCodes.ran }
  if (args.command === '') { terminal.note(terminal.say('cli.help'), 'note'); return exitCodes.refused }

  const problems: Call['problems'] = []
  const told = new Set<string>()
  const tell = (problem: Problem): void => {
    const text = problemText(terminal.language, problem)
    if (told.has(text)) return
    told.add(text)
    problems.push({ ...problem, text })
    terminal.note(text, problem.severity)
  }
  const batch = openBatch({
    signal, tell, progress: ({ what, done, total, unit }) => terminal.progress(isWordKey(what) ? terminal.say(what) : what, done, total, unit),
    words: {
      advice: key => say('en', isWordKey(key) ? key : 'advice.passed'),
      findings: (advice, counts) => `${adviceLines(terminal.language, advice, counts).join('\n')}\n`,
    },
  })
  try {
    const head: Summary = { version: 1, tool: `plumbline ${version}`, command: argv }
    return await runners[args.command]({ args, terminal, batch, head, problems })
  } catch (error) {
    return stopped(error, terminal, tell)
  } finally {
    terminal.clear()
    await batch.close()
  }
}

function stopped(error: unknown, terminal: Terminal, tell: (problem: Problem) => void): ExitCode {
  abandonAll()
  if (error instanceof UsageError) return misused(terminal, error)
  if (error instanceof Refusal) {
    tell({ ...error.problem, severity: 'error' })
    return error.problem.code === 'internal' ? exitCodes.bug : exitCodes.refused
  }
  if (error instanceof Cancelled || (error instanceof Error && error.name === 'AbortError')) {
    terminal.note(terminal.say('cli.interrupted'))
    return exitCodes.interrupted
  }
  tell({ code: 'internal', severity: 'error', path: '', facts: { reason: error instanceof Error ? error.stack ?? error.message : String(error) } })
  return exitCodes.bug
}

function misused(terminal: Terminal, error: UsageError): ExitCode {
  const reason = isWordKey(error.key) ? terminal.say(error.key, error.facts) : error.key
  terminal.note(terminal.say('problem.usage', { reason }), 'error')
  return exitCodes.refused
}

function problemText(language: Language, problem: Problem): string {
  const facts: Facts = { path: problem.path, ...problem.facts }
  const key = `problem.${problem.code}`
  const text = isWordKey(key) ? say(language, key, facts) : say(language, 'problem.unknown', { ...facts, code: problem.code, facts: JSON.stringify(problem.facts) })
  // One sentence in one line: a fact that this problem lacks leaves no braces.
  const line = text.replace(/\{\w+\}/g, '').replace(/\s*\n\s*(?!at )/g, ' ').trim()
  // Mappings are told about in the window beside their text, here by their file.
  return problem.code.startsWith('mapping') && !line.includes(problem.path) ? `${problem.path}: ${line}` : line
}

// ---------------------------------------------------------------------------------------------- options

const choices: Readonly<Record<string, readonly [option: string, values: readonly string[], list: boolean]>> = {
  lang: ['--lang', languages, false], rules: ['--rules', ruleSets, false], failOn: ['--fail-on', ['warning', 'error'], false], kind: ['--kind', ['api', 'cell', 'data', 'layer'], false],
}
const formatsOf: Readonly<Record<string, readonly string[]>> = { compare: tableFormats, graph: ['vis', 'vis.db'] }
const frameworks = ['mindspore', 'pytorch'] as const

function checkChoices({ command, framework, options }: Arguments): void {
  if (framework !== null && !frameworks.includes(framework as never)) throw new UsageError('cli.usage.framework', { choices: frameworks.join(', '), value: framework })
  for (const [key, [option, values]] of Object.entries(choices)) {
    const value = options[key]
    if (value !== undefined && !values.includes(value)) throw new UsageError('cli.usage.choice', { option, choices: values.join(', '), value })
  }
  const formats = formatsOf[command] ?? []
  for (const format of listOf(options['format']))
    if (!formats.includes(format)) throw new UsageError('cli.usage.choice', { option: '--format', choices: formats.join(', '), value: format })
}

const listOf = (value: string | undefined): readonly string[] => (value === undefined ? [] : [...new Set(value.split(',').map(word => word.trim()))])

/** compare.json, or the two sides. */
function inputOf({ command, options, paths }: Arguments): CompareRequest['input'] {
  const named = [options['target'], options['golden']].filter(path => path !== undefined)
  const given = [...named, ...paths]
  const json = options['input']
  if (json !== undefined) {
    if (given.length > 0) throw new UsageError('cli.usage.both')
    return json
  }
  if (given.length !== 2) throw new UsageError('cli.usage.paths', { command, count: String(given.length) })
  return [given[0], given[1]]
}

const rulesOf = (options: Arguments['options']): Rules => ruleSets.find(rules => rules === options['rules']) ?? 'plumbline'

const mappingKinds = ['api', 'cell', 'data', 'layer'] as const

function requestOf(args: Arguments, head: Summary): CompareRequest {
  const { options, framework } = args
  const mapping: MappingFiles = Object.fromEntries(mappingKinds.filter(kind => kind in options).map(kind => [kind, options[kind]]))
  const formats = listOf(options['format']) as readonly TableFormat[]
  return {
    input: inputOf(args), framework: framework as CompareRequest['framework'], output: options['output'] || './output', outputChosen: Boolean(options['output']),
    stack: 'stack' in options, fuzzy: 'fuzzy' in options, mapping, rules: rulesOf(options),
    formats: formats.length > 0 ? formats : ['xlsx'], rawCsv: 'rawCsv' in options, advise: !('compareOnly' in options),
    facts: { tool: head.tool, command: head.command.join(' ') },
  }
}

// ---------------------------------------------------------------------------------------------- commands

async function compare({ args, terminal, batch, head, problems }: Call): Promise<ExitCode> {
  const result = await batch.compare(requestOf(args, head))
  if ('json' in args.options) terminal.print(jsonText(compareSummary(head, result, problems)))
  else if (!('quiet' in args.options)) {
    terminal.print(terminal.say('cli.rules', { rules: result.rules }))
    printOverAll(terminal, result)
    for (const unit of result.units) printUnit(terminal, unit, result.units.length > 1)
    for (const path of result.files) terminal.print(terminal.say('cli.written', { path }))
  }
  return outcome(args, result, terminal)
}

async function advise({ args, terminal, batch, head, problems }: Call): Promise<ExitCode> {
  const result = await batch.compare({ ...requestOf(args, head), output: null, formats: [], advise: true })
  if (result.units.some(unit => unit.advice === null)) throw new UsageError('cli.usage.adviseKernel')
  if ('json' in args.options) terminal.print(jsonText(adviseSummary(head, result, problems)))
  else {
    printOverAll(terminal, result)
    for (const unit of result.units) {
      if (result.units.length > 1) terminal.print(unitLine(terminal, unit))
      if (unit.advice) adviceLines(terminal.language, unit.advice, unit.counts).forEach(line => terminal.print(line))
    }
  }
  return outcome(args, result, terminal)
}

async function graph({ args, terminal, batch, head, problems }: Call): Promise<ExitCode> {
  const { options, paths } = args
  const asJson = 'json' in options
  const quiet = 'quiet' in options
  const report = await batch.graph({
    input: graphInput(args, paths), output: options['output'] || './output', outputChosen: Boolean(options['output']), rules: rulesOf(options),
    fuzzy: 'fuzzy' in options, fullStacks: 'fullStack' in options, overflow: 'overflow' in options, format: options['format'] === 'vis.db' ? 'vis.db' : 'vis',
    ...(options['layer'] !== undefined && { layer: options['layer'] }),
  }, path => { if (!asJson && !quiet) terminal.print(terminal.say('cli.written', { path })) })
  if (asJson) terminal.print(jsonText({ ...head, rules: rulesOf(options), units: report.units, failed: report.failed, files: report.paths, problems }))
  return report.failed > 0 ? exitCodes.refused : exitCodes.ran
}

function graphInput({ options }: Arguments, paths: readonly string[]): GraphCommand['input'] {
  const given = [options['target'], options['golden'], ...paths].filter(path => path !== undefined)
  const json = options['input']
  if (json !== undefined && given.length > 0) throw new UsageError('cli.usage.both')
  if (json !== undefined) return json
  const [debug, bench, ...more] = given
  if (debug === undefined || more.length > 0) throw new UsageError('cli.usage.graphPaths', { count: String(given.length) })
  return bench === undefined ? [debug] : [debug, bench]
}

async function mergeResults({ args: { options, paths }, terminal, batch, head, problems }: Call): Promise<ExitCode> {
  if (paths.length > 0) throw new UsageError('cli.usage.extra', { command: 'merge_result', path: paths[0] })
  const needed = (key: string, option: string): string => {
    const value = options[key]
    if (!value) throw new UsageError('cli.usage.needs', { command: 'merge_result', option })
    return value
  }
  const files = await batch.merge({ input: needed('input', '-i'), output: needed('output', '-o'), config: needed('config', '-config'), rules: rulesOf(options) })
  if ('json' in options) terminal.print(jsonText({ ...head, files, problems }))
  else if (!('quiet' in options)) for (const path of files) terminal.print(terminal.say('cli.written', { path }))
  return exitCodes.ran
}

async function mappings({ args, terminal, batch, head }: Call): Promise<ExitCode> {
  return (await map({ args, terminal, batch, head, rules: rulesOf(args.options) })) ? exitCodes.found : exitCodes.ran
}

/** Over several steps and ranks the merged list comes first: what a collective passed on is left out of it. */
function printOverAll(terminal: Terminal, { units: [first, ...more], findings, counts }: CompareResult): void {
  if (more.length > 0 && first.advice) adviceLines(terminal.language, { ...first.advice, findings }, counts, true).forEach(line => terminal.print(line))
}

function unitLine(terminal: Terminal, { debug, bench, step, rank }: UnitResult): string {
  const where = [...(step === null ? [] : [terminal.say('cli.finding.step', { steps: step })]), ...(rank === null ? [] : [terminal.say('cli.finding.rank', { ranks: rank })])]
  return `${terminal.say('cli.unit', { debug, bench })}${where.length > 0 ? ` (${where.join(', ')})` : ''}`
}

function printUnit(terminal: Terminal, unit: UnitResult, several: boolean): void {
  const { counts, first, advice, mode } = unit
  if (several) terminal.print(unitLine(terminal, unit))
  terminal.print(terminal.say('cli.rows', { ...counts, mode: terminal.say(`cli.mode.${mode}`) }))
  terminal.print(terminal.say('cli.failing', { ...counts }))
  terminal.print(first ? terminal.say('cli.first', { row: first.row + 1, line: first.row + 2, node: first.node }) : terminal.say('cli.firstNone'))
  if (advice) adviceLines(terminal.language, advice, counts).forEach(line => terminal.print(line))
}

/** Ranks that failed count as unreadable input; otherwise `--fail-on` decides. */
function outcome({ options }: Arguments, { counts, failed }: CompareResult, terminal: Terminal): ExitCode {
  for (const problem of failed) terminal.note(problemText(terminal.language, problem), 'error')
  if (failed.length > 0) return exitCodes.refused
  const level = options['failOn']
  return (level === 'error' && isError(counts)) || (level === 'warning' && (isError(counts) || isWarning(counts))) ? exitCodes.found : exitCodes.ran
}

const isError = (counts: Counts): boolean => counts.disagree > 0
const isWarning = (counts: Counts): boolean => counts.failing + counts.red + counts.yellow + counts.unmatchedDebug + counts.unmatchedBench > 0

export { commands }

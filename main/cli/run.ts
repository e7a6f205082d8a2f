// Runs one command line: words to a verb, its answer to streams, its outcome to an exit code.
import {
  openKept,
  openTools,
  type Kept,
  type Page,
  problemOf,
  UsageError,
} from '../engine/doors/command/index.ts'
import { fill, isPlainKey, languages, say, sayIf, textOf } from '../../preload/contract/words/index.ts'
import { takenEffects, takenLine } from '../../preload/contract/words/taken.ts'
import { comparedTexts, unequalText } from '../../preload/contract/words/unequal.ts'
import { liveRunTexts, liveText } from '../../preload/contract/words/live-lines.ts'
import { configText, diagnosticText } from '../../preload/contract/words/problem.ts'
import { setupText } from '../../preload/contract/words/setup.ts'
import { adviceLines } from '../../preload/contract/words/advice.ts'
import { differenceLines } from '../../preload/contract/words/difference.ts'
import { findingRecomputedLines, recomputedLines } from '../../preload/contract/words/recomputed.ts'
import { type Arguments, readArguments } from './args.ts'
import { helpText, verbHelp } from './help.ts'
import { openProblems, type Problems } from './problems.ts'
import type { OpenLines } from './lines.ts'
import { openPrograms } from './programs.ts'
import { prompt } from './prompt.ts'
import { colorWanted, languageOf, openTerminal, type Streams, type Terminal } from './terminal.ts'

export const exitCodes = { ran: 0, found: 1, refused: 2, bug: 3, interrupted: 130 } as const
/** One of these, or that of a program that was run. */
export type ExitCode = number

export interface Surroundings {
  readonly streams: Streams
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal
  readonly version: string
  /** A signal for the next command, where one was interrupted and the prompt goes on. */
  readonly renew?: () => AbortSignal
  /** Where the lines of a prompt come from; without, there is none. */
  readonly lines?: OpenLines
  readonly kept?: Kept
  /** What tells of a prompt's commands, where the line came from one. */
  readonly help?: string
}

export async function run(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { streams, version } = surroundings
  const language = languageOf(languageIn(argv), streams.env)
  const early = openTerminal(streams, {
    language,
    quiet: false,
    color: colorWanted(streams, argv.includes('--no-color')),
  })
  try {
    const args = readArguments(argv)
    const { everywhere, named, verb } = args
    const terminal = openTerminal(streams, {
      language,
      quiet: everywhere.quiet ?? false,
      color: colorWanted(streams, everywhere.noColor ?? false),
    })
    if (everywhere.version) terminal.print(version)
    else if (everywhere.help)
      terminal.print(named.length === 0 ? helpText(language) : verbHelp(language, verb ? [verb] : named))
    else if (verb) {
      const code = await runVerb(argv, { ...args, verb }, terminal, surroundings)
      return verb.prompts && surroundings.lines && !everywhere.json && code === exitCodes.ran
        ? await prompt({ ...args, verb }, terminal, surroundings, run)
        : code
    } else {
      terminal.note(helpText(language))
      return exitCodes.refused
    }
    return exitCodes.ran
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return misused(early, error, surroundings.help)
  }
}

/** Also of a command line that cannot be read otherwise. */
function languageIn(argv: readonly string[]): string | undefined {
  const asked =
    argv.find((_, i) => argv[i - 1] === '--lang') ??
    argv.find(word => word.startsWith('--lang='))?.slice('--lang='.length)
  return languages.find(language => language === asked)
}

function misused(terminal: Terminal, { key, facts }: UsageError, help = 'plumbline --help'): ExitCode {
  const reason = fill(textOf(terminal.language, key), facts)
  terminal.note(terminal.say('cli.usage', { reason, help }), 'error')
  return exitCodes.refused
}

async function runVerb(
  argv: readonly string[],
  { verb, everywhere, ...asked }: Arguments & { readonly verb: NonNullable<Arguments['verb']> },
  terminal: Terminal,
  { streams, signal, version, lines, kept, help }: Surroundings,
): Promise<ExitCode> {
  const problems = openProblems(terminal)
  const written: string[] = []
  const page = pageOn(terminal)
  const tool = `plumbline ${version}`
  const tools = await openTools({
    signal,
    tell: problems.tell,
    written: paths => void written.push(...paths),
    meanwhile(print) {
      if (!everywhere.json && !everywhere.quiet) print(page)
    },
    progress: ({ what, done, total, countedIn }) =>
      terminal.progress(sayIf(terminal.language, what) ?? what, done, total, countedIn),
    words: page,
    program: openPrograms(streams, { quietOut: everywhere.json ?? false, takesInput: !lines?.piped }),
    kept: kept ?? openKept(),
    json: everywhere.json ?? false,
    environment: streams.env,
  })
  try {
    const done = await verb.start({ ...asked, facts: { tool, command: argv.join(' ') } }, tools)
    problems.sum()
    if (everywhere.json)
      terminal.print(jsonText({ version: 1, tool, command: argv, ...done.json(), problems: problems.all }))
    else if (!everywhere.quiet || verb.prints === 'answer') {
      done.print(page)
      for (const line of writtenLines(written, terminal)) terminal.print(line)
    }
    return typeof done.outcome === 'string' ? exitCodes[done.outcome] : done.outcome.exit
  } catch (error) {
    if (error instanceof UsageError) return misused(terminal, error, help ?? `plumbline ${verb.name} --help`)
    return stopped(error, { terminal, problems, written, signal })
  } finally {
    terminal.clear()
    await tools.close()
  }
}

interface Stop {
  readonly terminal: Terminal
  readonly problems: Problems
  readonly written: readonly string[]
  readonly signal: AbortSignal
}

function stopped(error: unknown, { terminal, problems, written, signal }: Stop): ExitCode {
  problems.sum()
  const found = problemOf(error)
  if (signal.aborted)
    terminal.note(terminal.say(written.length > 0 ? 'cli.interruptedLate' : 'cli.interrupted'))
  else problems.tell(found)
  // What was asked for did not come about: these lines are about it.
  for (const line of writtenLines(written, terminal)) terminal.note(line)
  if (signal.aborted) return exitCodes.interrupted
  return found.code === 'internal' ? exitCodes.bug : exitCodes.refused
}

const pageOn = (terminal: Terminal): Page => ({
  say: terminal.say,
  diagnostic: found => diagnosticText(terminal.language, found),
  taken: taken => [takenLine(terminal.language, taken), ...takenEffects(terminal.language, taken)],
  config: found => configText(terminal.language, found),
  live: rank => liveText(terminal.language, rank),
  liveRun: run => liveRunTexts(terminal.language, run),
  unequal: found => unequalText(terminal.language, found),
  heldTogether: answer => comparedTexts(terminal.language, answer),
  setup: found => setupText(terminal.language, found),
  line: terminal.print,
  note: terminal.note,
  // The file keeps the reference's language in its first lines.
  advice: key => say('en', isPlainKey(key) ? key : 'advice.passed'),
  findings: (advice, open, across) => adviceLines(terminal.language, advice, open, across),
  difference: told =>
    differenceLines(terminal.language, told, {
      left: say(terminal.language, 'difference.word.left'),
      right: say(terminal.language, 'difference.word.right'),
    }),
  recomputed: call => recomputedLines(terminal.language, call),
  headline: recomputed => findingRecomputedLines(terminal.language, recomputed),
})

/** More files than these are counted, by folder. */
const listed = 40

function writtenLines(paths: readonly string[], terminal: Terminal): readonly string[] {
  if (paths.length <= listed) return paths.map(path => terminal.say('cli.written', { path }))
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.replace(/[\\/][^\\/]*$/, '')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].map(([folder, count]) => terminal.say('cli.writtenMany', { count, folder }))
}

/** NaN and infinities as texts. */
const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v), 1)

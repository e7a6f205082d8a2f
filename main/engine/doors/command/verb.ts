// A verb of the command line as data: what may be typed, what is answered, and where its code is loaded from.
import type {
  Facts,
  FactsOf,
  KeyNaming,
  PlainKey,
  WordKey,
} from '../../../../preload/contract/words/index.ts'
import type { Ranges, Shard } from '../../layout/index.ts'
import type { Page, Tools } from './tools.ts'

/** What is wrong with a command line: a key of the words and its facts. */
export class UsageError<Key extends WordKey = WordKey> extends Error {
  readonly key: Key
  readonly facts: Facts
  constructor(key: Key, ...[facts = {}]: FactsOf<Key>) {
    super(key)
    this.key = key
    this.facts = facts
  }
}

/** What may be typed; `T` is what the verb gets of it. */
export interface Flag<T> {
  /** Spellings, the long one last; `_` and `-` in long ones are the same. */
  readonly names: readonly string[]
  readonly takes: 'nothing' | 'value' | 'maybe'
  /** What stands for the value in the help: a word, or the choices. */
  readonly value: PlainKey | readonly string[] | null
  readonly help: PlainKey
  /** The help does not speak of it. */
  readonly hidden?: true
  /** The verb cannot do without. */
  readonly needed?: true
  /** May be typed several times; what was typed adds up. */
  readonly repeats?: true
  /** How many words behind it are values at most, where that is not one. */
  readonly words?: number
  /** Of what was typed, in its order: one text, or several of a flag that repeats. */
  read(typed: readonly string[]): T
}
type Needed<T> = Flag<T> & { readonly needed: true }
export type Flags = Readonly<Record<string, Flag<unknown>>>

/** What was typed, by the flags' keys. */
export type Given<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Needed<infer T>
    ? T
    : F[K] extends Flag<infer T>
      ? T | undefined
      : never
}

const namesOf = (spellings: string): readonly string[] => spellings.split(', ')
const single =
  <T>(read: (typed: string) => T): Flag<T>['read'] =>
  ([typed = '']) =>
    read(typed)

/** A switch. */
export const toggle = (spellings: string, help: PlainKey): Flag<true> => ({
  names: namesOf(spellings),
  takes: 'nothing',
  value: null,
  help,
  read: () => true,
})

export const text = (spellings: string, value: PlainKey, help: PlainKey): Flag<string> => ({
  names: namesOf(spellings),
  takes: 'value',
  value,
  help,
  read: single(typed => typed),
})

/** A text that may be left out; then it is ''. */
export const maybeText = (spellings: string, value: PlainKey, help: PlainKey): Flag<string> => ({
  ...text(spellings, value, help),
  takes: 'maybe',
})

export const oneOf = <const T extends string>(
  spellings: string,
  choices: readonly T[],
  help: PlainKey,
): Flag<T> => ({
  names: namesOf(spellings),
  takes: 'value',
  value: choices,
  help,
  read: single(typed => chosen(spellings, choices, typed)),
})

/** Several values: with commas between them, by typing the flag again, or both. */
const several = <T>(
  spellings: string,
  value: Flag<unknown>['value'],
  help: PlainKey,
  read: (word: string) => T,
): Flag<readonly T[]> => ({
  names: namesOf(spellings),
  takes: 'value',
  value,
  help,
  repeats: true,
  read: typed => typed.flatMap(words => words.split(',')).map(word => read(word.trim())),
})

/** Values one behind the other, as many as it takes: `-c A B`. */
export const list = (
  spellings: string,
  [least, most]: readonly [number, number],
  value: PlainKey,
  help: PlainKey,
): Flag<readonly string[]> => ({
  names: namesOf(spellings),
  takes: least === 0 ? 'maybe' : 'value',
  value,
  help,
  words: most,
  read(typed) {
    const given = typed.filter(word => word !== '')
    if (given.length < least || given.length > most)
      throw new UsageError('cli.usage.several', {
        option: longest(spellings),
        count: least === most ? least : `${least}…${most}`,
        given: given.length,
      })
    return given
  },
})

/** One or two whole numbers from 1 on, with a blank or a comma between them. */
export function sizes(spellings: string, help: PlainKey): Flag<readonly number[]> {
  const flag = list(spellings, [1, 2], 'cli.value.number', help)
  return {
    ...flag,
    read: typed =>
      flag.read(typed.flatMap(words => words.split(','))).map(word => {
        if (!/^[1-9]\d{0,6}$/.test(word))
          throw new UsageError('cli.usage.numbers', { option: longest(spellings), value: word })
        return Number(word)
      }),
  }
}

/** Several texts. */
export const someTexts = (spellings: string, value: PlainKey, help: PlainKey): Flag<readonly string[]> =>
  several(spellings, value, help, word => word)

/** Several of the choices, each once. */
export function someOf<const T extends string>(
  spellings: string,
  choices: readonly T[],
  help: PlainKey,
): Flag<readonly T[]> {
  const flag = several(spellings, choices, help, word => chosen(spellings, choices, word))
  return { ...flag, read: typed => [...new Set(flag.read(typed))] }
}

/** Whole numbers, alone or from one to another: `0,2-5`. */
export const numbers = (spellings: string, help: PlainKey): Flag<Ranges> =>
  several(spellings, ['0,2-5'], help, word => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? []
    const range = { from: Number(from), to: Number(to) }
    if (!(range.from <= range.to))
      throw new UsageError('cli.usage.numbers', { option: longest(spellings), value: word })
    return range
  })

/** A share of the work: `0/4` to `3/4`. */
export const share = (spellings: string, help: PlainKey): Flag<Shard> => ({
  names: namesOf(spellings),
  takes: 'value',
  value: ['i/n'],
  help,
  read: single(typed => {
    const [, index, of] = (/^(\d+)\/(\d+)$/.exec(typed) ?? []).map(Number)
    if (!(index < of)) throw new UsageError('cli.usage.share', { option: longest(spellings), value: typed })
    return { index, of }
  }),
})

export const numberIn = (
  spellings: string,
  [least, most]: readonly [number, number],
  help: PlainKey,
): Flag<number> => ({
  names: namesOf(spellings),
  takes: 'value',
  value: [`${least}…${most}`],
  help,
  read: single(typed => {
    const value = Number(typed)
    if (typed.trim() === '' || !(value >= least && value <= most))
      throw notOneOf(spellings, `${least} … ${most}`, typed)
    return value
  }),
})

/** Spellings of msprobe's that ask for what is not done here; the sentence says so. */
export const refused = (
  spellings: string,
  takes: Flag<unknown>['takes'],
  why: KeyNaming<'option'>,
): Flag<undefined> => ({
  names: namesOf(spellings),
  takes,
  value: null,
  help: 'cli.flag.elsewhere',
  hidden: true,
  read() {
    throw new UsageError(why, { option: longest(spellings) })
  },
})

/** A spelling of msprobe's for what is done anyway. */
export const anyway = (spellings: string, takes: Flag<unknown>['takes'] = 'nothing'): Flag<undefined> => ({
  names: namesOf(spellings),
  takes,
  value: null,
  help: 'cli.flag.anyway',
  hidden: true,
  read: () => undefined,
})

/** A mode of msprobe's: the only one that is done here is the usual one, others are refused. */
export const onlyMode = <const T extends string>(
  spellings: string,
  usual: T,
  others: Readonly<Record<string, KeyNaming<'option'>>>,
): Flag<undefined> => ({
  names: namesOf(spellings),
  takes: 'value',
  value: [usual],
  help: 'cli.flag.elsewhere',
  hidden: true,
  read: single(typed => {
    const why = others[typed]
    if (why) throw new UsageError(why, { option: `${longest(spellings)} ${typed}` })
    if (typed !== usual) throw notOneOf(spellings, [usual, ...Object.keys(others)].join(', '), typed)
    return undefined
  }),
})

export const needed = <T>(flag: Flag<T>): Needed<T> => ({ ...flag, needed: true })

function chosen<T extends string>(spellings: string, choices: readonly T[], typed: string): T {
  const found = choices.find(choice => choice === typed)
  if (found === undefined) throw notOneOf(spellings, choices.join(', '), typed)
  return found
}

const notOneOf = (spellings: string, choices: string, value: string): UsageError =>
  new UsageError('cli.usage.choice', { option: longest(spellings), choices, value })

const longest = (spellings: string): string => namesOf(spellings).at(-1) ?? ''

/** Paths that a verb takes. */
export interface Operands {
  /** How they stand in the help; null where there are none. */
  readonly shown: PlainKey | null
  /** How many there may be. */
  readonly counts: readonly number[]
  /** More than the most of these are taken too. */
  readonly orMore?: true
  /** Said when there are too few or too many. */
  readonly wrong: KeyNaming<'command' | 'count' | 'path'>
  /** Keys of flags that name paths as well; they come first. */
  readonly also?: readonly string[]
  /** Key of the flag that may stand in their place, and how its value is shown. */
  readonly or?: readonly [key: string, shown: string]
}

/** What a verb is asked for. */
export interface Asked<F extends Flags = Flags> {
  readonly flags: Given<F>
  readonly paths: readonly string[]
  /** `-f` before the verb. */
  readonly framework: 'mindspore' | 'pytorch' | null
  /** The tool and its command line, for what is written. */
  readonly facts: Readonly<Record<string, string>>
}

export type Outcome = 'ran' | 'found' | 'refused' | 'bug' | Exit

/** The exit code of a program that was run, passed on. */
interface Exit {
  readonly exit: number
}

/** A row of the table. */
interface Row<F extends Flags, A, Field extends string> {
  /** One word, or two where a verb has several actions: `map check`. */
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: PlainKey
  readonly about: PlainKey
  readonly examples: readonly string[]
  readonly operands: Operands
  readonly flags: F
  /** With `--quiet` a summary is left out, what was asked for is not. */
  readonly prints: 'summary' | 'answer'
  /** What `--json` holds beside version, tool, command and problems. */
  readonly fields: readonly Field[]
  /** Behind its answer its actions can be typed, line by line. */
  readonly prompts?: true
  /** What may stand at the end of an unfinished line of the prompt, beside actions and flags. */
  complete?(
    line: Unfinished,
    tools: Pick<Tools, 'files' | 'job' | 'kept' | 'tell'>,
  ): Promise<readonly string[]>
  /** Threads to be started while the code is being loaded, where they will have something to do. */
  threads?(asked: Asked<F>, files: Tools['files']): number
  /** What they are started for, where that is one task. */
  readonly task?: string
  load(): Promise<{ readonly command: Command<F, A, Field> }>
}

/** A line of a prompt that somebody still types. */
export interface Unfinished {
  /** What the prompt was opened on. */
  readonly paths: readonly string[]
  readonly action: string
  /** The words between the action and the last one. */
  readonly before: readonly string[]
  readonly word: string
}

/** The code of a verb; it is loaded when the verb is run. */
export interface Command<F extends Flags, A, Field extends string> {
  run(asked: Asked<F>, tools: Tools): Promise<A>
  /** For people. What was written is listed behind it. */
  print(answer: A, page: Page, asked: Asked<F>): void
  /** For programs. */
  json(answer: A, asked: Asked<F>): Readonly<Record<Field, unknown>>
  outcome?(answer: A, asked: Asked<F>): Outcome
}

/** What a finished verb has to say. */
interface Done {
  readonly outcome: Outcome
  print(page: Page): void
  json(): Readonly<Record<string, unknown>>
}

/** A row as the table holds it: whatever its flags and its answer are. */
export interface Verb extends Omit<Row<Flags, unknown, string>, 'threads' | 'load'> {
  start(asked: Asked, tools: Tools): Promise<Done>
}

export function verb<F extends Flags, A, Field extends string>(row: Row<F, A, Field>): Verb {
  return {
    ...row,
    async start(given, tools) {
      // The values were read by this row's own flags.
      const asked = given as Asked<F>
      const threads = row.threads?.(asked, tools.files) ?? 0
      // A thread starts as slowly as the code of the verb: both at the same time.
      if (threads > 0) tools.warm(threads, row.task)
      const { command } = await row.load()
      const answer = await command.run(asked, tools)
      return {
        outcome: command.outcome?.(answer, asked) ?? 'ran',
        print: page => command.print(answer, page, asked),
        json: () => command.json(answer, asked),
      }
    },
  }
}

// What names of ops and items say. Formats spell them differently; everybody else asks the grammar of the dump.
import type { Direction, State } from './names.ts'

export type Pass = typeof Direction.forward | typeof Direction.backward

/** What the name of an op says. */
export interface OpName {
  /**
   * `module`: a call of a module; `api`: of a function; `gradients`: what the parameters of a module got;
   * `other`: a name of no known form, which is its own owner.
   */
  readonly form: 'module' | 'api' | 'gradients' | 'other'
  /** What is called, without call number and direction: `Module.net.fc.Linear`, `Functional.relu`. */
  readonly owner: string
  /** Its first word, and what follows. */
  readonly type: string
  readonly path: string
  /** The type is that of modules. */
  readonly ofModule: boolean
  readonly direction: Direction
  readonly call: number
}

/** How ids of a kind begin, for readers that look at bytes; `more`: something has to follow. */
interface Beginning {
  readonly word: string
  readonly is: 'module' | 'api'
  readonly more: boolean
}

export interface NameGrammar {
  readonly id: 'msprobe' | 'ge' | 'dotted'
  readonly beginnings: readonly Beginning[]
  /** Where names of modules, and no others, end in one character. */
  readonly moduleEnd?: string
  /** What is written on the box of a node that lies in another one, where that is not made of the parts of its name. */
  label?(name: string, above: string): string

  parse(name: string): OpName
  /** By the end of a name alone; null where it names no direction. */
  direction(name: string): Direction | null
  /** The same call in a direction; the name itself where it names none. */
  turned(name: string, to: Pass): string
  /** The same with every other mention of a direction turned as well, as msprobe looks for such calls. */
  turnedThroughout(name: string, to: Pass): string
  /** The name of a call of a module. */
  moduleCall(owner: string, direction: Pass, call: number): string
  /** The function by which ranks talk to each other; null for any other call. */
  communication(name: string): string | null

  /** Type and function, as api mappings name them. */
  api(name: string): string
  /** The function alone. */
  word(name: string): string
  /** What a module is called where it is called; any part of another name. */
  attribute(name: string): string
  /** What tells calls apart by name, without place and number: how they are called, or what they are. */
  called(name: string, by: 'attribute' | 'class'): string
  /** Path and class of a module, as cell mappings name it. */
  cell(name: string): string | undefined

  /** More parts than a module at the top has. */
  isNested(name: string): boolean
  /** The name says that `above` is the module that holds this one; true where it says nothing. */
  mayStandBelow(name: string, above: string): boolean

  /** The op of an item's name, and the part of it. */
  item(name: string): { readonly op: string; readonly state: State }
  /** The part of an op that an item belongs to. */
  stateOf(op: string, item: string): State
  /** A name without what makes one call differ from the next; null where the direction does not occur in it. */
  withoutCalls(name: string, direction: 'forward' | 'backward'): string | null
  /** A name without the numbers between its words: of calls and of layers. */
  withoutNumbers(name: string): string
  /** What stands before and behind the number of a backward call; null for any other name. */
  aroundBackwardCall(name: string): readonly [head: string, tail: string] | null
}

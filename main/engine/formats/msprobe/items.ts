// One entry of a dump's `data` → items: which values count, what they are called and what their cells say.
// One value at a time, for any value.
import { isArray, isObject, type Json, JsonNumber, type JsonObject } from '../../json/index.ts'
import { Kind, problem, type Problem, State, stateNames } from '../../model/index.ts'
import { gradCode, noneCell, type DumpColumns, type OneCell } from '../dump-columns.ts'
import { crcText, pyClass, pyStr, pyTrue } from '../../python/index.ts'

/** Parts of an ordinary entry in the order in which they are visited, with the word that names get. */
export const parts: readonly (readonly [key: string, word: string, state: State])[] = [
  ['input_args', 'input', State.input],
  ['input_kwargs', 'input', State.input],
  ['input', 'input', State.input],
  ['output', 'output', State.output],
  ['parameters', 'parameters', State.parameters],
]

/** Where the texts of items go. */
export interface Texts {
  /** Code of a text that is or may be repeated. */
  add(text: string): number
  /** Code of a text that is hardly ever repeated. */
  name(text: string): number
}

/** Bytes beyond which a name cannot be meant. */
const longestName = 4096
/** Nesting of a value beyond which msprobe gives up. */
const deepestValue = 10
/** Elements of a tensor beyond which a shape cannot be meant. */
const absurdElements = 2 ** 53
const injection = /^[+\-=%@＋－＝％＠]|;[+\-=%@＋－＝％＠]/

export const looksLikeFormula = (text: string): boolean => injection.test(text)

/** A member of stack.json or construct.json that says nothing usable. */
export const badMember = (path: string, key: string, value: Json): Problem => {
  const name = key.slice(0, 200)
  return problem('bad-value', path, { op: name, field: name, text: pyStr(value).slice(0, 80) }, 'warning')
}

/** Collects problems up to a number that a person can read. */
export class Problems {
  readonly list: Problem[] = []
  #left = 200
  add(p: Problem): void {
    if (this.#left-- > 0) this.list.push(p)
    else if (this.#left === -1)
      this.list.push(problem('too-many-problems', p.path, { shown: this.list.length }, 'note'))
  }
}

/** What the items below one part of an entry have in common. */
interface Part {
  readonly op: string
  readonly state: State
  /** Members of lists carry their place in their names. */
  readonly indices: boolean
}

export class ItemWalk {
  readonly #columns: DumpColumns
  readonly #texts: Texts
  readonly #path: string
  readonly #problems: Problems

  constructor(columns: DumpColumns, texts: Texts, path: string, problems: Problems) {
    this.#columns = columns
    this.#texts = texts
    this.#path = path
    this.#problems = problems
  }

  /** Adds the items of one entry. `debug`: a single-point save, whose entries have no parts. */
  entry(key: string, entry: Json, debug: boolean): void {
    if (looksLikeFormula(key)) this.#suspicious(key, key)
    if (key.split('.').includes(stateNames[State.parametersGrad]))
      return this.#value(entry, key, { op: key, state: State.parametersGrad, indices: false })
    if (debug) return this.#value(entry, key, { op: key, state: State.output, indices: true })
    if (!isObject(entry)) return this.#unusable(key, key, pyStr(entry).slice(0, 80))
    for (const [part, word, state] of parts) {
      const value = entry.get(part)
      if (value !== undefined) this.#value(value, `${key}.${word}`, { op: key, state, indices: true })
    }
  }

  #value(value: Json, name: string, part: Part, depth = 0): void {
    const { op, state, indices } = part
    if (depth > deepestValue) return this.#problems.add(problem('json-deep', this.#path, {}, 'warning'))
    if (name.length > longestName)
      return this.#unusable(op.slice(0, 200), name.slice(0, 200), `${name.length}`)
    if (value === null) return this.#none(name, state)
    if (isArray(value))
      value.forEach((member, i) => this.#value(member, indices ? `${name}.${i}` : name, part, depth + 1))
    else if (isObject(value)) {
      if (typeof value.get('type') === 'string') this.#leaf(value, name, state, op)
      else for (const [key, member] of value) this.#value(member, `${name}.${key}`, part, depth + 1)
    }
  }

  #none(name: string, state: State): void {
    this.#columns.addItem({
      name: this.#texts.name(name),
      state,
      type: -1,
      dtype: -1,
      shape: -1,
      stats: [noneCell, noneCell, noneCell, noneCell],
      md5: -1,
      dataName: -1,
      requiresGrad: 2,
      tensor: 0,
    })
  }

  #leaf(leaf: JsonObject, walked: string, state: State, op: string): void {
    const texts = this.#texts
    const dataName = leaf.get('data_name')
    const file = typeof dataName === 'string' ? dataName : ''
    const name = file ? withoutExtension(file) : walked
    const cells = pyTrue(leaf.get('dtype')) ? this.#tensorCells(leaf, name, op) : this.#plainCells(leaf)
    const grad = leaf.get('requires_grad')
    if (grad !== undefined && typeof grad !== 'boolean')
      this.#unusable(op, `${name}.requires_grad`, pyStr(grad).slice(0, 80))
    for (const [key, value] of leaf) {
      if (typeof value === 'string' && looksLikeFormula(value))
        this.#suspicious(op, `${key}: ${value.slice(0, 80)}`)
    }
    const md5 = leaf.get('md5')
    this.#columns.addItem({
      name: texts.name(name),
      state,
      type: texts.add(pyStr(leaf.get('type'))),
      ...cells,
      md5: texts.add(pyTrue(md5) ? pyStr(md5) : crcText(pyStr(leaf.get('value')))),
      dataName: file ? texts.name(file) : -1,
      requiresGrad: gradCode(typeof grad === 'boolean' ? grad : undefined),
    })
  }

  #tensorCells(leaf: JsonObject, name: string, op: string) {
    const texts = this.#texts
    const shape = leaf.get('shape')
    if (!isArray(shape)) this.#unusable(op, `${name}.shape`, pyStr(shape).slice(0, 80))
    else {
      let elements = 1
      for (const size of shape)
        elements *=
          size instanceof JsonNumber && !size.float && size.value >= 0 ? Math.max(size.value, 1) : Number.NaN
      if (!(elements <= absurdElements))
        this.#problems.add(
          problem('shape-absurd', this.#path, { shape: pyStr(shape).slice(0, 80) }, 'warning'),
        )
    }
    const stat = (key: string): OneCell => this.#cell(leaf.get(key) ?? null)
    return {
      dtype: texts.add(pyStr(leaf.get('dtype'))),
      shape: shape === undefined ? -1 : texts.add(pyStr(shape)),
      stats: [stat('Max'), stat('Min'), stat('Mean'), stat('Norm')] as const,
      tensor: 1,
    }
  }

  #plainCells(leaf: JsonObject) {
    const texts = this.#texts
    const type = pyStr(leaf.get('type'))
    const value = leaf.get('value')
    const special = specials[type]
    const cells = special?.(value, leaf) ?? { dtype: pyClass(value), shape: '[]', shown: value ?? null }
    const cell = this.#cell(cells.shown)
    return {
      dtype: texts.add(cells.dtype),
      shape: texts.add(cells.shape),
      stats: [cell, cell, cell, cell] as const,
      tensor: 0,
    }
  }

  #cell(value: Json): OneCell {
    if (value === null) return noneCell
    if (typeof value === 'boolean') return { kind: Kind.bool, value: value ? 1 : 0 }
    if (value instanceof JsonNumber) {
      if (value.float || value.exact)
        return {
          kind: value.float ? Kind.float : Kind.int,
          value: value.float ? value.value : value.value + 0,
        }
      return { kind: Kind.bigint, value: this.#texts.add(value.text) }
    }
    return { kind: Kind.text, value: this.#texts.add(pyStr(value)) }
  }

  #unusable(op: string, field: string, text: string): void {
    this.#problems.add(problem('bad-value', this.#path, { op, field, text }, 'warning'))
  }

  #suspicious(op: string, text: string): void {
    this.#problems.add(problem('suspicious-text', this.#path, { op, text }, 'warning'))
  }
}

interface PlainCells {
  readonly dtype: string
  readonly shape: string
  readonly shown: Json
}

/** Leaves without dtype whose cells are not simply their value. */
const specials: Readonly<Record<string, (value: Json | undefined, leaf: JsonObject) => PlainCells>> = {
  'torch.Size': value => ({ dtype: 'torch.Size', shape: pyStr(value), shown: null }),
  slice: value => ({ dtype: 'slice', shape: arrayShape(value), shown: null }),
  ellipsis: () => ({ dtype: 'ellipsis', shape: '[]', shown: '...' }),
  'torch.ProcessGroup': (_, leaf) => ({
    dtype: 'torch.ProcessGroup',
    shape: '[]',
    shown: pyStr(leaf.get('group_ranks') ?? null),
  }),
}

/** Shape of a value as an array, printed as a Python tuple. */
function arrayShape(value: Json | undefined): string {
  const sizes: number[] = []
  for (let at = value; isArray(at); at = at[0]) sizes.push(at.length)
  return sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(', ')})`
}

const withoutExtension = (file: string): string => {
  const dot = file.lastIndexOf('.')
  return dot < 0 ? file : file.slice(0, dot)
}

/**
 * Whether msprobe would find an md5 in this entry: in an element of a list part, or directly in an object
 * part.
 */
export function carriesMd5(entry: Json): boolean {
  if (!isObject(entry)) return false
  for (const part of entry.values()) {
    if (
      isArray(part)
        ? part.some(member => isObject(member) && member.has('md5'))
        : isObject(part) && part.has('md5')
    )
      return true
  }
  return false
}

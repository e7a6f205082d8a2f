// A config.json as Python reads it: values with their places, and what Python's reader refuses.
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import {
  type ConfigDiagnostic,
  type ConfigFix,
  type ConfigValue,
  namedRow,
  type Span,
} from '../model/index.ts'
import { found } from './findings.ts'

/** Bytes of a config.json that is still one. */
export const longestConfig = 1 << 20
/** A config nests four deep; what lays out edits cannot go further than this. */
const deepest = 40

export type Kind = 'null' | 'bool' | 'int' | 'float' | 'text' | 'list' | 'object'

/** A value where it stands; of a key that stands twice the last counts. */
export interface Value extends Span {
  readonly kind: Kind
  /** As Python's `bool()` sees it. */
  readonly truthy: boolean
  /** What it says: the characters of a text, else the source. */
  readonly text: string
  readonly number: number
  readonly items: readonly Value[]
  readonly members: ReadonlyMap<string, Member>
}

export interface Member {
  readonly name: string
  readonly key: Span
  readonly whole: Span
  readonly value: Value
}

export interface ParsedConfig {
  /** The object on top. */
  readonly root: Value | null
  /** Python's reader takes it. */
  readonly valid: boolean
  readonly diagnostics: readonly ConfigDiagnostic[]
}

export function parseConfig(text: string): ParsedConfig {
  const whole = { from: 0, to: Math.min(text.length, 1) }
  const refused = (one: ConfigDiagnostic): ParsedConfig => ({ root: null, valid: false, diagnostics: [one] })
  if (text.length > longestConfig)
    return refused(found(whole, 'error', 'too-long', { length: text.length, limit: longestConfig }))
  if (text.trim() === '') return refused(found(whole, 'error', 'empty', {}))
  if (depthOf(text) > deepest) return refused(found(whole, 'error', 'too-deep', { limit: deepest }))
  const [wide] = text.includes('\0') ? undecoded(text) : []
  if (wide) return refused(wide)
  const errors: ParseError[] = []
  const tree = parseTree(withoutPythonNumbers(text), errors, {
    disallowComments: true,
    allowTrailingComma: false,
  })
  const bom = text.startsWith('\ufeff')
  const diagnostics = [
    ...undecoded(text),
    ...(bom ? [found({ from: 0, to: 1 }, 'error', 'bom', {}, [cutting({ from: 0, to: 1 })])] : []),
    ...syntaxFindings(text, bom ? errors.filter(one => one.offset > 0) : errors),
  ]
  const top = tree ? valueOf(tree, text, diagnostics) : null
  const valid = !diagnostics.some(one => one.severity === 'error')
  if (top && top.kind !== 'object' && valid)
    return { root: null, valid: false, diagnostics: [...diagnostics, found(top, 'error', 'no-object', {})] }
  return { root: top?.kind === 'object' ? top : null, valid, diagnostics }
}

/** What a value is as JSON; texts and numbers as they are. */
export function plainOf(value: Value): ConfigValue {
  switch (value.kind) {
    case 'null':
      return null
    case 'bool':
      return value.truthy
    case 'int':
    case 'float':
      return value.number
    case 'text':
      return value.text
    case 'list':
      return value.items.map(plainOf)
    case 'object':
      return Object.fromEntries([...value.members].map(([name, member]) => [name, plainOf(member.value)]))
  }
}

/** Python also takes these three; a number as long stands in for each. */
const pythonNumbers = /"(?:[^"\\\n]|\\.)*"|\bNaN\b|\bInfinity\b/g
const withoutPythonNumbers = (text: string): string =>
  text.replace(pythonNumbers, token => (token.startsWith('"') ? token : '0.'.padEnd(token.length, '0')))

function depthOf(text: string): number {
  let depth = 0
  let most = 0
  for (const [token] of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') most = Math.max(most, ++depth)
    else if (token === '}' || token === ']') depth--
  }
  return most
}

/** What was no UTF-8 stands as this sign; a file of 16-bit characters begins with two of them. */
function undecoded(text: string): readonly ConfigDiagnostic[] {
  const at = text.indexOf('\ufffd')
  return at < 0 ? [] : [found({ from: at, to: at + 1 }, 'error', 'not-utf8', {})]
}

/** Codes that say no more than the one before them where the text stops. */
function syntaxFindings(text: string, errors: readonly ParseError[]): readonly ConfigDiagnostic[] {
  const out: ConfigDiagnostic[] = []
  const last = text.trimEnd().length
  let broken = false
  for (const { error: code, offset, length } of errors) {
    const error = printParseErrorCode(code)
    const at = { from: offset, to: Math.max(offset + length, offset + 1) }
    if (error === 'InvalidCommentToken') out.push(found(at, 'error', 'comment', {}, [cutting(at)]))
    else if (isTrailing(text, error, offset)) {
      const comma = text.lastIndexOf(',', offset)
      const span = { from: comma, to: comma + 1 }
      // Key and value are both missed there.
      if (out.at(-1)?.from !== comma) out.push(found(span, 'error', 'trailing-comma', {}, [cutting(span)]))
    } else if (!broken) {
      broken = true
      const cut = offset + length >= last && error !== 'EndOfFileExpected'
      out.push(
        cut
          ? found({ from: Math.max(0, last - 1), to: last }, 'error', 'cut', { line: lineOf(text, last) })
          : misspelled(text, error, at),
      )
    }
  }
  return out
}

const pythonWords: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' }
const missing: Readonly<Record<string, string>> = { CommaExpected: ',', ColonExpected: ':' }
const openTexts: readonly string[] = ['UnexpectedEndOfString', 'InvalidCharacter']

/** Why Python's reader stops here, and what was meant. */
function misspelled(text: string, error: string, at: Span): ConfigDiagnostic {
  const rest = text.slice(at.from)
  const word = /^\w+/.exec(rest)?.[0] ?? ''
  const meant = namedRow(pythonWords, word)
  if (meant !== undefined) {
    const span = { from: at.from, to: at.from + word.length }
    return found(span, 'error', 'python-word', { found: word, text: meant }, [writing(span, meant)])
  }
  if (rest.startsWith('#')) {
    const span = { from: at.from, to: at.from + (/^[^\r\n]*/.exec(rest)?.[0].length ?? 1) }
    return found(span, 'error', 'comment', {}, [cutting(span)])
  }
  if (rest.startsWith("'")) {
    const [quoted, inner] = /^'([^'"\\\r\n]*)'/.exec(rest) ?? ["'", null]
    const span = { from: at.from, to: at.from + quoted.length }
    return found(span, 'error', 'single-quotes', {}, inner === null ? [] : [writing(span, `"${inner}"`)])
  }
  if (error === 'InvalidEscapeCharacter') return found(at, 'error', 'backslash', {})
  if (openTexts.includes(error)) return found(at, 'error', 'open-text', {})
  if (error === 'EndOfFileExpected') return found(at, 'error', 'after-end', {})
  const sign = namedRow(missing, error)
  if (sign !== undefined) return found(at, 'error', 'separator-missing', { sign })
  return found(at, 'error', 'syntax', { reason: error })
}

const writing = (span: Span, text: string): ConfigFix<'write'> => ({
  title: 'write',
  facts: { text },
  edits: [{ ...span, text }],
})

const isTrailing = (text: string, error: string, offset: number): boolean =>
  (error === 'PropertyNameExpected' || error === 'ValueExpected') &&
  /[}\]]/.test(text.charAt(offset)) &&
  /,\s*$/.test(text.slice(0, offset).replace(/\/\*[^]*?\*\/\s*$|\/\/[^\n]*\s*$/, ''))

const cutting = (span: Span): { title: 'remove-text'; facts: {}; edits: [Span & { text: '' }] } => ({
  title: 'remove-text',
  facts: {},
  edits: [{ ...span, text: '' }],
})

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

function valueOf(node: Node, text: string, diagnostics: ConfigDiagnostic[]): Value {
  const span = { from: node.offset, to: node.offset + node.length }
  const source = text.slice(span.from, span.to)
  const plain = { ...span, text: source, number: Number.NaN, items: [], members: new Map<string, Member>() }
  switch (node.type) {
    case 'object': {
      const members = membersOf(node, text, diagnostics)
      return { ...plain, kind: 'object', truthy: members.size > 0, members }
    }
    case 'array': {
      const items = (node.children ?? []).map(child => valueOf(child, text, diagnostics))
      return { ...plain, kind: 'list', truthy: items.length > 0, items }
    }
    case 'string':
      return { ...plain, kind: 'text', truthy: node.value !== '', text: String(node.value) }
    case 'number': {
      const kind = /^-?\d+$/.test(source) ? 'int' : 'float'
      const number = pythonNumber(source)
      return { ...plain, kind, truthy: number !== 0, number }
    }
    case 'boolean':
      return { ...plain, kind: 'bool', truthy: node.value === true, number: node.value === true ? 1 : 0 }
    default:
      return { ...plain, kind: 'null', truthy: false }
  }
}

const pythonNumber = (source: string): number => (source.endsWith('NaN') ? Number.NaN : Number(source))

function membersOf(node: Node, text: string, diagnostics: ConfigDiagnostic[]): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>()
  for (const property of node.children ?? []) {
    const [key, child] = property.children ?? []
    if (!key || !child) continue
    const name = String(key.value)
    const before = members.get(name)
    if (before) diagnostics.push(found(before.key, 'warning', 'repeated-key', { key: name }))
    members.set(name, {
      name,
      key: { from: key.offset, to: key.offset + key.length },
      whole: { from: property.offset, to: property.offset + property.length },
      value: valueOf(child, text, diagnostics),
    })
  }
  return members
}

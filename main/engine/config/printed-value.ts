// A value as Python or JSON prints it over many lines of a log, between which other programs may write: a line that does
// not go on where the value stopped is none of it.
import { type Json, JsonNumber } from '../json/index.ts'

type Token =
  | { readonly is: 'open' | 'close' | ',' | ':'; readonly text: string }
  | { readonly is: 'value'; readonly value: Json }

/** Where a value stands: in what it is nested, and what may come next. */
interface Place {
  /** `{`, `[` and `(`, the innermost last. */
  readonly open: string
  readonly may: 'value' | 'key' | ':' | 'next' | 'end'
}

const begin: Place = { open: '', may: 'value' }
const closing: Readonly<Record<string, string>> = { '}': '{', ']': '[', ')': '(' }
const mostTokens = 1_000_000
const deepest = 200

/** Lines of one value, one after the other. */
export class PrintedValue {
  readonly #tokens: Token[] = []
  #place = begin

  get whole(): boolean {
    return this.#place.may === 'end'
  }

  /** Takes a line where it goes on; what follows the end of the value does not count. */
  take(line: string): void {
    if (this.whole || this.#tokens.length > mostTokens) return
    const tokens = tokensIn(line)
    let place = this.#place
    const taken: Token[] = []
    for (const token of tokens ?? []) {
      const after = next(place, token, (taken.at(-1) ?? this.#tokens.at(-1))?.is === 'value')
      if (!after) return
      taken.push(token)
      place = after
      if (place.may === 'end') break
    }
    this.#place = place
    this.#tokens.push(...taken)
  }

  /** Null where it has not come to its end. */
  value(): Json | null {
    return this.whole ? new Builder(this.#tokens).value() : null
  }
}

function next({ open, may }: Place, token: Token, afterValue: boolean): Place | null {
  const inside = open.at(-1)
  const done = (left: string): Place => ({ open: left, may: left === '' ? 'end' : 'next' })
  if (token.is === 'value') {
    if (may === 'key') return typeof token.value === 'string' ? { open, may: ':' } : null
    if (may === 'value') return done(open)
    // Long texts are printed in pieces that stand behind each other.
    return may === 'next' && afterValue && typeof token.value === 'string' ? { open, may } : null
  }
  if (token.is === 'open') {
    if (may !== 'value' || open.length >= deepest) return null
    return { open: open + token.text, may: token.text === '{' ? 'key' : 'value' }
  }
  if (token.is === 'close') {
    if (inside !== closing[token.text]) return null
    // `{}`, `[]`, and a comma before the end.
    return may === 'next' || may === 'key' || (may === 'value' && inside !== '{')
      ? done(open.slice(0, -1))
      : null
  }
  if (token.is === ':') return may === ':' ? { open, may: 'value' } : null
  if (may !== 'next' || inside === undefined) return null
  return { open, may: inside === '{' ? 'key' : 'value' }
}

const words: Readonly<Record<string, Json>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
  inf: new JsonNumber('Infinity', true),
  Infinity: new JsonNumber('Infinity', true),
  nan: new JsonNumber('NaN', true),
  NaN: new JsonNumber('NaN', true),
}
const pieces =
  /\s+|([{[(])|([}\])])|([,:])|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|-inf|-Infinity)(?![\w.])|([A-Za-z]+)\b/y

/** Null where something else stands in the line. */
function tokensIn(line: string): readonly Token[] | null {
  const tokens: Token[] = []
  pieces.lastIndex = 0
  let depth = 0
  while (pieces.lastIndex < line.length) {
    const found = pieces.exec(line)
    // What follows a value that has come to its end may be anything.
    if (!found) return depth < 0 ? tokens : null
    const [, open, close, sign, text, number, word] = found
    if (open) tokens.push({ is: 'open', text: open })
    else if (close) tokens.push({ is: 'close', text: close })
    else if (sign === ',' || sign === ':') tokens.push({ is: sign, text: sign })
    else if (text) tokens.push({ is: 'value', value: unquoted(text) })
    else if (number) tokens.push({ is: 'value', value: numberOf(number) })
    else if (word) {
      const value = words[word]
      if (value === undefined) return null
      tokens.push({ is: 'value', value })
    }
    if (open) depth++
    if (close) depth--
  }
  return tokens
}

function numberOf(text: string): JsonNumber {
  if (text.startsWith('-i') || text.startsWith('-I')) return new JsonNumber('-Infinity', true)
  return /^[+-]?\d+$/.test(text)
    ? new JsonNumber(String(BigInt(text.replace('+', ''))), false)
    : new JsonNumber(String(Number(text)), true)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

const unquoted = (text: string): string =>
  text
    .slice(1, -1)
    .replace(
      /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g,
      (_, two?: string, four?: string, one = '') => {
        const code = two ?? four
        return code === undefined
          ? (escapes[one as string] ?? (one as string))
          : String.fromCharCode(parseInt(code, 16))
      },
    )

/** Tokens that are known to fit. */
class Builder {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  value(): Json {
    const token = this.#tokens[this.#at++]
    if (token?.is === 'value') return this.#text(token.value)
    return token?.is === 'open' && token.text === '{'
      ? this.#map()
      : this.#list(token?.is === 'open' && token.text === '(')
  }

  #text(first: Json): Json {
    let text = first
    for (;;) {
      const more = this.#tokens[this.#at]
      if (typeof text !== 'string' || more?.is !== 'value' || typeof more.value !== 'string') return text
      text += more.value
      this.#at++
    }
  }

  #map(): Json {
    const map = new Map<string, Json>()
    while (!this.#ends()) {
      const key = this.#tokens[this.#at++]
      // The colon.
      this.#at++
      map.set(key?.is === 'value' ? String(key.value) : '', this.value())
      this.#comma()
    }
    return map
  }

  /** What stands in brackets without a comma is itself. */
  #list(round: boolean): Json {
    const items: Json[] = []
    let commas = 0
    while (!this.#ends()) {
      items.push(this.value())
      if (this.#comma()) commas++
    }
    return round && items.length === 1 && commas === 0 ? items[0] : items
  }

  #comma(): boolean {
    if (this.#tokens[this.#at]?.is !== ',') return false
    this.#at++
    return true
  }

  #ends(): boolean {
    if (this.#tokens[this.#at]?.is !== 'close') return this.#at >= this.#tokens.length
    this.#at++
    return true
  }
}

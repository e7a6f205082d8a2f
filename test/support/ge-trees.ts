// Graph files of GE as trees: written as text in many styles, and as the JSON that is to come of it, by plain rules.

export type Value = { readonly [kind in 's' | 'expression']?: string } & {
  readonly i?: number
  readonly f?: number
  readonly b?: boolean
  readonly list?: {
    readonly s?: readonly string[]
    readonly i?: readonly number[]
    readonly f?: readonly number[]
    readonly b?: readonly boolean[]
    readonly val_type?: string
  }
  readonly list_list_int?: { readonly list_list_i: readonly { readonly list_i: readonly number[] }[] }
}
export interface Desc {
  readonly dtype?: string
  readonly layout?: string
  readonly shape?: { readonly dim: readonly number[] }
  readonly attr?: readonly Attr[]
  readonly size?: number
}
export interface Attr {
  readonly key: string
  readonly value: Value
}
export interface Op {
  readonly name: string
  readonly type: string
  readonly id?: number
  readonly stream_id?: number
  readonly has_out_attr?: boolean
  readonly input?: readonly string[]
  readonly dst_index?: readonly number[]
  readonly is_input_const?: readonly boolean[]
  readonly input_desc?: readonly Desc[]
  readonly output_desc?: readonly Desc[]
  readonly subgraph_name?: readonly string[]
  readonly workspace?: readonly number[]
  readonly attr?: readonly Attr[]
}
export interface Graph {
  readonly name: string
  readonly input?: readonly string[]
  readonly output?: readonly string[]
  readonly op: readonly Op[]
  readonly attr?: readonly Attr[]
}
export interface Model {
  readonly name?: string
  readonly version?: number
  readonly graph: readonly Graph[]
}

// ---------------------------------------- as text

/** Picks one of so many ways; always the first gives what protobuf prints. */
export type Style = (ways: number) => number
export const printed: Style = () => 0

const encoder = new TextEncoder()
const enums = new Set(['dtype', 'val_type'])

export const textOf = (model: Model, style: Style = printed): string => entries(model, 0, style)

function entries(message: object, depth: number, style: Style): string {
  const indent = style(4) === 0 ? '  '.repeat(depth) : ''
  return Object.entries(message)
    .flatMap(([name, value]) => {
      const values = (Array.isArray(value) ? value : [value]) as readonly unknown[]
      const plain = values.every(
        one => typeof one !== 'object' && (enums.has(name) || typeof one !== 'string'),
      )
      if (values.length > 0 && plain && style(5) === 4)
        return [`${name}: [${values.map(one => scalar(name, one, style)).join(style(2) ? ' ,' : ', ')}]`]
      return values.map(one => entry(name, one, depth, style))
    })
    .map(line => `${indent}${line}${['', '', ',', ';', ' # "{ comment'][style(5)]}\n`)
    .join('')
}

function entry(name: string, value: unknown, depth: number, style: Style): string {
  if (typeof value !== 'object' || value === null)
    return `${name}:${[' ', '', '\n '][style(3)]}${scalar(name, value, style)}`
  const [open, close] = style(6) === 5 ? ['<', '>'] : ['{', '}']
  const inner = entries(value, depth + 1, style)
  return `${name}${[' ', ': ', ''][style(3)]}${open}\n${inner}${'  '.repeat(depth)}${close}`
}

function scalar(name: string, value: unknown, style: Style): string {
  if (typeof value !== 'string') return numberText(value as number | boolean, style)
  return enums.has(name) ? value : quoted(value, style)
}

function numberText(value: number | boolean, style: Style): string {
  if (typeof value === 'boolean') return [String(value), value ? 't' : 'f', value ? '1' : '0'][style(3)]
  if (Number.isInteger(value) && value > 9 && style(4) === 3) return `0x${value.toString(16)}`
  if (Number.isNaN(value)) return 'nan'
  return Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}inf`
}

function quoted(text: string, style: Style): string {
  const quote = style(5) === 4 ? "'" : '"'
  let out = quote
  for (const byte of encoder.encode(text)) {
    if (style(12) === 11) out += `${quote}${style(2) ? '\n ' : ''}${quote}`
    const char = String.fromCharCode(byte)
    const octal = `\\${byte.toString(8).padStart(3, '0')}`
    if (char === '\n') out += ['\\n', octal, '\\x0a'][style(3)]
    else if (char === quote || char === '\\') out += [`\\${char}`, octal][style(2)]
    else if (byte >= 0x20 && byte < 0x7f) out += style(9) === 8 ? octal : char
    else out += octal
  }
  return out + quote
}

// ---------------------------------------- as JSON

const hidden = new Set(['output', 'workspace', 'size'])
const oneof = new Set(['s', 'i', 'f', 'b', 'expression'])
const isDefault = (value: unknown): boolean =>
  value === 0 || value === '' || value === false || value === 'DT_UNDEFINED' || value === 'VT_LIST_NONE'

/** What the text is to become; undefined where nothing is left. */
export function jsonOf(message: object, within = ''): Record<string, unknown> | undefined {
  const out: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(message)) {
    if (hidden.has(name)) continue
    const made = memberOf(name, value as unknown, within)
    if (made !== undefined) out[name] = made
  }
  return Object.keys(out).length > 0 ? out : undefined
}

function memberOf(name: string, value: unknown, within: string): unknown {
  if (name === 'attr') return attrsOf(value as readonly Attr[])
  if (Array.isArray(value))
    return value.length === 0
      ? undefined
      : value.map((one: unknown) =>
          typeof one === 'object' && one !== null ? (jsonOf(one) ?? null) : plain(one),
        )
  if (typeof value === 'object' && value !== null) return jsonOf(value, name)
  const single = within === 'value'
  if (single && name === 's') return escaped(value as string)
  if (single && name === 'f') return percentG(value as number)
  return single && oneof.has(name) ? value : isDefault(value) ? undefined : value
}

const plain = (value: unknown): unknown =>
  typeof value !== 'number' || Number.isInteger(value)
    ? value
    : Number.isFinite(value)
      ? Math.fround(value)
      : null

/** One per key, in the order of the keys; the last one counts. */
function attrsOf(attrs: readonly Attr[]): unknown {
  const values = new Map(attrs.map(({ key, value }) => [key, value]))
  return values.size === 0
    ? undefined
    : [...values]
        .map(([key, value]) => ({ key, value: jsonOf(value, 'value') ?? null }))
        .sort((a, b) => (JSON.stringify(a.key) < JSON.stringify(b.key) ? -1 : 1))
}

const signs = new Map(
  Object.entries({ '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', "'": "\\'", '\\': '\\\\' }),
)
const escaped = (text: string): string =>
  [...encoder.encode(text)]
    .map(byte => {
      const char = String.fromCharCode(byte)
      return signs.get(char) ?? (byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : char)
    })
    .join('')

/** Six digits, for the plain numbers of these trees. */
const percentG = (value: number): string => String(Number(Math.fround(value).toPrecision(6))).slice(0, 9)

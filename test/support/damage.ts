// Damage that knows what a file is made of: a JSON value that lies, a cell too many, a header that claims, a member of an
// archive, a field of a message. The same seed does the same.
import { unzipSync, zipSync } from 'fflate'
import { mutate } from './mutate.ts'
import { random } from './random.ts'
import { joined } from './tensor-files.ts'

type Next = () => number
type Damage = (bytes: Uint8Array, next: Next) => Uint8Array

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const below = (count: number, next: Next): number => Math.floor(next() * count)
const pick = <T>(from: readonly T[], next: Next): T => from[below(from.length, next)]!

// ---------------------------------------- JSON

const outside = '\u0001'
const hostileValues: readonly unknown[] = [
  null,
  true,
  '',
  'NaN',
  '__proto__',
  '../../up',
  '/dev/zero',
  '\u001b[2J\u009b31m',
  '{count}',
  '=1+1',
  'x'.repeat(70_000),
  0,
  -1,
  1.5,
  -0,
  2 ** 31,
  2 ** 53,
  1e308,
  `${outside}NaN`,
  `${outside}-Infinity`,
  `${outside}1e999`,
  `${outside}${'9'.repeat(400)}`,
  [],
  {},
  [[]],
  [null],
  [-1],
  [2 ** 40, 2 ** 40],
  { '': {} },
  { type: 'slice', value: [null] },
]

type Tree = Record<string, unknown> | unknown[]
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null
const at = (tree: Tree, key: string): unknown => (tree as Record<string, unknown>)[key]
const put = (tree: Tree, key: string, value: unknown): void =>
  void Object.defineProperty(tree, key, { value, enumerable: true, configurable: true, writable: true })

/** A container and one of its keys, by chance at any depth. */
function place(tree: Tree, next: Next): readonly [Tree, string] {
  for (;;) {
    const keys = Object.keys(tree)
    const key = keys.length > 0 ? pick(keys, next) : 'new'
    const inner = at(tree, key)
    if (!isTree(inner) || next() < 0.25) return [tree, key]
    tree = inner
  }
}

const json: Damage = (bytes, next) => {
  const text = decode(bytes)
    .replace(/^\ufeff/, '')
    .replaceAll(
      /([[:,]\s*)(NaN|-?Infinity)/g,
      (_, before: string, word: string) => `${before}"\\u0001${word}"`,
    )
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    return bytes
  }
  if (!isTree(root)) return encode(spelled(pick(hostileValues, next)))
  for (let n = 1 + below(3, next); n > 0; n--) {
    const [tree, key] = place(root, next)
    const value = at(tree, key)
    const acts = [
      () => (Array.isArray(tree) ? tree.splice(Number(key), 1) : Reflect.deleteProperty(tree, key)),
      () => put(tree, key, pick(hostileValues, next)),
      () => put(tree, key, pick(hostileValues, next)),
      () => put(tree, pick([`${key} `, '', key.toUpperCase(), '__proto__', `${key}.0`, '1'], next), value),
      () => put(tree, key, [value]),
      () => put(tree, key, { [key]: value }),
      () => put(tree, key, isTree(value) ? '{"a": [1' : String(value ?? '')),
      () =>
        put(
          tree,
          key,
          Array.from({ length: pick([2, 40, 3000], next) }, () => value),
        ),
      () => put(tree, key, place(root as Tree, next)[0]),
    ]
    pick(acts, next)()
  }
  try {
    return encode(spelled(root))
  } catch {
    // A value that came to hold itself.
    return encode('{"a": {"a": ')
  }
}

const spelled = (value: unknown): string =>
  JSON.stringify(value, null, 1).replaceAll(/"\\u0001([^"]*)"/g, '$1')

// ---------------------------------------- lines and cells

const hostileCells = [
  '',
  ' ',
  'nan',
  '-inf',
  '1e999',
  '-1',
  '9'.repeat(40),
  '"',
  '""""',
  '=cmd|x',
  '\u001b]0;x\u0007',
  '\u009b2J',
  '../..',
  '[1, 2',
  '{count}',
  'None',
  '\ufeff',
  'x'.repeat(70_000),
]

const cells: Damage = (bytes, next) => {
  const rows = decode(bytes)
    .split('\n')
    .map(line => line.split(','))
  for (let n = 1 + below(3, next); n > 0; n--) {
    const at = next() < 0.3 ? 0 : below(rows.length, next)
    const row = rows[at]!
    const column = below(row.length, next)
    const acts = [
      () => (row[column] = pick(hostileCells, next)),
      () => (row[column] = pick(hostileCells, next)),
      () => row.splice(column, 1),
      () => row.splice(column, 0, pick(hostileCells, next)),
      () => rows.forEach(one => one.splice(column, 1)),
      () => rows.splice(at, 1),
      () => rows.splice(at, 0, row, row),
      () => rows.push(rows[0]!),
      () => row.push(...Array.from({ length: pick([1, 30, 20_000], next) }, () => pick(hostileCells, next))),
      () => rows.reverse(),
    ]
    pick(acts, next)()
  }
  return encode(rows.map(row => row.join(',')).join(pick(['\n', '\n', '\r\n', '\r'], next)))
}

const lines: Damage = (bytes, next) => {
  const all = decode(bytes).split('\n')
  for (let n = 1 + below(4, next); n > 0; n--) {
    const i = below(all.length, next)
    const line = all[i] ?? ''
    const word = below(line.length + 1, next)
    const acts = [
      () => all.splice(i, 1),
      () => all.splice(i, 0, ...Array.from({ length: pick([1, 5, 2000], next) }, () => line)),
      () => (all[i] = ' '.repeat(below(6, next)) + line.trimStart()),
      () => (all[i] = line.slice(0, word) + pick(hostileCells, next) + line.slice(word)),
      () => (all[i] = line.slice(0, word)),
      () => (all[i] = line.replace(/\d+(?:\.\d+)?/, () => pick(hostileCells, next))),
      () => (all[i] = line.replace(/[:=]/, '')),
      () => (all[i] = line + pick([':', ': &a', ': *a', ': [', ' {', '}', ' #', " '", ' |', '- '], next)),
      () => all.push(all.shift() ?? ''),
    ]
    pick(acts, next)()
  }
  return encode(all.join('\n'))
}

// ---------------------------------------- tensors and archives

const npyHead = /^(?:\u0093NUMPY)/
const descriptions = ["'<f4'", "'|O'", "'<f99'", "'>i8'", "'|V3'", "'<U4'", "[('a', '<f4')]", "''", '7']
const shapes = [
  '()',
  '(0,)',
  '(-1,)',
  '(2**40,)',
  '(9999999999999,)',
  `(${'1,'.repeat(80)})`,
  '(1.5,)',
  '8',
  '(True,)',
]

const npy: Damage = (bytes, next) => {
  const size = bytes[8]! + 256 * bytes[9]!
  const head = decode(bytes.subarray(10, 10 + size)).trimEnd()
  const changed = pick(
    [
      () => head.replace(/('descr': )[^,]*/, (_, key: string) => key + pick(descriptions, next)),
      () => head.replace(/('shape': )\([^)]*\)/, (_, key: string) => key + pick(shapes, next)),
      () => head.replace(/(True|False)/, () => pick(['True', 'None', '1', ''], next)),
      () => head.replace('{', `{'descr': '<f4', `),
      () => head + ' '.repeat(pick([1, 70_000], next)),
      () => head.slice(0, below(head.length, next)),
    ],
    next,
  )()
  const out = joined([bytes.subarray(0, 10), encode(`${changed}\n`), bytes.subarray(10 + size)])
  out[8] = changed.length + 1
  out[9] = (changed.length + 1) >> 8
  if (next() < 0.1) out[6] = pick([0, 2, 3, 255], next)
  return out
}

const safetensors: Damage = (bytes, next) => {
  const size = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
  const head = json(bytes.subarray(8, 8 + size), next)
  const length = new Uint8Array(8)
  const claimed = next() < 0.1 ? pick([0, 1, 2 ** 31, 2 ** 52], next) : head.length
  new DataView(length.buffer).setBigUint64(0, BigInt(claimed), true)
  return joined([length, head, bytes.subarray(8 + size)])
}

const memberNames = ['../up', '/up', 'a\\..\\b', '', 'x'.repeat(300), 'C:\\x', '.', 'a/']

const zip: Damage = (bytes, next) => {
  let members: Record<string, Uint8Array>
  try {
    members = unzipSync(bytes)
  } catch {
    return bytes
  }
  const names = Object.keys(members)
  if (names.length === 0) return bytes
  const name = pick(names, next)
  const member = members[name]!
  const kind = below(8, next)
  if (kind === 0) delete members[name]
  else if (kind === 1) {
    delete members[name]
    members[pick(memberNames, next)] = member
  } else if (kind === 2) members[name] = new Uint8Array(0)
  else members[name] = damaged(name, member, next)
  const level = /\.(?:pkl|npy)$|\/data\//.test(name) ? 0 : 6
  const out = zipSync(members, { level })
  // What the directory says of sizes need not be true.
  if (kind === 3) {
    const view = new DataView(out.buffer, out.byteOffset, out.length)
    for (let i = out.length - 30; i > 0; i--)
      if (view.getUint32(i, true) === 0x02014b50) {
        view.setUint32(i + pick([16, 20, 24, 42], next), pick([0, 1, 0xffffffff, 0x7fffffff], next), true)
        break
      }
  }
  return out
}

const opcodes = [
  0x28, 0x29, 0x2e, 0x30, 0x32, 0x52, 0x5d, 0x61, 0x65, 0x68, 0x71, 0x73, 0x74, 0x7d, 0x81, 0x85, 0x86, 0x93,
  0x94,
]

const pickle: Damage = (bytes, next) => {
  const out = [...bytes]
  for (let n = 1 + below(4, next); n > 0; n--) {
    const i = below(out.length, next)
    const acts = [
      () => (out[i] = pick(opcodes, next)),
      () => out.splice(i, 0, ...Array.from({ length: pick([1, 2, 300, 5000], next) }, () => 0x5d)),
      () => out.splice(i, 0, ...out.slice(i, i + below(60, next))),
      () => out.splice(i, below(20, next)),
      () => out.splice(i, 0, 0x8a, 9, 255, 255, 255, 255, 255, 255, 255, 255, 127),
      () => out.splice(i, 0, 0x32, 0x86, 0x94, 0x32, 0x86),
    ]
    pick(acts, next)()
  }
  return Uint8Array.from(out)
}

// ---------------------------------------- messages and databases

interface Field {
  readonly from: number
  readonly to: number
  /** Where what it holds begins, for what has a length. */
  readonly body: number | null
}

/** The fields of a message as far as it can be one. */
function fieldsOf(bytes: Uint8Array, from: number, to: number): Field[] {
  const fields: Field[] = []
  const varint = (i: number): number => {
    while (i < to && bytes[i]! > 127) i++
    return i + 1
  }
  for (let i = from; i < to;) {
    const kind = bytes[i]! & 7
    const value = varint(i)
    let end = kind === 0 ? varint(value) : kind === 1 ? value + 8 : kind === 5 ? value + 4 : -1
    let body: number | null = null
    if (kind === 2) {
      body = varint(value)
      let size = 0
      for (let k = body - 1; k >= value; k--) size = size * 128 + (bytes[k]! & 127)
      end = body + size
    }
    if (end < 0 || end > to) return fields
    fields.push({ from: i, to: end, body })
    i = end
  }
  return fields
}

const endless = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]

/** Fields go, come twice, claim other lengths or hold other numbers, at any depth. */
function message(bytes: Uint8Array, next: Next, from = 0, to = bytes.length): Uint8Array {
  const fields = fieldsOf(bytes, from, to)
  if (fields.length === 0) return bytes
  const { from: begin, to: end, body } = pick(fields, next)
  if (body !== null && end - body > 3 && next() < 0.6) {
    const inner = message(bytes, next, body, end)
    if (inner !== bytes) return inner
  }
  const cut = (into: Uint8Array | readonly number[]): Uint8Array =>
    joined([bytes.subarray(0, begin), Uint8Array.from(into), bytes.subarray(end)])
  const field = bytes.subarray(begin, end)
  const acts = [
    () => cut([]),
    () => cut([...field, ...field]),
    () => cut([field[0]!, ...endless]),
    () => cut([field[0]! ^ pick([1, 2, 3, 5, 8, 16], next), ...field.subarray(1)]),
    () => cut([field[0]!, below(128, next), ...field.subarray(2)]),
    () => joined([bytes.subarray(0, begin), field, bytes.subarray(begin)]),
  ]
  return pick(acts, next)()
}

/** Raw dumps: eight bytes tell how long the message is; what follows are the buffers. */
const rawDump: Damage = (bytes, next) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const size = bytes.length < 8 ? Infinity : Number(view.getBigUint64(0, true))
  if (size > bytes.length - 8) return message(bytes, next)
  const head = message(bytes.subarray(8, 8 + size), next)
  const length = new Uint8Array(8)
  const claimed = next() < 0.15 ? pick([0, 1, 2 ** 31, 2 ** 53], next) : head.length
  new DataView(length.buffer).setBigUint64(0, BigInt(claimed), true)
  return joined([length, head, bytes.subarray(8 + size)])
}

/** Pages: what their heads say of cells, and what the file's head says of pages. */
const database: Damage = (bytes, next) => {
  const out = bytes.slice()
  const size = bytes[16]! * 256 + bytes[17]! || 4096
  for (let n = 1 + below(3, next); n > 0; n--) {
    const page = below(Math.max(1, Math.floor(out.length / size)), next)
    const head = page * size + (page === 0 ? 100 : 0)
    const where = pick(
      [
        () => pick([16, 17, 18, 19, 20, 28, 31, 40, 44, 47, 56, 59, 96], next),
        () => head + below(12, next),
        () => head + 8 + below(40, next),
        () => page * size + size - 1 - below(Math.min(size, 300), next),
      ],
      next,
    )()
    if (where < out.length) out[where] = pick([0, 1, 2, 5, 10, 13, 0x7f, 0x80, 0xff, below(256, next)], next)
  }
  return out
}

// ---------------------------------------- what a file is

const magic = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((letter, i) => bytes[i] === letter.charCodeAt(0))

function kindOf(name: string, bytes: Uint8Array): Damage {
  if (npyHead.test(String.fromCharCode(...bytes.subarray(0, 6)))) return npy
  if (magic(bytes, 'PK\u0003\u0004')) return zip
  if (magic(bytes, 'SQLite format 3')) return database
  if (name.endsWith('.safetensors')) return safetensors
  if (name.endsWith('.pkl')) return pickle
  if (/\.(?:json|vis)$/.test(name) || bytes[0] === 0x7b) return json
  if (name.endsWith('.csv')) return cells
  if (/\.(?:ya?ml|txt|log|sh|py|ir|xml|rels)$/.test(name)) return lines
  return rawDump
}

function damaged(name: string, bytes: Uint8Array, next: Next): Uint8Array {
  if (bytes.length === 0 || next() < 0.25) return mutate(bytes, below(2 ** 31, next)).bytes
  return kindOf(name, bytes)(bytes, next)
}

/** By the name and the first bytes of a file; now and then as if it were nothing but bytes. */
export const damage = (name: string, bytes: Uint8Array, seed: number): Uint8Array =>
  damaged(name, bytes, random(seed))

// Large dumps for measurements: a small real dump repeated with renumbered names and fresh numbers, written as Python's json module writes it.
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { isArray, isObject, JsonNumber, JsonReader, type Json, type JsonObject } from '../../main/engine/formats/json-stream.ts'
import { pyFloat } from '../../main/engine/formats/python.ts'

/** Small and fast, the same on every machine (mulberry32). */
export function seeded(seed: number): () => number {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), a | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Moves the first number of a name: layers and calls of round `round` follow those of the round before. */
const renumbered = (name: string, round: number): string => name.replace(/\.(\d+)(?=\.|$)/, (_, digits: string) => `.${Number(digits) + round * 100}`)

const statistics = new Set(['Max', 'Min', 'Mean', 'Norm'])

interface Change { readonly round: number; readonly random: () => number }

function write(value: Json, depth: number, change: Change, key = ''): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (value instanceof JsonNumber) {
    return value.float && statistics.has(key) && Number.isFinite(value.value) ? pyFloat(Math.fround(value.value * (0.5 + change.random()))) : value.text
  }
  if (typeof value === 'string') return JSON.stringify(key === 'data_name' ? renumbered(value, change.round) : value)
  const inner = ' '.repeat(depth + 1)
  const members = isArray(value)
    ? value.map(member => inner + write(member, depth + 1, change))
    : [...(isObject(value) ? value : [])].map(([name, member]) => `${inner}${JSON.stringify(name)}: ${write(member, depth + 1, change, name)}`)
  const [open, close] = isArray(value) ? '[]' : '{}'
  return members.length === 0 ? `${open}${close}` : `${open}\n${members.join(',\n')}\n${' '.repeat(depth)}${close}`
}

function readObject(file: string): JsonObject {
  const value = new JsonReader(readFileSync(file)).value()
  if (!isObject(value)) throw new Error(`${file} holds no object`)
  return value
}

class Out {
  readonly #fd: number
  #pending: string[] = []
  #room = 0
  bytes = 0
  constructor(file: string) { this.#fd = openSync(file, 'w') }
  put(text: string): void {
    this.#pending.push(text)
    this.bytes += text.length
    this.#room += text.length
    if (this.#room > 1 << 20) this.#flush()
  }
  close(): void {
    this.#flush()
    closeSync(this.#fd)
  }
  #flush(): void {
    writeSync(this.#fd, this.#pending.join(''))
    this.#pending = []
    this.#room = 0
  }
}

/** Writes dump.json of at least `bytes`, stack.json and construct.json into `to`; returns the number of entries. */
export function makeBigDump(template: string, to: string, bytes: number, seed = 1): number {
  mkdirSync(to, { recursive: true })
  const random = seeded(seed)
  const dump = readObject(path.join(template, 'dump.json'))
  const out = { dump: new Out(path.join(to, 'dump.json')), stack: new Out(path.join(to, 'stack.json')), construct: new Out(path.join(to, 'construct.json')) }
  const small = { stack: readObject(path.join(template, 'stack.json')), construct: readObject(path.join(template, 'construct.json')) }
  const data = dump.get('data')
  if (!isObject(data)) throw new Error(`${template} has no data`)
  const head = [...dump].filter(([key]) => key !== 'data').map(([key, value]) => ` ${JSON.stringify(key)}: ${write(value, 1, { round: 0, random })},\n`)
  out.dump.put(`{\n${head.join('')} "data": {\n`)
  out.stack.put('{\n')
  out.construct.put('{\n')
  let entries = 0
  for (let round = 0; out.dump.bytes < bytes; round++) {
    const comma = round === 0 ? '' : ',\n'
    const change = { round, random }
    const rename = (name: Json): Json => (typeof name === 'string' ? renumbered(name, round) : name)
    const all = (of: JsonObject, indent: number, value: (v: Json) => Json): string =>
      [...of].filter(([key]) => round === 0 || renumbered(key, round) !== key).map(([key, v]) => `${' '.repeat(indent)}${JSON.stringify(renumbered(key, round))}: ${write(value(v), indent, change)}`).join(',\n')
    out.dump.put(comma + all(data, 2, v => v))
    out.stack.put(comma + all(small.stack, 1, v => v))
    out.construct.put(comma + all(small.construct, 1, rename))
    entries += [...data.keys()].filter(key => round === 0 || renumbered(key, round) !== key).length
  }
  out.dump.put('\n }\n}')
  out.stack.put('\n}')
  out.construct.put('\n}')
  for (const one of Object.values(out)) one.close()
  return entries
}

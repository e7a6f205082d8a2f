// Large dumps for measurements: a small real dump repeated with renumbered names and other numbers, laid out
// as Python's json module lays it out.
import {
  isArray,
  isObject,
  type Json,
  JsonNumber,
  type JsonObject,
  JsonReader,
} from '../../main/engine/json/stream.ts'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pyFloat } from '../../main/engine/python/values.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { random } from './case.ts'

/** Stands where the number of the round goes. */
const mark = '\u0001'
const digits = /\.(\d{1,2})(?=\.|$)/
const renumbered = (name: string): string =>
  name.replace(digits, (_, number: string) => `.${mark}${number.padStart(2, '0')}`)
const statistics = new Set(['Max', 'Min', 'Mean', 'Norm'])
/** So many versions of the numbers follow each other: more than a branch predictor remembers. */
const versions = 32

function write(value: Json, depth: number, next: () => number, key = ''): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (value instanceof JsonNumber)
    return value.float && statistics.has(key) && Number.isFinite(value.value)
      ? pyFloat(Math.fround(value.value * (0.5 + next())))
      : value.text
  if (typeof value === 'string')
    return JSON.stringify(key === 'data_name' ? renumbered(value) : value).replaceAll('\\u0001', mark)
  const inner = ' '.repeat(depth + 1)
  const members = isArray(value)
    ? value.map(member => inner + write(member, depth + 1, next))
    : isObject(value)
      ? [...value].map(
          ([name, member]) => `${inner}${JSON.stringify(name)}: ${write(member, depth + 1, next, name)}`,
        )
      : []
  const [open, close] = isArray(value) ? '[]' : '{}'
  return members.length === 0
    ? `${open}${close}`
    : `${open}\n${members.join(',\n')}\n${' '.repeat(depth)}${close}`
}

/** The members of an object whose names have a number, as text with marks. */
function members(
  of: JsonObject,
  indent: number,
  next: () => number,
  rename: (value: Json) => Json = value => value,
): string {
  return [...of]
    .filter(([name]) => digits.test(name))
    .map(
      ([name, value]) => `${' '.repeat(indent)}"${renumbered(name)}": ${write(rename(value), indent, next)}`,
    )
    .join(',\n')
}

function readObject(file: string): JsonObject {
  const value = new JsonReader(readFileSync(file)).value()
  if (!isObject(value)) throw new Error(`${file} holds no object`)
  return value
}

/** Writes one file: a head, one version of the members per round, a tail. */
function put(
  file: string,
  head: string,
  texts: readonly string[],
  tail: string,
  goesOn: (round: number, bytes: number) => boolean,
): number {
  const fd = openSync(file, 'w')
  const pieces = texts.map(text => text.split(mark))
  let bytes = writeSync(fd, head)
  let round = 0
  do {
    bytes += writeSync(fd, (round > 0 ? ',\n' : '') + pieces[round % pieces.length].join(String(round + 1)))
  } while (goesOn(++round, bytes))
  writeSync(fd, tail)
  closeSync(fd)
  return round
}

export interface BigDump {
  readonly folder: string
  readonly dump: string
  readonly entries: number
}

/**
 * A dump of at least so many bytes of dump.json, made once and found again by later runs. `whole`: with
 * stack.json and construct.json.
 */
export function bigDump(template: string, bytes: number, whole: boolean): BigDump {
  const source = path.join(fixturesRoot(), 'dumps', template, 'step0', 'rank')
  const folder = path.join(
    process.env['PLUMBLINE_BENCH_TMP'] ?? tmpdir(),
    `ingest-${template}-${bytes}${whole ? '-whole' : ''}`,
  )
  const done = path.join(folder, 'entries')
  const dump = path.join(folder, 'dump.json')
  if (existsSync(done)) return { folder, dump, entries: Number(readFileSync(done, 'utf8')) }
  const work = `${folder}.${process.pid}`
  mkdirSync(work, { recursive: true })
  const small = readObject(path.join(source, 'dump.json'))
  const data = small.get('data')
  if (!isObject(data)) throw new Error(`${template} has no data`)
  const next = random(3)
  const head = [...small]
    .filter(([key]) => key !== 'data')
    .map(([key, value]) => ` ${JSON.stringify(key)}: ${write(value, 1, next)},\n`)
    .join('')
  const rounds = put(
    path.join(work, 'dump.json'),
    `{\n${head} "data": {\n`,
    Array.from({ length: versions }, () => members(data, 2, next)),
    '\n }\n}',
    (_, size) => size < bytes,
  )
  if (whole) {
    const parent = (value: Json): Json => (typeof value === 'string' ? renumbered(value) : value)
    put(
      path.join(work, 'stack.json'),
      '{\n',
      [members(readObject(path.join(source, 'stack.json')), 1, next)],
      '\n}',
      round => round < rounds,
    )
    put(
      path.join(work, 'construct.json'),
      '{\n',
      [members(readObject(path.join(source, 'construct.json')), 1, next, parent)],
      '\n}',
      round => round < rounds,
    )
  }
  const entries = rounds * [...data.keys()].filter(name => digits.test(name)).length
  const fd = openSync(path.join(work, 'entries'), 'w')
  writeSync(fd, String(entries))
  closeSync(fd)
  rmSync(folder, { recursive: true, force: true })
  renameSync(work, folder)
  return { folder, dump, entries }
}

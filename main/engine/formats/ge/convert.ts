// Graph files made JSON, and what the columns of a model do not hold: attributes of one op, read again from its file.
import type { Files, Sink } from '../../io/index.ts'
import { isArray, isObject, type Json, JsonNumber, JsonReader, JsonStop } from '../../json/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { modelMessage, opMessage } from './messages.ts'
import type { GeModel } from './model.ts'
import { droppedNote, isJson, messagesOf, readAlong, stopOf } from './read.ts'
import { TextReader, TextStop } from './text.ts'
import { JsonMaker, TooMuch } from './to-json.ts'

/** Longer texts than this are left out of the JSON. */
const keptText = 16 << 20
/** Characters that go to the disk at once. */
const atOnce = 1 << 20
const encoder = new TextEncoder()

/** Writes a graph file as JSON; what is wrong with the file, if anything. Of a broken one what came before is written. */
export async function writeGraphJson(
  files: Files,
  path: string,
  sink: Sink,
  job: Job,
): Promise<Problem | null> {
  let waiting = ''
  const flush = (): void => {
    sink.write(encoder.encode(waiting))
    waiting = ''
  }
  const maker = new JsonMaker(text => {
    waiting += text
    if (waiting.length > atOnce) flush()
  })
  const handle = files.open(path)
  try {
    const messages = messagesOf(handle, path, modelMessage, maker, keptText)
    const stopped = await readAlong(messages, handle.size, job).then(
      () => droppedNote(path, messages.dropped, keptText),
      (error: unknown) => stopOf(tooMuch(error, path, handle.size), path, handle, maker.ops),
    )
    maker.finish()
    flush()
    return stopped
  } finally {
    handle.close()
  }
}

const tooMuch = (error: unknown, path: string, size: number): unknown =>
  error instanceof TooMuch ? new Refusal(problem('too-large', path, { size, limit: error.limit })) : error

/** An attribute as it is shown: lists as JSON texts, messages too. */
export interface Attribute {
  readonly key: string
  readonly value: string
}

/** Of an op, weights and code are longer than anybody reads. */
const shownText = 1 << 12
const largestOp = 64 << 20

/** All attributes of an op, in the order of their keys. */
export function attributesOf(files: Files, { files: paths, graphs, ops }: GeModel, op: number): Attribute[] {
  const file = paths[graphs.file[ops.graph[op]]]
  const handle = files.open(file)
  try {
    const [from, to] = [ops.from[op], Math.min(ops.to[op], handle.size)]
    if (to - from > largestOp)
      throw new Refusal(problem('too-large', file, { size: to - from, limit: largestOp }))
    if (isJson(handle)) {
      const bytes = new Uint8Array(to - from)
      return listed(bytes.subarray(0, handle.read(from, bytes)))
    }
    const maker = new JsonMaker()
    const reader = new TextReader(handle, opMessage, maker, shownText, [from, to])
    while (reader.step());
    return listed(encoder.encode(maker.text()))
  } catch (error) {
    // The file has changed since it was read.
    if (error instanceof TextStop || error instanceof JsonStop) return []
    throw error
  } finally {
    handle.close()
  }
}

function listed(json: Uint8Array): Attribute[] {
  const op = new JsonReader(json).value()
  const attrs = isObject(op) ? op.get('attr') : null
  if (!isArray(attrs)) return []
  return attrs.flatMap(one => {
    if (!isObject(one)) return []
    const [key, value] = [one.get('key'), one.get('value')]
    return typeof key === 'string'
      ? [{ key, value: shown(isObject(value) ? [...value.values()][0] : value) }]
      : []
  })
}

/** A list by its values, whatever they are of. */
function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (isObject(value)) {
    const values = [...value].filter(([name]) => name !== 'val_type')
    return values.length === 1 ? shown(values[0][1]) : plainJson(value)
  }
  return typeof value === 'string' ? value : plainJson(value)
}

function plainJson(value: Json): string {
  if (value instanceof JsonNumber) return value.text
  if (isArray(value)) return `[${value.map(plainJson).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${[...value].map(([name, one]) => `${JSON.stringify(name)}: ${plainJson(one)}`).join(', ')}}`
}

// Old lists of dumped calls (`.pkl` by name): a JSON list per line, read in pieces.
import type { Files } from '../io/index.ts'
import { isArray, type Json, JsonReader, JsonStop } from '../json/index.ts'
import { problem, Refusal } from '../model/index.ts'
import { pyStr } from '../python/index.ts'
import type { Job } from '../work/index.ts'

export interface CallLine {
  readonly name: string
  readonly dtype: string
  readonly shape: string
  /** Max, min, mean, as far as the line has them. */
  readonly statistics: readonly string[]
  /** Of a line about where the call was made: the innermost frame last; otherwise null. */
  readonly stack: readonly string[] | null
}

/** Longer is no such line. */
const longestLine = 16 << 20
const pieceBytes = 1 << 20

/** Lines of calls whose name begins like that; refuses a file whose lines are no lists. */
export async function callLines(
  files: Files,
  file: string,
  start: string,
  job: Job,
): Promise<readonly CallLine[]> {
  const found: CallLine[] = []
  let known = 0
  let foreign = 0
  for await (const bytes of linesOf(files, file, job)) {
    const line = lineIn(bytes)
    if (!line) foreign++
    else {
      known++
      if (line.name.startsWith(start)) found.push(line)
    }
  }
  // A line that was cut off at the end is no reason to keep the others back.
  if (foreign > known) throw new Refusal(problem('pkl-invalid', file))
  return found
}

async function* linesOf(files: Files, file: string, job: Job): AsyncGenerator<Uint8Array> {
  const handle = files.open(file)
  try {
    let rest = new Uint8Array(0)
    const piece = new Uint8Array(pieceBytes)
    for (let from = 0; from < handle.size;) {
      const got = handle.read(from, piece)
      if (got === 0) break
      from += got
      const all = new Uint8Array(rest.length + got)
      all.set(rest)
      all.set(piece.subarray(0, got), rest.length)
      let begun = 0
      for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, begun)) {
        if (end > begun) yield all.subarray(begun, end)
        begun = end + 1
      }
      rest = all.slice(begun)
      if (rest.length > longestLine) throw new Refusal(problem('pkl-invalid', file))
      await job.breathe()
    }
    if (rest.length > 0) yield rest
  } finally {
    handle.close()
  }
}

/** Null of a line that is no list with a name in front. */
function lineIn(bytes: Uint8Array): CallLine | null {
  let value: Json
  try {
    value = new JsonReader(bytes).value()
  } catch (error) {
    if (error instanceof JsonStop) return null
    throw error
  }
  if (!isArray(value)) return null
  const [name] = value
  if (typeof name !== 'string') return null
  if (name.includes('stack_info'))
    return { name, dtype: '', shape: '', statistics: [], stack: framesIn(value[1]) }
  // Type, shape and statistics are the last three; what stands before them has changed over the versions.
  const [dtype, shape, statistics] = value.length < 4 ? [] : value.slice(-3)
  return {
    name,
    dtype: pyStr(dtype),
    shape: pyStr(shape),
    statistics: isArray(statistics) ? statistics.map(pyStr) : [],
    stack: null,
  }
}

/** Dumped from the innermost frame on; people read them the other way round. */
const framesIn = (value: Json | undefined): readonly string[] =>
  isArray(value) ? value.map(frame => pyStr(frame).trimEnd()).toReversed() : []

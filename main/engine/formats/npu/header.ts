// Reads the header of a raw NPU dump file, the first bytes only, however large the tensors behind it are.
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { ByteSource } from '../tensors/tensor.ts'
import { dumpMessage, type DumpMessage } from './messages.ts'
import { looksNano, nanoHeader } from './nano.ts'
import { oldMessage } from './old-form.ts'
import type { RawBlock, RawHeader, RawTensor } from './raw.ts'
import { readAt } from './read-at.ts'

const sizeBytes = 8
/** A header is some kilobytes; what claims more would only fill memory. */
const longestHeader = 4 << 20

/** Refuses what is no raw dump; a file that ends early keeps its tensors up to there. */
export function readHeader(source: ByteSource, file: string): RawHeader {
  if (source.size <= sizeBytes) throw new Refusal(problem('raw-invalid', file))
  const head = readAt(source, 0, Math.min(source.size, 16))
  const length = lengthAt(head)
  const fits = length <= source.size - sizeBytes
  if (fits && length > longestHeader)
    throw new Refusal(problem('too-large', file, { size: length, limit: longestHeader }))
  if (looksNano(head)) {
    if (!fits)
      throw new Refusal(
        length <= longestHeader ? cut(length, source.size, file) : problem('raw-invalid', file),
      )
    const nano = nanoHeader(readAt(source, 0, sizeBytes + length), file)
    return finished(nano, sizeBytes + length, source.size, file)
  }
  const message = fits ? parsed(readAt(source, sizeBytes, length)) : null
  const dataAt = sizeBytes + length
  if (message) return finished(usualHeader(message, dataAt), dataAt, source.size, file)
  // First byte of a message that begins with its version.
  const old = head[0] === 0x0a ? oldMessage(source, longestHeader) : null
  const whole = old && parsed(old.bytes)
  if (old && whole) return finished(oldHeader(whole, old.data), source.size, source.size, file)
  // What is no dump hardly begins with a length that a header could have.
  if (!fits && length <= longestHeader) throw new Refusal(cut(length, source.size, file))
  throw new Refusal(problem('raw-invalid', file))
}

/** A number of eight bytes. */
function lengthAt(head: Uint8Array): number {
  let length = 0
  for (let i = sizeBytes - 1; i >= 0; i--) length = length * 256 + head[i]
  return length
}

const cut = (header: number, found: number, file: string): Problem =>
  problem('raw-cut', file, { expected: sizeBytes + header, found })

/** Null of bytes that are no such message, or of one that says nothing. */
function parsed(bytes: Uint8Array): DumpMessage | null {
  try {
    const message = dumpMessage(bytes)
    const { version, opName, inputs, outputs, buffers, spaces } = message
    return [version, opName, inputs, outputs, buffers, spaces].some(part => part.length > 0) ? message : null
  } catch (error) {
    // The library throws errors and errors of range for broken bytes, and for nothing else.
    if (error instanceof TypeError) throw error
    return null
  }
}

/** A header whose tensors have no check against the file yet. */
export type Placed = Omit<RawHeader, 'problems'>

/** One after the other behind the header, inputs first. */
function usualHeader(message: DumpMessage, dataAt: number): Placed {
  const { version, opName, time, attrs, inputs, outputs, buffers, spaces } = message
  const blocks = [...buffers, ...spaces]
  let at = dataAt
  for (const list of [inputs, outputs, blocks])
    for (const one of list) {
      one.from = at
      at += one.size
    }
  return { form: 'usual', version, opName, time, attrs, inputs, outputs, blocks }
}

/** Each where its data were found in the message. */
function oldHeader(
  { buffers, spaces, ...told }: DumpMessage,
  data: ReadonlyMap<string, readonly [number, number]>,
): Placed {
  const fields = { 3: told.outputs, 4: told.inputs, 5: buffers, 8: spaces }
  for (const [field, list] of Object.entries(fields))
    for (const [i, one] of list.entries()) [one.from, one.size] = data.get(`${field} ${i}`) ?? [0, 0]
  return { form: 'old', ...told, blocks: [...buffers, ...spaces] }
}

/** Marks what the file no longer holds. */
function finished(told: Placed, dataAt: number, size: number, file: string): RawHeader {
  const { inputs, outputs, blocks } = told
  let end = dataAt
  let missing = 0
  for (const list of [inputs, outputs, blocks])
    for (const one of list) {
      end = Math.max(end, one.from + one.size)
      if (one.from + one.size > size) missing++
    }
  if (missing === 0)
    return {
      ...told,
      problems: end < size ? [problem('raw-longer', file, { bytes: size - end }, 'note')] : [],
    }
  const check = <T extends RawTensor | RawBlock>(one: T): T =>
    one.from + one.size > size ? { ...one, truncated: true } : one
  const parts = inputs.length + outputs.length + blocks.length
  return {
    ...told,
    inputs: inputs.map(check),
    outputs: outputs.map(check),
    blocks: blocks.map(check),
    problems: [problem('raw-truncated', file, { expected: end, found: size, missing, parts })],
  }
}

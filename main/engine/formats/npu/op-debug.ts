// Overflow records in both their forms: fields, status bits in words, and whose they are.
import {
  type OpDebugFields,
  type OpDebugRecord,
  type OverflowCode,
  type OverflowStatus,
  problem,
  Refusal,
  type Wide,
} from '../../model/index.ts'

const magic = 0x5a5a5a5a
const firstFormBytes = 2048

const common = ['model_id', 'stream_id', 'task_id', 'task_type'] as const
const atomic = [...common, 'pc_start', 'para_base'] as const
const core = [...common, 'context_id', 'thread_id', 'pc_start', 'para_base', 'core_id', 'block_id'] as const

/** Units of the second form, by number: their fields before the status. */
const units = [
  ['AIC', core],
  ['AIV', core],
  ['AICPU', [...common, 'context_id', 'cpu_id', 'thread_id']],
  ['SDMA', [...common, 'context_id', 'thread_id', 'src_addr', 'dst_addr', 'channel_id']],
] as const

const addresses = new Set<string>(['pc_start', 'para_base', 'kernel_code', 'src_addr', 'dst_addr'])

/** The bytes of the record's only output. */
export function opDebugRecord(bytes: Uint8Array, file: string): OpDebugRecord {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    if (words.getUint32(0, true) === magic) return secondForm(words)
  } catch (error) {
    // Reading behind the end.
    if (!(error instanceof RangeError)) throw error
  }
  if (bytes.length !== firstFormBytes || words.getUint32(0, true) === magic)
    throw new Refusal(problem('op-debug-invalid', file, { bytes: bytes.length }))
  return {
    'DHA Atomic Add': { ...fields(words, 0, atomic), ...fields(words, 512, ['status']) },
    'L2 Atomic Add': { ...fields(words, 128, atomic), ...fields(words, 768, ['status']) },
    'AI Core': {
      ...fields(words, 256, atomic),
      ...fields(words, 1024, ['kernel_code', 'block_idx', 'status']),
    },
  }
}

function secondForm(words: DataView): OpDebugRecord {
  const at = (offset: number): number => words.getUint32(offset, true)
  const version = at(4)
  const [name, names] = units[at(12)] ?? [`${at(12)}`, common]
  const data = fields(words, 24, names)
  const status = 24 + names.length * 8
  // Cores of newer records have a status of several words.
  const severalWords = version === 1 && names === core
  return {
    magic: '0x5a5a5a5a',
    version,
    acc_list: {
      valid: at(8),
      acc_type: name,
      rsv: at(16),
      data_len: at(20),
      data: {
        ...data,
        status: severalWords
          ? [0, 1, 2, 3].map(i => wide(words.getBigUint64(status + i * 8, true)))
          : wide(words.getBigUint64(status, true)),
      },
    },
  }
}

function fields(words: DataView, from: number, names: readonly string[]): OpDebugFields {
  return Object.fromEntries(
    names.map((name, i) => {
      const value = words.getBigUint64(from + i * 8, true)
      return [name, addresses.has(name) ? `0x${value.toString(16)}` : wide(value)]
    }),
  )
}

const wide = (value: bigint): Wide =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value)

/** Bits of a core's status. */
const coreBits: Readonly<Record<number, OverflowCode>> = {
  3: 'negation',
  4: 'integer',
  5: 'float',
  7: 'unsigned',
  8: 'half',
  10: 'cube',
}
const atomicCodes = [
  'atomic-overflow',
  'atomic-underflow',
  'atomic-source-nan',
  'atomic-target-nan',
  'atomic-both-nan',
] as const

type Meanings = OverflowStatus['meanings']
const ofBits =
  (known: Readonly<Record<number, OverflowCode>>) =>
  (status: bigint): Meanings =>
    [...Array(64).keys()]
      .filter(bit => (status >> BigInt(bit)) & 1n)
      .map(bit => ({ code: known[bit] ?? 'unknown-bit', bit }))

/** A number within the status that counts on from `first`. */
const ofCode =
  (shift: bigint, mask: bigint, first: number) =>
  (status: bigint): Meanings => {
    const bit = Number((status >> shift) & mask)
    return [{ code: atomicCodes[bit - first] ?? 'unknown-code', bit }]
  }

const meaningOf: Readonly<Record<string, (status: bigint) => Meanings>> = {
  'AI Core': ofBits(coreBits),
  AIC: ofBits(coreBits),
  AIV: ofBits(coreBits),
  'DHA Atomic Add': ofCode(8n, 0xffn, 9),
  'L2 Atomic Add': ofCode(16n, 7n, 1),
}

/** What each unit reports; nothing of a unit whose status is 0. */
export function overflowStatuses(record: OpDebugRecord): readonly OverflowStatus[] {
  return unitsOf(record).flatMap(([unit, { status = 0 }]) => {
    const words = [status].flat().map(BigInt)
    if (words.every(word => word === 0n)) return []
    const meaning = meaningOf[unit] ?? ofBits({})
    return [
      {
        unit,
        status: words.map(word => `0x${word.toString(16)}`).join(' '),
        // What the bits of several words mean is not known.
        meanings: words.length === 1 ? meaning(words[0]) : [],
      },
    ]
  })
}

const unitsOf = (record: OpDebugRecord): [string, OpDebugFields][] =>
  'acc_list' in record ? [[record.acc_list.acc_type, record.acc_list.data]] : Object.entries(record)

/** Whose record it is; null where it does not say. */
export interface OpDebugIds {
  readonly task: number | null
  readonly stream: number | null
  readonly context: number | null
  readonly thread: number | null
}

/** A record of the first form speaks of the first unit with a status, else of the cores. */
export function opDebugIds(record: OpDebugRecord): OpDebugIds {
  const found = unitsOf(record)
  const [, of] =
    found.find(([, { status }]) => [status].flat().some(word => Number(word) > 0)) ?? found.at(-1) ?? []
  const told = (name: string): number | null => {
    const value = of?.[name]
    // What nobody set is all ones.
    return typeof value === 'number' && value < 0xffffffff ? value : null
  }
  const part = (name: string): number | null => (told(name) === 65535 ? null : told(name))
  return {
    task: told('task_id'),
    stream: told('stream_id'),
    context: part('context_id'),
    thread: part('thread_id'),
  }
}

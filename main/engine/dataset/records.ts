// The small files of a dataset: what it is of, what each unit came to, which shares were begun. Read back they are
// as untrusted as any other file.
import { z } from 'zod'
import {
  type Counts,
  countNames,
  type Finding,
  type Mode,
  type Problem,
  problem,
  Refusal,
  type Transfer,
  type UnitFacts,
} from '../model/index.ts'
import type { Files } from '../io/index.ts'
import type { UnitId } from './names.ts'

/** What a comparison was asked for: parts of one dataset rest on the same. */
export interface Asking {
  readonly verb: string
  readonly rules: string
  readonly debug: string
  readonly bench: string
  readonly options: Readonly<Record<string, unknown>>
}

export interface DatasetPlan extends Asking {
  readonly version: 1
  readonly units: readonly UnitId[]
}

/** A node that stands for a unit in the picture. */
export interface NodeMark {
  readonly node: string
  readonly row: number
  /** Share of the rows before it, from 0 to 1. */
  readonly position: number
  readonly level: number
}

/** What a step and rank came to. */
export interface UnitRecord extends UnitId {
  readonly version: 1
  /** What it rests on besides the asking: how its files looked. */
  readonly stamp: string
  readonly debug: string
  readonly bench: string
  readonly mode: Mode | ''
  /** Why it could not be compared; null where it was. */
  readonly problem: Problem | null
  readonly counts: Counts
  /** Whose error is largest, and what fails first by the tool's rule. */
  readonly worst: NodeMark | null
  readonly first: NodeMark | null
  readonly findings: readonly Finding[]
  readonly transfers: readonly Transfer[]
  /** Size of the part; null where there is none. */
  readonly part: { readonly rows: number; readonly bytes: number } | null
  /** What the window says of it besides. */
  readonly shown?: Pick<UnitFacts, 'calls' | 'worst'>
}

/** A unit in the picture and in questions: nothing is there yet, it could not be compared, or it was. */
export const stateOf = (record: UnitRecord | null): 'missing' | 'failed' | 'done' =>
  record === null ? 'missing' : record.problem ? 'failed' : 'done'

/** A share of the units that a process of its own takes. */
export interface ShareRecord {
  readonly index: number
  readonly of: number
  readonly begun: string
  readonly ended: string | null
}

// ---------------------------------------- as text

const odd: Readonly<Record<string, number>> = { NaN, Infinity, '-Infinity': -Infinity }

export const jsonBytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(
    `${JSON.stringify(value, (_, v: unknown) => (typeof v === 'number' && !Number.isFinite(v) ? { number: String(v) } : v))}\n`,
  )

function revived(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('number' in value)) return value
  const known = typeof value.number === 'string' ? odd[value.number] : undefined
  return known === undefined || Object.keys(value).length > 1 ? value : known
}

// ---------------------------------------- read back

const place = z.number().int().nullable()
const unitId = { step: place, rank: place, name: z.string() }
const mark = z.object({
  node: z.string(),
  row: z.number(),
  position: z.number(),
  level: z.any().pipe(z.custom<number>(isNumber)),
})

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

const paired = z.object({ all: z.number(), paired: z.number() })

const findingShape = z.looseObject({
  kind: z.string(),
  variant: z.string(),
  facts: z.record(z.string(), z.any()),
  node: z.string(),
  side: z.enum(['debug', 'bench']),
  partner: z.string(),
  step: place,
  rank: place,
  at: z.number(),
  of: z.number(),
  collectives: z.number(),
  jump: z.custom<number>(isNumber),
  rows: z.array(z.number()),
  proof: z.array(z.number()),
  explains: z.object({ rows: z.number(), of: z.number(), by: z.string() }),
  evidence: z.array(z.looseObject({ level: z.custom<number>(isNumber), label: z.string() })),
  hints: z.array(z.looseObject({ key: z.string(), facts: z.record(z.string(), z.any()) })),
})
const finding = z.custom<Finding>(value => findingShape.safeParse(value).success)

const counts = z.custom<Counts>(
  value =>
    typeof value === 'object' &&
    value !== null &&
    countNames.every(name => typeof Reflect.get(value, name) === 'number'),
)

const problemShape = z.custom<Problem>(
  value =>
    z
      .object({
        code: z.string(),
        severity: z.string(),
        path: z.string(),
        facts: z.record(z.string(), z.any()),
      })
      .loose()
      .safeParse(value).success,
)

const record = z.object({
  version: z.literal(1),
  ...unitId,
  stamp: z.string(),
  debug: z.string(),
  bench: z.string(),
  mode: z.enum(['tensor', 'statistics', 'md5', '']),
  problem: problemShape.nullable(),
  counts,
  worst: mark.nullable(),
  first: mark.nullable(),
  findings: z.array(finding),
  transfers: z.array(z.object({ at: z.number(), peer: z.number(), gives: z.boolean(), tag: z.number() })),
  part: z.object({ rows: z.number(), bytes: z.number() }).nullable(),
  shown: z
    .object({
      calls: z.object({ debug: paired, bench: paired }),
      worst: z.any().pipe(z.custom<number>(isNumber)),
    })
    .exactOptional(),
})

const plan = z.object({
  version: z.literal(1),
  verb: z.string(),
  rules: z.string(),
  debug: z.string(),
  bench: z.string(),
  options: z.record(z.string(), z.any()),
  units: z.array(z.object(unitId)),
})

const share = z.object({
  index: z.number().int(),
  of: z.number().int(),
  begun: z.string(),
  ended: z.string().nullable(),
})

/** Findings of a unit are few; whatever is larger is none of ours. */
const mostBytes = 64 << 20

/** Refuses what is no such file; null where there is none. */
function reading<T>(schema: z.ZodType<T>): (files: Files, file: string) => T | null {
  return (files, file) => {
    if (!files.stat(file)) return null
    const text = new TextDecoder().decode(files.readAll(file, mostBytes))
    const parsed = schema.safeParse(parsedJson(text))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new Refusal(
      problem('dataset-broken', file, { reason: issue ? `${issue.path.join('.')}: ${issue.message}` : '' }),
    )
  }
}

/** Undefined where it is none. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text, revived)
  } catch {
    return undefined
  }
}

export const readPlan = reading<DatasetPlan>(plan)
export const readRecord = reading<UnitRecord>(record)
export const readShare = reading<ShareRecord>(share)

// What NaN and infinity were looked for in, as parts of a dataset: conspicuous calls as rows, a rank's record for the order of
// events, and what all ranks of a step come to.
import { z } from 'zod'
import { type Files, join, type SqlColumn, type SqlPiece } from '../io/index.ts'
import { noCounts } from '../judge/index.ts'
import { type Counts, type OverflowAnswer, problem, Refusal } from '../model/index.ts'
import {
  answerOf,
  hasAnything,
  type ListedCall,
  levels,
  type RankRecord,
  Scene,
  sceneNames,
} from '../overflow/index.ts'
import { rankName, unitFolder, type UnitId } from './names.ts'
import type { Dataset } from './read.ts'
import type { NodeMark } from './records.ts'

/** The verb whose datasets these are. */
export const overflowVerb = 'overflow_check'

export interface OverflowOfStep {
  readonly step: number | null
  readonly abnormal: boolean
  readonly answer: OverflowAnswer
}

const column = (name: string, type: SqlColumn['type']): SqlColumn => ({ name, type, told: type })
/** Those that every part of a dataset has, and what the list of calls holds. */
export const callColumns: readonly SqlColumn[] = [
  column('row', 'int'),
  column('node', 'text'),
  column('part', 'text'),
  column('layer', 'int'),
  column('state', 'text'),
  column('failing', 'int'),
  column('level', 'double'),
  column('severity', 'text'),
  column('item', 'text'),
  column('dtype', 'text'),
  column('shape', 'text'),
  column('max', 'text'),
  column('min', 'text'),
  column('mean', 'text'),
  column('norm', 'text'),
]

const worstScene = sceneNames.length - 1
const shareOf = (scene: number): number => scene / worstScene

export function callCells(calls: readonly ListedCall[]): SqlPiece {
  return [
    calls.map(({ order }) => order),
    calls.map(({ call }) => call),
    calls.map(() => ''),
    calls.map(({ layer }) => (layer < 0 ? null : layer)),
    calls.map(({ scene }) => sceneNames[scene]),
    calls.map(({ scene }) => (scene === Scene.entered ? 1 : 0)),
    calls.map(({ scene }) => shareOf(scene)),
    calls.map(({ scene }) => levels[scene]),
    ...(['item', 'dtype', 'shape', 'max', 'min', 'mean', 'norm'] as const).map(of =>
      calls.map(({ about }) => about[of]),
    ),
  ]
}

/** What stands for a rank: how many of its calls, the worst of them, and the first where something enters. */
export function callsTold(
  calls: readonly ListedCall[],
  of: number,
): { readonly counts: Counts; readonly worst: NodeMark | null; readonly first: NodeMark | null } {
  const entered = calls.filter(({ scene }) => scene === Scene.entered)
  const mark = ({ order, call, scene }: ListedCall): NodeMark => ({
    node: call,
    row: order,
    position: of > 1 ? order / (of - 1) : 0,
    level: shareOf(scene),
  })
  const most = Math.max(...calls.map(({ scene }) => scene))
  const worst = calls.find(({ scene }) => scene === most)
  return {
    counts: {
      ...noCounts,
      rows: of,
      equal: of - calls.length,
      differs: entered.length,
      noise: calls.length - entered.length,
      failing: entered.length,
    },
    worst: worst ? mark(worst) : null,
    first: entered[0] ? mark(entered[0]) : null,
  }
}

// ---------------------------------------- a rank's record as text

const bytesText = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, byte => String.fromCodePoint(byte)).join(''))
const wordsText = (words: Uint32Array): string =>
  bytesText(new Uint8Array(words.buffer, words.byteOffset, words.byteLength).slice())

export const packedRank = (record: RankRecord): object => ({
  ...record,
  version: 1,
  scene: bytesText(record.scene),
  evidence: bytesText(record.evidence),
  explained: bytesText(record.explained),
  named: wordsText(record.named),
  ends: {
    op: wordsText(record.ends.op),
    key: wordsText(record.ends.key),
    ordinal: wordsText(record.ends.ordinal),
    role: bytesText(record.ends.role),
  },
})

const bytes = z.base64().transform(text => Uint8Array.from(atob(text), letter => letter.codePointAt(0) ?? 0))
const words = bytes
  .refine(({ length }) => length % 4 === 0)
  .transform(({ buffer }) => new Uint32Array(buffer))

const rank = z
  .object({
    version: z.literal(1),
    rank: z.number().int(),
    framework: z.string(),
    task: z.string(),
    scene: bytes,
    evidence: bytes,
    explained: bytes,
    named: words,
    names: z.array(z.string()),
    ends: z.object({ op: words, key: words, ordinal: words, role: bytes }),
    keys: z.array(z.string()),
    members: z.array(z.array(z.number().int()).nullable()),
    counted: z.number(),
    hasInputs: z.boolean(),
    partial: z.boolean(),
  })
  .refine(isWhole)
  .transform(({ ends, ...record }): RankRecord => ({ ...record, ends: { ...ends, length: ends.op.length } }))

interface Columns {
  readonly scene: Uint8Array
  readonly evidence: Uint8Array
  readonly explained: Uint8Array
  readonly named: Uint32Array
  readonly names: readonly string[]
  readonly ends: {
    readonly op: Uint32Array
    readonly key: Uint32Array
    readonly ordinal: Uint32Array
    readonly role: Uint8Array
  }
  readonly keys: readonly string[]
  readonly members: readonly unknown[]
}

/** Columns are as long as each other, and no row points beyond them. */
function isWhole({ scene, evidence, explained, named, names, ends, keys, members }: Columns): boolean {
  const { length } = ends.op
  return (
    evidence.length === scene.length &&
    explained.length === scene.length &&
    names.length === named.length &&
    members.length === keys.length &&
    [ends.key, ends.ordinal, ends.role].every(column => column.length === length) &&
    scene.every(one => one <= worstScene) &&
    [ends.op, named].every(column => column.every(op => op < scene.length)) &&
    ends.key.every(key => key < keys.length)
  )
}

const mostBytes = 64 << 20

function readRank(files: Files, folder: string, unit: UnitId): RankRecord {
  const file = join(unitFolder(folder, unit), rankName(unit))
  const broken = (): Refusal => new Refusal(problem('dataset-broken', file, { reason: 'rank' }))
  if (!files.stat(file)) throw broken()
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(files.readAll(file, mostBytes)))
  } catch {
    throw broken()
  }
  const parsed = rank.safeParse(value)
  if (!parsed.success) throw broken()
  return parsed.data
}

/** Step by step the order of events over the ranks that are there; none of another verb's dataset. */
export function overflowOf(files: Files, { folder, plan, units }: Dataset): readonly OverflowOfStep[] {
  if (plan.verb !== overflowVerb) return []
  const steps = new Map<number | null, UnitId[]>()
  for (const { step, rank: of, name, record } of units)
    if (record && !record.problem) steps.set(step, [...(steps.get(step) ?? []), { step, rank: of, name }])
  return [...steps].map(([step, of]) => {
    const records = of.map(unit => readRank(files, folder, unit)).sort((a, b) => a.rank - b.rank)
    return { step, abnormal: hasAnything(records), answer: answerOf(records) }
  })
}

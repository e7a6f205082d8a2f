// What is shown of one call besides its class: its record, the modules around it, its stack; in the layout of
// msprobe's anomaly file.
import { rawJson } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { isArray, isObject, type Json, JsonNumber } from '../json/index.ts'
import type { Dump, OpRow } from '../model/index.ts'

const forwardParts = ['input_args', 'input_kwargs', 'output']
const backwardParts = ['input', 'output']

export interface AnomalyRecord {
  readonly op: string
  readonly data: Json
  /** From the root to the call itself. */
  readonly construct: readonly string[]
  /** Null: stack.json is laid out as msprobe 26 does not read it. */
  readonly stack: readonly string[] | null
}

/** `asMsprobe`: stacks in the older layout are not seen. */
export function recordOfCall(files: Files, dump: Dump, op: OpRow, asMsprobe: boolean): AnomalyRecord {
  const name = dump.texts.get(dump.ops.name[op])
  const entry = rawJson(files, dump, op)
  const parts = isObject(entry) && entry.has('input_args') ? forwardParts : backwardParts
  const data = new Map<string, Json>()
  for (const part of parts) {
    const value = isObject(entry) ? entry.get(part) : undefined
    if (value !== undefined) data.set(part, value)
  }
  const isReadable = !asMsprobe || dump.stacks.newLayout === true
  return { op: name, data, construct: chainOf(dump, op), stack: isReadable ? stackOf(dump, op) : null }
}

/** The modules that hold a call, the outermost first, and the call itself. */
export function chainOf({ construct, ops, texts }: Dump, op: OpRow): readonly string[] {
  const chain = [ops.name[op]]
  const seen = new Set(chain)
  for (let entry = construct.find(ops.name[op]); entry >= 0;) {
    const parent = construct.parent[entry]
    if (parent < 0 || seen.has(parent)) break
    seen.add(parent)
    chain.push(parent)
    entry = construct.find(parent)
  }
  return chain.toReversed().map(code => texts.get(code))
}

export function stackOf({ stacks, ops }: Dump, op: OpRow): readonly string[] {
  const row = stacks.of(ops.name[op])
  return row < 0 ? [] : stacks.frames(row)
}

/** The text of `anomaly_analyze_….json`: ranks with their calls, numbers as they were dumped. */
export function anomalyText(found: ReadonlyMap<number, readonly AnomalyRecord[]>): string {
  const ranks = new Map<string, Json>()
  for (const [rank, records] of found)
    ranks.set(
      `rank_${rank}`,
      records.map(
        ({ op, data, construct, stack }) =>
          new Map<string, Json>([
            ['op_name', op],
            ['data_info', data],
            ['construct_info', construct],
            ['stack_info', stack ?? new Map<string, Json>()],
          ]),
      ),
    )
  return written(ranks, '')
}

function written(value: Json, indent: string): string {
  if (value instanceof JsonNumber) return value.text
  if (!isArray(value) && !isObject(value)) return JSON.stringify(value)
  const inner = `${indent}  `
  const members = isArray(value)
    ? value.map(member => inner + written(member, inner))
    : [...value].map(([key, member]) => `${inner}${JSON.stringify(key)}: ${written(member, inner)}`)
  const [open, close] = isArray(value) ? '[]' : '{}'
  return members.length === 0 ? open + close : `${open}\n${members.join(',\n')}\n${indent}${close}`
}

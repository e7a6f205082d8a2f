// fusion_result.json: which rules of fusion matched in which graph, and how often they took effect.
import type { Files } from '../../io/index.ts'
import {
  isArray,
  isObject,
  type Json,
  JsonNumber,
  type JsonObject,
  JsonReader,
  JsonStop,
} from '../../json/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'

export const fusionKinds = ['graph_fusion', 'ub_fusion'] as const
type FusionKind = (typeof fusionKinds)[number]

export interface FusionRule {
  readonly matched: number
  readonly effective: number
}

/** Rules by name. */
export type FusionOf = Readonly<Record<FusionKind, ReadonlyMap<string, FusionRule>>>

export interface Fusion {
  /** By the graph's id, `NONE` where the file says none. */
  readonly graphs: ReadonlyMap<string, FusionOf>
  readonly problems: readonly Problem[]
}

const largest = 256 << 20
const noId = 'NONE'
const keyed = /^session_and_graph_id_(.*)$/s

/** One object, a list of them, objects one behind the other, or one object of graphs by id: all were written once. */
export function readFusion(files: Files, path: string): Fusion {
  const reader = new JsonReader(files.readAll(path, largest))
  const graphs = new Map<string, Record<FusionKind, Map<string, FusionRule>>>()
  const problems: Problem[] = []
  try {
    for (let more = behindBlanks(reader); more; more = behindBlanks(reader)) take(reader.value(), graphs)
  } catch (error) {
    if (!(error instanceof JsonStop)) throw error
    const found = problem('fusion-invalid', path, { byte: error.at }, graphs.size > 0 ? 'warning' : 'error')
    if (graphs.size === 0) throw new Refusal(found)
    problems.push(found)
  }
  return { graphs, problems }
}

/** Whether anything comes; commas between objects say nothing. */
function behindBlanks(reader: JsonReader): boolean {
  reader.space()
  while (reader.at < reader.end && (reader.bytes[reader.at] === 0x2c || reader.bytes[reader.at] === 0xef)) {
    reader.at += reader.bytes[reader.at] === 0xef ? 3 : 1
    reader.space()
  }
  return reader.at < reader.end
}

type Graphs = Map<string, Record<FusionKind, Map<string, FusionRule>>>

function take(value: Json, graphs: Graphs): void {
  if (isArray(value)) for (const one of value) take(one, graphs)
  if (!isObject(value)) return
  const ids = [...value].flatMap(([key, inner]) => {
    const [, id] = keyed.exec(key) ?? []
    return id !== undefined && isObject(inner) ? [[id, inner] as const] : []
  })
  if (ids.length === 0)
    enter(textOf(value.get('session_and_graph_id') ?? value.get('graphId')) || noId, value, graphs)
  for (const [id, inner] of ids) enter(id, inner, graphs)
}

function enter(id: string, said: JsonObject, graphs: Graphs): void {
  const known = graphs.get(id) ?? { graph_fusion: new Map(), ub_fusion: new Map() }
  graphs.set(id, known)
  for (const kind of fusionKinds) {
    const rules = said.get(kind)
    if (!isObject(rules)) continue
    for (const [rule, times] of rules)
      if (isObject(times))
        known[kind].set(rule, {
          matched: numberOf(times.get('match_times')),
          effective: numberOf(times.get('effect_times')),
        })
  }
}

const textOf = (value: Json | undefined): string => {
  if (value instanceof JsonNumber) return value.text
  return typeof value === 'string' ? value : ''
}

/** Numbers are written as texts. */
const numberOf = (value: Json | undefined): number => Number(textOf(value)) || 0

/** How often each rule took effect, by graph and kind; rules that did nothing are left out. */
export const effectsOf = ({ graphs }: Fusion): Record<string, Record<FusionKind, Record<string, number>>> =>
  Object.fromEntries(
    [...graphs].map(([id, of]) => [
      id,
      { graph_fusion: effects(of.graph_fusion), ub_fusion: effects(of.ub_fusion) },
    ]),
  )

const effects = (rules: ReadonlyMap<string, FusionRule>): Record<string, number> =>
  Object.fromEntries(
    [...rules].flatMap(([rule, { effective }]) => (effective > 0 ? [[rule, effective]] : [])),
  )

// Elements of a batch of sends and receives. msprobe 26 shows each as one item: its tensor, and what
// goes where.
import { ruleSets } from '../rules/index.ts'
import { isArray, isObject, type Json } from '../json/index.ts'
import type { Dump, ItemRow, OpRow, Rules } from '../model/index.ts'
import { parts, rawJson } from '../formats/index.ts'
import { batchCall } from './peers.ts'
import type { Files } from '../io/index.ts'
import { fullSpelling, jsonText, spell } from './texts.ts'

interface BatchElement {
  /** Name of its item as a JSON string. */
  readonly name: string
  /** Fields behind those of the tensor, `"key": "text"`. */
  readonly fields: readonly string[]
}

const elementClass = 'torch.distributed.P2POp'
const own = ['class_type', 'op', 'peer', 'tag', 'group_id'] as const

/**
 * Looks up the element that an item is the tensor of; the items of an op are asked for one after the other.
 */
export function batchElements(
  dump: Dump,
  rules: Rules,
  files: Files,
): (op: OpRow, item: ItemRow) => BatchElement | undefined {
  if (!ruleSets[rules].graph.levels) return () => undefined
  let last = -1
  let known: readonly (BatchElement | undefined)[] = []
  return (op, item) => {
    if (op !== last) {
      last = op
      known = elementsOf(dump, op, files)
    }
    return known[item - dump.ops.first[op]]
  }
}

function elementsOf(dump: Dump, op: OpRow, files: Files): (BatchElement | undefined)[] {
  const { texts, ops, items } = dump
  const call = texts.get(ops.name[op])
  const api = dump.names.communication(call)
  if (api === null) return []
  const entry = rawJson(files, dump, op)
  const found: (BatchElement | undefined)[] = []
  // The batch itself says no more than what its elements are.
  const shown = api === batchCall ? own.slice(0, 1) : own
  const walk = (value: Json, element: readonly string[] | null): void => {
    if (value === null || (isObject(value) && typeof value.get('type') === 'string')) {
      const name = texts
        .get(items.name[ops.first[op] + found.length] ?? ops.name[op])
        .replace(/\.tensor$/, '')
      found.push(element ? { name: jsonText(name), fields: element } : undefined)
    } else if (isArray(value)) for (const member of value) walk(member, null)
    else if (isObject(value)) {
      const fields =
        value.get('class_type') === elementClass
          ? shown
              .filter(key => value.has(key))
              .map(key => `${jsonText(key)}: ${jsonText(spell(value.get(key), fullSpelling))}`)
          : null
      for (const [key, member] of value) walk(member, key === 'tensor' ? fields : null)
    }
  }
  if (isObject(entry)) for (const [part] of parts) if (entry.has(part)) walk(entry.get(part) ?? null, null)
  // An entry that does not give the items again is left as it is.
  return found.length === ops.first[op + 1] - ops.first[op] ? found : []
}

// Entries of dump.json, read again for what the columns do not keep.
import { isArray, isObject, type Json } from '../json/index.ts'
import { parts, RawReader } from '../formats/index.ts'
import { type Dump, type OpRow, State, stateNames } from '../model/index.ts'
import type { Files } from '../io/index.ts'

export class RawEntries {
  readonly #reader: RawReader
  readonly #dump: Dump

  constructor(files: Files, dump: Dump) {
    this.#reader = new RawReader(files, dump)
    this.#dump = dump
  }

  /** The leaves of an op, one per item row, or null when the entry cannot be read again. */
  leaves(op: OpRow): readonly Json[] | null {
    const { ops, texts } = this.#dump
    try {
      const entry = this.#reader.json(op)
      if (entry === undefined) return null
      const leaves = leavesOf(texts.get(ops.name[op]), entry)
      return leaves.length === ops.first[op + 1] - ops.first[op] ? leaves : null
    } catch {
      return null
    }
  }

  close(): void {
    this.#reader.close()
  }
}

/** Leaves and nulls of an entry in the order in which items are made of them. */
function leavesOf(key: string, entry: Json): Json[] {
  const leaves: Json[] = []
  const walk = (value: Json): void => {
    if (value === null || (isObject(value) && typeof value.get('type') === 'string')) leaves.push(value)
    else if (isArray(value)) value.forEach(walk)
    else if (isObject(value)) for (const member of value.values()) walk(member)
  }
  if (key.split('.').includes(stateNames[State.parametersGrad])) walk(entry)
  else if (isObject(entry)) {
    for (const [part] of parts) {
      const value = entry.get(part)
      if (value !== undefined) walk(value)
    }
  }
  return leaves
}

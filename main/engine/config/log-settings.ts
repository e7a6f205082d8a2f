// Hyper-parameters that a training prints into its log before it begins: of verl as one value over many lines, of slime
// and Megatron as a list of names and values.
import { absolute, dirOf, type Files } from '../io/index.ts'
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/index.ts'
import { problem, Refusal } from '../model/index.ts'
import { readLines } from '../series/index.ts'
import type { Job } from '../work/index.ts'
import { PrintedValue } from './printed-value.ts'

export type SettingsKind = 'verl' | 'slime'

export interface LogSettings {
  readonly kind: SettingsKind
  readonly values: JsonObject
}

const verlKeys = ["{'actor_rollout_ref':", '{"actor_rollout_ref":'] as const
const listBegins = '------------------------ arguments ------------------------'
const listEnds = '-------------------- end of arguments ---------------------'

/** Is given a log line by line; knows the settings in the end. Of several the last whole ones count, as the run is theirs. */
export class LogSettingsReader {
  #found: LogSettings | null = null
  #value: PrintedValue | null = null
  #list: Map<string, Json> | null = null
  #prefix = ''

  /** Null: the log tells none. */
  get found(): LogSettings | null {
    return this.#found
  }

  take(line: string): void {
    this.#takeValue(line)
    this.#takeList(line)
  }

  #takeValue(line: string): void {
    const from = verlKeys.map(key => line.indexOf(key)).find(at => at >= 0) ?? -1
    if (from >= 0) {
      this.#value = new PrintedValue()
      this.#prefix = line.slice(0, from)
      this.#value.take(line.slice(from))
    } else if (this.#value && line.startsWith(this.#prefix)) {
      // Several lines may have come as one.
      const parts = this.#prefix === '' ? [line] : line.split(this.#prefix).slice(1)
      for (const part of parts) this.#value.take(part.trim())
    }
    if (!this.#value?.whole) return
    const values = this.#value.value()
    if (isObject(values)) this.#found = { kind: 'verl', values }
    this.#value = null
  }

  #takeList(line: string): void {
    const from = line.indexOf(listBegins)
    if (from >= 0) {
      this.#list = new Map()
      this.#prefix = line.slice(0, from)
      return
    }
    if (!this.#list) return
    if (line.includes(listEnds)) {
      if (this.#list.size > 0) this.#found = { kind: 'slime', values: this.#list }
      this.#list = null
      return
    }
    const own = line.startsWith(this.#prefix) ? line.slice(this.#prefix.length) : line
    const [, name, value] = /^\s+(\S.*?)\s+\.+(?:\s(.*))?$/.exec(own.trimEnd()) ?? []
    if (name !== undefined) this.#list.set(name, listed((value ?? '').trim()))
  }
}

/** Null where a log tells none. */
export async function readSettings(files: Files, given: string, job: Job): Promise<LogSettings | null> {
  const path = absolute(given)
  files.allow(dirOf(path))
  if (!files.stat(path)) throw new Refusal(problem('not-found', path))
  const reader = new LogSettingsReader()
  await readLines(path, { files, job }, line => {
    reader.take(line)
    return true
  })
  return reader.found
}

function listed(text: string): Json {
  if (text === 'True' || text === 'False') return text === 'True'
  if (/^-?\d+$/.test(text)) return new JsonNumber(String(BigInt(text)), false)
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
    ? new JsonNumber(String(Number(text)), true)
    : text
}

/** Names with `/` between their parts; what is empty is itself. */
export function flatSettings(values: Json, prefix = ''): ReadonlyMap<string, Json> {
  if (!isObject(values) || values.size === 0) return new Map([[prefix, values]])
  return new Map(
    [...values].flatMap(([name, value]) => [
      ...flatSettings(value, prefix === '' ? name : `${prefix}/${name}`),
    ]),
  )
}

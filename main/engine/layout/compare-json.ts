// compare.json as msprobe reads it, and everything it refuses.
import { absolute, dirOf, type Files, isAbsolute, join, serverOf } from '../io/index.ts'
import { type ParallelSizes, problem, Refusal, type Together, usualOrder } from '../model/index.ts'

export interface CompareJson {
  readonly path: string
  /** Absolute paths. `bench` is '' where a graph of one side is asked for. */
  readonly debug: string
  readonly bench: string
  /** What the paths are. */
  readonly kind: 'files' | 'folders'
  /** Absolute path, '' when the key is null or empty, undefined when it is missing. */
  readonly stack: string | undefined
  /** Kernel dumps: the lists of ranks and steps; null for other dumps. */
  readonly kernel: { readonly ranks: readonly number[]; readonly steps: readonly number[] } | null
  /** How ranks are put together; null where they are not. */
  readonly together: Together | null
}

const limit = 1 << 20

export function readCompareJson(files: Files, given: string, benchOptional = false): CompareJson {
  const path = absolute(given)
  files.allow(dirOf(path))
  const entry = files.stat(path)
  if (!entry) throw new Refusal(problem('not-found', path))
  if (entry.kind === 'folder') throw new Refusal(problem('not-a-file', path))
  const json = parse(new TextDecoder().decode(files.readAll(path, limit)), path)
  const [debug, bench] = [
    sidePath(files, json, path, 'npu_path', false),
    sidePath(files, json, path, 'bench_path', benchOptional),
  ]
  // Our log has no line per item: the key is checked as msprobe checks it, and says nothing more.
  const log = json['is_print_compare_log']
  if (log !== undefined && typeof log !== 'boolean')
    throw new Refusal(problem('compare-json-not-boolean', path, { key: 'is_print_compare_log' }))
  const ranks = json['rank_id']
  const kernel =
    ranks === undefined || ranks === null
      ? null
      : { ranks: numbers(json, path, 'rank_id'), steps: numbers(json, path, 'step_id') }
  const kinds = [debug, bench].filter(side => side !== '').map(side => kindOf(files, side))
  if (new Set(kinds).size > 1) throw new Refusal(problem('compare-json-mixed', path, { debug, bench }))
  const stack = json['stack_path']
  return {
    path,
    debug,
    bench,
    kind: kinds[0],
    kernel,
    together: togetherIn(json, path),
    stack:
      stack === undefined
        ? undefined
        : typeof stack === 'string' && stack !== ''
          ? located(files, stack, path)
          : '',
  }
}

type Json = Readonly<Record<string, unknown>>

/** `parallel_merge` holds sizes for `npu` and for `bench`. */
function togetherIn(json: Json, path: string): Together | null {
  const merging = json['parallel_merge']
  if (merging === undefined || merging === null) return null
  const sides = objectIn(merging, path)
  const of = (key: string): ParallelSizes | null =>
    sides[key] === undefined ? null : sizesIn(objectIn(sides[key], path), path)
  return { debug: of('npu'), bench: of('bench'), rules: '' }
}

function objectIn(value: unknown, path: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(problem('compare-json-invalid', path, { reason: 'parallel_merge' }))
  return { ...value }
}

function sizesIn(json: Json, path: string): ParallelSizes {
  const size = (key: string, otherwise: number): number => {
    const value = json[key] ?? otherwise
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
      throw new Refusal(problem('compare-json-invalid', path, { reason: `parallel_merge.${key}` }))
    return value
  }
  const asked = json['rank_size'] === undefined ? {} : { asked: size('rank_size', 1) }
  const order = typeof json['order'] === 'string' ? json['order'] : usualOrder
  return { tp: size('tp', 1), pp: size('pp', 1), vpp: size('vpp', 1), cp: size('cp', 1), order, ...asked }
}

function parse(text: string, path: string): Json {
  let json: unknown
  try {
    json = JSON.parse(withoutComments(text.replace(/^\ufeff/, '')))
  } catch (error) {
    throw new Refusal(
      problem('compare-json-invalid', path, {
        reason: error instanceof Error ? error.message : String(error),
      }),
    )
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Refusal(problem('compare-json-invalid', path, { reason: 'no object' }))
  return { ...json }
}

/** The documents show compare.json with remarks behind `#`; they are allowed here. */
const withoutComments = (text: string): string =>
  text.replace(/"(?:[^"\\\n]|\\.)*"|(?:#|\/\/)[^\n]*/g, part => (part.startsWith('"') ? part : ''))

function sidePath(files: Files, json: Json, path: string, key: string, optional: boolean): string {
  const value = json[key]
  if (optional && (value === undefined || value === null || value === '')) return ''
  if (typeof value !== 'string' || value === '')
    throw new Refusal(problem('compare-json-missing-key', path, { key }))
  return located(files, value, path)
}

/**
 * Relative paths count from the current folder as in msprobe; where nothing is there, from the file's own
 * folder.
 */
function located(files: Files, value: string, path: string): string {
  const here = absolute(value)
  if (serverOf(here) !== '' && serverOf(here) !== serverOf(path))
    throw new Refusal(problem('compare-json-elsewhere', path, { value }))
  if (isAbsolute(value) || exists(files, here)) return here
  const beside = absolute(join(dirOf(path), value))
  return exists(files, beside) ? beside : here
}

function exists(files: Files, path: string): boolean {
  files.allow(path)
  files.allow(dirOf(path))
  try {
    return files.stat(path) !== null
  } catch (error) {
    // Nothing of that path's folder is there either.
    if (error instanceof Refusal) return false
    throw error
  }
}

function kindOf(files: Files, path: string): CompareJson['kind'] {
  if (!exists(files, path)) throw new Refusal(problem('not-found', path))
  return files.stat(path)?.kind === 'folder' ? 'folders' : 'files'
}

function numbers(json: Json, path: string, key: string): readonly number[] {
  const list = json[key] ?? []
  if (!Array.isArray(list) || !list.every((n): n is number => Number.isInteger(n) && n >= 0))
    throw new Refusal(problem('compare-json-not-a-list', path, { key }))
  return list
}

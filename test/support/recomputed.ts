// Dumps recomputed inline, and the results that the real framework gave in doubles.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Candidate, msprobe, Shared, wholeOf } from '../../main/engine/formats/index.ts'
import { diskFiles, quickFiles } from '../../main/engine/io/index.ts'
import {
  type DirectionAnswer,
  type Dump,
  type RecomputedCall,
  usualLimit,
} from '../../main/engine/model/index.ts'
import {
  callPairs,
  type ExactArray,
  recomputeDump,
  type RecomputeOptions,
  recomputePair,
  type RecomputePairOptions,
} from '../../main/engine/recompute/index.ts'
import { recompute, type Visit } from '../../main/engine/recompute/call.ts'
import { callsOf, Orders } from '../../main/engine/recompute/orders.ts'
import { readArray } from '../../main/engine/recompute/read.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { job } from '../../main/engine/work/index.ts'
import { opsMet } from '../../main/engine/study/index.ts'
import { tasks } from '../../main/engine/threads/index.ts'

interface Opened {
  readonly dump: Dump
  recompute(
    options?: RecomputeOptions,
  ): Promise<{
    readonly directions: readonly DirectionAnswer[]
    readonly arrays: ReadonlyMap<string, ExactArray>
  }>
}

export async function openForRecompute(folder: string, files = diskFiles()): Promise<Opened> {
  files.allow(folder)
  const place = await msprobe.find(new Candidate(files, folder, 'folder'), job())
  if (!place) throw new Error(`no dump in ${folder}`)
  const ports = {
    files,
    cacheDir: '',
    rules: 'plumbline',
    shared: new Shared(),
    threads: null,
    partial: false,
  } as const
  const dump = await wholeOf(msprobe.open(place, ports, job()))
  return {
    dump,
    async recompute(options = {}) {
      const arrays = new Map<string, ExactArray>()
      const onArrays = (found: readonly ExactArray[]): void => {
        for (const one of found) arrays.set(one.item, one)
      }
      const directions = await recomputeDump(
        { files, pool: inlinePool(tasks) },
        dump,
        { onArrays, ...options },
        job(),
      )
      return { directions, arrays }
    },
  }
}

/** Every judged result of a dump, with the exact and the stored values. */
export async function visitResults(folder: string, visit: Visit): Promise<void> {
  const files = diskFiles()
  const { dump } = await openForRecompute(folder, files)
  const orders = new Orders(files, dump, usualLimit)
  for (const call of callsOf(dump)) recompute(quickFiles(files.roots()), orders.of(call), visit)
  orders.close()
}

/** Calls of two dumps that met, or those of one. */
export async function recomputeTwo(
  left: string,
  right: string | null,
  options: RecomputePairOptions = {},
): Promise<readonly RecomputedCall[]> {
  const files = diskFiles()
  const { dump: debug } = await openForRecompute(left, files)
  const bench = right === null ? null : (await openForRecompute(right, files)).dump
  const toBench = bench ? await opsMet(debug, bench, job()) : new Int32Array(0)
  const sides = { debug, bench, toBench }
  return recomputePair({ files, pool: inlinePool(tasks) }, sides, callPairs(sides), options, job())
}

/** A row of the table of what the framework itself computed. */
export interface Wanted {
  readonly item: string
  readonly call: string
  readonly direction: string
  readonly dtype: string
  readonly of: number | null
  readonly maxAbs: number | string
  readonly maxUlp: number | null
  readonly mismatches: number
  readonly skip?: string
  readonly value?: unknown
  readonly note?: string
  readonly corrupted?: { readonly what: string; readonly kind: string }
}

export const wantedOf = (folder: string): readonly Wanted[] =>
  JSON.parse(readFileSync(path.join(folder, 'table.json'), 'utf8')) as readonly Wanted[]

export function arrayOf(file: string): ReturnType<typeof readArray> {
  const files = diskFiles()
  files.allow(path.dirname(file))
  return readArray(quickFiles(files.roots()), { file })
}

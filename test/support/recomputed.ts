// Dumps recomputed inline, and the results that the real framework gave in doubles.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Candidate, msprobe, Shared, wholeOf } from '../../main/engine/formats/index.ts'
import { diskFiles, quickFiles } from '../../main/engine/io/index.ts'
import type { Dump } from '../../main/engine/model/index.ts'
import {
  type DirectionAnswer,
  type ExactArray,
  recomputeDump,
  type RecomputeOptions,
} from '../../main/engine/recompute/index.ts'
import { readArray } from '../../main/engine/recompute/read.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { job } from '../../main/engine/work/index.ts'
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

export async function openForRecompute(folder: string): Promise<Opened> {
  const files = diskFiles()
  files.allow(folder)
  const place = await msprobe.find(new Candidate(files, folder, 'folder'), job())
  if (!place) throw new Error(`no dump in ${folder}`)
  const ports = { files, cacheDir: '', rules: 'plumbline', shared: new Shared(), partial: false } as const
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

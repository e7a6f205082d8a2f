// Pairs among rounding with two healthy runs beside them, dumped by the real tool; for stories, too, which know no engine.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

export type Content = Readonly<Record<string, string>>

/** Folders /debug, /bench, /twin-debug and /twin-bench. */
export function twinDumps(name: string): Content {
  const file = path.join(import.meta.dirname, '..', 'fixtures', 'twins', `${name}.json.gz`)
  return z.record(z.string(), z.string()).parse(JSON.parse(gunzipSync(readFileSync(file)).toString()))
}

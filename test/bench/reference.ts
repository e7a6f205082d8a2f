// Pairs of dumps of 20,000 calls, and msprobe 1.2.2 to measure against where it is installed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bigDump } from './big-dump.ts'
import { Timed } from './case.ts'

export interface Pair {
  readonly debug: string
  readonly bench: string
  readonly folder: string
}

/** About 20,000 calls a side: 18 MB of dump.json. */
const bytes = 18_000_000

export function made(framework: 'pt' | 'ms'): Pair {
  const base = process.env['PLUMBLINE_BENCH_TMP'] ?? tmpdir()
  mkdirSync(base, { recursive: true })
  const folder = mkdtempSync(path.join(base, 'compare-'))
  const [debug, bench] = ['w_qkv1', 'none'].map(
    fault => bigDump(`${framework}_tr_${fault}_statistics_mix`, bytes, true).folder,
  )
  return { debug, bench, folder }
}
export const gone = ({ folder }: Pair): void => rmSync(folder, { recursive: true, force: true })

/** PLUMBLINE_MSPROBE: a Python in whose environment mindstudio-probe 1.2.2 is installed. */
export const python = process.env['PLUMBLINE_MSPROBE'] ?? ''
export const noReference = (): string =>
  python === ''
    ? 'PLUMBLINE_MSPROBE names no Python with mindstudio-probe 1.2.2'
    : existsSync(python)
      ? ''
      : `${python} does not exist`

/** The command line as it is shipped. */
export const cli = path.resolve('out/main/cli.js')
export async function buildOnce(): Promise<void> {
  const { build } = (await import(/* @vite-ignore */ pathToFileURL(path.resolve('.ci/build.mjs')).href)) as {
    build(): void
  }
  build()
}

export function timed(program: string, args: readonly string[]): Timed<true> {
  const used = ofChildren()
  const began = performance.now()
  execFileSync(program, args, { stdio: 'ignore' })
  const seconds = (performance.now() - began) / 1e3
  return new Timed(seconds, true, used === undefined ? undefined : (ofChildren() ?? used) - used)
}

/** Seconds that ended processes of this one took of the processor; Linux alone tells. */
function ofChildren(): number | undefined {
  const stat = '/proc/self/stat'
  if (!existsSync(stat)) return undefined
  const fields = readFileSync(stat, 'utf8').split(') ')[1].split(' ')
  // Behind the name: state, then the fields from the fourth on; user and system time in ticks of 10 ms.
  return (Number(fields[13]) + Number(fields[14])) / 100
}

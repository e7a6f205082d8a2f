// Whole commands over pairs of dumps that grow: processor time per megabyte and memory as curves.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bigDump } from './big-dump.ts'
import { type Case, curve, type Point } from './case.ts'
import { buildOnce, cli } from './reference.ts'

const base = process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench')

/** What a process has used, written when it ends: no other process can ask for its peak. */
const told = `
const { isMainThread } = require('node:worker_threads')
if (isMainThread) process.on('exit', () => {
  const fs = require('node:fs')
  const { user, system } = process.cpuUsage()
  const peak = fs.existsSync('/proc/self/status')
    ? Number(/VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1])
    : process.resourceUsage().maxRSS
  fs.writeFileSync(process.env.PLUMBLINE_BENCH_TOLD, JSON.stringify({ processor: (user + system) / 1e6, peakBytes: peak * 1024 }))
})`

async function measured(megabytes: number, words: readonly string[]): Promise<Point> {
  await buildOnce()
  const [debug, bench] = ['w_qkv1', 'none'].map(fault =>
    bigDump(`pt_tr_${fault}_statistics_mix`, megabytes * 1e6, true),
  )
  mkdirSync(base, { recursive: true })
  const folder = mkdtempSync(path.join(base, 'growth-'))
  try {
    const hook = path.join(folder, 'told.cjs')
    const answer = path.join(folder, 'told.json')
    writeFileSync(hook, told)
    const [verb, ...rest] = words
    const out = ['-o', path.join(folder, 'out')]
    const began = performance.now()
    execFileSync(
      process.execPath,
      ['--require', hook, cli, verb, debug.folder, bench.folder, ...(verb === 'advise' ? [] : out), ...rest],
      { stdio: 'ignore', env: { ...process.env, PLUMBLINE_BENCH_TOLD: answer } },
    )
    const seconds = (performance.now() - began) / 1e3
    const used = JSON.parse(readFileSync(answer, 'utf8')) as Pick<Point, 'processor' | 'peakBytes'>
    return { megabytes: statSync(debug.dump).size / 1e6, seconds, ...used }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const growth = (name: string, ...words: readonly string[]): Case =>
  curve({
    name: `growth: ${name}`,
    sizes: [10, 40, 160],
    large: [500, 1000, 2000],
    within: 1.5,
    measure: megabytes => measured(megabytes, words),
  })

export default [
  growth('compare to xlsx, with advice', 'compare'),
  growth('compare to Parquet, with advice', 'compare', '--format', 'parquet'),
  growth('advise', 'advise'),
  growth('graph to .vis', 'graph'),
] satisfies Case[]

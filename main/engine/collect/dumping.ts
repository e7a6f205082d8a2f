// What is checked once task and level are known: together, and against the framework and how it executes.
import type { Span } from '../model/index.ts'
import type { Reading } from './reading.ts'
import { onlyLoads } from './load.ts'
import type { Value } from './python-json.ts'
import { isGraph, isMindspore, taskRows } from './schema.ts'
import { scopeFindings } from './scope.ts'

const moduleLevels: readonly string[] = ['L0', 'mix']

export function dumpingFindings(reading: Reading): void {
  const { target, task, say, root } = reading
  const at = reading.top('task') ?? root
  if (task === 'run_ut' || task === 'acc_check') {
    say(at, 'error', 'task-not-collecting', { task })
    return
  }
  const path = reading.top('dump_path')
  const missing = task === 'grad_probe' ? path === undefined || path.kind === 'null' : !path?.truthy
  if (missing && !(target.version === '26' && !isMindspore(target.mode) && onlyLoads(reading)))
    say(path ?? root, 'error', 'needed', { key: 'dump_path' })
  if (task === 'grad_probe') return
  asyncFindings(reading)
  const written = reading.level
  if (task === 'structure' && !moduleLevels.includes(written)) {
    reading.level = 'mix'
    say(reading.top('level') ?? at, 'warning', 'level-changed', { level: written, used: 'mix' })
  }
  if (isMindspore(target.mode)) mindsporeFindings(reading, written, at)
  else torchFindings(reading, at)
}

const saysMd5 = (value: Value | undefined, lists: boolean): boolean =>
  (value?.kind === 'text' && value.text === 'md5') ||
  (lists && value?.kind === 'list' && value.items.some(one => one.kind === 'text' && one.text === 'md5'))

function asyncFindings(reading: Reading): void {
  const { target, task, level, say } = reading
  const asked = reading.top('async_dump')
  if (!asked?.truthy || asked.kind !== 'bool' || target.version === '1.0') return
  const newest = target.version === '26'
  const list = reading.key('list')
  if (task === 'tensor' && !list?.truthy && !(newest && level === 'debug'))
    say(list ?? asked, 'error', 'async-list', {})
  const summary = reading.key('summary_mode')
  if (newest && saysMd5(summary, isMindspore(target.mode))) say(summary ?? asked, 'error', 'async-md5', {})
  else say(asked, 'warning', 'async-memory', {})
}

function l2Findings(reading: Reading, at: Span): void {
  const { say, task, target } = reading
  const scope = reading.key('scope')
  const list = reading.key('list')
  if (target.version === '1.0' && !isMindspore(target.mode)) {
    const [name] = scope?.kind === 'list' ? scope.items : []
    if (scope?.kind !== 'list' || scope.items.length !== 1 || name?.kind !== 'text')
      say(scope ?? at, 'error', 'l2-scope-one', {})
    else if (name?.text.includes('backward') && !reading.key('backward_input')?.truthy)
      say(name, 'error', 'needed', { key: `${task}.backward_input` })
    return
  }
  const tensorsOnly = target.version === '26' || isMindspore(target.mode)
  if (tensorsOnly && task !== 'tensor') say(at, 'error', 'l2-task', {})
  if (scope?.truthy) say(scope, 'error', 'l2-scope', {})
  if (list?.items.length !== 1) say(list ?? reading.top('level') ?? at, 'error', 'l2-list', {})
}

function torchFindings(reading: Reading, at: Span): void {
  const { target, task, level, say } = reading
  if (task === 'nan_check') {
    if (level !== 'L1')
      say(reading.top('level') ?? at, 'error', 'level-of-task', { task, level, allowed: 'L1' })
    const modes = reading.texts('data_mode')
    if (modes.includes('input') && !modes.includes('output') && !modes.includes('all'))
      say(reading.key('data_mode') ?? at, 'error', 'nan-output', {})
  }
  if (level === 'L2') l2Findings(reading, at)
  const bench = reading.key('bench_path')
  if (target.version === '26' && task === 'tensor' && bench?.kind === 'text')
    if (bench.truthy) say(bench, 'note', 'needs-path', { key: 'tensor.bench_path', path: bench.text })
    else say(bench, 'error', 'needed', { key: 'tensor.bench_path' })
  scopeFindings(reading, level)
  const seed = target.version === '1.0' ? reading.top('seed') : undefined
  if (seed?.kind === 'int' && !(seed.number >= 0 && seed.number < 2 ** 32))
    say(seed, 'error', 'out-of-range', { key: 'seed', found: seed.text, range: '0 … 2^32 - 1' })
}

/** Names of kernels, by which a graph is dumped: no name of an API among them. */
function namesKernels(reading: Reading): boolean {
  const entries = reading.texts('list')
  return (
    entries.length === 0 ||
    entries.some(one => one.startsWith('name-regex')) ||
    entries.every(one => !one.includes('.'))
  )
}

function mindsporeFindings(reading: Reading, written: string, at: Span): void {
  const { target, task, level } = reading
  const graph = isGraph(target.mode)
  if (target.version === '26') {
    if (level === 'L2') badRegex(reading)
    if (level === 'L2') graphFindings(reading, 'L2', at)
    else if (graph) graphFindings(reading, written, at)
    else serviceFindings(reading, at)
    return
  }
  const kernels = written === 'L2' && (target.version === '1.0' || namesKernels(reading))
  if (!graph && task !== 'free_benchmark' && !kernels) {
    if (level === 'L2') l2Findings(reading, at)
    serviceFindings(reading, at)
  } else graphFindings(reading, written, at)
}

function badRegex(reading: Reading): void {
  for (const item of reading.key('list')?.items ?? []) {
    const pattern = /^name-regex\(([^]*)\)$/.exec(item.text)?.[1]
    if (pattern === undefined) continue
    try {
      RegExp(pattern)
    } catch {
      reading.say(item, 'error', 'bad-regex', { name: item.text })
    }
  }
}

/** Step by step: calls are hooked as they come. */
function serviceFindings(reading: Reading, at: Span): void {
  const { task, level, say } = reading
  if (task === 'exception_dump') say(at, 'error', 'level-of-task', { task, level, allowed: 'L2' })
  scopeFindings(reading, level)
}

/** The framework's own dump is set up, or calls are perturbed: both are chosen by level and mode. */
function graphFindings(reading: Reading, level: string, at: Span): void {
  const { target, task, say } = reading
  const newest = target.version === '26'
  const row = taskRows.find(one => one.task === task)
  if (task === 'structure') {
    say(at, 'error', 'task-of-mode', { task })
    return
  }
  if (task === 'free_benchmark') {
    const perApi = level !== 'L0' && level !== 'L2'
    if (isGraph(target.mode)) say(at, 'error', 'task-of-mode', { task })
    else if (!perApi)
      say(reading.top('level') ?? at, 'error', 'level-of-task', { task, level, allowed: 'L1' })
    return
  }
  const allowed = allowedLevels(reading, task)
  if (allowed.length === 0 || row === undefined) {
    say(at, 'error', 'task-of-mode', { task })
    return
  }
  if (!allowed.includes(level))
    say(reading.top('level') ?? at, 'error', 'level-of-mode', { level, allowed: allowed.join(', ') })
  if (task === 'overflow_check' || task === 'exception_dump') return
  const modes = newest && level === 'L0' ? ['all', 'forward', 'backward'] : ['all', 'input', 'output']
  const value = reading.key('data_mode')
  const said = reading.texts('data_mode')
  if (value?.truthy && (said.length !== 1 || !modes.includes(said[0])))
    say(value, 'error', 'mode-of-data', { found: value.text, choices: modes.join(', ') })
  if (newest && level === 'L0' && isGraph(target.mode)) cellDump(reading)
}

function allowedLevels({ target }: Reading, task: string): readonly string[] {
  const { version, mode } = target
  if (task === 'overflow_check') return mode === 'graph-o2' ? ['L2'] : []
  if (task === 'exception_dump') return mode === 'graph-o2' ? [] : ['L2']
  return version === '26' && mode === 'graph-o0' ? ['L0', 'L2'] : ['L2']
}

/** Cells of a graph are all dumped: what would choose among them is refused. */
function cellDump(reading: Reading): void {
  const rank = reading.top('rank')
  if (rank?.truthy) reading.say(rank, 'error', 'cell-dump-strict', { key: 'rank' })
  for (const key of ['scope', 'list']) {
    const value = reading.key(key)
    if (value?.truthy) reading.say(value, 'error', 'cell-dump-strict', { key })
  }
  const summary = reading.key('summary_mode')
  if (reading.task === 'statistics' && saysMd5(summary, false))
    reading.say(summary ?? reading.root, 'error', 'cell-dump-strict', { key: 'summary_mode: md5' })
}

// npm run bench: every case of test/bench, ours and a plain baseline in turns, and whether the ratio is
// reached.
// Options: --only <text>, --json, --electron (Electron's Node instead of this one), --list, --large (curves up
// to 2 GB), --against <file of --json> (what moved), --draw <file of --json> (only its curves, as pictures)
import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { packages, setUp } from './setup.mjs'

const root = path.resolve(import.meta.dirname, '..')
const out = path.join(root, 'node_modules', '.cache', `bench-${process.pid}`)

// ---------------------------------------- this process

async function main(args) {
  const flag = name => args.includes(name)
  const value = name => (flag(name) ? (args[args.indexOf(name) + 1] ?? '') : '')
  const only = value('--only')
  const json = flag('--json')
  const before = value('--against') ? stored(value('--against')) : null
  if (flag('--draw')) return (await import('./curves.mjs')).draw(stored(value('--draw')))
  const say = text => (json ? process.stderr : process.stdout).write(`${text}\n`)
  packages()
  const runtime = flag('--electron')
    ? await electron()
    : { execPath: process.execPath, env: {}, name: `Node ${process.versions.node}` }

  const bundles = await bundle()
  const cases = []
  for (const file of bundles) {
    const { default: list } = await import(pathToFileURL(file).href)
    list.forEach((item, index) => {
      if (item.name.includes(only))
        cases.push({ file, index, name: item.name, window: item.window, large: flag('--large') })
    })
  }
  if (flag('--list')) {
    rmSync(out, { recursive: true, force: true })
    return cases.forEach(c => say(c.name))
  }

  if (cases.some(c => c.window)) setUp()
  const width = Math.max(10, ...cases.map(c => c.name.length))
  say(`${runtime.name}, ${availableParallelism()} cores`)
  say(
    `${'case'.padEnd(width)}  ${['ours', 'baseline', 'ratio', 'target'].map(t => t.padStart(10)).join('')}  pass`,
  )
  const results = []
  for (const item of cases) {
    let result = await run(item, runtime)
    if (!result.pass && !result.missing) {
      const again = await run(item, runtime)
      result = { ...(again.pass ? again : result), repeated: true }
    }
    results.push({ case: item.name, ...result })
    say(line(item.name, width, result))
  }
  if (before) for (const moved of changes(before.results, results)) say(moved)
  if (json) process.stdout.write(`${JSON.stringify({ version: 2, ...here(runtime), results }, null, 1)}\n`)
  rmSync(out, { recursive: true, force: true })
  const failed = results.filter(r => !r.pass && !r.missing)
  if (failed.length > 0) say(`\n${failed.length} below target: ${failed.map(r => r.case).join(', ')}`)
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** What figures belong to. */
const here = runtime => ({
  plumbline: JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version,
  runtime: runtime.name,
  machine: {
    processor: cpus()[0]?.model.trim() ?? '',
    cores: availableParallelism(),
    gigabytes: Math.round(totalmem() / 2 ** 30),
    system: process.platform,
  },
  load: Number(loadavg()[0].toFixed(1)),
})

function stored(file) {
  const found = JSON.parse(readFileSync(file, 'utf8'))
  if (found.version === 2) return found
  process.stderr.write(`${file} was not written by this version's --json\n`)
  process.exit(2)
}

/** Smaller changes are what two runs of one program differ by. */
const noise = 0.1

/** What each case came to before and now, where that differs. */
function changes(before, now) {
  const known = new Map(before.map(result => [result.case, result]))
  const moved = now.flatMap(result => {
    const [then, value] = [known.get(result.case)?.figure, result.figure]
    if (then === undefined || value === undefined) return []
    const by = value / then - 1
    if (Math.abs(by) < noise) return []
    return [
      `${result.case}: ${short(then)} → ${short(value)} ${result.unit} (${by > 0 ? '+' : ''}${Math.round(by * 100)} %)`,
    ]
  })
  return ['', moved.length > 0 ? 'moved by 10 % and more:' : 'nothing moved by 10 %', ...moved]
}

const short = value => Number(value.toPrecision(3))

function line(name, width, r) {
  const cells = r.missing ? ['-', '-', '-', '-'] : [r.ours, r.baseline, r.ratio, r.target]
  const verdict = r.missing
    ? `not run: ${r.missing}`
    : `${r.pass ? 'yes' : 'NO'}${r.repeated ? ' (second try)' : ''}${r.why ? ` ${r.why}` : ''}`
  return `${name.padEnd(width)}  ${cells.map(c => String(c ?? '-').padStart(10)).join('')}  ${verdict}`
}

/** Bundles every bench file, and the engine's thread entry beside them, once per run. */
async function bundle() {
  const { build } = await import('vite')
  const { default: asc } = await import('./asc-plugin.mjs')
  const dir = path.join(root, 'test', 'bench')
  const names = readdirSync(dir).filter(name => name.endsWith('.bench.ts'))
  const worker = path.join(root, 'main', 'worker.ts')
  const input = Object.fromEntries([
    ...names.map(name => [name.slice(0, -3), path.join(dir, name)]),
    ...(existsSync(worker) ? [['worker', worker]] : []),
  ])
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [asc()],
    build: {
      ssr: true,
      outDir: out,
      minify: false,
      target: 'node20',
      rolldownOptions: { external: ['@duckdb/node-api'], input, output: { entryFileNames: '[name].js' } },
    },
  })
  return names.map(name => path.join(out, `${name.slice(0, -3)}.js`))
}

async function electron() {
  const { findElectron } = await import('./electron.mjs')
  const found = findElectron()
  if (found.missing) {
    process.stderr.write(`${found.missing}\n`)
    process.exit(2)
  }
  return {
    execPath: found.path,
    env: { ELECTRON_RUN_AS_NODE: '1' },
    name: `Electron as Node (${path.basename(path.dirname(found.path))})`,
  }
}

/** One case in a process of its own: no case warms or spoils another. */
async function run(item, runtime) {
  const first = await inChild(item, 'case', runtime)
  if (first.is !== 'memory') return first
  const idle = (await inChild(item, 'idle', runtime)).peak
  const ours = (await inChild(item, 'ours', runtime)).peak - idle
  const baseline = first.baseline ? (await inChild(item, 'baseline', runtime)).peak - idle : undefined
  const { megabytes, part } = first.target
  const pass = megabytes !== undefined ? ours <= megabytes * 1e6 : ours <= part * baseline
  return {
    pass,
    ours: mb(ours),
    baseline: baseline === undefined ? '-' : mb(baseline),
    ratio: baseline === undefined ? '-' : (ours / baseline).toFixed(2),
    figure: ours / 1e6,
    unit: 'MB',
    target: megabytes !== undefined ? `≤ ${megabytes} MB` : `≤ ${part}`,
  }
}

function inChild(item, what, { execPath, env }) {
  return new Promise((resolve, reject) => {
    const process_ = fork(
      import.meta.filename,
      ['--case', item.file, String(item.index), what, String(item.large)],
      {
        execPath,
        execArgv: ['--expose-gc', '--max-old-space-size=6000'],
        env: { ...process.env, ...env, PLUMBLINE_BENCH_TMP: path.join(tmpdir(), 'plumbline-bench') },
        stdio: ['ignore', 2, 2, 'ipc'],
      },
    )
    let answer
    process_.on('message', message => {
      answer = message
    })
    process_.on('error', reject)
    process_.on('exit', code => resolve(answer ?? { pass: false, why: `ended with ${code}` }))
  })
}

// ---------------------------------------- the child process

async function child(file, index, what, large) {
  const { default: list } = await import(pathToFileURL(file).href)
  const item = list[index]
  let answer
  try {
    answer = await (what === 'case' ? asked(item, large) : peak(item, what))
  } catch (error) {
    answer = { pass: false, why: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) }
  }
  process.send(answer, () => process.exit(0))
}

async function asked(item, large) {
  const missing = (await item.missing?.()) ?? ''
  if (missing) return { pass: false, missing }
  if (item.is === 'memory') return { is: 'memory', target: item.target, baseline: Boolean(item.baseline) }
  if (item.is === 'works') {
    const why = await item.run()
    return { pass: why === '', why, ratio: why === '' ? 'yes' : 'no', target: 'yes' }
  }
  if (item.is === 'bound') {
    const value = await item.measure()
    return {
      pass: value <= item.bound,
      ours: `${value.toFixed(1)} ms`,
      figure: value,
      unit: 'ms',
      target: `≤ ${item.bound} ms`,
      why: `(load ${loadavg()[0].toFixed(1)})`,
    }
  }
  return item.is === 'curve' ? grown(item, large) : timed(item)
}

/** Time per megabyte at the largest size against the smallest of all, and memory per megabyte. */
async function grown(item, large) {
  const points = []
  for (const size of large ? [...item.sizes, ...item.large] : item.sizes)
    points.push(await item.measure(size))
  const rates = points.map(({ processor, megabytes }) => processor / megabytes)
  const ratio = rates.at(-1) / Math.min(...rates)
  const last = points.at(-1)
  return {
    pass: ratio <= item.within,
    ours: `${last.processor.toFixed(1)} s`,
    baseline: `${Math.round(last.megabytes)} MB`,
    ratio: ratio.toFixed(2),
    figure: rates.at(-1) * 1e3,
    unit: 'ms/MB',
    target: `≤ ${item.within}`,
    why: `(peak ${mb(last.peakBytes)}, load ${loadavg()[0].toFixed(1)})`,
    points,
  }
}

async function peak(item, what) {
  if (what !== 'idle') await item[what]()
  return { peak: peakBytes() }
}

/** Linux counts the parent's memory at the fork into maxRSS; its own peak stands in /proc. */
function peakBytes() {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const kibibytes = /VmHWM:\s+(\d+)/.exec(status)?.[1]
  return (kibibytes ? Number(kibibytes) : process.resourceUsage().maxRSS) * 1024
}

const shortest = 0.03

async function timed(item) {
  const input = await item.make()
  try {
    // Warm-up, and how often a fast side must run to be measured at all.
    const warm = {}
    for (const side of ['ours', 'baseline']) {
      const first = await once(item, side, input, 1)
      const times = first.own
        ? 1
        : Math.max(1, Math.min(1000, Math.ceil(shortest / Math.max(first.seconds, 1e-6))))
      warm[side] = { times, answer: first.answer }
      if (times > 1) await once(item, side, input, Math.ceil(times / 2))
    }
    const right = item.same(warm.ours.answer, warm.baseline.answer)
    warm.ours.answer = warm.baseline.answer = undefined
    const best = { ours: Infinity, baseline: Infinity }
    const processor = { ours: Infinity, baseline: Infinity }
    for (let round = 0; round < (item.rounds ?? 5); round++)
      for (const side of ['ours', 'baseline']) {
        const one = await once(item, side, input, warm[side].times)
        best[side] = Math.min(best[side], one.seconds)
        processor[side] = Math.min(processor[side], one.processor ?? Infinity)
      }
    const ratio = best.baseline / best.ours
    const said = [`best of ${item.rounds ?? 5} by ${item.clock === 'cpu' ? 'processor time' : 'the clock'}`]
    if (processor.ours < Infinity)
      said.push(
        `processor ${ms(processor.ours)} to ${ms(processor.baseline)}, ${(processor.baseline / processor.ours).toFixed(2)}`,
      )
    return {
      pass: right && ratio >= item.target,
      why: right ? `(${[...said, `load ${loadavg()[0].toFixed(1)}`].join('; ')})` : 'the answers differ',
      ours: ms(best.ours),
      baseline: ms(best.baseline),
      ratio: ratio.toFixed(2),
      figure: ratio,
      unit: 'times',
      target: `≥ ${item.target}`,
    }
  } finally {
    await item.done?.(input)
  }
}

async function once(item, side, input, times) {
  globalThis.gc?.()
  const cpu = process.cpuUsage()
  const wall = performance.now()
  let answer
  for (let i = 0; i < times; i++) answer = await item[side](input)
  const used = process.cpuUsage(cpu)
  const seconds = item.clock === 'cpu' ? (used.user + used.system) / 1e6 : (performance.now() - wall) / 1e3
  const own = answer !== null && typeof answer === 'object' && 'seconds' in answer && 'answer' in answer
  return own
    ? { own, seconds: answer.seconds, answer: answer.answer, processor: answer.processor }
    : { own, seconds: seconds / times, answer }
}

const mb = bytes => `${(bytes / 1e6).toFixed(1)} MB`
const ms = seconds => `${(seconds * 1e3).toFixed(seconds < 0.01 ? 3 : 1)} ms`

if (process.send && process.argv[2] === '--case')
  await child(process.argv[3], Number(process.argv[4]), process.argv[5], process.argv[6] === 'true')
else await main(process.argv.slice(2))

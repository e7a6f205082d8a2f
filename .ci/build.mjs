// Builds the app when a source is newer than the last build.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './electron.mjs'
import { run, say } from './setup.mjs'

const stamp = path.join(root, 'out', 'sources')
const sources = [
  'main',
  'preload',
  'renderer',
  'resources',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  '.ci/asc-plugin.mjs',
  '.ci/notices-plugin.mjs',
  '.ci/sqlite-plugin.mjs',
  '.ci/duckdb-plugin.mjs',
]

/** Two test processes may ask for it at once: the second waits and finds it done. */
export function build() {
  mkdirSync(path.dirname(lock), { recursive: true })
  while (!taken()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  // A failing build ends the process.
  const release = () => rmSync(lock, { recursive: true, force: true })
  process.once('exit', release)
  buildIfStale()
  process.off('exit', release)
  release()
}

const lock = path.join(root, 'node_modules', '.cache', 'build-lock')

/** The lock holds the number of the process that builds; one that died counts no more. */
function taken() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (!alive(Number(existsSync(lock) && readFileSync(lock, 'utf8'))))
      rmSync(lock, { recursive: true, force: true })
    return false
  }
}

function alive(pid) {
  try {
    return pid === 0 || process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function buildIfStale() {
  const now = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  say('Building …')
  run(process.execPath, [
    path.join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
    'build',
    '--logLevel',
    'warn',
  ])
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, now)
}

/** Names, sizes and times of everything that goes into a build. */
function fingerprint() {
  const hash = createHash('sha256')
  const walk = file => {
    const at = statSync(path.join(root, file), { throwIfNoEntry: false })
    if (!at || file.endsWith('.tsbuildinfo')) return
    if (at.isDirectory())
      for (const name of readdirSync(path.join(root, file)).sort()) walk(`${file}/${name}`)
    else hash.update(`${file} ${at.size} ${at.mtimeMs}\n`)
  }
  for (const file of sources) walk(file)
  return hash.digest('hex')
}

if (process.argv[1] === import.meta.filename) build()

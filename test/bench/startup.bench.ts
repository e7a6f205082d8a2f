// Start-up of the real app under a virtual screen: to a usable first window, and to the sample on screen. The
// baseline is a bare Electron window.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { _electron } from '@playwright/test'
import { time, Timed } from './case.ts'

const root = process.cwd()
/** The scripts find the repository by their own place, so they are loaded from there and not bundled. */
const script = (name: string): Promise<never> =>
  import(/* @vite-ignore */ pathToFileURL(path.join(root, '.ci', name)).href) as Promise<never>

interface Stage {
  readonly executablePath: string
  readonly flags: readonly string[]
  readonly bare: string
  readonly folder: string
  stop(): void
}

async function stage(): Promise<Stage> {
  const { findElectron, electronFlags } = (await script('electron.mjs')) as {
    findElectron(): { path: string }
    electronFlags: string[]
  }
  const { build } = (await script('build.mjs')) as { build(): void }
  const { virtualDisplay } = (await script('display.mjs')) as { virtualDisplay(): Promise<() => void> }
  build()
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-startup-'))
  const bare = path.join(folder, 'bare.cjs')
  writeFileSync(
    bare,
    "const { app, BrowserWindow } = require('electron')\napp.whenReady().then(() => new BrowserWindow({ width: 1520, height: 940 }).loadURL('data:text/html,<p>bare</p>'))\n",
  )
  return {
    executablePath: findElectron().path,
    flags: electronFlags,
    bare,
    folder,
    stop: process.platform === 'linux' ? await virtualDisplay() : () => {},
  }
}

async function once(
  { executablePath, flags, folder }: Stage,
  args: readonly string[],
  usable: () => boolean,
): Promise<number> {
  const data = mkdtempSync(path.join(folder, 'data-'))
  const began = performance.now()
  const app = await _electron.launch({ executablePath, args: [...flags, `--user-data-dir=${data}`, ...args] })
  const page = await app.firstWindow()
  await page.waitForFunction(usable)
  const seconds = (performance.now() - began) / 1e3
  await app.close()
  return seconds
}

const isPage = (): boolean => document.readyState === 'complete'
const isEmpty = (): boolean => document.querySelector('[data-testid="open-sample"]') !== null
const hasRows = (): boolean =>
  Number(document.querySelector('[data-testid="grid"][data-rows]')?.getAttribute('data-rows') ?? 0) > 0 &&
  document.querySelectorAll('[role="gridcell"]').length > 10

/** The first call warms the disk; after that a side is the median of five. */
function median(measure: (stage: Stage) => Promise<number>): (stage: Stage) => Promise<Timed<true>> {
  let warm = false
  return async on => {
    const times: number[] = []
    for (let i = 0; i < (warm ? 5 : 1); i++) times.push(await measure(on))
    warm = true
    return new Timed(times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN, true)
  }
}

const startup = (name: string, target: number, args: readonly string[], usable: () => boolean) =>
  time<Stage, true>({
    name: `startup: ${name}, median of 5`,
    target,
    clock: 'wall',
    rounds: 1,
    window: true,
    missing: () => (process.versions['electron'] === undefined ? '' : 'needs plain Node'),
    make: stage,
    ours: median(on => once(on, [root, '--', ...args], usable)),
    baseline: median(on => once(on, [on.bare], isPage)),
    same: (a, b) => a && b,
    done: on => {
      on.stop()
      rmSync(on.folder, { recursive: true, force: true, maxRetries: 10 })
    },
  })

export default [
  startup('cold start to a usable window', 0.4, [], isEmpty),
  startup(
    'cold start to the sample on screen',
    0.25,
    ['debug', 'bench'].map(side => path.join(root, 'resources', 'sample', side)),
    hasRows,
  ),
]

// The running app in software rendering: frames while panning, zooming and scrolling, time to the next frame,
// one selection for all views.
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { _electron, type Page } from '@playwright/test'
import type { Plumbline } from '../support/names.ts'
import { bound, random, works, type Case } from './case.ts'

declare global {
  interface Window {
    readonly plumbline: Plumbline
  }
}

const root = process.cwd()
/** The scripts find the repository by their own place, so they are loaded from there and not bundled. */
const script = (name: string): Promise<never> =>
  import(/* @vite-ignore */ pathToFileURL(path.join(root, '.ci', name)).href) as Promise<never>

// ---------------------------------------- inputs

const cache = path.join(process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench'), 'app')
const version = 1

interface Op {
  readonly name: string
  readonly parent: string | null
  readonly items: number
}

/** A pair of dumps, written once per machine: the bench side has the same file but for its own name. */
function pairOf(name: string, ops: () => Iterable<Op>): [string, string] {
  const folder = path.join(cache, `${name}-${version}`)
  const [debug, bench] = [path.join(folder, 'debug'), path.join(folder, 'bench')]
  if (existsSync(folder)) return [debug, bench]
  const made = `${folder}.${process.pid}`
  for (const side of ['debug', 'bench']) {
    mkdirSync(path.join(made, side), { recursive: true })
    write(path.join(made, side), ops(), side === 'debug' ? 1 : 1.0625)
  }
  try {
    renameSync(made, folder)
  } catch {
    rmSync(made, { recursive: true, force: true })
  }
  return [debug, bench]
}

function write(folder: string, ops: Iterable<Op>, factor: number): void {
  const file = openSync(path.join(folder, 'dump.json'), 'w')
  const next = random(7)
  const tensor = (): string => {
    const far = next() < 0.02 ? factor : 1
    const max = next() * 4 + 1
    return `{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [4, 128], "Max": ${(max * far).toFixed(6)}, "Min": ${(-max).toFixed(6)}, "Mean": ${(max / 9).toFixed(6)}, "Norm": ${(max * 11 * far).toFixed(6)}, "requires_grad": false}`
  }
  const construct: string[] = []
  let text = '{"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": null, "data": {'
  let first = true
  for (const { name, parent, items } of ops) {
    construct.push(`${JSON.stringify(name)}: ${JSON.stringify(parent)}`)
    if (items > 0) {
      text += `${first ? '' : ', '}${JSON.stringify(name)}: {"input_args": [${Array.from({ length: items - 1 }, tensor).join(', ')}], "input_kwargs": {}, "output": [${tensor()}]}`
      first = false
    }
    if (text.length > 1 << 20) {
      writeSync(file, text)
      text = ''
    }
  }
  writeSync(file, `${text}}}`)
  closeSync(file)
  writeFileSync(path.join(folder, 'construct.json'), `{${construct.join(', ')}}`)
  writeFileSync(path.join(folder, 'stack.json'), '{}')
}

/** One module of 10,000 calls between two small ones. */
function* wideOps(): Generator<Op> {
  yield { name: 'Module.model.Model.forward.0', parent: null, items: 2 }
  for (const [module, calls] of [
    ['before', 3],
    ['wide', 10_000],
    ['after', 3],
  ] as const) {
    const name = `Module.model.${module}.Block.forward.0`
    yield { name, parent: 'Module.model.Model.forward.0', items: 2 }
    for (let i = 0; i < calls; i++)
      yield { name: `Functional.${module}_op.${i}.forward`, parent: name, items: 2 }
  }
}

/** 200,000 nodes and a million tensors in layers. */
function* largeOps(): Generator<Op> {
  yield { name: 'Module.model.Model.forward.0', parent: null, items: 0 }
  for (let layer = 0, call = 0; layer < 2000; layer++) {
    const block = `Module.model.layers.${layer}.Block.forward.0`
    yield { name: block, parent: 'Module.model.Model.forward.0', items: 5 }
    for (let i = 0; i < 99; i++)
      yield {
        name: `Functional.${['linear', 'softmax', 'gelu', 'layer_norm'][i % 4]}.${call++}.forward`,
        parent: block,
        items: 5,
      }
  }
}

const wide = (): [string, string] => pairOf('wide', wideOps)
const large = (): [string, string] => pairOf('large', largeOps)
const wideNode = 'Module.model.wide.Block.forward.0'

// ---------------------------------------- the app

export async function inApp<T>(paths: readonly string[], act: (page: Page) => Promise<T>): Promise<T> {
  const { findElectron, electronFlags } = (await script('electron.mjs')) as {
    findElectron(): { path: string }
    electronFlags: string[]
  }
  const { build } = (await script('build.mjs')) as { build(): void }
  const { virtualDisplay } = (await script('display.mjs')) as { virtualDisplay(): Promise<() => void> }
  build()
  const stop = process.platform === 'linux' ? await virtualDisplay() : () => {}
  const data = mkdtempSync(path.join(tmpdir(), 'plumbline-bench-app-'))
  const app = await _electron.launch({
    executablePath: findElectron().path,
    args: [...electronFlags, '--disable-gpu', `--user-data-dir=${data}`, root, '--', ...paths],
  })
  try {
    const page = await app.firstWindow()
    await page.waitForFunction(() => 'plumbline' in window)
    await page.evaluate(() => window.plumbline.idle())
    await page.evaluate(watch)
    return await act(page)
  } finally {
    await app.close()
    stop()
    rmSync(data, { recursive: true, force: true, maxRetries: 10 })
  }
}

export interface Watched {
  longest: number
  frames: number[]
  recording: boolean
  taken: Promise<number>
}
/** In the page: gaps between frames while recording, and the longest task. */
function watch(): void {
  const watched: Watched = { longest: 0, frames: [], recording: false, taken: Promise.resolve(0) }
  ;(window as unknown as { watched: Watched }).watched = watched
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) watched.longest = Math.max(watched.longest, duration)
  }).observe({ type: 'longtask' })
  let last = 0
  const tick = (now: number): void => {
    if (watched.recording && last > 0) watched.frames.push(now - last)
    last = watched.recording ? now : 0
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
}

const idle = (page: Page): Promise<void> => page.evaluate(() => window.plumbline.idle())
const run = (page: Page, id: string): Promise<void> =>
  page.evaluate(command => window.plumbline.run(command), id)
const part = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN
const graph = '[data-testid="graph-debug"]:not([data-panel])'

/** The 95th percentile of the gaps between frames while something is done. */
async function frames(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const { watched } = window as unknown as { watched: Watched }
    watched.frames = []
    watched.recording = true
  })
  await act()
  return part(
    await page.evaluate(() => {
      const { watched } = window as unknown as { watched: Watched }
      watched.recording = false
      return watched.frames
    }),
    0.95,
  )
}

const longest = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { watched: Watched }).watched.longest)

async function selectWide(page: Page): Promise<void> {
  await run(page, 'close-all')
  await run(page, 'find')
  await page.keyboard.type(wideNode)
  await page.waitForSelector('[role="option"]')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await idle(page)
  await page.focus(graph)
}

/** From a key press to the frame in which everything named shows something else than before. */
async function pressed(page: Page, key: string, what: 'boxes' | 'selection'): Promise<number> {
  await page.evaluate(of => {
    const { watched } = window as unknown as { watched: Watched }
    const read = (id: string, attribute: string): string =>
      document.querySelector(`[data-testid="${id}"]:not([data-panel])`)?.getAttribute(attribute) ?? ''
    const shown = (): string[] =>
      of === 'boxes'
        ? [read('graph-debug', 'data-boxes')]
        : [
            read('graph-debug', 'data-selected'),
            read('graph-bench', 'data-selected'),
            read('inspector', 'data-node'),
            read('inspector', 'data-items-of'),
            document.querySelector('.ag-row[aria-selected="true"]')?.getAttribute('data-row') ?? '',
          ]
    const before = shown()
    let from = 0
    window.addEventListener(
      'keydown',
      () => {
        from = performance.now()
      },
      { capture: true, once: true },
    )
    watched.taken = new Promise(resolve => {
      const look = (): void => {
        const now = shown()
        // After a frame with it has been handed over.
        if (from > 0 && now.every((one, at) => one !== before[at] && one !== ''))
          setTimeout(() => resolve(performance.now() - from), 0)
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  }, what)
  await page.keyboard.press(key)
  const ms = await page.evaluate(() => (window as unknown as { watched: Watched }).watched.taken)
  await idle(page)
  return ms
}

const toggled = (page: Page): Promise<number> => pressed(page, 'Enter', 'boxes')

async function opened(page: Page): Promise<void> {
  await selectWide(page)
  await toggled(page)
}

async function panned(page: Page, key: 'Control' | null): Promise<void> {
  const box = await page.locator(graph).boundingBox()
  if (!box) throw new Error('no graph')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  if (key) await page.keyboard.down(key)
  for (let i = 0; i < 90; i++) await page.mouse.wheel(0, key ? (i % 30 < 15 ? 20 : -20) : 60)
  if (key) await page.keyboard.up(key)
}

/**
 * Steps over nodes: until both graphs, the head and the items of the inspector, and the table show the other
 * one.
 */
async function selections(page: Page): Promise<number> {
  await run(page, 'first-failing')
  await idle(page)
  await page.focus(graph)
  const times: number[] = []
  for (let i = 0; i < 24; i++)
    times.push(await pressed(page, i % 12 < 6 ? 'ArrowDown' : 'ArrowUp', 'selection'))
  return part(times, 0.5)
}

/** Scrolls the table by so many pixels a frame. */
async function scrolled(page: Page, by: number): Promise<void> {
  await page.evaluate(
    step =>
      new Promise<void>(resolve => {
        const pane = document.querySelector('.table')
        if (!pane) throw new Error('nothing to scroll')
        let left = 120
        const tick = (): void => {
          pane.scrollTop += step
          if (--left > 0) requestAnimationFrame(tick)
          else resolve()
        }
        requestAnimationFrame(tick)
      }),
    by,
  )
}

interface Standing {
  readonly first: number
  readonly last: number
  /** Pixels of the whole table above the view, and below it. */
  readonly above: number
  readonly below: number
  /** A row that shows another one's number; '' for none. */
  readonly wrong: string
}

/** Where the table stands once nothing moves any more. */
const standing = (page: Page): Promise<Standing> =>
  page.evaluate(async () => {
    const table = document.querySelector<HTMLElement>('.table')
    const head = document.querySelector('.ag-header')
    const grid = document.querySelector('.ag-grid-viewport')
    if (!table || !head || !grid) throw new Error('no table')
    const look = (): Standing => {
      const { top } = grid.getBoundingClientRect()
      const [upper, lower] = [top + head.clientHeight, top + grid.clientHeight]
      const boxes = [...table.querySelectorAll<HTMLElement>('.ag-row')]
        .map(row => ({
          at: Number(row.dataset['row']),
          says: row.querySelector('[col-id="row"]')?.textContent ?? '',
          box: row.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.bottom > upper + 0.5 && box.top < lower - 0.5)
        .toSorted((a, b) => a.at - b.at)
      const [first, last] = [boxes[0], boxes.at(-1)]
      if (!first || !last) throw new Error('no rows in view')
      const total = Number(grid.getAttribute('aria-rowcount')) - 2
      return {
        first: first.at,
        last: last.at,
        above: upper - first.box.top + first.at * first.box.height,
        below: (total - 1 - last.at) * last.box.height + last.box.bottom - lower,
        wrong:
          boxes
            .filter(({ at, says }) => says !== String(at + 1))
            .map(({ at, says }) => `${at}: ${says}`)[0] ?? '',
      }
    }
    let before = ''
    for (let still = 0; still < 10;) {
      await window.plumbline.idle()
      const now = JSON.stringify(look())
      still = now === before ? still + 1 : 0
      before = now
    }
    return look()
  })

/** Wheel, scrollbar and keys at both ends and in the middle of a million rows; says what went wrong. */
async function roamed(page: Page): Promise<string> {
  const table = page.locator('.table')
  const box = await table.boundingBox()
  if (!box) return 'no table'
  const bar = box.x + box.width - 5
  const [upper, lower] = [box.y + 70, box.y + box.height - 12]
  const faults: string[] = []
  const expectTo = (what: string, stands: Standing, holds: boolean): void => {
    if (!holds || stands.wrong !== '') faults.push(`${what}: ${JSON.stringify(stands)}`)
  }
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1.5
  const turn = async (what: string, by: number): Promise<void> => {
    await page.mouse.move(box.x + box.width / 2, (upper + lower) / 2)
    const before = await standing(page)
    for (let i = 0; i < 5; i++) await page.mouse.wheel(0, by / 5)
    const after = await standing(page)
    const most = after.above + after.below
    expectTo(what, after, near(after.above, Math.max(0, Math.min(most, before.above + by))))
  }
  const dragged = async (from: number, to: number): Promise<Standing> => {
    await page.mouse.move(bar, from)
    await page.mouse.down()
    await page.mouse.move(bar, (from + to) / 2, { steps: 8 })
    await page.mouse.move(bar, to, { steps: 8 })
    await page.mouse.up()
    return standing(page)
  }
  const pressed_ = async (key: string): Promise<Standing> => {
    await page.keyboard.press(key)
    return standing(page)
  }

  await page.focus('.ag-grid-viewport')
  const end = await pressed_('End')
  expectTo('End', end, near(end.below, 0))
  await turn('wheel up from the end', -500)
  await turn('wheel down to the end', 5000)
  const home = await pressed_('Home')
  expectTo('Home', home, home.first === 0 && near(home.above, 0))
  await turn('wheel down from the start', 500)
  await turn('wheel up to the start', -5000)
  const middle = await dragged(box.y + 8, (box.y + box.height) / 2 + box.y / 2)
  const part = middle.above / (middle.above + middle.below)
  expectTo('scrollbar to the middle', middle, part > 0.35 && part < 0.65)
  await turn('wheel down in the middle', 1000)
  await turn('wheel up in the middle', -1000)
  const bottom = await dragged((box.y + box.height) / 2 + box.y / 2, box.y + box.height + 200)
  expectTo('scrollbar to the end', bottom, near(bottom.below, 0))
  await turn('wheel up after the scrollbar', -500)
  const page_ = await pressed_('Home').then(() => pressed_('PageDown'))
  expectTo('PageDown', page_, page_.last > 0 && page_.last < 200)
  return faults.join('\n')
}

async function searched(page: Page): Promise<number> {
  await run(page, 'find')
  for (const text of ['softmax', '19999', 'layers.1234', 'gelu.1', 'nowhere_to_be_found']) {
    await page.getByTestId('search').fill(text)
    await page.waitForFunction(
      wanted => (window.plumbline.state()['find'] as { text: string }).text === wanted,
      text,
    )
    await idle(page)
  }
  return page.evaluate(() => window.plumbline.meter()['search']?.slowest ?? NaN)
}

const repeat = async (times: number, once: () => Promise<number>): Promise<number[]> => {
  const all: number[] = []
  for (let i = 0; i < times; i++) all.push(await once())
  return all
}

/** 33 ms: every other picture of a screen of 60 Hz. */
const twoFrames = 33.4
const missing = (): string => (process.versions['electron'] === undefined ? '' : 'needs plain Node')
const app = (
  name: string,
  most: number,
  paths: () => [string, string],
  act: (page: Page) => Promise<number>,
): Case => bound({ name: `app: ${name}`, bound: most, missing, measure: () => inApp(paths(), act) })

export default [
  app('10,000 children opened, median to the next frame', 100, wide, async page => {
    await selectWide(page)
    return part(
      (await repeat(16, () => toggled(page))).filter((_, i) => i % 2 === 0),
      0.5,
    )
  }),
  app('10,000 children closed, median to the next frame', 100, wide, async page => {
    await selectWide(page)
    return part(
      (await repeat(16, () => toggled(page))).filter((_, i) => i % 2 === 1),
      0.5,
    )
  }),
  app('pan over 10,000 children, p95 frame', twoFrames, wide, async page => {
    await opened(page)
    return frames(page, () => panned(page, null))
  }),
  app('zoom over 10,000 children, p95 frame', twoFrames, wide, async page => {
    await opened(page)
    return frames(page, () => panned(page, 'Control'))
  }),
  app('one selection in all views, 200,000 nodes, median', 50, large, selections),
  app('1,000,000 rows, slow scroll, p95 frame', twoFrames, large, page =>
    frames(page, () => scrolled(page, 40)),
  ),
  app('1,000,000 rows, a page a frame, p95 frame', 100, large, page =>
    frames(page, () => scrolled(page, 600)),
  ),
  works({
    name: 'app: 1,000,000 rows, wheel, scrollbar and keys at both ends and in the middle',
    window: true,
    missing,
    run: () => inApp(large(), roamed),
  }),
  app('search over 200,000 names, slowest', 100, large, searched),
  app('longest task: open, pan, zoom 10,000 children', 50, wide, async page => {
    await opened(page)
    await panned(page, null)
    await panned(page, 'Control')
    await toggled(page)
    return longest(page)
  }),
  app('longest task: select, scroll, search a million rows', 50, large, async page => {
    await selections(page)
    await scrolled(page, 40)
    await searched(page)
    return longest(page)
  }),
] satisfies readonly Case[]

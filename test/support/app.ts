// Verbs of a person in the real app: start it with a life of its own, drop folders on it, click, press keys,
// look, kill its engine.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  _electron,
  expect,
  test as base,
  type ElectronApplication,
  type Locator,
  type Page,
  type TestInfo,
} from '@playwright/test'
import { electronFlags, findElectron, root } from '../../.ci/electron.mjs'
import type { Bridge } from '../../preload/contract/host.ts'
import {
  say,
  type FactsOf,
  type PlainKey,
  type Language,
  type WordKey,
} from '../../preload/contract/words/index.ts'
import { fixturesRoot } from './fixtures.ts'
import { familyOf } from './processes.ts'
import type { Plumbline } from './names.ts'

declare global {
  interface Window {
    readonly host: Bridge
    readonly plumbline: Plumbline
  }
}

interface StartOptions {
  readonly paths?: readonly string[]
  /** A user-data folder of an earlier start; a fresh one when left out. */
  readonly data?: string
  readonly env?: Readonly<Record<string, string>>
}

export class App {
  readonly electron: ElectronApplication
  readonly page: Page
  readonly data: string
  #closed = false

  constructor(electron: ElectronApplication, page: Page, data: string) {
    this.electron = electron
    this.page = page
    this.data = data
  }

  static async start({
    paths = [],
    data = mkdtempSync(path.join(tmpdir(), 'plumbline-app-')),
    env = {},
  }: StartOptions = {}): Promise<App> {
    const found = findElectron()
    if ('missing' in found) throw new Error(found.missing)
    const electron = await _electron.launch({
      executablePath: found.path,
      args: [...electronFlags, `--user-data-dir=${data}`, '--lang=en', root, '--', ...paths],
      env: { ...(process.env as Record<string, string>), ...env },
    })
    const app = new App(electron, await electron.firstWindow(), data)
    try {
      await app.page.waitForFunction(() => 'plumbline' in window)
      await app.idle()
      return app
    } catch (error) {
      await app.close()
      throw new Error(`the window did not come up; its log:\n${app.log()}`, { cause: error })
    }
  }

  /** Until no job, call or frame is pending. */
  async idle(): Promise<void> {
    await this.page.evaluate(() => window.plumbline.idle())
  }

  /** By data-testid; the library of the panes puts its own on its frames. */
  id(testId: string): Locator {
    return this.page.locator(`[data-testid="${testId}"]:not([data-panel])`)
  }

  button(key: PlainKey, language: Language = 'en'): Locator {
    return this.page.getByRole('button', { name: say(language, key), exact: true })
  }

  sees<Key extends WordKey>(key: Key, ...facts: FactsOf<Key>): Locator {
    return this.page.getByText(say('en', key, ...facts), { exact: true })
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
    await this.idle()
  }

  /** Types where the focus is, and waits for what follows from the last letter. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
    await this.idle()
  }

  /** Drops, and waits for what follows. */
  async drop(paths: readonly string[], on?: Locator): Promise<void> {
    await this.letGo(paths, on)
    await this.idle()
  }

  /** A drag from outside that ends on the target: the page gets a trusted event with real paths. */
  async letGo(paths: readonly string[], on: Locator = this.page.locator('body')): Promise<void> {
    const box = await on.boundingBox()
    if (!box) throw new Error('nothing to drop on')
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const data = { items: [], files: [...paths], dragOperationsMask: 1 }
    const session = await this.page.context().newCDPSession(this.page)
    const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
      session.send('Input.dispatchDragEvent', { type, ...at, data })
    // A drop counts only where the answer to an earlier move has come: real drags move all the time.
    const moves = await this.page.evaluateHandle(() => {
      const seen = { count: 0 }
      window.addEventListener('dragover', () => seen.count++, { capture: true })
      return seen
    })
    await send('dragEnter')
    do await send('dragOver')
    while ((await moves.evaluate(({ count }) => count)) < 3)
    await send('drop')
    await moves.dispose()
    await session.detach()
  }

  /** Clicks an entry of the system's menu by the id of its command. */
  async menu(id: string): Promise<void> {
    // The window hears of the click over a line of its own, which may be slower than Playwright's.
    const heard = await this.page.evaluateHandle(command => {
      const heardOf = new Promise<void>(resolve => {
        const stop = window.host.onEvent(event => {
          if (event.is !== 'command' || event.id !== command) return
          stop()
          resolve()
        })
      })
      return { heardOf }
    }, id)
    await this.electron.evaluate(({ Menu, BrowserWindow }, wanted) => {
      const item = Menu.getApplicationMenu()?.getMenuItemById(wanted)
      if (!item) throw new Error(`no menu entry ${wanted}`)
      item.click(undefined, BrowserWindow.getAllWindows()[0], undefined)
    }, id)
    await heard.evaluate(({ heardOf }) => heardOf)
    await heard.dispose()
    await this.idle()
  }

  async resize(width: number, height: number): Promise<void> {
    await this.electron.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
      { width, height },
    )
    await expect.poll(() => this.page.evaluate(() => innerWidth)).toBe(width)
    await this.idle()
  }

  /** The file dialogs answer with these paths from now on; an empty list is a dialog that was left. */
  async answerDialogs(paths: readonly string[]): Promise<void> {
    await this.electron.evaluate(
      ({ dialog }, answer) => {
        dialog.showOpenDialog = async () => ({ canceled: answer.length === 0, filePaths: answer })
        dialog.showSaveDialog = async () => ({ canceled: answer.length === 0, filePath: answer[0] ?? '' })
      },
      [...paths],
    )
  }

  async enginePid(): Promise<number> {
    const pid = await this.electron.evaluate(
      ({ app }) => app.getAppMetrics().find(({ name }) => name === 'Plumbline engine')?.pid,
    )
    if (pid === undefined) throw new Error('no engine process')
    return pid
  }

  /** Starts the app a second time beside this one; resolves with the exit code of the second. */
  async startAgain(paths: readonly string[]): Promise<number | null> {
    const found = findElectron()
    if ('missing' in found) throw new Error(found.missing)
    const second = spawn(
      found.path,
      [...electronFlags, `--user-data-dir=${this.data}`, root, '--', ...paths],
      { stdio: 'ignore' },
    )
    return new Promise(resolve => second.once('exit', resolve))
  }

  /** Ends the engine as a crash would, and waits for its successor. */
  async killEngine(): Promise<void> {
    const old = await this.enginePid()
    process.kill(old, 'SIGKILL')
    await expect.poll(() => this.enginePid().catch(() => old)).not.toBe(old)
    await this.idle()
  }

  /** Ends the whole app as a crash would; its folder is free afterwards. */
  async kill(): Promise<void> {
    const process = this.electron.process()
    const gone = new Promise(resolve => process.once('exit', resolve))
    process.kill('SIGKILL')
    await gone
  }

  log(): string {
    const file = path.join(this.data, 'logs', 'plumbline.log')
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  /** The app's process and all below it. */
  pids(): readonly number[] {
    const top = this.electron.process().pid
    if (top === undefined) return []
    return familyOf(top)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.electron.close()
  }

  async keepEvidence(info: TestInfo, name: string): Promise<void> {
    if (!this.#closed) await this.page.screenshot({ path: info.outputPath(`${name}.png`) }).catch(() => {})
    writeFileSync(info.outputPath(`${name}.log`), this.log())
  }
}

/** `start` opens the app as often as a story needs; all are closed afterwards. */
export const test = base.extend<{ start: (options?: StartOptions) => Promise<App> }>({
  // Playwright finds out by the pattern that nothing else is needed.
  // oxlint-disable-next-line no-empty-pattern
  start: async ({}, use, info) => {
    const apps: App[] = []
    await use(async options => {
      const app = await App.start(options)
      apps.push(app)
      return app
    })
    for (const [i, app] of apps.entries()) {
      if (info.status !== info.expectedStatus) await app.keepEvidence(info, `app-${i}`)
      await app.close()
      rmSync(app.data, { recursive: true, force: true })
    }
  },
})

export { expect } from '@playwright/test'

export const dump = (name: string): string => path.join(fixturesRoot(), 'dumps', name)

/** Statistics of a transformer; on the debug side one attention has other weights. */
export const usualPair = [dump('pt_tr_w_qkv1_statistics_mix'), dump('pt_tr_none_statistics_mix')] as [
  string,
  string,
]

/** A folder for one story. */
export const scratch = (): string => mkdtempSync(path.join(tmpdir(), 'plumbline-story-'))

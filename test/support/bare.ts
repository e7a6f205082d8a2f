// The app started as a person starts it, watched over Chromium's own port: for the packaged app, and where
// Playwright's hold would be in the way.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { electronFlags } from '../../.ci/electron.mjs'
import { familyOf } from './processes.ts'
import type { Plumbline } from './names.ts'

export class BareApp {
  readonly data: string
  readonly #process: ChildProcess
  readonly #line: string

  constructor(process: ChildProcess, line: string, data: string) {
    this.#process = process
    this.#line = line
    this.data = data
  }

  static async start(program: string, args: readonly string[]): Promise<BareApp> {
    const data = mkdtempSync(path.join(tmpdir(), 'plumbline-bare-'))
    const [before, after] = args.includes('--')
      ? [args.slice(0, args.indexOf('--')), args.slice(args.indexOf('--'))]
      : [args, []]
    const app = spawn(
      program,
      [...electronFlags, ...before, `--user-data-dir=${data}`, '--remote-debugging-port=0', ...after],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const line = await new Promise<string>((resolve, reject) => {
      let said = ''
      app.stderr.on('data', (bytes: Buffer) => {
        said += bytes.toString()
        const found = /DevTools listening on (ws:\S+)/.exec(said)
        if (found?.[1]) resolve(found[1])
      })
      app.once('exit', code => reject(new Error(`ended with ${code}:\n${said}`)))
    })
    return new BareApp(app, line, data)
  }

  /** The app's process and those that it started. */
  pids(): readonly number[] {
    return this.#process.pid === undefined ? [] : familyOf(this.#process.pid)
  }

  get running(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null
  }

  /** Looks at the page for a moment; each look is a connection of its own. */
  async look<T>(see: (page: Page) => Promise<T>): Promise<T> {
    const browser = await chromium.connectOverCDP(this.#line)
    try {
      const page = browser.contexts()[0]?.pages()[0]
      if (!page) throw new Error('no window')
      return await see(page)
    } finally {
      await browser.close()
    }
  }

  async idle(): Promise<void> {
    await this.look(async page => {
      await page.waitForFunction(() => 'plumbline' in window)
      await page.evaluate(() => (window as unknown as { plumbline: Plumbline }).plumbline.idle())
    })
  }

  async stop(): Promise<void> {
    const gone = this.running
      ? new Promise(resolve => this.#process.once('exit', resolve))
      : Promise.resolve()
    this.#process.kill()
    await gone
    rmSync(this.data, { recursive: true, force: true, maxRetries: 5 })
  }
}

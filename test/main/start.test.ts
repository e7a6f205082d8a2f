// What goes wrong while the app starts is said to the user: no silent process without a window.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'

/** What was shown in a box of the system, and how the app was ended. */
let boxes: string[]
let ended: string[]
let handlers: Map<string, (error: Error) => void>

beforeEach(() => {
  boxes = []
  ended = []
  handlers = new Map()
  vi.spyOn(process, 'on').mockImplementation((event, tell) => {
    handlers.set(String(event), tell as (error: Error) => void)
    return process
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

/** Starts main with a system that does nothing, but for what goes wrong in it. */
async function start(wrong: { readonly guard?: () => void; readonly window?: () => never }): Promise<void> {
  const data = temporaryFolder()
  let started: Promise<unknown> = Promise.resolve()
  const ready = Object.assign(Promise.resolve(), {
    // Looks at how the start ends, so that its failure is seen here and not by the runner.
    // oxlint-disable-next-line no-thenable
    then: (...given: Parameters<Promise<void>['then']>) => {
      const next = Promise.prototype.then.apply(ready, given)
      started = next.catch(() => {})
      return next
    },
  })
  vi.doMock('electron', () => ({
    app: {
      isPackaged: false,
      commandLine: { hasSwitch: () => true, appendSwitch() {}, getSwitchValue: () => '' },
      getPath: () => data,
      getAppPath: () => data,
      getVersion: () => '0.0.0',
      getLocale: () => 'en',
      getPreferredSystemLanguages: () => ['en'],
      requestSingleInstanceLock: () => true,
      whenReady: () => ready,
      on() {},
      quit: () => ended.push('quit'),
      exit: () => ended.push('exit'),
    },
    dialog: { showErrorBox: (_title: string, text: string) => boxes.push(text) },
    nativeTheme: { on() {}, themeSource: 'system', shouldUseDarkColors: false },
    session: { defaultSession: {} },
    MessageChannelMain: function MessageChannelMain() {},
    utilityProcess: { fork: () => ({ stdout: null, stderr: null, once() {}, postMessage() {}, kill() {} }) },
  }))
  vi.doMock('../../main/sealed.ts', () => ({ sealNode() {} }))
  vi.doMock('../../main/offline.ts', () => ({
    closeNetwork() {},
    guardContents() {},
    guardSession: () => wrong.guard?.(),
    home: 'app://home',
  }))
  vi.doMock('../../main/host.ts', () => ({ answerWindow() {}, perform: {} }))
  vi.doMock('../../main/window.ts', () => ({
    keepFramesShort() {},
    languageOf: () => 'en',
    systemLanguage: () => 'en',
    showMenu() {},
    toPage() {},
    tell() {},
    createWindow: () => wrong.window?.() ?? { isDestroyed: () => false, loadURL: () => Promise.resolve() },
  }))
  await import('../../main/index.ts')
  await started
  // Whoever looks after a failed start comes after it.
  await new Promise(resolve => {
    setImmediate(resolve)
  })
}

test('a fault before the settings are read is told like any other', async () => {
  let thrown: unknown = null
  await start({
    guard: () => {
      try {
        handlers.get('uncaughtException')?.(new Error('early'))
      } catch (error) {
        thrown = error
      }
    },
  })
  expect(String(thrown)).toBe('null')
  expect(boxes).toHaveLength(1)
})

test('a start that fails is told, and the app ends', async () => {
  await start({
    window: () => {
      throw new Error('no window')
    },
  })
  expect(boxes).toHaveLength(1)
  expect(ended.length).toBeGreaterThan(0)
})

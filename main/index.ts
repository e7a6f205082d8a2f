// Starts the app: arguments, single instance, and the wiring of window, engine process, host, menu and
// offline guard.
import path from 'node:path'
import {
  app,
  dialog,
  MessageChannelMain,
  nativeTheme,
  session,
  utilityProcess,
  type BrowserWindow,
} from 'electron'
import type { EngineState } from '../preload/contract/host.ts'
import { enginePort } from '../preload/contract/host.ts'
import { say } from '../preload/contract/words/index.ts'
import { commandWords, pathsIn, wiretaps } from './arguments.ts'
import { type DraftStore, openDrafts } from './drafts.ts'
import { superviseEngine, type EngineChild, type EngineProcess } from './engine-process.ts'
import { answerWindow, perform } from './host.ts'
import { openLog, type Log } from './log.ts'
import { closeNetwork, guardContents, guardSession, home } from './offline.ts'
import { sealNode } from './sealed.ts'
import { openSettings, type SettingsStore } from './settings.ts'
import {
  createWindow,
  keepFramesShort,
  languageOf,
  showMenu,
  systemLanguage,
  tell,
  toPage,
} from './window.ts'

const words = commandWords(process.argv)
const wiretap = app.isPackaged && wiretaps.find(name => app.commandLine.hasSwitch(name))
const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
const paths = pathsIn(process.argv, process.cwd(), app.isPackaged)

/** macOS names what was dropped on the icon before the app is ready; from then on `openNamed` gets it. */
const namedEarly: string[] = []
let openNamed = (file: string): void => void namedEarly.push(file)
app.on('open-file', (event, file) => {
  event.preventDefault()
  openNamed(file)
})

sealNode({ programs: true })
closeNetwork(devServer)
keepFramesShort()
// As root Chromium runs without its own sandbox only; the page is isolated from Node either way.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()

if (wiretap) refuseSwitch(wiretap)
else if (words) void runCommandLine(words)
else if (!app.requestSingleInstanceLock({ paths })) app.quit()
else void app.whenReady().then(start)

/** Chromium looks at its switches after this, so that no port was open for a moment either. */
function refuseSwitch(name: string): void {
  process.stderr.write(`${say(systemLanguage(), 'dialog.switch', { name })}\n`)
  app.exit(2)
}

/**
 * A packaged app cannot be run as plain Node, so its command line lives in here: no window, no graphics, no
 * second instance to meet.
 */
async function runCommandLine(given: readonly string[]): Promise<void> {
  app.disableHardwareAcceleration()
  process.argv = [process.execPath, app.getAppPath(), ...given]
  await import('./cli.ts')
  app.exit(Number(process.exitCode ?? 0))
}

/** Everything that main works with once the window is there. */
interface Shell {
  readonly log: Log
  readonly settings: SettingsStore
  readonly drafts: DraftStore
  readonly window: BrowserWindow
}

function start(): void {
  const data = app.getPath('userData')
  const log = openLog(path.join(data, 'logs'))
  log.info(
    `Plumbline ${app.getVersion()}, Electron ${process.versions.electron}, ${process.platform} ${process.arch}`,
  )
  // Until the settings are read the system's language has to do.
  let language = systemLanguage
  process.on('uncaughtException', error => {
    log.error('main', error)
    dialog.showErrorBox('Plumbline', say(language(), 'dialog.fault'))
  })
  process.on('unhandledRejection', error => log.error('main', error))
  try {
    guardSession(session.defaultSession, path.join(import.meta.dirname, '../renderer'), devServer, log)
    guardContents(devServer, log)
    const settings = openSettings(path.join(data, 'settings.json'), log)
    language = () => languageOf(settings.now)
    const drafts = openDrafts(path.join(data, 'mappings'))
    openWindow({ log, settings, drafts, window: createWindow(settings, log) })
  } catch (error) {
    // An app without a window could not even be closed.
    log.error('start', error)
    dialog.showErrorBox('Plumbline', say(language(), 'dialog.fault'))
    app.exit(1)
  }
}

function openWindow(shell: Shell): void {
  const { window, settings, drafts } = shell
  let disabled: ReadonlySet<string> = new Set()
  let engineState: EngineState = 'starting'
  const engine = engineFor(shell, (state, attempt) => {
    engineState = state
    tell(window, { is: 'engine', state, attempt })
  })
  const open = (more: readonly string[]): void => {
    if (more.length > 0) tell(window, { is: 'paths', paths: more })
  }
  const drawMenu = (): void =>
    showMenu(settings.now, disabled, {
      command: id =>
        Object.hasOwn(perform, id)
          ? perform[id as keyof typeof perform](shell)
          : tell(window, { is: 'command', id }),
      change: patch => settings.change(patch),
      open,
    })
  answerWindow({
    ...shell,
    paths: [...paths, ...namedEarly],
    sample: samplePaths(),
    devServer,
    connectEngine: () => engine.connect(),
    restartEngine: () => engine.restart(),
    disable: commands => {
      disabled = new Set(commands)
      drawMenu()
    },
    engineState: () => engineState,
  })
  followSettings(shell, drawMenu)
  drawMenu()
  openWhatIsAskedFor(window, open)
  app.on('window-all-closed', () => app.quit())
  leaveInOrder(settings.flush, () => Promise.all([engine.stop(), drafts.settled()]))
  void window.loadURL(devServer ?? home)
}

function samplePaths(): readonly string[] {
  const samples = app.isPackaged
    ? path.join(process.resourcesPath, 'sample')
    : path.join(app.getAppPath(), 'resources', 'sample')
  return ['debug', 'bench'].map(side => path.join(samples, side))
}

/** The engine process, started again when it dies; each time the window gets a line of its own. */
function engineFor(
  { window, log }: Shell,
  tellState: (state: EngineState, attempt: number) => void,
): EngineProcess {
  return superviseEngine({
    fork: () => forkEngine(text => log.warn(`engine: ${text}`)),
    join: child => {
      const { port1, port2 } = new MessageChannelMain()
      child.postMessage({ is: 'line' }, [port1])
      toPage(window, contents => contents.postMessage(enginePort, null, [port2]))
    },
    // It may be held by work that no signal of politeness reaches.
    end: child => void (child.pid === undefined ? child.kill() : process.kill(child.pid, 'SIGKILL')),
    tell: tellState,
    note: text => log.error(text),
    now: () => performance.now(),
    after: (ms, run) => void setTimeout(run, ms),
  })
}

/** Theme and zoom follow the settings; menu and window are told of what they show. */
function followSettings({ window, settings }: Shell, drawMenu: () => void): void {
  let shown = ''
  const tellWindow = (): void =>
    tell(window, { is: 'settings', settings: settings.now, dark: nativeTheme.shouldUseDarkColors })
  settings.onChange(now => {
    nativeTheme.themeSource = now.theme
    if (window.isDestroyed()) return
    if (window.webContents.getZoomFactor() !== now.zoom) window.webContents.setZoomFactor(now.zoom)
    const { bounds: _bounds, layout: _layout, folder: _folder, ...inMenu } = now
    if (JSON.stringify(inMenu) === shown) return
    shown = JSON.stringify(inMenu)
    drawMenu()
    tellWindow()
  })
  nativeTheme.on('updated', tellWindow)
}

/** Files that come from a second start or from the system's file manager. */
function openWhatIsAskedFor(window: BrowserWindow, open: (paths: readonly string[]) => void): void {
  app.on('second-instance', (_event, _argv, _cwd, more) => {
    if (window.isMinimized()) window.restore()
    window.focus()
    const asked =
      typeof more === 'object' && more !== null && 'paths' in more && Array.isArray(more.paths)
        ? more.paths
        : []
    open(asked.filter(item => typeof item === 'string'))
  })
  openNamed = file => open([file])
}

function forkEngine(complain: (text: string) => void): EngineChild {
  const child = utilityProcess.fork(
    path.join(import.meta.dirname, 'utility.js'),
    [path.join(app.getPath('userData'), 'dumps')],
    { serviceName: 'Plumbline engine', stdio: 'pipe' },
  )
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => complain(data.toString('utf8').trim().slice(0, 4000)))
  return child as EngineChild
}

/** The engine leaves before the app does, so that nothing half-written stays behind. */
function leaveInOrder(flush: () => void, end: () => Promise<unknown>): void {
  let left = false
  app.on('will-quit', event => {
    flush()
    if (left) return
    event.preventDefault()
    // Quitting again from inside this event would be lost.
    void end().then(() => {
      left = true
      setImmediate(() => app.quit())
    })
  })
}

// Starts the app: arguments, single instance, and the wiring of window, engine process, host, menu and offline guard.
import path from 'node:path'
import { app, dialog, MessageChannelMain, nativeTheme, session, utilityProcess } from 'electron'
import type { EngineState } from '../preload/contract/host.ts'
import { enginePort } from '../preload/contract/host.ts'
import { say } from '../preload/contract/words/index.ts'
import { commandWords, pathsIn } from './arguments.ts'
import { superviseEngine, type EngineChild, type EngineProcess } from './engine-process.ts'
import { answerWindow, perform } from './host.ts'
import { openLog } from './log.ts'
import { closeNetwork, guardContents, guardSession, home } from './offline.ts'
import { sealNode } from './sealed.ts'
import { openSettings } from './settings.ts'
import { createWindow, keepFramesShort, languageOf, showMenu, tell } from './window.ts'

const words = commandWords(process.argv)
const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
const paths = pathsIn(process.argv, process.cwd(), app.isPackaged)

sealNode()
closeNetwork(devServer)
keepFramesShort()
// As root Chromium runs without its own sandbox only; the page is isolated from Node either way.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()

if (words) void runCommandLine(words)
else if (!app.requestSingleInstanceLock({ paths })) app.quit()
else void app.whenReady().then(start)

/** A packaged app cannot be run as plain Node, so its command line lives in here: no window, no graphics, no second instance to meet. */
async function runCommandLine(given: readonly string[]): Promise<void> {
  app.disableHardwareAcceleration()
  process.argv = [process.execPath, app.getAppPath(), ...given]
  await import('./cli.ts')
  app.exit(Number(process.exitCode ?? 0))
}

function start(): void {
  const data = app.getPath('userData')
  const log = openLog(path.join(data, 'logs'))
  log.info(`Plumbline ${app.getVersion()}, Electron ${process.versions.electron}, ${process.platform} ${process.arch}`)
  process.on('uncaughtException', error => {
    log.error('main', error)
    dialog.showErrorBox('Plumbline', say(languageOf(settings.now), 'dialog.fault'))
  })
  process.on('unhandledRejection', error => log.error('main', error))

  guardSession(session.defaultSession, path.join(import.meta.dirname, '../renderer'), devServer, log)
  guardContents(devServer, log)

  const settings = openSettings(path.join(data, 'settings.json'), log)
  const samples = app.isPackaged ? path.join(process.resourcesPath, 'sample') : path.join(app.getAppPath(), 'resources', 'sample')
  const sample = ['debug', 'bench'].map(side => path.join(samples, side))
  const window = createWindow(settings, log)
  let disabled: ReadonlySet<string> = new Set()
  let engineState: EngineState = 'starting'

  const engine = superviseEngine({
    fork: () => forkEngine(text => log.warn(`engine: ${text}`)),
    join: child => {
      const { port1, port2 } = new MessageChannelMain()
      child.postMessage({ is: 'line' }, [port1])
      window.webContents.postMessage(enginePort, null, [port2])
    },
    tell: (state, attempt) => {
      engineState = state
      tell(window, { is: 'engine', state, attempt })
    },
    note: text => log.error(text),
    now: () => performance.now(),
    after: (ms, run) => void setTimeout(run, ms),
  })

  const open = (more: readonly string[]): void => {
    if (more.length > 0) tell(window, { is: 'paths', paths: more })
  }
  const drawMenu = (): void => showMenu(settings.now, disabled, {
    command: id => (Object.hasOwn(perform, id) ? perform[id as keyof typeof perform]({ window, log, settings }) : tell(window, { is: 'command', id })),
    change: patch => settings.change(patch),
    open,
  })

  answerWindow({
    window, settings, log, paths, sample, devServer,
    connectEngine: () => engine.connect(),
    disable: commands => { disabled = new Set(commands); drawMenu() },
    engineState: () => engineState,
  })

  let shown = ''
  settings.onChange(now => {
    nativeTheme.themeSource = now.theme
    if (window.isDestroyed()) return
    if (window.webContents.getZoomFactor() !== now.zoom) window.webContents.setZoomFactor(now.zoom)
    const { bounds: _bounds, layout: _layout, folder: _folder, ...inMenu } = now
    if (JSON.stringify(inMenu) === shown) return
    shown = JSON.stringify(inMenu)
    drawMenu()
    tell(window, { is: 'settings', settings: now, dark: nativeTheme.shouldUseDarkColors })
  })
  nativeTheme.on('updated', () => tell(window, { is: 'settings', settings: settings.now, dark: nativeTheme.shouldUseDarkColors }))
  drawMenu()

  app.on('second-instance', (_event, _argv, _cwd, more) => {
    if (window.isMinimized()) window.restore()
    window.focus()
    const asked = typeof more === 'object' && more !== null && 'paths' in more && Array.isArray(more.paths) ? more.paths : []
    open(asked.filter(item => typeof item === 'string'))
  })
  app.on('open-file', (_event, file) => open([file]))
  app.on('window-all-closed', () => app.quit())
  leaveInOrder(engine, settings.flush)

  void window.loadURL(devServer ?? home)
}

function forkEngine(complain: (text: string) => void): EngineChild {
  const child = utilityProcess.fork(path.join(import.meta.dirname, 'utility.js'), [path.join(app.getPath('userData'), 'dumps')], { serviceName: 'Plumbline engine', stdio: 'pipe' })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => complain(data.toString('utf8').trim().slice(0, 4000)))
  return child as EngineChild
}

/** The engine leaves before the app does, so that nothing half-written stays behind. */
function leaveInOrder(engine: EngineProcess, flush: () => void): void {
  let left = false
  app.on('will-quit', event => {
    flush()
    if (left) return
    event.preventDefault()
    // Quitting again from inside this event would be lost.
    void engine.stop().then(() => { left = true; setImmediate(() => app.quit()) })
  })
}


// The one window: bounds that persist, theme, zoom, menu, and a page without Node.
import path from 'node:path'
import { app, BrowserWindow, Menu, nativeTheme, screen, type WebContents } from 'electron'
import type { HostEvent, Settings } from '../preload/contract/host.ts'
import { eventChannel } from '../preload/contract/host.ts'
import type { Language } from '../preload/contract/words/index.ts'
import type { Log } from './log.ts'
import { menuTemplate, type MenuActions } from './menu.ts'
import { home } from './offline.ts'
import type { SettingsStore } from './settings.ts'

export const systemLanguage = (): Language =>
  (app.getPreferredSystemLanguages()[0] ?? app.getLocale()).toLowerCase().startsWith('zh') ? 'zh' : 'en'

export const languageOf = (settings: Settings): Language =>
  settings.language === 'system' ? systemLanguage() : settings.language

const smallest = { minWidth: 1024, minHeight: 640 } as const
/** The canvas colour of the theme, so that the first frame does not flash. */
const canvas = { light: '#f6f7f9', dark: '#12151b' } as const

/** A page that dies again this soon is not loaded once more. */
const crashLoopMs = 10_000

/** Switches of the page's process, to be set before the app is ready. */
export function keepFramesShort(): void {
  const add = (name: string, value: string, between: string): void =>
    app.commandLine.appendSwitch(
      name,
      [app.commandLine.getSwitchValue(name), value].filter(Boolean).join(between),
    )
  // After a key or click Chromium keeps messages back until the next frame. Here they are the engine's
  // answers, and the frame waits for them.
  add('disable-features', 'DeferRendererTasksAfterInput', ',')
  // Young objects are cleared away in many short pauses instead of a few that take two frames; together they
  // take as long.
  add('js-flags', '--max-semi-space-size=4', ' ')
}

export function createWindow(settings: SettingsStore, log: Log): BrowserWindow {
  nativeTheme.themeSource = settings.now.theme
  const { maximized, fullScreen, ...bounds } = settings.now.bounds
  const window = new BrowserWindow({
    ...smallest,
    ...onScreen(bounds),
    show: false,
    title: 'Plumbline',
    icon: path.join(app.getAppPath(), 'resources', 'icon.png'),
    backgroundColor: canvas[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
    fullscreen: fullScreen,
    webPreferences: {
      preload: path.join(import.meta.dirname, '../preload/index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  })
  if (maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  rememberBounds(window, settings)
  window.webContents.on('did-finish-load', () => window.webContents.setZoomFactor(settings.now.zoom))
  watchPage(window, log)
  return window
}

function rememberBounds(window: BrowserWindow, settings: SettingsStore): void {
  const remember = (): void => {
    if (window.isMinimized()) return
    settings.change({
      bounds: {
        ...window.getNormalBounds(),
        maximized: window.isMaximized(),
        fullScreen: window.isFullScreen(),
      },
    })
  }
  for (const event of [
    'resize',
    'move',
    'maximize',
    'unmaximize',
    'enter-full-screen',
    'leave-full-screen',
  ] as const)
    window.on(event as 'resize', remember)
}

/** Logs what goes wrong in the page, and loads it again when its process died. */
function watchPage(window: BrowserWindow, log: Log): void {
  let lastCrash = -Infinity
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.error(`the window's process ended: ${reason}, code ${exitCode}`)
    const again = performance.now() - lastCrash < crashLoopMs
    lastCrash = performance.now()
    // Chromium is still clearing up while it says so, and ends the whole app if asked to load now.
    if (reason !== 'clean-exit' && !again)
      setImmediate(() => {
        if (!window.isDestroyed()) window.reload()
      })
  })
  window.webContents.on('preload-error', (_event, _file, error) => log.error('preload', error))
  window.webContents.on('console-message', ({ level, message, sourceId, lineNumber }) => {
    if (level === 'error')
      log.warn(`window: ${message.slice(0, 2000)} (${sourceId.replace(home, '')}:${lineNumber})`)
  })
}

export const tell = (window: BrowserWindow, event: HostEvent): void =>
  toPage(window, contents => contents.send(eventChannel, event))

/** Between a page that died and the next one there is nobody to send to; the next one asks by itself. */
export function toPage(window: BrowserWindow, send: (contents: WebContents) => void): void {
  if (window.isDestroyed() || window.webContents.isDestroyed() || window.webContents.isCrashed()) return
  try {
    send(window.webContents)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('Render frame was disposed'))) throw error
  }
}

export function showMenu(settings: Settings, disabled: ReadonlySet<string>, actions: MenuActions): void {
  const template = menuTemplate(
    { language: languageOf(settings), settings, disabled, mac: process.platform === 'darwin' },
    actions,
  )
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** Where the window was, unless that screen is gone. */
function onScreen({
  x,
  y,
  width,
  height,
}: {
  x: number | null
  y: number | null
  width: number
  height: number
}): { width: number; height: number; x?: number; y?: number } {
  const size = { width: Math.max(width, smallest.minWidth), height: Math.max(height, smallest.minHeight) }
  if (x === null || y === null) return size
  const { workArea } = screen.getDisplayMatching({ x, y, ...size })
  const visible =
    x < workArea.x + workArea.width - 80 &&
    x + size.width > workArea.x + 80 &&
    y >= workArea.y - 10 &&
    y < workArea.y + workArea.height - 40
  return visible ? { ...size, x, y } : size
}

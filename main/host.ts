// Answers the window's questions to the system: settings, dialogs, files the user names, clipboard. Checks who asks and what.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { app, clipboard, dialog, ipcMain, nativeImage, nativeTheme, shell, type BrowserWindow, type FileFilter, type OpenDialogOptions } from 'electron'
import type { HostApi, Problem, Result } from '../preload/contract/host.ts'
import { hostSchemas } from '../preload/contract/host-schemas.ts'
import { say } from '../preload/contract/words/index.ts'
import { withoutHome, type Log } from './log.ts'
import { isOwn } from './offline.ts'
import { withoutRecent, withRecent, type SettingsStore } from './settings.ts'
import { languageOf, systemLanguage } from './window.ts'

export interface HostParts {
  readonly window: BrowserWindow
  readonly settings: SettingsStore
  readonly log: Log
  readonly paths: readonly string[]
  readonly sample: readonly string[]
  readonly devServer: string | undefined
  connectEngine(): void
  disable(commands: readonly string[]): void
  engineState(): string
}

const filters: Readonly<Partial<Record<Parameters<HostApi['choose']>[0]['what'], readonly FileFilter[]>>> = {
  mapping: [{ name: 'YAML', extensions: ['yaml', 'yml'] }],
  matches: [{ name: 'vis.config', extensions: ['config', 'json'] }],
}
const textLimit = 4 << 20

const failed = (code: Problem['code'], at: string, error: unknown): Result<never> => ({
  ok: false,
  problem: { code, severity: 'error', path: at, facts: { reason: error instanceof Error && 'code' in error ? String(error.code) : String(error) } },
})

export function answerWindow(parts: HostParts): void {
  const { window, settings, log } = parts
  /** Where dialogs allowed to write, so that "save again" need not ask. */
  const writable = new Set<string>()

  const fileDialog = async (options: OpenDialogOptions): Promise<readonly string[]> => {
    const { filePaths } = await dialog.showOpenDialog(window, { defaultPath: settings.now.folder || os.homedir(), ...options })
    const [first] = filePaths
    if (first !== undefined) settings.change({ folder: path.dirname(first) })
    return filePaths
  }

  const api: HostApi = {
    async start() {
      return {
        settings: settings.now,
        systemLanguage: systemLanguage(),
        dark: nativeTheme.shouldUseDarkColors,
        paths: parts.paths,
        sample: parts.sample,
        platform: process.platform,
        versions: versions(),
      }
    },
    async change(patch) {
      // exactOptionalPropertyTypes: zod's partial allows an explicit undefined, which must not erase a setting.
      return settings.change(Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)))
    },
    async remember({ paths, title }) {
      return settings.change({ recent: withRecent(settings.now.recent, { paths, title, at: Date.now() }) })
    },
    async forget({ paths }) { return settings.change({ recent: withoutRecent(settings.now.recent, paths) }) },
    async choose({ what, side }) {
      const language = languageOf(settings.now)
      const title = say(language, what === 'dumps' ? `dialog.open.${side ?? 'dumps'}` : `dialog.open.${what}`)
      const properties: OpenDialogOptions['properties'] =
        what === 'folder' ? ['openDirectory', 'createDirectory']
        : what === 'dumps' ? ['openDirectory', ...(side ? [] : ['multiSelections' as const])]
        : ['openFile', 'multiSelections']
      return fileDialog({ title, properties, ...(filters[what] ? { filters: [...filters[what]] } : {}) })
    },
    async readText({ what }) {
      const [file] = await api.choose({ what })
      if (file === undefined) return null
      try {
        if (statSync(file).size > textLimit) return failed('too-large', file, textLimit)
        writable.add(file)
        return { ok: true, value: { path: file, text: readFileSync(file, 'utf8') } }
      } catch (error) {
        return failed('not-readable', file, error)
      }
    },
    async save({ name, data, to }) {
      let file = to
      if (file === undefined || !writable.has(file)) {
        const defaultPath = path.join(settings.now.folder || os.homedir(), path.basename(name))
        const answer = await dialog.showSaveDialog(window, { title: say(languageOf(settings.now), 'dialog.save'), defaultPath })
        if (answer.canceled || !answer.filePath) return null
        file = answer.filePath
        settings.change({ folder: path.dirname(file) })
      }
      try {
        mkdirSync(path.dirname(file), { recursive: true })
        writeFileSync(`${file}.part`, data)
        renameSync(`${file}.part`, file)
        writable.add(file)
        return { ok: true, value: { path: file } }
      } catch (error) {
        return failed('output-not-writable', file, error)
      }
    },
    async picture() { return new Uint8Array((await window.webContents.capturePage()).toPNG()) },
    async reveal({ path: file }) { shell.showItemInFolder(path.normalize(file)) },
    async copy({ text }) { clipboard.writeText(text) },
    async copyPicture({ png }) { clipboard.writeImage(nativeImage.createFromBuffer(Buffer.from(png))) },
    async diagnostics() {
      const text = diagnostics(parts)
      clipboard.writeText(text)
      return text
    },
    async report({ message, stack }) { log.error(`window: ${message}\n${stack}`) },
    async menu({ disabled }) { parts.disable(disabled) },
    async perform({ what }) { perform[what](parts) },
    async connectEngine() { parts.connectEngine() },
  }

  for (const [name, schema] of Object.entries(hostSchemas)) {
    ipcMain.handle(name, (event, arg: unknown) => {
      if (event.senderFrame !== window.webContents.mainFrame || !isOwn(event.senderFrame.url, parts.devServer)) throw new Error('a stranger asks')
      return (api[name as keyof HostApi] as (q: unknown) => unknown)(schema.parse(arg))
    })
  }
}

/** What a command does that only main can do; menus and the window's palette both end here. */
export const perform: Readonly<Record<'full-screen' | 'show-log' | 'about' | 'quit', (parts: Pick<HostParts, 'window' | 'log' | 'settings'>) => void>> = {
  'full-screen': ({ window }) => window.setFullScreen(!window.isFullScreen()),
  'show-log': ({ log }) => shell.showItemInFolder(log.file),
  about: ({ window, settings }) =>
    void dialog.showMessageBox(window, { type: 'info', title: 'Plumbline', message: say(languageOf(settings.now), 'dialog.about', { version: app.getVersion() }) }),
  quit: () => app.quit(),
}

const versions = (): Record<string, string> => ({
  plumbline: app.getVersion(),
  electron: process.versions.electron,
  chrome: process.versions.chrome,
  node: process.versions.node,
})

function diagnostics({ settings, log, engineState }: HostParts): string {
  const { theme, language, density, safeColours, zoom, bounds } = settings.now
  const memory = app.getAppMetrics().map(({ type, name, memory: { workingSetSize } }) => `${name ?? type} ${Math.round(workingSetSize / 1024)} MB`)
  return [
    ...Object.entries(versions()).map(([name, version]) => `${name} ${version}`),
    `${os.type()} ${os.release()} ${process.arch}, ${os.cpus().length} CPUs, ${Math.round(os.totalmem() / 2 ** 30)} GB`,
    `engine ${engineState()}; ${memory.join(', ')}`,
    `settings ${JSON.stringify({ theme, language, density, safeColours, zoom, bounds })}`,
    `log ${withoutHome(log.file)}`,
    log.recent.length === 0 ? 'no warnings or faults since the start' : `last warnings and faults:\n${log.recent.join('\n')}`,
  ].join('\n')
}

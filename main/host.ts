// Answers the window's questions to the system: settings, dialogs, files the user names, clipboard. Checks
// who asks and what.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  app,
  clipboard,
  dialog,
  ipcMain,
  nativeImage,
  nativeTheme,
  shell,
  type BrowserWindow,
  type FileFilter,
  type OpenDialogOptions,
} from 'electron'
import type { EditorSettings, HostApi, Problem, Result, Settings } from '../preload/contract/host.ts'
import { hostSchemas } from '../preload/contract/host-schemas.ts'
import { say } from '../preload/contract/words/index.ts'
import type { DraftStore } from './drafts.ts'
import { openSource } from './editor.ts'
import { withoutHome, type Log } from './log.ts'
import { isOwn } from './offline.ts'
import { withoutRecent, withRecent, type SettingsStore } from './settings.ts'
import { languageOf, systemLanguage } from './window.ts'

interface HostParts {
  readonly window: BrowserWindow
  readonly settings: SettingsStore
  readonly drafts: DraftStore
  readonly log: Log
  readonly paths: readonly string[]
  readonly sample: readonly string[]
  readonly devServer: string | undefined
  connectEngine(): void
  restartEngine(): void
  disable(commands: readonly string[]): void
  engineState(): string
}

const filters: Readonly<Partial<Record<Parameters<HostApi['choose']>[0]['what'], readonly FileFilter[]>>> = {
  noise: [{ name: 'JSON', extensions: ['json'] }],
  mapping: [{ name: 'YAML', extensions: ['yaml', 'yml'] }],
  config: [{ name: 'JSON', extensions: ['json'] }],
  matches: [{ name: 'vis.config', extensions: ['config', 'json'] }],
}
const textLimit = 4 << 20

const refused = (problem: Problem): Result<never> => ({ ok: false, problem })

/** A file that the system does not let be read or written. */
const failed = (
  code: 'not-readable' | 'output-not-writable' | 'drafts-not-kept',
  path: string,
  error: unknown,
): Result<never> => {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return refused({ code, severity: 'error', path, facts: { reason } })
}

export function answerWindow(parts: HostParts): void {
  const { window } = parts
  const api: HostApi = {
    ...settingCalls(parts),
    ...draftCalls(parts),
    ...fileCalls(parts),
    ...systemCalls(parts),
  }
  for (const [name, schema] of Object.entries(hostSchemas)) {
    ipcMain.handle(name, (event, arg: unknown) => {
      if (
        event.senderFrame !== window.webContents.mainFrame ||
        !isOwn(event.senderFrame.url, parts.devServer)
      )
        throw new Error('a stranger asks')
      return (api[name as keyof HostApi] as (q: unknown) => unknown)(schema.parse(arg))
    })
  }
}

const settingCalls = ({
  settings,
  paths: opened,
  sample,
}: HostParts): Pick<HostApi, 'start' | 'change' | 'remember' | 'forget'> => ({
  async start() {
    return {
      settings: settings.now,
      systemLanguage: systemLanguage(),
      dark: nativeTheme.shouldUseDarkColors,
      paths: opened,
      sample,
      platform: process.platform,
      versions: versions(),
    }
  },
  async change(patch) {
    // exactOptionalPropertyTypes: zod's partial allows an explicit undefined, which must not erase a
    // setting.
    return settings.change(
      Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)),
    )
  },
  async remember({ paths, title, run }) {
    const pair = { paths, title, at: Date.now() }
    return settings.change({ recent: withRecent(settings.now.recent, pair, run) })
  },
  async forget({ paths }) {
    return settings.change({ recent: withoutRecent(settings.now.recent, paths) })
  },
})

const pairOf = (paths: readonly string[]): string => paths.join('\n')

const draftCalls = ({ drafts }: HostParts): Pick<HostApi, 'readDrafts' | 'keepDrafts'> => ({
  readDrafts: ({ paths }) => drafts.read(pairOf(paths)),
  async keepDrafts({ paths, drafts: texts }) {
    try {
      await drafts.keep(pairOf(paths), texts)
      return { ok: true, value: null }
    } catch (error) {
      return failed('drafts-not-kept', app.getPath('userData'), error)
    }
  },
})

type Chosen = Parameters<HostApi['choose']>[0]

function propertiesOf({ what, side }: Chosen): NonNullable<OpenDialogOptions['properties']> {
  if (what === 'folder') return ['openDirectory', 'createDirectory']
  if (what !== 'dumps') return ['openFile', 'multiSelections']
  return side ? ['openDirectory'] : ['openDirectory', 'multiSelections']
}

function fileCalls({ window, settings }: HostParts): Pick<HostApi, 'choose' | 'readText' | 'save'> {
  /** Where dialogs allowed to write, so that "save again" need not ask. */
  const writable = new Set<string>()
  const folder = (): string => settings.now.folder || os.homedir()

  const choose = async ({ what, side }: Chosen): Promise<readonly string[]> => {
    const key =
      what === 'dumps' ? (`dialog.open.${side ?? 'dumps'}` as const) : (`dialog.open.${what}` as const)
    const { filePaths } = await dialog.showOpenDialog(window, {
      defaultPath: folder(),
      title: say(languageOf(settings.now), key),
      properties: propertiesOf({ what, side }),
      ...(filters[what] ? { filters: [...filters[what]] } : {}),
    })
    const [first] = filePaths
    if (first !== undefined) settings.change({ folder: path.dirname(first) })
    return filePaths
  }

  const askWhere = async (name: string): Promise<string | null> => {
    const answer = await dialog.showSaveDialog(window, {
      title: say(languageOf(settings.now), 'dialog.save'),
      defaultPath: path.join(folder(), path.basename(name)),
    })
    if (answer.canceled || !answer.filePath) return null
    settings.change({ folder: path.dirname(answer.filePath) })
    return answer.filePath
  }

  return {
    choose,
    async readText({ what }) {
      const [file] = await choose({ what })
      if (file === undefined) return null
      try {
        const { size } = statSync(file)
        const facts = { size, limit: textLimit }
        if (size > textLimit) return refused({ code: 'too-large', severity: 'error', path: file, facts })
        writable.add(file)
        return { ok: true, value: { path: file, text: readFileSync(file, 'utf8') } }
      } catch (error) {
        return failed('not-readable', file, error)
      }
    },
    async save({ name, data, to }) {
      const file = to !== undefined && writable.has(to) ? to : await askWhere(name)
      if (file === null) return null
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
  }
}

type SystemCall = Exclude<
  keyof HostApi,
  | keyof ReturnType<typeof settingCalls>
  | keyof ReturnType<typeof draftCalls>
  | keyof ReturnType<typeof fileCalls>
>

const systemCalls = (parts: HostParts): Pick<HostApi, SystemCall> => ({
  async picture() {
    return new Uint8Array((await parts.window.webContents.capturePage()).toPNG())
  },
  openSource: place => openSource(editorOf(parts.settings.now), place),
  async changeEditor({ command }) {
    const [program = ''] = command
    const { editor } = parts.settings.now
    const agreed = program === editor[0] || (program !== '' && (await agrees(parts, program)))
    return agreed ? parts.settings.change({ editor: command }) : parts.settings.now
  },
  async reveal({ path: file }) {
    shell.showItemInFolder(path.normalize(file))
  },
  async copy({ text }) {
    clipboard.writeText(text)
  },
  async copyPicture({ png }) {
    clipboard.writeImage(nativeImage.createFromBuffer(Buffer.from(png)))
  },
  async diagnostics() {
    const text = diagnostics(parts)
    clipboard.writeText(text)
    return text
  },
  async report({ message, stack }) {
    parts.log.error(`window: ${message}\n${stack}`)
  },
  async menu({ disabled }) {
    parts.disable(disabled)
  },
  async perform({ what }) {
    perform[what](parts)
  },
  async restartEngine() {
    parts.restartEngine()
  },
  async connectEngine() {
    parts.connectEngine()
  },
})

const editorOf = ({ editor, folders }: Settings): EditorSettings => ({ command: editor, folders })

/** A program that opens files from now on is nothing that a page may decide alone. */
async function agrees({ window, settings }: HostParts, program: string): Promise<boolean> {
  const language = languageOf(settings.now)
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: 'Plumbline',
    message: say(language, 'dialog.editor', { program }),
    buttons: [say(language, 'dialog.editor.use'), say(language, 'frame.cancel')],
    defaultId: 0,
    cancelId: 1,
  })
  return response === 0
}

/** What a command does that only main can do; menus and the window's palette both end here. */
export const perform: Readonly<
  Record<'full-screen' | 'show-log' | 'quit', (parts: Pick<HostParts, 'window' | 'log'>) => void>
> = {
  'full-screen': ({ window }) => window.setFullScreen(!window.isFullScreen()),
  'show-log': ({ log }) => shell.showItemInFolder(log.file),
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
  const memory = app
    .getAppMetrics()
    .map(
      ({ type, name, memory: { workingSetSize } }) =>
        `${name ?? type} ${Math.round(workingSetSize / 1024)} MB`,
    )
  return [
    ...Object.entries(versions()).map(([name, version]) => `${name} ${version}`),
    `${os.type()} ${os.release()} ${process.arch}, ${os.cpus().length} CPUs, ${Math.round(os.totalmem() / 2 ** 30)} GB`,
    `engine ${engineState()}; ${memory.join(', ')}`,
    `settings ${JSON.stringify({ theme, language, density, safeColours, zoom, bounds })}`,
    `log ${withoutHome(log.file)}`,
    log.recent.length === 0
      ? 'no warnings or faults since the start'
      : `last warnings and faults:\n${log.recent.join('\n')}`,
  ].join('\n')
}

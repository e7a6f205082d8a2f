// What the window may ask of the main process, with the schemas that check it on arrival, and what main tells the window.
import { z } from 'zod'
import type { Problem, Result } from '../../main/engine/problem.ts'

// ---------------------------------------------------------------------------------------------- settings

const pair = z.object({
  /** What was opened, as given: folders or files. */
  paths: z.array(z.string().min(1).max(4096)).min(1).max(16),
  title: z.string().max(400),
  /** Milliseconds since 1970. */
  at: z.number(),
})

const bounds = z.object({
  x: z.number().int().nullable(),
  y: z.number().int().nullable(),
  width: z.number().int().min(320).max(20_000),
  height: z.number().int().min(240).max(20_000),
  maximized: z.boolean(),
  fullScreen: z.boolean(),
})

/** A field that cannot be read takes its default; keys that this version does not know stay. */
export const settingsSchema = z.looseObject({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  language: z.enum(['system', 'en', 'zh']).catch('system'),
  safeColours: z.boolean().catch(false),
  density: z.enum(['compact', 'comfortable']).catch('compact'),
  zoom: z.number().min(0.5).max(2).catch(1),
  recent: z.array(pair).catch([]),
  /** Pane sizes, columns and whatever else the window keeps of its layout. */
  layout: z.record(z.string(), z.json()).catch({}),
  bounds: bounds.catch({ x: null, y: null, width: 1520, height: 940, maximized: false, fullScreen: false }),
  /** Where the file dialogs opened last. */
  folder: z.string().catch(''),
})
export type Settings = z.infer<typeof settingsSchema>
export type RecentPair = z.infer<typeof pair>

/** What the window may change of the settings. */
export const choicesSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'zh']),
  safeColours: z.boolean(),
  density: z.enum(['compact', 'comfortable']),
  zoom: z.number().min(0.5).max(2),
  layout: z.record(z.string(), z.json()),
}).partial()
export type Choices = z.infer<typeof choicesSchema>

// ---------------------------------------------------------------------------------------------- questions

export interface Start {
  readonly settings: Settings
  /** The system's language, for settings.language = system. */
  readonly systemLanguage: 'en' | 'zh'
  /** Whether dark colours apply now, after the settings. */
  readonly dark: boolean
  /** What the command line asked to open. */
  readonly paths: readonly string[]
  /** The pair behind "Open the sample". */
  readonly sample: readonly string[]
  readonly platform: string
  readonly versions: Readonly<Record<string, string>>
}

/** `dumps`: folders, one or two. `file`: a finished result, compare.json or tensor. `mapping`: a yaml. `folder`: where to write. */
export const chooseSchema = z.object({
  what: z.enum(['dumps', 'file', 'mapping', 'folder']),
  side: z.enum(['debug', 'bench']).optional(),
})

export const saveSchema = z.object({
  name: z.string().min(1).max(200),
  data: z.union([z.string(), z.instanceof(Uint8Array)]),
  /** Write here without asking: only a path that a dialog gave before. */
  to: z.string().max(4096).optional(),
})

export const rememberSchema = z.object({ paths: z.array(z.string().min(1).max(4096)).min(1).max(16), title: z.string().max(400) })

export const bugSchema = z.object({ message: z.string().max(4000), stack: z.string().max(20_000) })

export const menuSchema = z.object({
  /** Commands that cannot run now. */
  disabled: z.array(z.string().max(60)).max(200),
})

/** Commands that only main can carry out. */
export const performSchema = z.object({ what: z.enum(['full-screen', 'show-log', 'about', 'quit']) })

/** A method of the window's host: its argument's schema. The names are the channels. */
export const hostSchemas = {
  start: z.undefined(),
  change: choicesSchema,
  remember: rememberSchema,
  forget: z.object({ paths: z.array(z.string()) }),
  choose: chooseSchema,
  readText: z.object({ what: z.literal('mapping') }),
  save: saveSchema,
  picture: z.undefined(),
  reveal: z.object({ path: z.string().min(1).max(4096) }),
  copy: z.object({ text: z.string() }),
  copyPicture: z.object({ png: z.instanceof(Uint8Array) }),
  diagnostics: z.undefined(),
  report: bugSchema,
  menu: menuSchema,
  perform: performSchema,
  connectEngine: z.undefined(),
} as const satisfies Record<keyof HostApi, z.ZodType>

export interface HostApi {
  start(): Promise<Start>
  change(q: Choices): Promise<Settings>
  /** Puts a pair on top of the recent list. */
  remember(q: z.infer<typeof rememberSchema>): Promise<Settings>
  forget(q: { readonly paths: readonly string[] }): Promise<Settings>
  /** Paths that the user chose; empty when the dialog was left. */
  choose(q: z.infer<typeof chooseSchema>): Promise<readonly string[]>
  /** A small text file that the user chooses; null when the dialog was left. */
  readText(q: { readonly what: 'mapping' }): Promise<Result<{ readonly path: string; readonly text: string }> | null>
  /** Writes where the user says; null when the dialog was left. */
  save(q: z.infer<typeof saveSchema>): Promise<Result<{ readonly path: string }> | null>
  /** The window as a png. */
  picture(): Promise<Uint8Array>
  /** Shows a file in the system's file manager. */
  reveal(q: { readonly path: string }): Promise<void>
  copy(q: { readonly text: string }): Promise<void>
  copyPicture(q: { readonly png: Uint8Array }): Promise<void>
  /** Versions and last errors, no file contents; also put on the clipboard. */
  diagnostics(): Promise<string>
  /** A fault in the window, for the log. */
  report(q: z.infer<typeof bugSchema>): Promise<void>
  menu(q: z.infer<typeof menuSchema>): Promise<void>
  perform(q: z.infer<typeof performSchema>): Promise<void>
  /** Asks for a line to the engine; it comes as a window message (see `enginePort`), after a crash by itself. */
  connectEngine(): Promise<void>
}

// ---------------------------------------------------------------------------------------------- news

export type EngineState = 'starting' | 'ready' | 'restarting' | 'gone'

export type HostEvent =
  | { readonly is: 'command'; readonly id: string }
  /** A recent pair of the menu, a second start or the system asks to open these. */
  | { readonly is: 'paths'; readonly paths: readonly string[] }
  | { readonly is: 'settings'; readonly settings: Settings; readonly dark: boolean }
  | { readonly is: 'engine'; readonly state: EngineState; readonly attempt: number }

// ---------------------------------------------------------------------------------------------- the bridge

/** What the preload script puts on the window as `window.host`. */
export interface Bridge extends HostApi {
  /** Real paths of dropped files; '' for one that is none. */
  pathsOf(files: readonly unknown[]): readonly string[]
  /** Returns how to stop listening. */
  onEvent(take: (event: HostEvent) => void): () => void
}

/** `data` of the window message that carries the engine's MessagePort as its first port. */
export const enginePort = 'plumbline-engine-port'

/** Channel of HostEvent from main to the preload script. */
export const eventChannel = 'event'

export type { Problem, Result }

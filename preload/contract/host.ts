// What the window may ask of the main process, and what main tells the window.
import type { z } from 'zod'
import type { Problem, Result } from '../../main/engine/model/shared.ts'
import type {
  bugSchema,
  choicesSchema,
  chooseSchema,
  Drafts,
  editorSchema,
  keepDraftsSchema,
  menuSchema,
  pairSchema,
  performSchema,
  rememberSchema,
  runSchema,
  saveSchema,
  settingsSchema,
  sourceSchema,
} from './host-schemas.ts'

export type Settings = z.infer<typeof settingsSchema>
export type RecentPair = z.infer<typeof pairSchema>
export type { Draft, Drafts } from './host-schemas.ts'
export type Run = z.infer<typeof runSchema>
/** What the window may change of the settings. */
export type Choices = z.infer<typeof choicesSchema>

export interface EditorSettings {
  /** A program and its arguments; `{file}` and `{line}` stand for the place. */
  readonly command: readonly string[]
  /** Where folders of the machine that made a dump lie on this one. */
  readonly folders: readonly { readonly from: string; readonly to: string }[]
}

/** What became of opening a line of source: it is not on this machine, or its editor did not start. */
export type SourceOpened =
  | { readonly is: 'opened' }
  | { readonly is: 'not-here'; readonly path: string }
  | { readonly is: 'no-editor'; readonly program: string }

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

export interface HostApi {
  start(): Promise<Start>
  change(q: Choices): Promise<Settings>
  /** Puts a pair on top of the recent list, and what came out of it on top of its history. */
  remember(q: z.infer<typeof rememberSchema>): Promise<Settings>
  forget(q: { readonly paths: readonly string[] }): Promise<Settings>
  /** Paths that the user chose; empty when the dialog was left. */
  choose(q: z.infer<typeof chooseSchema>): Promise<readonly string[]>
  /** A small text file that the user chooses; null when the dialog was left. */
  readText(q: {
    readonly what: 'mapping' | 'config'
  }): Promise<Result<{ readonly path: string; readonly text: string }> | null>
  /** Writes where the user says; null when the dialog was left. */
  save(q: z.infer<typeof saveSchema>): Promise<Result<{ readonly path: string }> | null>
  /** Mapping texts of a pair that were being written. */
  readDrafts(q: { readonly paths: readonly string[] }): Promise<Drafts>
  /** Keeps them for the next start; those that are not there are forgotten. */
  keepDrafts(q: z.infer<typeof keepDraftsSchema>): Promise<Result<null>>
  /** The window as a png. */
  picture(): Promise<Uint8Array>
  /** Opens a line of source in the user's editor. */
  openSource(q: z.infer<typeof sourceSchema>): Promise<SourceOpened>
  /** Another editor, once the user has agreed to its program. */
  changeEditor(q: z.infer<typeof editorSchema>): Promise<Settings>
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
  /**
   * Asks for a line to the engine; it comes as a window message (see `enginePort`), after a crash by itself.
   */
  connectEngine(): Promise<void>
  /** Ends an engine that does not answer; the next one comes by itself. */
  restartEngine(): Promise<void>
}

// ---------------------------------------- news

/** `busy`: it is there and does not answer. */
export type EngineState = 'starting' | 'ready' | 'busy' | 'restarting' | 'gone'

export type HostEvent =
  | { readonly is: 'command'; readonly id: string }
  /** A recent pair of the menu, a second start or the system asks to open these. */
  | { readonly is: 'paths'; readonly paths: readonly string[] }
  | { readonly is: 'settings'; readonly settings: Settings; readonly dark: boolean }
  | { readonly is: 'engine'; readonly state: EngineState; readonly attempt: number }

// ---------------------------------------- the bridge

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

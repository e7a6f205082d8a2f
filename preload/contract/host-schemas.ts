// Schemas that main checks settings and questions with. Apart from host.ts, so that no page carries their
// library.
import { z } from 'zod'
import type { HostApi } from './host.ts'

// ---------------------------------------- settings

/** How a pair stood when it had been read. */
export const runSchema = z.object({
  rows: z.number().int().min(0),
  differs: z.number().int().min(0),
  /** Where the error entered, and in which step and rank; '' where nothing was found. */
  node: z.string().max(2000),
  step: z.number().int().nullable(),
  rank: z.number().int().nullable(),
})

const keptRunSchema = runSchema.extend({
  /** Milliseconds since 1970. */
  at: z.number(),
})

/** So many runs of a pair are kept, the newest first. */
export const runsKept = 20

/** A run that cannot be read is left out. */
const runsSchema = z
  .array(z.unknown())
  .catch([])
  .transform(runs =>
    runs
      .flatMap(run => {
        const read = keptRunSchema.safeParse(run)
        return read.success ? [read.data] : []
      })
      .slice(0, runsKept),
  )

export const pairSchema = z.object({
  /** What was opened, as given: folders or files. */
  paths: z.array(z.string().min(1).max(4096)).min(1).max(16),
  title: z.string().max(400),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** What came out each time it was read, the newest first. */
  runs: runsSchema,
})

const bounds = z.object({
  x: z.number().int().nullable(),
  y: z.number().int().nullable(),
  width: z.number().int().min(320).max(20_000),
  height: z.number().int().min(240).max(20_000),
  maximized: z.boolean(),
  fullScreen: z.boolean(),
})

/** Where a folder of the machine that made a dump lies on this one. */
const foldersSchema = z.array(z.object({ from: z.string().max(4096), to: z.string().max(4096) })).max(40)
/** A program and its arguments; `{file}` and `{line}` stand for the place. */
const commandSchema = z.array(z.string().max(1000)).min(1).max(20)

/** A field that cannot be read takes its default; keys that this version does not know stay. */
export const settingsSchema = z.looseObject({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  language: z.enum(['system', 'en', 'zh']).catch('system'),
  safeColours: z.boolean().catch(false),
  density: z.enum(['compact', 'comfortable']).catch('compact'),
  zoom: z.number().min(0.5).max(2).catch(1),
  recent: z.array(pairSchema).catch([]),
  /** Pane sizes, columns and whatever else the window keeps of its layout. */
  layout: z.record(z.string(), z.json()).catch({}),
  bounds: bounds.catch({ x: null, y: null, width: 1520, height: 940, maximized: false, fullScreen: false }),
  /** What opens a line of source. */
  editor: commandSchema.catch(['code', '-g', '{file}:{line}']),
  folders: foldersSchema.catch([]),
  /** Where the file dialogs opened last. */
  folder: z.string().catch(''),
})

/** What the window may change of the settings. */
export const choicesSchema = z
  .object({
    theme: z.enum(['system', 'light', 'dark']),
    language: z.enum(['system', 'en', 'zh']),
    safeColours: z.boolean(),
    density: z.enum(['compact', 'comfortable']),
    zoom: z.number().min(0.5).max(2),
    layout: z.record(z.string(), z.json()),
    folders: foldersSchema,
  })
  .partial()

// ---------------------------------------- questions

/**
 * `dumps`: folders, one or two. `file`: a finished result, compare.json or tensor. `mapping`: a yaml.
 * `matches`: the plugin's node mapping. `folder`: where to write.
 */
export const chooseSchema = z.object({
  what: z.enum(['dumps', 'file', 'mapping', 'config', 'matches', 'noise', 'folder']),
  side: z.enum(['debug', 'bench']).optional(),
})

export const saveSchema = z.object({
  name: z.string().min(1).max(200),
  data: z.union([z.string(), z.instanceof(Uint8Array)]),
  /** Write here without asking: only a path that a dialog gave before. */
  to: z.string().max(4096).optional(),
})

export const rememberSchema = z.object({
  paths: z.array(z.string().min(1).max(4096)).min(1).max(16),
  title: z.string().max(400),
  /** What came out, once that is known. */
  run: runSchema.optional(),
})

/** A mapping text as it is being written. */
const draftSchema = z.object({
  text: z.string(),
  path: z.string().max(4096),
  /** What the file holds; null for a text that was never saved. */
  saved: z.string().nullable(),
  lineBreak: z.string().max(2),
})
export type Draft = z.infer<typeof draftSchema>
/** By the kind of mapping. */
export const draftsSchema = z.record(z.string().max(20), draftSchema)
export type Drafts = z.infer<typeof draftsSchema>
const draftsOfSchema = z.object({ paths: z.array(z.string().max(4096)).max(16) })
export const keepDraftsSchema = draftsOfSchema.extend({ drafts: draftsSchema })

export const bugSchema = z.object({ message: z.string().max(4000), stack: z.string().max(20_000) })

export const sourceSchema = z.object({ file: z.string().min(1).max(4096), line: z.number().int().min(0) })

export const editorSchema = z.object({ command: commandSchema })

export const menuSchema = z.object({
  /** Commands that cannot run now. */
  disabled: z.array(z.string().max(60)).max(200),
})

/** Commands that only main can carry out. */
export const performSchema = z.object({ what: z.enum(['full-screen', 'show-log', 'quit']) })

/** A method of the window's host: its argument's schema. The names are the channels. */
export const hostSchemas = {
  start: z.undefined(),
  change: choicesSchema,
  remember: rememberSchema,
  forget: z.object({ paths: z.array(z.string()) }),
  choose: chooseSchema,
  readText: z.object({ what: z.enum(['mapping', 'config']) }),
  save: saveSchema,
  readDrafts: draftsOfSchema,
  keepDrafts: keepDraftsSchema,
  picture: z.undefined(),
  openSource: sourceSchema,
  changeEditor: editorSchema,
  reveal: z.object({ path: z.string().min(1).max(4096) }),
  copy: z.object({ text: z.string() }),
  copyPicture: z.object({ png: z.instanceof(Uint8Array) }),
  diagnostics: z.undefined(),
  report: bugSchema,
  menu: menuSchema,
  perform: performSchema,
  connectEngine: z.undefined(),
  restartEngine: z.undefined(),
} as const satisfies Record<keyof HostApi, z.ZodType>

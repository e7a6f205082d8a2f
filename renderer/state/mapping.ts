// Mapping texts of the open session: one document and one undo history per kind, whoever edits; live in the
// engine as soon as they can be read.
import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { EditorState, Text, type Extension, type Transaction } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { create } from 'zustand'
import type {
  MappingChange,
  MappingCheck,
  MappingKind,
  MappingTexts,
  Problem,
  TextEdit,
} from '../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../engine.ts'
import type { Draft, Drafts } from '../../preload/contract/host.ts'
import { host } from './host.ts'
import { debounce, type Debounced } from './debounce.ts'
import { begin as busy } from './idle.ts'
import { selectPartners } from './selection.ts'
import { openMappingsWith, setOptions } from './sessions.ts'
import { changeLayout } from './settings.ts'
import { dumpOf } from './study.ts'
import type { Say } from './words.ts'
import { notify, now, set as setWorkbench, useWorkbench } from './workbench.ts'

export const kinds = ['layer', 'cell', 'api', 'data'] as const satisfies readonly MappingKind[]

interface Doc {
  readonly text: Text
  /** Where it was opened from or saved to; '' for a new one. */
  readonly path: string
  /** What the file holds; null for a text that was never saved. */
  readonly saved: Text | null
  /** As the file has it. */
  readonly lineBreak: string
}

interface Mapping {
  readonly chosen: MappingKind | null
  readonly docs: Readonly<Partial<Record<MappingKind, Doc>>>
  readonly check: Readonly<
    Partial<
      Record<
        MappingKind,
        {
          readonly text: Text
          readonly check: MappingCheck
          /** What is in force. */ readonly readable: Text
        }
      >
    >
  >
}

export const useMapping = create<Mapping>()(() => ({ chosen: null, docs: {}, check: {} }))

/**
 * The kind that was chosen, that there is a text of, or that fits the dumps: layers where both have any; of
 * calls alone their names across frameworks, else their items.
 */
export function useKind(): MappingKind {
  const kind = useMapping(s => s.chosen ?? kinds.find(k => s.docs[k]))
  const fitting = useWorkbench(({ session }): MappingKind => {
    const [mine, theirs] = [dumpOf(session, 'debug'), dumpOf(session, 'bench')]
    if (hasNamesOnly(session)) return 'data'
    if (mine?.level !== 'L1' && theirs?.level !== 'L1') return 'layer'
    return mine?.framework === 'mindspore' && theirs?.framework === 'pytorch' ? 'api' : 'data'
  })
  return kind ?? fitting
}

const debounceMs = 150
const longestWaitMs = 1000
const states = new Map<MappingKind, EditorState>()
let view: { readonly kind: MappingKind; readonly view: EditorView } | null = null
let session = -1
let pair = ''
/** Until then the texts of the pair are not there yet. */
let ready = Promise.resolve()

const emptyText = Text.of([''])
const textFrom = (text: string): Text => Text.of(text.split(/\r\n?|\n/))

const strings = new WeakMap<Text, string>()
/** The characters of a text, put together once. */
export function charactersOf(text: Text | undefined): string {
  if (!text) return ''
  let known = strings.get(text)
  if (known === undefined) strings.set(text, (known = text.toString()))
  return known
}

const versions = new WeakMap<Text, number>()
let lastVersion = 0
/** A number that stands for a text in questions' keys. */
export function versionOf(text: Text | undefined): number {
  if (!text) return 0
  let known = versions.get(text)
  if (known === undefined) versions.set(text, (known = ++lastVersion))
  return known
}

const textOf = (kind: MappingKind): Text => useMapping.getState().docs[kind]?.text ?? emptyText
export const isChanged = (doc: Doc | undefined): boolean =>
  doc !== undefined && !doc.text.eq(doc.saved ?? emptyText)
export const choose = (kind: MappingKind): void => useMapping.setState({ chosen: kind })

/** Kinds that the open pair can be mapped by: names of APIs and cells only across from MindSpore. */
export const usable = (kind: MappingKind): boolean =>
  kind === 'data' ||
  (!hasNamesOnly(now().session) &&
    (kind === 'layer' || dumpOf(now().session, 'debug')?.framework !== 'pytorch'))

/** Tensors by name, with nothing said of modules and calls. */
export const hasNamesOnly = (session: Parameters<typeof dumpOf>[0]): boolean =>
  dumpOf(session, 'debug')?.level === ''

/**
 * Texts that the session carries, when another session is on screen. The same pair again, as after a crash of
 * the engine, keeps everything.
 */
function takeSession(): void {
  const { session: open, paths } = now()
  if (!open || open.session === session) return
  session = open.session
  const key = paths.join('\n')
  if (key === pair) {
    for (const kind of kinds) if (useMapping.getState().docs[kind]) checkNow(kind)
  } else {
    pair = key
    states.clear()
    useMapping.setState({ docs: {}, check: {} })
    const done = busy('drafts')
    ready = readDrafts(paths)
      .catch((): Drafts => ({}))
      .then(drafts => {
        if (pair === key) takeDrafts(drafts, open.options.mapping)
      })
      .finally(done)
  }
}

const readDrafts = async (paths: readonly string[]): Promise<Drafts> => host().readDrafts({ paths })

function takeDrafts(drafts: Drafts, inSession: MappingTexts): void {
  const docs: Partial<Record<MappingKind, Doc>> = {}
  for (const kind of kinds) {
    const draft = drafts[kind]
    // An empty text of the session is what the engine does by itself.
    const text = draft?.text ?? (inSession[kind] || undefined)
    if (text !== undefined)
      docs[kind] = {
        text: textFrom(text),
        path: draft?.path ?? '',
        saved: typeof draft?.saved === 'string' ? textFrom(draft.saved) : null,
        lineBreak: draft?.lineBreak ?? '\n',
      }
  }
  useMapping.setState({ docs, check: {}, chosen: null })
  for (const kind of kinds) if (docs[kind]) checkNow(kind)
}

// ---------------------------------------- one document

/** The editor's state of a kind, with its history, made when first asked for. */
export function editorState(kind: MappingKind, extensions: (doc: Text) => Extension): EditorState {
  const known = states.get(kind)
  if (known) return known
  const made = EditorState.create({ extensions: extensions(textOf(kind)), doc: textOf(kind) })
  states.set(kind, made)
  return made
}

export function mounted(kind: MappingKind, shown: EditorView | null): void {
  if (view && !shown) states.set(view.kind, view.view.state)
  view = shown ? { kind, view: shown } : null
}

/** The editor tells what became of its text. */
export function edited(kind: MappingKind, state: EditorState): void {
  states.set(kind, state)
  const old = useMapping.getState().docs[kind]
  if (!old || old.text === state.doc) return
  setDoc(kind, { ...old, text: state.doc })
  checkSoon(kind)
}

const setDoc = (kind: MappingKind, doc: Doc): void =>
  useMapping.setState(({ docs }) => ({ docs: { ...docs, [kind]: doc } }))

const checks = new Map<MappingKind, Debounced>()

/** Once typing pauses, or has gone on for a while; long texts are asked about and kept less often. */
function checkSoon(kind: MappingKind): void {
  const longest = (): number =>
    longestWaitMs * Math.max(1, (useMapping.getState().docs[kind]?.text.length ?? 0) / 250_000)
  const check = checks.get(kind) ?? debounce(() => checkNow(kind), debounceMs, longest)
  checks.set(kind, check)
  check()
}

/** Checks a text, keeps it, and puts it in force. */
function checkNow(kind: MappingKind): void {
  checks.get(kind)?.cancel()
  void recheck(kind)
  // In a task of its own, between two keys.
  const done = busy('mapping')
  setTimeout(() => {
    void keep().finally(done)
  }, 0)
}

function dispatch(kind: MappingKind, make: (state: EditorState) => Transaction): void {
  if (view?.kind === kind) view.view.dispatch(make(view.view.state))
  else {
    const state = states.get(kind)
    if (state) edited(kind, make(state).state)
  }
}

export const changeText = (say: Say, one: MappingChange): string =>
  one.kind === 'layer'
    ? say('mapping.change.layer', { scope: one.scope, from: one.from, to: one.to })
    : say('mapping.change', { from: one.from, to: one.to })

/** Writes entries of one kind from outside the panel: into the text of the kind, or into a new one. */
export async function addRules(changes: readonly MappingChange[]): Promise<void> {
  const [first] = changes
  if (!first) return
  const { kind } = first
  const doc = useMapping.getState().docs[kind]
  if (doc && states.has(kind)) {
    await change(kind, changes)
    return
  }
  try {
    const text = charactersOf(doc?.text)
    const result = await engine.mappingEdit({ kind, text, set: changes, remove: [] })
    if (result.ok)
      put(kind, { ...(doc ?? { path: '', saved: null, lineBreak: '\n' }), text: textFrom(result.value) })
    else addProblem(result.problem)
  } catch (error) {
    if (!isQuiet(error)) addProblem(problemOf(error))
  }
}

/** Changes from elsewhere than the text editor, as one step of its history. */
function applyEdit(kind: MappingKind, { from, to, text }: TextEdit): void {
  if (from !== to || text !== '')
    dispatch(kind, state =>
      state.update({ changes: { from, to, insert: text }, scrollIntoView: true, userEvent: 'input.visual' }),
    )
}

/** Sets and takes out entries; comments and order of the rest stay. */
export async function change(
  kind: MappingKind,
  put: readonly MappingChange[],
  remove: readonly MappingChange[] = [],
): Promise<void> {
  const before = textOf(kind)
  try {
    const result = await engine.mappingEdit({ kind, text: charactersOf(before), set: put, remove })
    if (textOf(kind) !== before) {
      await change(kind, put, remove)
      return
    }
    if (!result.ok) addProblem(result.problem)
    else {
      applyEdit(kind, leastEdit(charactersOf(before), result.value))
      checkNow(kind)
    }
  } catch (error) {
    if (!isQuiet(error)) addProblem(problemOf(error))
  }
}

const addProblem = (problem: Problem): void => setWorkbench({ problems: [...now().problems, problem] })

function leastEdit(before: string, after: string): TextEdit {
  let from = 0
  while (from < before.length && from < after.length && before.charCodeAt(from) === after.charCodeAt(from))
    from++
  let end = 0
  while (
    end < before.length - from &&
    end < after.length - from &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++
  return { from, to: before.length - end, text: after.slice(from, after.length - end) }
}

/** One step back or forth, whoever made it; false where there is none. */
export function step(kind: MappingKind, back: boolean): boolean {
  const command = back ? undo : redo
  if (view?.kind === kind) return command(view.view)
  const state = states.get(kind)
  return state ? command({ state, dispatch: transaction => edited(kind, transaction.state) }) : false
}

export const canStep = (kind: MappingKind, back: boolean): boolean => {
  const state = view?.kind === kind ? view.view.state : states.get(kind)
  return state !== undefined && (back ? undoDepth : redoDepth)(state) > 0
}

const checking = new Set<MappingKind>()

/**
 * What the engine says of the text; a text that can be read comes into force. One question at a time: the
 * next asks for the text as it is then.
 */
async function recheck(kind: MappingKind): Promise<void> {
  const open = now().session
  if (!open || checking.has(kind)) return
  checking.add(kind)
  const text = textOf(kind)
  try {
    const check = await engine.mappingCheck({
      session: open.session,
      unit: open.unit,
      kind,
      text: charactersOf(text),
    })
    if (now().session?.session !== open.session || textOf(kind) !== text) return
    // Graphs and table come first; what panels ask once they know of the check comes after.
    const follows =
      check.readable &&
      useMapping.getState().docs[kind] &&
      now().session?.options.mapping[kind] !== charactersOf(text)
        ? setOptions({ mapping: inForce(kind, charactersOf(text)) })
        : undefined
    const before = textFrom(open.options.mapping[kind] ?? '')
    useMapping.setState(old => {
      const readable = check.readable ? text : (old.check[kind]?.readable ?? before)
      return { check: { ...old.check, [kind]: { text, check, readable } } }
    })
    await follows
    if (follows) selectPartners()
  } catch (error) {
    if (!isQuiet(error)) addProblem(problemOf(error))
  } finally {
    checking.delete(kind)
    if (textOf(kind) !== text && !checks.get(kind)?.pending()) void recheck(kind)
  }
}

/** The texts of all documents, one of them new; several kinds at once follow the order of precedence. */
function inForce(kind: MappingKind, text: string | undefined): MappingTexts {
  const { docs } = useMapping.getState()
  const { session: open } = now()
  return Object.fromEntries(
    kinds.flatMap(one => {
      const others = docs[one] ? open?.options.mapping[one] : undefined
      const known = one === kind ? text : others
      return known === undefined ? [] : [[one, known]]
    }),
  )
}

// ---------------------------------------- files

async function keep(): Promise<void> {
  const { docs } = useMapping.getState()
  const drafts = Object.fromEntries(
    kinds.flatMap(kind => {
      const doc = docs[kind]
      return doc
        ? [
            [
              kind,
              {
                text: charactersOf(doc.text),
                path: doc.path,
                saved: doc.saved && charactersOf(doc.saved),
                lineBreak: doc.lineBreak,
              } satisfies Draft,
            ],
          ]
        : []
    }),
  )
  const kept = await host().keepDrafts({ paths: pair.split('\n'), drafts })
  const others = now().problems.filter(({ code }) => code !== 'drafts-not-kept')
  if (!kept.ok) setWorkbench({ problems: [...others, kept.problem] })
  else if (others.length < now().problems.length) setWorkbench({ problems: others })
}

export async function begin(kind: MappingKind): Promise<void> {
  const { session } = now()
  if (!session) return
  try {
    const text = await engine.mappingStart({ session: session.session, unit: session.unit, kind })
    put(kind, { text: textFrom(text), path: '', saved: null, lineBreak: '\n' })
  } catch (error) {
    if (!isQuiet(error)) addProblem(problemOf(error))
  }
}

/** A new or opened text; what stood there before is one undo away. */
function put(kind: MappingKind, doc: Doc): void {
  const before = textOf(kind)
  useMapping.setState({ chosen: kind })
  setDoc(kind, { ...doc, text: before })
  if (states.has(kind)) applyEdit(kind, leastEdit(charactersOf(before), charactersOf(doc.text)))
  const { docs } = useMapping.getState()
  // The editor has a text of its own with the same characters.
  setDoc(kind, { ...doc, text: states.has(kind) ? (docs[kind]?.text ?? doc.text) : doc.text })
  checkNow(kind)
}

/** Takes a kind out of force; its history ends. */
export async function discard(kind: MappingKind): Promise<void> {
  const { [kind]: _, ...docs } = useMapping.getState().docs
  const { [kind]: __, ...check } = useMapping.getState().check
  states.delete(kind)
  useMapping.setState({ docs, check })
  void keep()
  await setOptions({ mapping: inForce(kind, undefined) })
  selectPartners()
}

/** Mapping files that were dropped or chosen. */
async function openFiles(paths: readonly string[]): Promise<void> {
  try {
    await ready
    for (const path of paths) {
      const result = await engine.mappingOpen({ path })
      if (!result.ok) {
        addProblem(result.problem)
        continue
      }
      const { kind, text: characters, encoding } = result.value
      const text = textFrom(characters)
      // What is no UTF-8 was read all the same, and counts as changed: saving writes UTF-8.
      if (encoding !== 'utf-8')
        addProblem({ code: 'mapping-encoding', severity: 'warning', path, facts: { encoding } })
      put(kind, {
        text,
        path,
        saved: encoding === 'utf-8' ? text : null,
        lineBreak: characters.includes('\r\n') ? '\r\n' : '\n',
      })
      const { layout } = now()
      changeLayout({ rail: 'mapping', shown: { ...layout.shown, side: true } })
    }
  } catch (error) {
    if (!isQuiet(error)) addProblem(problemOf(error))
  }
}

export async function chooseFile(): Promise<void> {
  await openFiles(await host().choose({ what: 'mapping' }))
}

export async function save(kind: MappingKind, elsewhere: boolean): Promise<void> {
  const doc = useMapping.getState().docs[kind]
  if (!doc) return
  const name = doc.path.split(/[\\/]/).at(-1) ?? ''
  const data = (await engine.mappingSaved({ kind, text: charactersOf(doc.text) })).replaceAll(
    '\n',
    doc.lineBreak,
  )
  const written = await host().save({
    name: name === '' ? `${kind}_mapping.yaml` : name,
    data,
    ...(doc.path !== '' && !elsewhere ? { to: doc.path } : {}),
  })
  if (!written) return
  if (!written.ok) {
    addProblem(written.problem)
    return
  }
  const latest = useMapping.getState().docs[kind]
  if (latest) setDoc(kind, { ...latest, path: written.value.path, saved: doc.text })
  void keep()
  notify('saved', { path: written.value.path })
}

openMappingsWith(openFiles)
useWorkbench.subscribe(takeSession)
takeSession()

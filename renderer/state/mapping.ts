// Mapping texts of the open session: one document and one undo history per kind, whoever edits; live in the engine as soon as they can be read.
import { redo, undo } from '@codemirror/commands'
import { EditorState, type Extension, type Transaction } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { create } from 'zustand'
import type { MappingChange, MappingCheck, MappingKind, MappingTexts, TextEdit } from '../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../engine.ts'
import { host } from './host.ts'
import { openMappingsWith, setOptions } from './sessions.ts'
import { changeLayout } from './settings.ts'
import { notify, now, set as setWorkbench, useWorkbench } from './workbench.ts'

export const kinds = ['layer', 'cell', 'api', 'data'] as const satisfies readonly MappingKind[]

interface Doc {
  readonly text: string
  /** Where it was opened from or saved to; '' for a new one. */
  readonly path: string
  /** What the file holds; null for a text that was never saved. */
  readonly saved: string | null
}

interface Mapping {
  readonly kind: MappingKind
  readonly docs: Readonly<Partial<Record<MappingKind, Doc>>>
  readonly check: Readonly<Partial<Record<MappingKind, { readonly text: string; readonly check: MappingCheck }>>>
  /** Rises with each change; part of questions about the text. */
  readonly edits: number
}

export const useMapping = create<Mapping>()(() => ({ kind: 'layer', docs: {}, check: {}, edits: 0 }))

const filesKey = 'plumbline-mapping-files'
const settleMs = 200
/** Errors that leave a text without a meaning; such a text is not put in force. */
const unreadable: ReadonlySet<string> = new Set(['syntax', 'tab', 'alias', 'too-long', 'wrong-form', 'encoding'])

const states = new Map<MappingKind, EditorState>()
let view: { readonly kind: MappingKind; readonly view: EditorView } | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let session = -1

export const textOf = (kind: MappingKind): string => useMapping.getState().docs[kind]?.text ?? ''
export const isChanged = (doc: Doc | undefined): boolean => doc !== undefined && doc.text !== (doc.saved ?? '')
export const choose = (kind: MappingKind): void => useMapping.setState({ kind })

/** Kinds that the open pair can be mapped by: names of APIs and cells only across from MindSpore. */
export const usable = (kind: MappingKind): boolean => kind === 'layer' || kind === 'data' || now().session?.debug.framework !== 'pytorch'

/** Texts that the session carries, when another session is on screen. */
export function takeSession(): void {
  const { session: open } = now()
  if (!open || open.session === session) return
  session = open.session
  states.clear()
  const files = readFiles()
  const docs: Partial<Record<MappingKind, Doc>> = {}
  for (const kind of kinds) {
    const text = open.options.mapping[kind]
    if (text === undefined) continue
    const file = files[kind]
    docs[kind] = file && file.key === sessionKey() ? { text, path: file.path, saved: file.saved } : { text, path: '', saved: null }
  }
  useMapping.setState({ docs, check: {}, edits: useMapping.getState().edits + 1, kind: kinds.find(kind => docs[kind]) ?? (open.debug.framework === open.bench?.framework ? 'data' : 'layer') })
  for (const kind of kinds) if (docs[kind]) void recheck(kind)
}

const sessionKey = (): string => now().paths.join('\n')

interface KeptFile { readonly key: string; readonly path: string; readonly saved: string | null }

function readFiles(): Readonly<Partial<Record<MappingKind, KeptFile>>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(filesKey) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}

function keepFiles(): void {
  const { docs } = useMapping.getState()
  localStorage.setItem(filesKey, JSON.stringify(Object.fromEntries(kinds.flatMap(kind => {
    const doc = docs[kind]
    return doc ? [[kind, { key: sessionKey(), path: doc.path, saved: doc.saved }]] : []
  }))))
}

// ---------------------------------------------------------------------------------------------- one document

/** The editor's state of a kind, with its history, made when first asked for. The extensions are the same each time. */
export function editorState(kind: MappingKind, extensions: Extension): EditorState {
  const known = states.get(kind)
  if (known) return known
  const made = EditorState.create({ extensions, doc: textOf(kind) })
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
  const { docs, edits } = useMapping.getState()
  const old = docs[kind]
  const text = state.doc.toString()
  if (old?.text === text) return
  useMapping.setState({ docs: { ...docs, [kind]: { path: old?.path ?? '', saved: old?.saved ?? null, text } }, edits: edits + 1 })
  clearTimeout(timer)
  timer = setTimeout(() => { void recheck(kind) }, settleMs)
}

function dispatch(kind: MappingKind, make: (state: EditorState) => Transaction): void {
  if (view?.kind === kind) {
    view.view.dispatch(make(view.view.state))
    return
  }
  const state = states.get(kind)
  if (state) edited(kind, make(state).state)
}

/** Changes from elsewhere than the text editor, as one step of its history. */
export function applyEdits(kind: MappingKind, edits: readonly TextEdit[]): void {
  if (edits.length > 0) dispatch(kind, state => state.update({ changes: edits.map(({ from, to, text }) => ({ from, to, insert: text })), scrollIntoView: true, userEvent: 'input.visual' }))
}

/** Sets and takes out entries; comments and order of the rest stay. */
export async function change(kind: MappingKind, put: readonly MappingChange[], remove: readonly MappingChange[] = []): Promise<void> {
  const before = textOf(kind)
  try {
    const result = await engine.mappingEdit({ kind, text: before, set: put, remove })
    if (!result.ok) { setWorkbench({ problems: [...now().problems, result.problem] }); return }
    applyEdits(kind, [leastEdit(before, result.value)])
  } catch (error) {
    if (!isQuiet(error)) setWorkbench({ problems: [...now().problems, problemOf(error)] })
  }
}

function leastEdit(before: string, after: string): TextEdit {
  let from = 0
  while (from < before.length && from < after.length && before[from] === after[from]) from++
  let end = 0
  while (end < before.length - from && end < after.length - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return { from, to: before.length - end, text: after.slice(from, after.length - end) }
}

export function step(kind: MappingKind, back: boolean): void {
  const command = back ? undo : redo
  if (view?.kind === kind) { command(view.view); return }
  const state = states.get(kind)
  if (state) command({ state, dispatch: transaction => edited(kind, transaction.state) })
}

/** What the engine says of the text; a text that can be read comes into force. */
async function recheck(kind: MappingKind): Promise<void> {
  const open = now().session
  if (!open) return
  const text = textOf(kind)
  try {
    const check = await engine.mappingCheck({ session: open.session, unit: open.unit, kind, text })
    if (textOf(kind) !== text || now().session?.session !== open.session) return
    useMapping.setState({ check: { ...useMapping.getState().check, [kind]: { text, check } } })
    if (check.diagnostics.some(d => d.severity === 'error' && unreadable.has(d.code))) return
    const doc = useMapping.getState().docs[kind]
    if (now().session?.options.mapping[kind] !== (doc ? text : undefined)) await setOptions({ mapping: inForce() })
  } catch (error) {
    if (!isQuiet(error)) setWorkbench({ problems: [...now().problems, problemOf(error)] })
  }
}

/** The texts of all documents; several kinds at once follow the reference's order of precedence. */
function inForce(): MappingTexts {
  const { docs } = useMapping.getState()
  return Object.fromEntries(kinds.flatMap(kind => (docs[kind] ? [[kind, docs[kind].text]] : [])))
}

// ---------------------------------------------------------------------------------------------- files

export const begin = (kind: MappingKind): void => put(kind, { text: '', path: '', saved: null })

/** A new or opened text; what stood there before is one undo away. */
function put(kind: MappingKind, doc: Doc): void {
  const before = textOf(kind)
  const { docs, edits } = useMapping.getState()
  useMapping.setState({ kind, docs: { ...docs, [kind]: { ...doc, text: before } }, edits: edits + 1 })
  if (states.has(kind)) applyEdits(kind, [leastEdit(before, doc.text)])
  useMapping.setState({ docs: { ...useMapping.getState().docs, [kind]: doc } })
  keepFiles()
  void recheck(kind)
}

/** Takes a kind out of force; its history ends. */
export async function discard(kind: MappingKind): Promise<void> {
  const { [kind]: _, ...docs } = useMapping.getState().docs
  const { [kind]: __, ...check } = useMapping.getState().check
  states.delete(kind)
  useMapping.setState({ docs, check, edits: useMapping.getState().edits + 1 })
  keepFiles()
  await setOptions({ mapping: inForce() })
}

/** Mapping files that were dropped or chosen. */
export async function openFiles(paths: readonly string[]): Promise<void> {
  try {
    for (const path of paths) {
      const result = await engine.mappingOpen({ path })
      if (!result.ok) { setWorkbench({ problems: [...now().problems, result.problem] }); continue }
      put(result.value.kind, { text: result.value.text, path, saved: result.value.text })
      const { layout } = now()
      changeLayout({ rail: 'mapping', shown: { ...layout.shown, side: true } })
    }
  } catch (error) {
    if (!isQuiet(error)) setWorkbench({ problems: [...now().problems, problemOf(error)] })
  }
}

export async function chooseFile(): Promise<void> { await openFiles(await host().choose({ what: 'mapping' })) }

export async function save(kind: MappingKind, elsewhere: boolean): Promise<void> {
  const doc = useMapping.getState().docs[kind]
  if (!doc) return
  const name = doc.path.split(/[\\/]/).at(-1) ?? ''
  const written = await host().save({ name: name === '' ? `${kind}_mapping.yaml` : name, data: doc.text, ...(doc.path !== '' && !elsewhere ? { to: doc.path } : {}) })
  if (!written) return
  if (!written.ok) { setWorkbench({ problems: [...now().problems, written.problem] }); return }
  const { docs } = useMapping.getState()
  const latest = docs[kind]
  if (latest) useMapping.setState({ docs: { ...docs, [kind]: { ...latest, path: written.value.path, saved: doc.text } } })
  keepFiles()
  notify('saved', { path: written.value.path }, written.value.path)
}

openMappingsWith(openFiles)
useWorkbench.subscribe(takeSession)

// Reads the graph files of a run into one model, text or JSON, and lets others work meanwhile.
import { baseOf, type Files, type Handle } from '../../io/index.ts'
import { JsonStop } from '../../json/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { ModelBuilder, modelSchema } from './builder.ts'
import { JsonMessages } from './json.ts'
import type { GeModel } from './model.ts'
import type { Events, Message } from './schema.ts'
import { TextReader, TextStop } from './text.ts'

/** Longer texts are no names; weights are the usual ones. */
const keptText = 1 << 16
/** Bytes between two places where others may have their turn. */
const breath = 1 << 20

/** A graph file's messages, a piece per step; `position` is how far it is read. */
export interface Messages {
  readonly position: number
  /** Texts that were too long to be kept. */
  readonly dropped: number
  /** False at the end. */
  step(): boolean
}

/** The messages of an open file, whichever way it is written. */
export function messagesOf<T>(
  handle: Handle,
  file: string,
  root: Message<T>,
  events: Events<T>,
  keep: number,
): Messages {
  if (!isJson(handle)) return new TextReader(handle, root, events, keep)
  const json = new JsonMessages(handle, file, events)
  const steps = json.steps(root)
  return {
    get position() {
      return json.position
    },
    dropped: 0,
    step: () => steps.next().done !== true,
  }
}

/** JSON begins with a brace, the text form never does. */
export function isJson(handle: Handle): boolean {
  const head = new Uint8Array(256)
  const read = handle.read(0, head)
  const from = head[0] === 0xef ? 3 : 0
  for (let i = from; i < read; i++) if (head[i] > 0x20) return head[i] === 0x7b
  return false
}

/**
 * The graphs of files that belong together, given in the order of their counters: of two graphs with one name
 * the later counts.
 */
export async function readGraphs(files: Files, paths: readonly string[], job: Job): Promise<GeModel> {
  const builder = new ModelBuilder(paths)
  const problems: Problem[] = []
  let partial = false
  for (const path of paths) {
    builder.beginFile()
    const stop = await readFile(files, path, builder, job)
    if (!stop) continue
    if (stop.code === 'ge-dropped') {
      problems.push(stop)
      continue
    }
    // Nothing else was asked for: nothing can be shown.
    if (paths.length === 1 && builder.ops === 0) throw new Refusal({ ...stop, severity: 'error' } as Problem)
    partial = true
    problems.push(stop)
  }
  if (builder.graphs === 0) throw new Refusal(problems[0] ?? problem('ge-empty', paths[0] ?? ''))
  const model = builder.finish(paths, partial, problems)
  return { ...model, problems: [...problems, ...supersededNotes(model)] }
}

/** What is wrong with it, if anything. */
async function readFile(
  files: Files,
  path: string,
  builder: ModelBuilder,
  job: Job,
): Promise<Problem | null> {
  const handle = files.open(path)
  const before = builder.ops
  try {
    const messages = messagesOf(handle, path, modelSchema, builder, keptText)
    await readAlong(messages, handle.size, job)
    return droppedNote(path, messages.dropped, keptText)
  } catch (error) {
    builder.dropUnfinished()
    return stopOf(error, path, handle, builder.ops - before)
  } finally {
    handle.close()
  }
}

/** Reads to the end, with progress and breath. */
export async function readAlong(messages: Messages, total: number, job: Job): Promise<void> {
  for (let told = 0; messages.step();) {
    if (messages.position - told < breath) continue
    told = messages.position
    job.report({ what: 'job.reading', done: told, total, countedIn: 'bytes' })
    await job.breathe()
  }
}

/** Why reading a file stopped, as a sentence; `ops` is how many came before. Anything else is thrown on. */
export function stopOf(error: unknown, path: string, handle: Handle, ops: number): Problem {
  // One piece that no memory should hold: what stands before it is kept.
  if (error instanceof Refusal && error.problem.code === 'too-large')
    return { ...error.problem, severity: 'warning' }
  if (!(error instanceof TextStop || error instanceof JsonStop)) throw error
  const { why, at: byte } = error
  if (why === 'truncated') return problem('ge-truncated', path, { byte, ops }, 'warning')
  return problem('ge-broken', path, { line: lineAt(handle, byte), byte, ops }, 'warning')
}

/** Null where nothing was dropped. */
export const droppedNote = (path: string, count: number, limit: number): Problem | null =>
  count > 0 ? problem('ge-dropped', path, { count, limit }, 'note') : null

/** Line of a byte, counted from 1. */
function lineAt(handle: Handle, byte: number): number {
  const piece = new Uint8Array(1 << 20)
  let line = 1
  for (let from = 0; from < byte; from += piece.length) {
    const read = handle.read(from, piece.subarray(0, Math.min(piece.length, byte - from)))
    if (read === 0) break
    for (let i = 0; i < read; i++) if (piece[i] === 0x0a) line++
  }
  return line
}

function supersededNotes({ files, texts, graphs }: GeModel): Problem[] {
  const notes: Problem[] = []
  const latest = new Map<number, number>()
  for (let graph = 0; graph < graphs.length; graph++) latest.set(graphs.name[graph], graphs.file[graph])
  for (let graph = 0; graph < graphs.length; graph++) {
    if (graphs.superseded[graph] === 0) continue
    const other = baseOf(files[latest.get(graphs.name[graph]) ?? 0])
    const facts = { graph: texts.get(graphs.name[graph]), other }
    notes.push(problem('ge-superseded', files[graphs.file[graph]], facts, 'note'))
  }
  return notes
}

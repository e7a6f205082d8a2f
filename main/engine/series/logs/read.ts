// Training logs: lines of any length, one after the other, and the numbers of those that speak of a step.
import {
  canonicalOfLogs,
  kindOfLine,
  type LineReader,
  type LogKind,
  longestLine,
  patternReader,
  readerOf,
  seriesNames,
} from '../../formats/index.ts'
import { baseOf, type Files } from '../../io/index.ts'
import { isArray, isObject, type Json, JsonNumber, JsonReader, JsonStop } from '../../json/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import type { PointSink } from '../points.ts'

interface Ports {
  readonly files: Files
  readonly job: Job
  tell(found: Problem): void
  /** Is given every line. */
  beside?(line: string): void
}

const windowBytes = 1 << 20
/** So far it is looked whether a file is a training's log. */
const probedBytes = 8 << 20

/** What a training's log is judged by. */
export const judgedOfLogs: readonly string[] = ['loss', 'grad norm']

/** What the one statistic of a log is called. */
export const logStat = 'value'

/** Lines of a text, cut at a length that no line of interest has. The last one may not be finished. */
export async function readLines(
  path: string,
  { files, job }: Pick<Ports, 'files' | 'job'>,
  take: (line: string, whole: boolean) => boolean,
  most = Infinity,
): Promise<void> {
  const handle = files.open(path)
  try {
    const decoder = new TextDecoder()
    const window = new Uint8Array(Math.min(windowBytes, Math.max(1, handle.size)))
    const end = Math.min(handle.size, most)
    let rest = ''
    for (let at = 0; at < end;) {
      const read = handle.read(at, window)
      if (read === 0) break
      at += read
      // Progress bars write over their own line.
      const lines = (rest + decoder.decode(window.subarray(0, read), { stream: true })).split(/[\r\n]+/)
      rest = (lines.pop() ?? '').slice(0, longestLine + 1)
      for (const line of lines) if (!take(line, true)) return
      job.report({ what: 'job.reading', done: at, total: end, countedIn: 'bytes' })
      await job.breathe()
    }
    if (rest !== '') take(rest, false)
  } finally {
    handle.close()
  }
}

/** The kind of log that a file is, from its beginning. */
export async function logKindOf(files: Files, path: string, job: Job): Promise<LogKind | null> {
  let kind: LogKind | null = null
  await readLines(
    path,
    { files, job: { ...job, report: () => {} } },
    line => (kind ??= kindOfLine(line)) === null,
    probedBytes,
  )
  return kind
}

export interface LogRead {
  readonly kind: LogKind | 'pattern' | 'trainer_state'
  readonly lines: number
}

/** `pattern`: what somebody has typed; '' where the kind of log is found out. */
export async function readLog(
  path: string,
  pattern: string,
  sink: PointSink,
  ports: Ports,
): Promise<LogRead> {
  if (pattern === '' && seriesNames.trainerFile.test(baseOf(path))) return readTrainerState(path, sink, ports)
  const kind = pattern === '' ? await logKindOf(ports.files, path, ports.job) : 'pattern'
  const reader = kind === 'pattern' ? await patternReader(pattern) : kind && readerOf(kind)
  if (!reader || !kind)
    throw new Refusal(
      kind === 'pattern' ? problem('log-pattern', path, { pattern }) : problem('log-unknown', path),
    )
  const rows = new LogRows(sink)
  await readLines(path, ports, (line, whole) => {
    ports.beside?.(line)
    const found = line.length <= longestLine ? reader(line) : null
    if (found && (whole || kind === 'pattern')) rows.add(found)
    if (found && !whole) ports.tell(problem('series-no-end', path, {}, 'note'))
    return true
  })
  if (rows.count === 0) throw new Refusal(problem('log-empty', path, { pattern: pattern || kind }))
  if (rows.restarts > 0) ports.tell(problem('log-restarts', path, { count: rows.restarts }, 'note'))
  return { kind, lines: rows.count }
}

/** What a trainer of Hugging Face keeps of its progress beside a checkpoint. */
async function readTrainerState(
  path: string,
  sink: PointSink,
  { files, job, tell }: Ports,
): Promise<LogRead> {
  const rows = new LogRows(sink)
  for (const entry of historyIn(files, path)) {
    if (!isObject(entry)) continue
    const numbers = [...entry].flatMap(([name, value]): readonly (readonly [string, number])[] =>
      value instanceof JsonNumber ? [[name, value.value]] : [],
    )
    const step = numbers.find(([name]) => name === 'step')?.[1] ?? null
    rows.add({ step, values: numbers.map(([name, value]) => [canonicalOfLogs(name), value]) })
    await job.breathe()
  }
  if (rows.count === 0) throw new Refusal(problem('log-empty', path, { pattern: 'log_history' }))
  if (rows.restarts > 0) tell(problem('log-restarts', path, { count: rows.restarts }, 'note'))
  return { kind: 'trainer_state', lines: rows.count }
}

const longestState = 512 << 20

function historyIn(files: Files, path: string): readonly Json[] {
  const reader = new JsonReader(files.readAll(path, longestState))
  try {
    const value = reader.value()
    const history = isObject(value) ? value.get('log_history') : undefined
    return isArray(history) ? history : []
  } catch (error) {
    if (!(error instanceof JsonStop)) throw error
    throw new Refusal(problem('log-broken', path))
  }
}

/** Lines without a step are counted; where steps begin again the later ones count. */
class LogRows {
  readonly #sink: PointSink
  #last = -Infinity
  #counted = 0
  count = 0
  restarts = 0

  constructor(sink: PointSink) {
    this.#sink = sink
  }

  add({ step, values }: NonNullable<ReturnType<LineReader>>): void {
    const told = values.filter(([name]) => name !== 'step' && name !== 'global_step')
    if (told.length === 0) return
    const at = step !== null && Number.isSafeInteger(step) ? step : ++this.#counted
    if (at < this.#last) this.restarts++
    this.#last = at
    this.count++
    for (const [name, value] of told) this.#sink.set(this.#sink.add(0, at, name), logStat, value)
  }
}

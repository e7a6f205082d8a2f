// The door of the engine: opens sessions and answers what the window and the command line ask.
import { detect, type Detected } from './formats/detect.ts'
import { rawEntry } from './formats/msprobe.ts'
import { diskFiles } from './io/files.ts'
import { Cancelled, job } from './job.ts'
import { defaultThresholds } from './match/index.ts'
import { measurePairs } from './metrics/tensor-pairs.ts'
import type { SessionId, ViewId } from './model.ts'
import { fail, ok, problem, Refusal, type Result } from './problem.ts'
import type { Comparison } from './result.ts'
import { Session, type Loaded, type SessionPorts } from './session.ts'
import { tasks } from './tasks.ts'
import { UnitView } from './unit.ts'
import { positionOf, rowIndex } from './view/rows.ts'
import { openPool } from './work/pool.ts'
import type { CompareOptions, EngineApi, EngineEvent, SessionInfo } from '../../preload/contract/engine.ts'

export interface EngineParts {
  /** Where parsed dumps are kept between openings; '' keeps nothing. */
  readonly cacheDir: string
  emit(event: EngineEvent): void
}

export const defaultOptions: CompareOptions = { rules: 'plumbline', fuzzy: false, mapping: {}, thresholds: defaultThresholds }

interface View {
  readonly comparison: Comparison
  readonly rows: Uint32Array
}

const keptViews = 24

export function openEngine({ cacheDir, emit }: EngineParts): EngineApi {
  const files = diskFiles()
  const pool = openPool(tasks)
  const sessions = new Map<SessionId, Session>()
  const views = new Map<ViewId, View>()
  const unitViews = new WeakMap<Loaded, UnitView>()
  const ports: SessionPorts = { files, cacheDir, emit, measure: (pairs, work, grown) => measurePairs(pool, files, pairs, work, grown) }
  let lastSession = 0
  let lastView = 0

  const session = (id: SessionId): Session => {
    const found = sessions.get(id)
    if (!found) throw new Cancelled()
    return found
  }
  const view = (id: ViewId): View => {
    const found = views.get(id)
    if (!found) throw new Cancelled()
    return found
  }

  const unitView = async (id: SessionId, unit: number): Promise<UnitView> => {
    const of = session(id)
    const loaded = await of.loaded(unit)
    let known = unitViews.get(loaded)
    if (!known) unitViews.set(loaded, (known = new UnitView(loaded, of.place(unit))))
    return known
  }

  const opened = (found: Detected, options: CompareOptions): Session => {
    const id = ++lastSession as SessionId
    if (found.is === 'dumps') {
      if (found.units.length === 0) throw new Refusal(found.problems.find(p => p.severity === 'error') ?? problem('not-a-dump', found.debug.root))
      return new Session(id, found.bench ? 'compare' : 'single', found.units, { debug: found.debug.root, bench: found.bench?.root ?? '' }, options, found.problems, ports)
    }
    throw new Refusal(problem('unknown-file'))
  }

  return {
    async open({ paths, options }) {
      return refusable(async () => {
        const made = opened(detect(files, paths), { ...defaultOptions, ...options })
        sessions.set(made.id, made)
        made.start()
        return made.info()
      })
    },
    async close({ session: id }) {
      await sessions.get(id)?.close()
      sessions.delete(id)
    },
    async session({ session: id }) { return session(id).info() },
    async choose({ session: id, unit }) {
      session(id).choose(unit)
      return session(id).info()
    },
    async setOptions({ session: id, options }) {
      return refusable(async () => {
        await session(id).setOptions({ ...session(id).options, ...options })
        return session(id).info()
      })
    },
    async reload({ session: id }) {
      return refusable(async (): Promise<SessionInfo> => {
        await session(id).reload()
        return session(id).info()
      })
    },
    async cancel({ session: id }) { await session(id).cancel() },

    async order({ session: id, unit, filter, sort }, signal) {
      const { comparison } = await session(id).loaded(unit)
      const { rows, counts } = await rowIndex(comparison).order(filter, sort, job(signal))
      const made = ++lastView as ViewId
      views.set(made, { comparison, rows })
      for (const old of views.keys()) if (views.size > keptViews) views.delete(old)
      return { view: made, rows: rows.length, columns: comparison.columns, counts }
    },
    async rows({ view: id, first, count, columns }) {
      const { comparison, rows } = view(id)
      return rowIndex(comparison).rows(rows, { first, count, columns })
    },
    async position({ view: id, row }) { return positionOf(view(id).rows, row) },
    async rowOf({ session: id, unit, at }) { return (await unitView(id, unit)).rowOf(at) },
    async summary({ view: id, column }, signal) { return rowIndex(view(id).comparison).summary(column, job(signal)) },

    async node({ session: id, unit, at }) { return (await unitView(id, unit)).node(at) },
    async raw({ session: id, unit, side, node }) {
      const at = await unitView(id, unit)
      const op = at.lookup.op(side, node)
      return op < 0 ? '' : rawEntry(files, at.loaded[side], op)
    },
    async findings({ session: id, unit }, signal) {
      const advice = await (await unitView(id, unit)).advice(job(signal))
      session(id).setHeadline(unit, advice.findings[0]?.node ?? '')
      return advice
    },
    async search() { return [] },
    async scene() { return { debug: { boxes: [], width: 0, height: 0 }, bench: null } },
    async strip() { return { debug: { bucket: new Int8Array(0), position: new Float64Array(0) }, bench: null } },
    async legend() { return { measure: '', buckets: [], unmatchedDebug: 0, unmatchedBench: 0 } },
    async reveal({ at }) { return { at, debug: [], bench: [] } },
    async walk() { return null },
    async expand() { return { debug: [], bench: [] } },
    async nodeAt() { return null },
    async list() { return { total: 0, nodes: [] } },
    async tensor() { throw new Cancelled() },
    async write() { throw new Cancelled() },
    async memory() { return process.memoryUsage().rss },
  }
}

async function refusable<T>(act: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await act())
  } catch (error) {
    if (error instanceof Refusal) return fail(error.problem)
    throw error
  }
}

// The window's door of the engine: opens sessions and answers what is asked of them.
import { adviseAcross, type AdvisedUnit } from './advisor/across.ts'
import { defaultThresholds as advisorThresholds } from './advisor/thresholds.ts'
import { detect } from './formats/detect.ts'
import { rawEntry } from './formats/msprobe.ts'
import { diskFiles } from './io/files.ts'
import { Cancelled, job } from './job.ts'
import { handConfig } from './graph/hand.ts'
import { peerOn, peersOf } from './graph/peer-of.ts'
import type { KeptOps } from './graph/view.ts'
import type { Dump } from './dump.ts'
import { kindOf, longestMapping } from './match/document.ts'
import { editMapping, savedText } from './match/edit-mapping.ts'
import { defaultThresholds } from './match/index.ts'
import { MappingDesk } from './match/mapping.ts'
import { propose } from './match/propose.ts'
import { decodeMapping } from './match/text-file.ts'
import { measurePairs } from './metrics/tensor-pairs.ts'
import type { SessionId, ViewId } from './model.ts'
import { fail, ok, problem, Refusal, type Result } from './problem.ts'
import type { Comparison } from './result.ts'
import { engineOf, Session, type Loaded, type SessionPorts } from './session.ts'
import { openSources } from './sources.ts'
import { UnitView, type UnitGraphs } from './unit.ts'
import { positionOf, rowIndex } from './view/rows.ts'
import { closeness, tensorView } from './view/tensor.ts'
import { openPool } from './work/pool.ts'
import { writeUnit, type ReportWords } from './unit-reports.ts'
import type { Advice, CompareOptions, EngineApi, EngineEvent, ReportQuery } from '../../preload/contract/engine.ts'

export interface EngineParts {
  /** Where parsed dumps are kept between openings; '' keeps nothing. */
  readonly cacheDir: string
  emit(event: EngineEvent): void
  words(language: ReportQuery['language']): ReportWords
}

export const defaultOptions: CompareOptions = { rules: 'plumbline', fuzzy: false, mapping: {}, thresholds: defaultThresholds, advisor: advisorThresholds, colours: 'precision' }

interface View {
  readonly comparison: Comparison
  readonly rows: Uint32Array
  /** It shows what has no partner: the bench's own has no rows, but belongs to it. */
  readonly unmatched: boolean
}

const keptViews = 24

export function openEngine({ cacheDir, emit, words }: EngineParts): EngineApi {
  const files = diskFiles()
  const pool = openPool(async () => (await import('./tasks.ts')).tasks)
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
  const findings = async (id: SessionId, unit: number): Promise<Advice> => {
    const advice = await (await unitView(id, unit)).advice(session(id).needs(unit))
    session(id).setHeadline(unit, advice.findings[0]?.node ?? '')
    return advice
  }
  /** Null where the dump has no hierarchy: the grid works, the graph says why. */
  const graphs = async (id: SessionId, unit: number): Promise<UnitGraphs | null> => {
    const at = await unitView(id, unit)
    // The hierarchy is read last: while rows come in there is none yet.
    if (session(id).peek(unit)?.growing && at.loaded.debug.construct.length === 0) return null
    try {
      const made = await at.graphs(session(id).needs(unit))
      made.view.prepareSearch()
      return made
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // A dump of API level has none: nothing is wrong with it.
      session(id).complain(error.problem.code === 'no-hierarchy' ? { ...error.problem, severity: 'note' } : error.problem)
      return null
    }
  }

  return {
    async open({ paths, options, matches }, signal) {
      return refusable(async () => {
        const wanted = { ...defaultOptions, ...options }
        const opening = await openSources(detect(files, paths), wanted.rules, ports, job(signal))
        const made = new Session(++lastSession as SessionId, opening, wanted, matches ?? [], ports)
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
    async cancel({ session: id }) { await session(id).cancel() },

    async order({ session: id, unit, filter, sort }, signal) {
      const { comparison } = await session(id).loaded(unit)
      const { rows, counts } = await rowIndex(comparison).order(filter, sort, job(signal))
      const made = ++lastView as ViewId
      views.set(made, { comparison, rows, unmatched: filter.show.includes('unmatched') && filter.quick === '' && filter.columns.length === 0 && filter.node === undefined })
      for (const old of views.keys()) if (views.size > keptViews) views.delete(old)
      return { view: made, rows: rows.length, columns: comparison.columns, counts }
    },
    async rows({ view: id, first, count, columns }) {
      const { comparison, rows } = view(id)
      return rowIndex(comparison).rows(rows, { first, count, columns })
    },
    async position({ session: id, unit, view: of, row, at, blocks: { size, columns, there } }) {
      const wanted = row ?? (await unitView(id, unit)).rowOf(at)
      const { comparison, rows } = view(of)
      const place = wanted < 0 ? -1 : positionOf(rows, wanted)
      const first = Math.floor(place / size) * size
      return { place, block: place < 0 || there.includes(first) ? null : rowIndex(comparison).rows(rows, { first, count: size, columns }) }
    },
    async summary({ view: id, column }, signal) { return rowIndex(view(id).comparison).summary(column, job(signal)) },

    async node({ session: id, unit, at }) { return (await unitView(id, unit)).node(at, session(id).needs(unit)) },
    async raw({ session: id, unit, side, node }) {
      const at = await unitView(id, unit)
      const op = at.lookup.op(side, node)
      return op < 0 ? '' : rawEntry(files, at.loaded[side], op)
    },
    findings: ({ session: id, unit }) => findings(id, unit),
    async across({ session: id }, signal) {
      const advised: (AdvisedUnit & { readonly unit: number })[] = []
      for (let unit = 0; unit < session(id).unitCount; unit++) {
        if (signal.aborted) throw new Cancelled()
        const { step, rank } = session(id).place(unit)
        try {
          advised.push({ unit, step, rank, advice: await findings(id, unit) })
        } catch (error) {
          // A rank that cannot be read says nothing about the others; its problem was told.
          if (!(error instanceof Refusal)) throw error
        }
      }
      const [finding] = adviseAcross(advised)
      const of = finding && advised.find(({ step, rank }) => step === finding.step && rank === finding.rank)
      return finding && of ? { finding, unit: of.unit } : null
    },
    async search({ session: id, unit, text, limit }) { return (await graphs(id, unit))?.view.search(text, limit) ?? [] },

    async scene({ session: id, unit, debug, bench, dimExcept }) {
      const found = await graphs(id, unit)
      if (!found) return { debug: noDrawing, bench: null }
      const kept = dimExcept === undefined ? null : keptOps(await unitView(id, unit), view(dimExcept))
      return found.view.scene({ debug, bench }, kept)
    },
    async strip({ session: id, unit, slots }) { return (await graphs(id, unit))?.view.strip(slots) ?? { debug: noStrip, bench: null } },
    async legend({ session: id, unit }) { return (await graphs(id, unit))?.view.legend() ?? { measure: '', buckets: [], unmatchedDebug: 0, unmatchedBench: 0, overflow: false } },
    async reveal({ session: id, unit, at }) { return (await graphs(id, unit))?.view.reveal(at) ?? { at, debug: [], bench: [] } },
    async walk({ session: id, unit, from, to }) { return (await graphs(id, unit))?.view.walk(from, to) ?? null },
    async expand({ session: id, unit, at, to }) { return (await graphs(id, unit))?.view.expand(at, to) ?? { debug: [], bench: [] } },
    async nodeAt({ session: id, unit, side, position }) { return (await graphs(id, unit))?.view.nodeAt(side, position) ?? null },
    async list({ session: id, unit, list, first, count }) { return (await graphs(id, unit))?.view.list(list, first, count) ?? { total: 0, nodes: [] } },
    async locate({ session: id, unit, side, open, node }) { return (await graphs(id, unit))?.view.locate(side, open, node) ?? null },
    async flow({ session: id, unit, side, node, hops, most }) { return (await unitView(id, unit)).flow(side, node, hops, most, session(id).needs(unit)) },
    async peers({ session: id, unit, side, node }) {
      const of = session(id)
      const { rank } = of.place(unit)
      const at = await unitView(id, unit)
      if (rank === null) return []
      const units = of.besides(unit).filter(other => other.rank !== rank)
      return peersOf({ dump: at.loaded[side], rank }, at.lookup.op(side, node), { rules: of.options.rules, files })
        .flatMap(({ type, ranks }) => (ranks ?? units.map(other => other.rank)).map(other => ({ type, rank: other, unit: units.find(one => one.rank === other)?.unit ?? -1 })))
    },
    async peer({ session: id, unit, side, node, to }) {
      const of = session(id)
      const [mine, theirs] = [of.place(unit).rank, of.place(to).rank]
      const at = await unitView(id, unit)
      if (mine === null || theirs === null) return null
      const dump = (await of.dumps(to))[side]
      const found = peerOn({ dump: at.loaded[side], rank: mine }, at.lookup.op(side, node), { dump, rank: theirs }, { rules: of.options.rules, files })
      return found < 0 ? null : { [side]: dump.texts.get(dump.ops.name[found]) }
    },
    async match({ session: id, unit, debug, bench, descendants }) {
      return refusable(async () => {
        await session(id).setHand(unit, await (await unitView(id, unit)).withMatch(debug, bench, descendants, session(id).needs(unit)))
        return null
      })
    },
    async matches({ session: id, unit }) { return Object.fromEntries(session(id).needs(unit).hand) },
    async matchesText({ session: id, unit }) { return handConfig(session(id).needs(unit).hand) },
    async applyMatches({ session: id, unit, path }) {
      return refusable(async () => {
        files.allow(path)
        const text = new TextDecoder().decode(files.readAll(path, longestMatches))
        const { hand, total, applied, failed } = await (await unitView(id, unit)).withConfig(text, path, session(id).needs(unit))
        await session(id).setHand(unit, hand)
        return { total, applied, failed }
      })
    },

    async tensor({ session: id, unit, row, at, rows, cols }, signal) {
      return tensorView(pool, files, { ...(await unitView(id, unit)).tensorsOf(row), at, rows, cols }, job(signal))
    },
    async closeness({ session: id, unit, row, atol, rtol }, signal) {
      const { debug, bench } = (await unitView(id, unit)).tensorsOf(row)
      return refusable(async () => {
        if (!debug || !bench) throw new Refusal(problem('no-tensors', ''))
        return closeness(pool, files, { debug, bench, atol, rtol }, job(signal))
      })
    },

    async mappingOpen({ path }) {
      return refusable(async () => {
        files.allow(path)
        const { text, encoding } = decodeMapping(files.readAll(path, longestMapping))
        return { kind: kindOf(text), text, encoding }
      })
    },
    async mappingCheck({ session: id, unit, kind, text }) { return desk(await unitView(id, unit)).check(kind, text, shownDiagnostics) },
    async mappingEntry({ session: id, unit, kind, text, at }) {
      const view = await unitView(id, unit)
      return desk(view).entryAt(kind, text, at, view.loaded.comparison)
    },
    async mappingComplete({ session: id, unit, kind, text, at }) { return desk(await unitView(id, unit)).complete(kind, text, at) },
    async mappingNames({ session: id, unit, first, count, ...question }) {
      const names = desk(await unitView(id, unit)).listed(question)
      return { total: names.length, names: names.slice(first, first + count) }
    },
    async mappingMeeting({ session: id, unit, kind, text, debug, bench }) { return desk(await unitView(id, unit)).meeting(kind, text, debug, bench) },
    async mappingPropose({ session: id, unit, kind, text, limit }) { return propose(desk(await unitView(id, unit)), kind, text, limit) },
    async mappingEdit({ kind, text, set, remove }) { return refusable(async () => editMapping(kind, text, set, remove)) },
    async mappingSaved({ kind, text }) { return savedText(kind, text) },
    async mappingPreview({ session: id, unit, kind, text, saved }) { return desk(await unitView(id, unit)).preview(kind, text, { [kind]: saved }) },
    async mappingBuiltIn({ session: id, unit, text }) { return desk(await unitView(id, unit)).builtIn(text) },

    async write(query, signal) {
      const { session: id, unit, language } = query
      const at = await unitView(id, unit)
      return refusable(() => writeUnit(at, session(id).place(unit), { files, words: words(language), needs: session(id).needs(unit), query }, job(signal)))
    },
    async memory() { return process.memoryUsage().rss },
  }
}

/** A mapping file of the plugin names every pair in full; more than this none has. */
const longestMatches = 64 << 20

const noDrawing = { boxes: [], width: 0, height: 0 }
const noStrip = { bucket: new Int8Array(0), position: new Float64Array(0) }

const kept = new WeakMap<View, KeptOps>()

function keptOps(at: UnitView, view: View): KeptOps {
  let known = kept.get(view)
  if (!known) kept.set(view, (known = at.keptOps(view.rows, view.unmatched)))
  return known
}

const shownDiagnostics = 500

const desks = new WeakMap<Dump, { readonly bench: Dump; readonly rules: string; readonly desk: MappingDesk }>()

/** A pair of dumps keeps its desk over all edits of its mappings. */
function desk({ loaded: { debug, bench, comparison: { rules } } }: UnitView): MappingDesk {
  const known = desks.get(debug)
  if (known?.bench === bench && known.rules === rules) return known.desk
  const made = new MappingDesk(debug, bench, { rules, engine: engineOf(debug), fuzzy: false, mapping: {}, stack: 'auto', thresholds: defaultThresholds })
  desks.set(debug, { bench, rules, desk: made })
  return made
}

async function refusable<T>(act: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await act())
  } catch (error) {
    if (error instanceof Refusal) return fail(error.problem)
    throw error
  }
}

export type { ReportWords }

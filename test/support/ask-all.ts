// Everything that the panels of a window ask of an opened study.
import type { NodeRef, SessionInfo, UnitAt, ViewInfo } from '../../preload/contract/engine.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { allRows, never, type Watched } from './watched.ts'

type Engine = Watched['engine']

/** A refusal is an answer; everything else goes on. */
export async function answered<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const part = { rowAxis: 0, colAxis: 1, at: [0, 0, 0, 0, 0, 0, 0, 0], rows: 20, cols: 20, wrap: 20 }
const look = {
  measure: 'abs',
  rest: 'max',
  rowAxis: 0,
  colAxis: 1,
  at: [],
  rows: [0, 20],
  cols: [0, 20],
} as const

async function rows(engine: Engine, at: UnitAt): Promise<ViewInfo | null> {
  const view = await answered(engine.order({ ...at, ...allRows }, never))
  if (!view || view.rows === 0) return view
  const columns = view.columns.map(({ id }) => id)
  await answered(engine.rows({ view: view.view, first: 0 as never, count: 200, columns }, never))
  for (const column of columns.slice(0, 6)) {
    await answered(engine.summary({ view: view.view, column }, never))
    await answered(engine.order({ ...at, filter: allRows.filter, sort: [{ column, down: true }] }, never))
  }
  for (const row of [0, view.rows - 1] as never[]) {
    const tensors = { ...at, row, align: null }
    await answered(engine.why({ ...at, row }, never))
    await answered(engine.tensorAbout({ ...tensors, sample: false }, never))
    await answered(engine.tensorNumbers({ ...tensors, part }, never))
    await answered(engine.tensorSpread({ ...tensors, sample: true }, never))
    await answered(engine.tensorHeat({ ...tensors, look, sample: true }, never))
    await answered(engine.tensorKind(tensors, never))
    await answered(engine.tensorProposals(tensors, never))
    await answered(engine.closeness({ ...at, row, atol: 1e-8, rtol: 1e-5 }, never))
  }
  return view
}

async function aboutNode(engine: Engine, at: UnitAt, node: NodeRef): Promise<void> {
  await answered(engine.node({ ...at, at: node }, never))
  await answered(engine.reveal({ ...at, at: node }, never))
  await answered(engine.recomputed({ ...at, at: node }, never))
  await answered(engine.verdictsOf({ ...at, at: node }, never))
  await answered(engine.made({ ...at, at: node }, never))
  for (const side of ['debug', 'bench'] as const) {
    const name = node[side]
    if (!name) continue
    await answered(engine.raw({ ...at, side, node: name }, never))
    await answered(engine.peers({ ...at, side, node: name }, never))
    await answered(engine.flow({ ...at, side, node: name, hops: 2, most: 60 }, never))
    await answered(engine.overflowExplained({ ...at, op: name }, never))
  }
}

async function graphs(engine: Engine, at: UnitAt): Promise<void> {
  const open = await answered(engine.expand({ ...at, at: null, to: 'all' }, never))
  await answered(engine.expand({ ...at, at: null, to: 'differing' }, never))
  const side = (ids: readonly string[] | undefined): object => ({ open: ids ?? [], top: 0, bottom: 1e6 })
  await answered(engine.scene({ ...at, debug: side(open?.debug), bench: side(open?.bench) } as never, never))
  await answered(engine.strip({ ...at, slots: 100 }, never))
  await answered(engine.legend(at, never))
  await answered(engine.search({ ...at, text: 'a', limit: 20 }, never))
  for (const list of ['differing', 'unmatched-debug', 'overflowed'] as const)
    await answered(engine.list({ ...at, list, first: 0, count: 20 }, never))
  const first = await answered(engine.walk({ ...at, from: null, to: 'first', row: null }, never))
  await answered(engine.walk({ ...at, from: first?.at ?? null, to: 'next', row: null }, never))
  for (const position of [0, 0.5, 1]) {
    const node = await answered(engine.nodeAt({ ...at, side: 'debug', position }, never))
    if (node) await aboutNode(engine, at, node)
  }
  await answered(engine.flow({ ...at, side: 'debug', node: '', hops: 1, most: 60 }, never))
}

async function findings(engine: Engine, at: UnitAt): Promise<void> {
  await answered(engine.findings(at, never))
  await answered(engine.noise(at, never))
  await answered(engine.overflows(at, never))
  await answered(engine.overflowStep(at, never))
  await answered(engine.replicasStep({ ...at, layout: null }, never))
  await answered(engine.overflowFirst(at, never))
  await answered(engine.overflowCalls({ ...at, levels: [], first: 0, count: 50 }, never))
  await answered(engine.overflowBench({ ...at, op: '' }, never))
  await answered(engine.headlineRecomputed({ ...at, limit: 1e6 }, never))
  await answered(engine.recompute({ ...at, nodes: null, limit: 1e6 }, never))
}

async function series(engine: Engine, at: UnitAt): Promise<void> {
  const info = await answered(engine.series(at, never))
  const limits = { first: 0.9, drop: 0.1, threshold: 0.5, floor: 0.01, factor: 3 }
  await answered(engine.seriesMarks({ ...at, limits }, never))
  for (const [metric, { stats, ranks, both }] of (info?.metrics ?? []).slice(0, 4).entries()) {
    const pick = { metric, stat: stats[0] ?? '', view: both ? 'difference' : 'debug' } as const
    await answered(engine.seriesTags({ ...at, metric }, never))
    for (const fixed of ['rank', 'step', 'target'] as const)
      await answered(
        engine.seriesMap(
          {
            ...at,
            ...pick,
            fixed,
            at: 0,
            target: '',
            columns: 40,
            rows: 30,
            window: null,
            tags: [],
            search: '',
          },
          never,
        ),
      )
    await answered(engine.seriesLine({ ...at, ...pick, rank: ranks[0] ?? 0, target: 'a' }, never))
  }
}

async function sheets(engine: Engine, at: UnitAt): Promise<number> {
  const info = await answered(engine.sheets(at, never))
  let lines = 0
  for (let sheet = 0; sheet < (info?.sheets.length ?? 0); sheet++) {
    const asked = { ...at, sheet, levels: [], text: '', sort: null, first: 0, count: 100 }
    lines += (await answered(engine.sheetPage(asked, never)))?.rows.length ?? 0
  }
  return lines
}

async function verdicts(engine: Engine, at: UnitAt): Promise<number> {
  const tables = (await answered(engine.verdicts(at, never))) ?? []
  let lines = 0
  for (let table = 0; table < tables.length; table++) {
    const filter = { states: [], by: 'api', group: null, text: '' } as const
    const page = await answered(engine.verdictPage({ ...at, table, filter, first: 0, count: 100 }, never))
    lines += page?.total ?? 0
    for (const { row } of page?.lines.slice(0, 5) ?? [])
      await answered(engine.verdictDetail({ ...at, table, row }, never))
  }
  return lines
}

/** How many lines there were, of whatever there is. */
export async function askAll(engine: Engine, { session, kind, units }: SessionInfo): Promise<number> {
  let lines = 0
  await answered(engine.overall({ session }, never))
  for (const { unit, state } of units.slice(0, 3)) {
    if (state === 'failed') continue
    const at = { session, unit }
    if (kind === 'series') await series(engine, at)
    else if (kind === 'sheets') lines += await sheets(engine, at)
    else {
      lines += await verdicts(engine, at)
      if (kind === 'verdicts') continue
      lines += (await rows(engine, at))?.rows ?? 0
      await graphs(engine, at)
      await findings(engine, at)
    }
  }
  return lines
}

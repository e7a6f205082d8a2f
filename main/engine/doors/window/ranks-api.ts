// Steps and ranks as one picture, and questions over all of them.
import type { RanksApi } from '../../../../preload/contract/engine.ts'
import { pictureOf, ranksInOrder } from '../../dataset/index.ts'
import { openOutput, type Questions, rowsIn, type SqlCell, sqlText } from '../../io/index.ts'
import { answerWriter, stampOf } from '../../report/index.ts'
import { type AnswerCell, builtInNames, builtInQueries, type UnitAt } from '../../model/index.ts'
import { DatasetUnit, PairStudy, type RanksData } from '../../study/index.ts'
import { type Context, refusable } from './context.ts'

/** What crosses at once. */
const mostRows = 2000
const mostBytes = 700_000

export function ranksApi(context: Context): RanksApi {
  /** Of an opened pair as far as it is compared; of a dataset once it is read. */
  const dataOf = async ({ session: id, unit }: UnitAt, signal: AbortSignal): Promise<RanksData> => {
    const session = context.session(id)
    const { study } = session
    if (study instanceof PairStudy && study.ranks) return study.ranks
    return session.until(unit, at => (at instanceof DatasetUnit ? at.data : null), signal)
  }
  /** One step and rank of an opened pair is kept for questions only when there are some. */
  const askedOf = async (at: UnitAt, signal: AbortSignal): Promise<Questions> => {
    const { study } = context.session(at.session)
    if (study instanceof PairStudy && study.units.length === 1)
      await context.until(at, unit => study.ranks?.want(unit) || null, signal)
    return (await dataOf(at, signal)).questions()
  }

  return {
    async ranks({ layout, ...at }, signal) {
      const picture = (await dataOf(at, signal)).picture()
      const ranks = new Set(picture.units.map(({ rank }) => rank)).size
      const order = layout ? ranksInOrder(layout, ranks) : null
      return pictureOf(picture, order ?? undefined)
    },
    async ranksUnit({ of, ...at }, signal) {
      const { study } = context.session(at.session)
      // Who looks at a cell waits for it, so that it is compared before the others.
      if (study instanceof PairStudy)
        await context.until({ ...at, unit: of }, unit => unit.problem ?? unit.findings(), signal)
      return (await dataOf(at, signal)).unit(of)
    },
    async ranksNode({ node, ...at }, signal) {
      const { units } = await dataOf(at, signal)
      const found = new Float64Array(units.length).fill(NaN)
      const place = new Map(units.map(({ step, rank }, i) => [`${step} ${rank}`, i]))
      const sql = `SELECT step, rank, level FROM nodes WHERE node = ${sqlText(node)}`
      for (const [step, rank, level] of await rowsOf(await askedOf(at, signal), sql, signal)) {
        const i = place.get(`${step} ${rank}`)
        if (i !== undefined && typeof level === 'number') found[i] = level
      }
      return found
    },
    async ranksLayers({ step, ...at }, signal) {
      const { units } = await dataOf(at, signal)
      const where = step === null ? 'step IS NULL' : `step = ${Math.trunc(step)}`
      const sql = `SELECT layer, rank, max(level) FROM nodes WHERE ${where} AND layer IS NOT NULL GROUP BY layer, rank`
      const rows = await rowsOf(await askedOf(at, signal), sql, signal)
      const layers = [...new Set(rows.map(([layer]) => Number(layer)))].sort((a, b) => a - b)
      const ranks = [...new Set(units.filter(one => one.step === step).map(({ rank }) => rank))]
      const [layerAt, rankAt] = [new Map(layers.map((l, i) => [l, i])), new Map(ranks.map((r, i) => [r, i]))]
      const level = new Float64Array(layers.length * ranks.length).fill(NaN)
      for (const [layer, rank, value] of rows) {
        const column = rankAt.get(rank === null ? null : Number(rank))
        const line = layerAt.get(Number(layer))
        if (column !== undefined && line !== undefined && typeof value === 'number')
          level[line * ranks.length + column] = value
      }
      return { layers, ranks, level }
    },
    async ranksTables(at, signal) {
      const questions = await askedOf(at, signal)
      const tables = new Map<string, { name: string; told: string }[]>()
      for (const name of ['units', 'findings', 'nodes', 'rows'])
        try {
          tables.set(
            name,
            (await rowsOf(questions, `DESCRIBE "${name}"`, signal)).map(([column, told]) => ({
              name: String(column),
              told: String(told),
            })),
          )
        } catch {
          // No part has rows yet.
        }
      return {
        tables: [...tables].map(([name, columns]) => ({ name, columns })),
        builtIn: builtInNames.map(name => ({ name, sql: builtInQueries[name] })),
      }
    },
    ask: ({ sql, ...at }, signal) =>
      refusable(async () => {
        const began = performance.now()
        const questions = await askedOf(at, signal)
        const { columns, pieces } = await questions.ask(sql, signal)
        const cells: AnswerCell[][] = columns.map(() => [])
        let [rows, bytes, cut] = [0, 0, false]
        for await (const piece of pieces) {
          for (const row of rowsIn(piece)) {
            cut = rows >= mostRows || bytes >= mostBytes
            if (cut) break
            for (const [i, cell] of row.entries()) {
              cells[i]?.push(cell)
              bytes += typeof cell === 'string' ? cell.length * 2 + 8 : 9
            }
            rows++
          }
          if (cut) break
        }
        return {
          columns: columns.map(({ name, type, told }) => ({
            name,
            numeric: type === 'int' || type === 'double',
            told,
          })),
          cells,
          rows,
          cut,
          ms: performance.now() - began,
        }
      }),
    askInto: ({ sql, format, folder, ...at }, signal) =>
      refusable(async () => {
        const questions = await askedOf(at, signal)
        const output = openOutput(folder, [], true)
        try {
          const sink = output.create(`query_${stampOf(new Date())}.${format}`)
          const rows = await answerWriter(await questions.ask(sql, signal), format, bytes =>
            sink.write(bytes),
          )
          const [path = ''] = output.commit()
          return { path, rows }
        } finally {
          output.abandon()
        }
      }),
  }
}

/** Row by row. */
async function rowsOf(
  questions: Questions,
  sql: string,
  signal: AbortSignal,
): Promise<readonly (readonly SqlCell[])[]> {
  const rows: (readonly SqlCell[])[] = []
  for await (const piece of (await questions.ask(sql, signal)).pieces) rows.push(...rowsIn(piece))
  return rows
}

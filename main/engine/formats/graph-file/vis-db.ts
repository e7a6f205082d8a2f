// Reads .vis.db files of 8.2 and 26: one graph per step and rank; items are read when somebody asks for them.
import { type Json, JsonReader, JsonStop } from '../../json/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import { type Files, openSqlite, type SqliteFile, type SqliteRow, type SqliteTable } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import {
  colorsIn,
  lastLink,
  overflowOf,
  readTexts,
  type FileColor,
  type FileSide,
  type GraphFile,
} from './graph-file.ts'
import { lazyStacks, SideRows } from './side-rows.ts'

/** A database with its graphs by step and rank. */
interface VisDb {
  readonly units: readonly GraphFile[]
  close(): void
}

const needed = [
  'graph_id',
  'node_order',
  'node_name',
  'node_type',
  'up_node',
  'sub_nodes',
  'precision_index',
  'matched_node_link',
  'input_data',
  'output_data',
] as const
/** A quarter of a million children of one node. */
const mostListBytes = 1 << 24
const empty = new Uint8Array(0)

/** The rows of one side, with where they stand in their table and in the graph. */
class DbRows extends SideRows {
  readonly rowid: number[] = []
  readonly order: number[] = []
}

/** Reads the hierarchies of a database. Close it when its items are no longer wanted. */
export async function readVisDb(files: Files, file: string, job: Job): Promise<VisDb> {
  const database = openSqlite(files, file)
  try {
    return { units: await new Reading(database, file, job).run(), close: () => database.close() }
  } catch (error) {
    database.close()
    throw error
  }
}

class Reading {
  readonly #database: SqliteFile
  readonly #file: string
  readonly #job: Job
  readonly #problems: Problem[] = []
  readonly #sides = new Map<
    string,
    { readonly source: string; readonly step: number; readonly rank: number; readonly rows: DbRows }
  >()
  readonly #stackIds = new Map<string, number>()
  readonly #stackRows: number[] = []

  constructor(database: SqliteFile, file: string, job: Job) {
    this.#database = database
    this.#file = file
    this.#job = job
  }

  async run(): Promise<GraphFile[]> {
    const nodes = this.#database.tables.get('tb_nodes')
    if (!nodes || needed.some(name => !nodes.columns.includes(name)))
      throw new Refusal(
        problem('vis-db-invalid', this.#file, { reason: nodes ? 'columns of tb_nodes' : 'tb_nodes' }),
      )
    const stacks = this.#database.tables.get('tb_stack')
    if (stacks)
      for (const row of stacks.rows()) this.#stackIds.set(row.text(0), this.#stackRows.push(row.rowid) - 1)
    await this.#readNodes(nodes, stacks ? 'stack_id' : '')
    const config = this.#config()
    const units: GraphFile[] = []
    for (const { source, step, rank, rows } of this.#sides.values()) {
      if (source !== 'NPU') continue
      const bench = this.#sides.get(`Bench_${step}_${rank}`)
      units.push({
        file: this.#file,
        step,
        rank,
        debug: this.#finish(rows, nodes, stacks),
        bench: bench ? this.#finish(bench.rows, nodes, stacks) : null,
        ...config,
        partial: false,
        problems: this.#problems,
      })
    }
    if (units.length === 0) throw new Refusal(problem('vis-db-invalid', this.#file, { reason: 'no nodes' }))
    return units.sort((a, b) => a.step - b.step || a.rank - b.rank)
  }

  async #readNodes(nodes: SqliteTable, stackColumn: string): Promise<void> {
    const at = (name: string): number => nodes.columns.indexOf(name)
    const column = {
      graph: at('graph_id'),
      order: at('node_order'),
      name: at('node_name'),
      kind: at('node_type'),
      up: at('up_node'),
      children: at('sub_nodes'),
      index: at('precision_index'),
      overflow: at('overflow_level'),
      micro: at('micro_step_id'),
      link: at('matched_node_link'),
      stack: stackColumn ? at(stackColumn) : at('stack_info'),
      tensors: at('dump_data_dir'),
    }
    let done = 0
    for (const row of nodes.rows()) {
      if ((++done & 127) === 0) {
        this.#job.report({ what: 'job.reading', done, total: 0, countedIn: 'rows' })
        await this.#job.breathe()
      }
      const side = this.#sideOf(row.text(column.graph))
      if (!side) continue
      const { texts } = side
      side.rowid.push(row.rowid)
      side.order.push(row.number(column.order))
      side.name.push(texts.add(row.text(column.name)))
      side.kind.push(Number(row.text(column.kind)) || 0)
      const up = row.text(column.up)
      side.up.push(up === '' || up === 'None' ? -1 : texts.add(up))
      side.index.push(row.number(column.index))
      side.overflow.push(column.overflow < 0 ? 0 : (overflowOf[row.text(column.overflow)] ?? 0))
      side.micro.push(column.micro < 0 ? -1 : row.number(column.micro) || 0)
      const link = lastLink(this.#texts(row, column.link))
      side.partner.push(link === '' ? -1 : texts.add(link))
      const ownStack = column.stack < 0 ? -1 : row.rowid
      side.stack.push(stackColumn ? (this.#stackIds.get(row.text(column.stack)) ?? -1) : ownStack)
      side.children(this.#texts(row, column.children).map(child => texts.add(child)))
      if (up === '' && side.tensors === '' && column.tensors >= 0) side.tensors = row.text(column.tensors)
    }
  }

  #texts(row: SqliteRow, column: number): string[] {
    if (row.sizeOf(column) <= mostListBytes) return readTexts(row.bytes(column))
    throw new Refusal(problem('vis-db-invalid', this.#file, { reason: 'list' }))
  }

  #sideOf(graphId: string): DbRows | null {
    const [, source, step, rank] = /^(NPU|Bench)_(\d+)_(\d+)$/.exec(graphId) ?? []
    if (source === undefined) return null
    const key = `${source}_${Number(step)}_${Number(rank)}`
    let side = this.#sides.get(key)
    if (!side)
      this.#sides.set(key, (side = { source, step: Number(step), rank: Number(rank), rows: new DbRows() }))
    return side.rows
  }

  #config(): {
    task: string
    microSteps: number
    overflowChecked: boolean | null
    colors: readonly FileColor[]
  } {
    const table = this.#database.tables.get('tb_config')
    const row = table?.rows().next().value
    if (!table || !row) return { task: '', microSteps: 1, overflowChecked: null, colors: [] }
    const at = (name: string): number => table.columns.indexOf(name)
    const colors = row.text(at('node_colors'))
    let parsed: Json = null
    try {
      parsed = colors === '' ? null : new JsonReader(new TextEncoder().encode(colors)).value()
    } catch (error) {
      if (!(error instanceof JsonStop)) throw error
    }
    return {
      task: row.text(at('task')),
      microSteps: row.number(at('micro_steps')) || 1,
      overflowChecked: row.isNull(at('overflow_check')) ? null : row.number(at('overflow_check')) === 1,
      colors: colorsIn(parsed),
    }
  }

  #finish(rows: DbRows, nodes: SqliteTable, stacks: SqliteTable | undefined): FileSide {
    const order = rootFirst(rows)
    const rowid = Float64Array.from(order, row => rows.rowid[row])
    const input = nodes.columns.indexOf('input_data')
    const output = nodes.columns.indexOf('output_data')
    const stackTable = stacks ?? nodes
    const stackInfo = stackTable.columns.indexOf('stack_info')
    const stackRows = this.#stackRows
    const { side, missing, strays } = rows.settle(order, {
      stacks: lazyStacks(stackRows.length, stack =>
        linesOf(stackTable, stacks ? (stackRows[stack] ?? -1) : stack, stackInfo),
      ),
      items(row) {
        const found = nodes.row(rowid[row])
        return found ? [found.bytes(input), found.bytes(output)] : [empty, empty]
      },
    })
    if (missing > 0 || strays > 0)
      this.#problems.push(problem('vis-tree', this.#file, { missing, strays }, 'note'))
    return side
  }
}

/** Rows in their order, which stands children first, with the root before all others. */
function rootFirst({ order, up }: DbRows): Uint32Array {
  const sorted = Uint32Array.from(order, (_, i) => i).sort((a, b) => order[a] - order[b])
  const root = sorted.findIndex(row => up[row] < 0)
  const at = root < 0 ? sorted.length - 1 : root
  if (at > 0) {
    const row = sorted[at]
    sorted.copyWithin(1, 0, at)
    sorted[0] = row
  }
  return sorted
}

/** A stack that cannot be read costs its lines only. */
function linesOf(table: SqliteTable, rowid: number, column: number): readonly string[] {
  try {
    const row = table.row(rowid)
    return row ? readTexts(row.bytes(column)) : []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return []
  }
}

// Reads .vis.db files of 8.2 and 26: one graph per step and rank; items are read when somebody asks for them.
import { TextPool } from '../columns.ts'
import type { Files } from '../io/files.ts'
import { openSqlite, type SqliteFile, type SqliteTable } from '../io/sqlite.ts'
import type { Job } from '../job.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import { childLists, colorsIn, overflowOf, readTexts, settleTree, type FileColor, type FileSide, type GraphFile } from './graph-file.ts'
import { JsonReader, JsonStop, type Json } from './json-stream.ts'
import { lastLink } from './vis.ts'

/** A database with its graphs by step and rank. */
export interface VisDb {
  readonly units: readonly GraphFile[]
  close(): void
}

const needed = ['graph_id', 'node_order', 'node_name', 'node_type', 'up_node', 'sub_nodes', 'precision_index', 'matched_node_link', 'input_data', 'output_data'] as const
const empty = new Uint8Array(0)

class SideRows {
  readonly texts = new TextPool()
  readonly rowid: number[] = []
  readonly order: number[] = []
  readonly name: number[] = []
  readonly kind: number[] = []
  readonly up: number[] = []
  readonly micro: number[] = []
  readonly partner: number[] = []
  readonly index: number[] = []
  readonly overflow: number[] = []
  readonly stack: number[] = []
  readonly childNames: number[] = []
  readonly childFirst: number[] = [0]
  tensors = ''
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
  readonly #sides = new Map<string, { readonly source: string; readonly step: number; readonly rank: number; readonly rows: SideRows }>()
  readonly #stackIds = new Map<string, number>()
  readonly #stackRows: number[] = []

  constructor(database: SqliteFile, file: string, job: Job) {
    this.#database = database
    this.#file = file
    this.#job = job
  }

  async run(): Promise<GraphFile[]> {
    const nodes = this.#database.tables.get('tb_nodes')
    if (!nodes || needed.some(name => !nodes.columns.includes(name))) throw new Refusal(problem('vis-db-invalid', this.#file, { reason: nodes ? 'columns of tb_nodes' : 'tb_nodes' }))
    const stacks = this.#database.tables.get('tb_stack')
    if (stacks) for (const row of stacks.rows()) this.#stackIds.set(row.text(0), this.#stackRows.push(row.rowid) - 1)
    await this.#readNodes(nodes, stacks ? 'stack_id' : '')
    const config = this.#config()
    const units: GraphFile[] = []
    for (const { source, step, rank, rows } of this.#sides.values()) {
      if (source !== 'NPU') continue
      const bench = [...this.#sides.values()].find(side => side.source === 'Bench' && side.step === step && side.rank === rank)
      units.push({ file: this.#file, step, rank, debug: this.#finish(rows, nodes, stacks), bench: bench ? this.#finish(bench.rows, nodes, stacks) : null, ...config, partial: false, problems: this.#problems })
    }
    if (units.length === 0) throw new Refusal(problem('vis-db-invalid', this.#file, { reason: 'no nodes' }))
    return units.sort((a, b) => a.step - b.step || a.rank - b.rank)
  }

  async #readNodes(nodes: SqliteTable, stackColumn: string): Promise<void> {
    const at = (name: string): number => nodes.columns.indexOf(name)
    const column = {
      graph: at('graph_id'), order: at('node_order'), name: at('node_name'), kind: at('node_type'), up: at('up_node'), children: at('sub_nodes'), index: at('precision_index'),
      overflow: at('overflow_level'), micro: at('micro_step_id'), link: at('matched_node_link'), stack: stackColumn ? at(stackColumn) : at('stack_info'), tensors: at('dump_data_dir'),
    }
    let done = 0
    for (const row of nodes.rows()) {
      if ((++done & 127) === 0) {
        this.#job.report({ what: 'job.reading', done, total: 0, unit: 'rows' })
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
      side.overflow.push(column.overflow < 0 ? 0 : overflowOf[row.text(column.overflow)] ?? 0)
      side.micro.push(column.micro < 0 ? -1 : row.number(column.micro) || 0)
      const link = lastLink(readTexts(row.bytes(column.link)))
      side.partner.push(link === '' ? -1 : texts.add(link))
      side.stack.push(stackColumn ? this.#stackIds.get(row.text(column.stack)) ?? -1 : column.stack < 0 ? -1 : row.rowid)
      for (const child of readTexts(row.bytes(column.children))) side.childNames.push(texts.add(child))
      side.childFirst.push(side.childNames.length)
      if (up === '' && side.tensors === '' && column.tensors >= 0) side.tensors = row.text(column.tensors)
    }
  }

  #sideOf(graphId: string): SideRows | null {
    let side = this.#sides.get(graphId)
    if (!side) {
      const [, source, step, rank] = /^(NPU|Bench)_(\d+)_(\d+)$/.exec(graphId) ?? []
      if (source === undefined) return null
      this.#sides.set(graphId, (side = { source, step: Number(step), rank: Number(rank), rows: new SideRows() }))
    }
    return side.rows
  }

  #config(): { task: string; microSteps: number; overflowChecked: boolean | null; colors: readonly FileColor[] } {
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
    return { task: row.text(at('task')), microSteps: row.number(at('micro_steps')) || 1, overflowChecked: row.isNull(at('overflow_check')) ? null : row.number(at('overflow_check')) === 1, colors: colorsIn(parsed) }
  }

  #finish(rows: SideRows, nodes: SqliteTable, stacks: SqliteTable | undefined): FileSide {
    const { texts } = rows
    const length = rows.name.length
    const names = Uint32Array.from(rows.name)
    const byName = new Map<number, number>()
    rows.name.forEach((code, row) => { if (!byName.has(code)) byName.set(code, row) })
    // Rows stand children first; the root has to be the first one.
    const sorted = Uint32Array.from({ length }, (_, i) => i).sort((a, b) => rows.order[a] - rows.order[b])
    const root = sorted.find(row => rows.up[row] < 0) ?? sorted[length - 1] ?? 0
    const place = new Uint32Array(length)
    const back = new Uint32Array(length)
    let next = 1
    back[0] = root
    for (const row of sorted) if (row !== root) back[next++] = row
    back.forEach((row, i) => { place[row] = i })
    const rowOf = (code: number): number => {
      const found = byName.get(code)
      return found === undefined ? -1 : place[found]
    }
    const pick = <T extends Int32Array | Uint32Array | Uint8Array | Float64Array>(Type: { from(list: Iterable<number>): T }, list: readonly number[]): T => Type.from(Array.from(back, row => list[row]))
    const lists = childLists(length, row => rows.childNames.slice(rows.childFirst[back[row]], rows.childFirst[back[row] + 1]), rowOf)
    const tree = settleTree(lists, row => rowOf(rows.up[back[row]]))
    if (lists.missing > 0 || tree.strays > 0) this.#problems.push(problem('vis-tree', this.#file, { missing: lists.missing, strays: tree.strays }, 'note'))
    const rowid = pick(Float64Array, rows.rowid)
    const input = nodes.columns.indexOf('input_data')
    const output = nodes.columns.indexOf('output_data')
    const stackInfo = stacks ? stacks.columns.indexOf('stack_info') : nodes.columns.indexOf('stack_info')
    const known = new Map<number, readonly string[]>()
    const stackRows = this.#stackRows
    const frames = (stack: number): readonly string[] => {
      let lines = known.get(stack)
      if (!lines) {
        known.set(stack, (lines = linesOf(stacks ?? nodes, stacks ? stackRows[stack] ?? -1 : stack, stackInfo)))
      }
      return lines
    }
    return {
      texts, length, name: Uint32Array.from(back, row => names[row]), kind: pick(Uint8Array, rows.kind), parent: tree.parent, attached: tree.attached, micro: pick(Int32Array, rows.micro),
      partner: pick(Int32Array, rows.partner), index: pick(Float64Array, rows.index), overflow: pick(Uint8Array, rows.overflow), stack: pick(Int32Array, rows.stack),
      stacks: { length: stackRows.length, frames }, tensors: rows.tensors,
      items(row) {
        const found = nodes.row(rowid[row])
        return found ? [found.bytes(input), found.bytes(output)] : [empty, empty]
      },
    }
  }
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

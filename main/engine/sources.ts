// Where the dumps of a unit come from: folders, graph files, finished tables, kernels of static graphs, loose tensors. One form for all.
import type { Dump } from './dump.ts'
import { emptyLike } from './empty.ts'
import { readCsv } from './formats/csv.ts'
import type { Detected, Unit as UnitPlace } from './formats/detect.ts'
import { DumpColumns, noneCell } from './formats/dump-columns.ts'
import { followDump, openDump } from './formats/dump-cache.ts'
import { dumpFilesOf } from './formats/msprobe.ts'
import { openTable, type OpenedTable } from './formats/result-table.ts'
import { readSheet, type SheetTable } from './formats/sheet.ts'
import { tensorLayout } from './formats/tensor.ts'
import { readVisDb } from './formats/vis-db.ts'
import { readVis } from './formats/vis.ts'
import type { GraphFile } from './formats/graph-file.ts'
import type { ViewSource } from './graph/marks.ts'
import { openGraphFile, outlineOf, type OpenedGraph } from './graph/opened.ts'
import type { Files } from './io/files.ts'
import { baseOf, dirOf } from './io/paths.ts'
import type { Job, Progress } from './job.ts'
import { compareKernels, type KernelTable } from './match/kernel.ts'
import { Note, Outcome } from './metrics/measured.ts'
import { emptyMeasured, type Measure } from './metrics/remembered.ts'
import { State, type Rules } from './model.ts'
import { problem, Refusal, type Problem } from './problem.ts'
import { TextPool } from './columns.ts'

export interface SourceDumps {
  readonly debug: Dump
  readonly bench: Dump
  /** Bench item per debug item where the source says who met whom. */
  readonly given: Int32Array | null
  /** Numbers that the source has itself. */
  readonly measure: Measure | null
  /** A graph as the source has it. */
  readonly graph: ViewSource | null
}

export interface UnitSource {
  readonly place: UnitPlace
  /** `grown` is told what is there before the end. */
  read(job: Job, grown: (dumps: SourceDumps) => void): Promise<SourceDumps>
  /** The dumps as their files are now; the same ones when nothing changed. Absent where nothing can grow. */
  follow?(old: SourceDumps, job: Job): Promise<SourceDumps>
}

export interface Opening {
  readonly kind: 'compare' | 'single' | 'file'
  readonly debug: string
  readonly bench: string
  readonly units: readonly UnitSource[]
  readonly problems: readonly Problem[]
  close(): void
}

export interface SourcePorts {
  readonly files: Files
  readonly cacheDir: string
  readonly measure: Measure
}

/** What was dropped as something that a session can work on. */
export async function openSources(found: Detected, rules: Rules, ports: SourcePorts, job: Job): Promise<Opening> {
  const { files } = ports
  switch (found.is) {
    case 'dumps': {
      if (found.units.length === 0) throw new Refusal(found.problems.find(p => p.severity === 'error') ?? problem('not-a-dump', found.debug.root))
      return { kind: found.bench ? 'compare' : 'single', debug: found.debug.root, bench: found.bench?.root ?? '', units: found.units.map(place => folderSource(place, ports)), problems: found.problems, close: nothing }
    }
    case 'vis': {
      const file = await readVis(files, found.file, job)
      return { ...fileOpening(found.file), units: [graphSource(file, null)], problems: file.problems, close: () => file.close() }
    }
    case 'vis-db': {
      const database = await readVisDb(files, found.file, job)
      return { ...fileOpening(found.file), units: database.units.map(unit => graphSource(unit, unit)), problems: [], close: () => database.close() }
    }
    case 'result': return { ...fileOpening(found.file), units: [tableSource(placeOf(found.file), work => readTable(files, found.file, work))], problems: [] }
    case 'kernel': {
      const result = await compareKernels(found.debug, found.bench, { rules, ranks: found.ranks, steps: found.steps }, { files, job, measure: ports.measure })
      if (result.tables.length === 0) throw new Refusal(result.problems[0] ?? problem('nothing-matched', found.debug, { bench: found.bench }))
      return {
        kind: 'file', debug: found.debug, bench: found.bench, problems: result.problems, close: nothing,
        units: result.tables.map(table => tableSource({ step: table.step, rank: table.rank, debug: found.debug, bench: found.bench }, () => Promise.resolve(kernelSheet(table, found.debug)))),
      }
    }
    case 'tensors': return { kind: found.files.length === 2 ? 'compare' : 'single', debug: found.files[0], bench: found.files[1] ?? '', units: [tensorSource(found.files, files)], problems: [], close: nothing }
    case 'mapping': throw new Refusal(problem('mapping-alone', found.files[0]))
  }
}

const nothing = (): void => {}
const placeOf = (file: string): UnitPlace => ({ step: null, rank: null, debug: file, bench: file })
const fileOpening = (file: string): Pick<Opening, 'kind' | 'debug' | 'bench' | 'close'> => ({ kind: 'file', debug: file, bench: file, close: nothing })

// ---------------------------------------------------------------------------------------------- folders

const dumpsAlone = (debug: Dump, bench: Dump): SourceDumps => ({ debug, bench, given: null, measure: null, graph: null })

/** Both dumps at once; what is there is told whenever either has grown. */
function folderSource(place: UnitPlace, { files, cacheDir }: SourcePorts): UnitSource {
  return {
    place,
    async read(job, grown) {
      const wheres = [place.debug, ...(place.bench === '' ? [] : [place.bench])].map(dir => dumpFilesOf(files, dir))
      const total = wheres.reduce((sum, where) => sum + [where.dump, where.stack, where.construct].reduce((bytes, file) => bytes + (file ? files.stat(file)?.size ?? 0 : 0), 0), 0)
      const done = [0, 0]
      const parts: (Dump | null)[] = [null, null]
      const read = (side: number): Promise<Dump> => openDump(files, wheres[side], {
        ...job, report: (progress: Progress) => { done[side] = progress.done; job.report({ ...progress, done: done[0] + done[1], total }) },
      }, {
        cacheDir,
        grown: part => {
          parts[side] = part
          const [debug, bench] = parts
          if (debug && (bench || wheres.length === 1)) grown(dumpsAlone(debug, bench ?? emptyLike(debug)))
        },
      })
      const [debug, bench] = await Promise.all(wheres.map((_, side) => read(side)))
      return dumpsAlone(debug, bench ?? emptyLike(debug))
    },
    async follow(old, job) {
      const debug = await followDump(files, old.debug, job)
      const bench = place.bench === '' ? old.bench : await followDump(files, old.bench, job)
      return debug === old.debug && bench === old.bench ? old : { ...old, debug, bench }
    },
  }
}

// ---------------------------------------------------------------------------------------------- graph files

/** Files with so many nodes show their hierarchy as soon as the items of the first nodes have been read; smaller ones are there in a moment. */
const manyNodes = 10_000
const firstNodes = 500

function graphSource(file: GraphFile, at: { readonly step: number; readonly rank: number } | null): UnitSource {
  return {
    place: { ...placeOf(file.file), ...(file.bench ? {} : { bench: '' }), ...(at && { step: at.step, rank: at.rank }) },
    async read(job, grown) {
      const outline = outlineOf(file)
      const dumps = ({ debugDump, benchDump, benchItem, measure, source }: OpenedGraph): SourceDumps => ({ debug: debugDump, bench: benchDump, given: benchItem, measure, graph: source })
      if (file.debug.length + (file.bench?.length ?? 0) >= manyNodes) grown(dumps(await openGraphFile(file, job, outline, firstNodes)))
      return dumps(await openGraphFile(file, job, outline))
    },
  }
}

// ---------------------------------------------------------------------------------------------- tables

const readTable = (files: Files, file: string, job: Job): Promise<SheetTable> => (/\.csv$/i.test(file) ? readCsv(files, file, job) : readSheet(files, file, job))

function tableSource(place: UnitPlace, table: (job: Job) => Promise<SheetTable>): UnitSource {
  return {
    place,
    async read(job) {
      const opened = openTable(await table(job))
      return { debug: opened.debug, bench: opened.bench, given: opened.benchItem, measure: storedNumbers(opened), graph: null }
    },
  }
}

/** A kernel table with the titles of the ordinary one. */
function kernelSheet(table: KernelTable, path: string): SheetTable {
  return {
    path, titles: table.columns.map(column => column.title), length: table.length,
    cell: (row, column) => {
      const value = table.number(row, column)
      return Number.isFinite(value) ? value : table.text(row, column)
    },
  }
}

const outcomes: Readonly<Record<string, Outcome>> = { 'N/A': Outcome.nanPositions, 'shape unmatched': Outcome.shapesDiffer }

/** Answers with what the table says; pairs come in the order of the rows that have tensors. */
function storedNumbers(table: OpenedTable): Measure {
  const byName = new Map(Array.from({ length: table.debug.items.length }, (_, item) => [table.debug.items.dataName[item] < 0 ? '' : table.debug.texts.get(table.debug.items.dataName[item]), item]))
  return async pairs => {
    const measured = emptyMeasured(pairs.length)
    pairs.forEach((pair, row) => {
      const item = byName.get(baseOf(pair.debug)) ?? -1
      const number = (title: string): number => {
        const cell = item < 0 ? '' : table.cell(item, title)
        return typeof cell === 'number' ? cell : NaN
      }
      const text = (title: string): string => (item < 0 ? '' : String(table.cell(item, title)))
      const [cosine, maxAbs] = [number('Cosine'), number('MaxAbsErr')]
      measured.outcome[row] = outcomes[text('Cosine')] ?? (Number.isNaN(maxAbs) ? Outcome.debugMissing : text('One Thousandth Err Ratio') === 'unsupported' ? Outcome.scalar : Outcome.measured)
      if (text('Cosine') === 'unsupported' && measured.outcome[row] === Outcome.measured) measured.notes[row] = Note.single
      measured.cosine[row] = cosine
      measured.euclid[row] = number('EucDist')
      measured.maxAbs[row] = maxAbs
      measured.maxRel[row] = number('MaxRelativeErr')
      measured.thousandth[row] = number('One Thousandth Err Ratio')
      measured.fiveThousandths[row] = number('Five Thousandths Err Ratio')
    })
    return measured
  }
}

// ---------------------------------------------------------------------------------------------- tensors

/** One or two tensor files as dumps of a single call. */
function tensorSource(paths: readonly [string] | readonly [string, string], files: Files): UnitSource {
  const [first, second] = paths
  return {
    place: { step: null, rank: null, debug: dirOf(first), bench: second === undefined ? '' : dirOf(second) },
    async read() {
      const debug = tensorDump(files, first)
      const bench = second === undefined ? emptyLike(debug) : tensorDump(files, second)
      return { debug, bench, given: Int32Array.of(second === undefined ? -1 : 0), measure: null, graph: null }
    },
  }
}

function tensorDump(files: Files, path: string): Dump {
  const handle = files.open(path)
  try {
    const layout = tensorLayout(handle, path)
    const texts = new TextPool()
    const columns = new DumpColumns()
    columns.addItem({
      name: texts.add(baseOf(path)), state: State.output, type: -1, dtype: texts.add(layout.dtype.name), shape: texts.add(`[${layout.shape.join(', ')}]`),
      stats: [noneCell, noneCell, noneCell, noneCell], md5: -1, dataName: texts.add(baseOf(path)), requiresGrad: 2, tensor: 1,
    })
    columns.addOp(texts.add(baseOf(path)), 0, 0)
    const blank = emptyLike({ header: { task: 'tensor', level: '', framework: '', hasMd5: false } })
    return { ...blank, texts, ...columns.tables(), files: { ...blank.files, dir: dirOf(path), tensors: dirOf(path) } }
  } finally {
    handle.close()
  }
}


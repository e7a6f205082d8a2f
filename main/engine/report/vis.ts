// Writes graphs as .vis files, piece by piece, in the layout that the TensorBoard plugin reads.
import type { Rules } from '../model/index.ts'
import type { Files, Sink } from '../io/index.ts'
import type { Job } from '../work/index.ts'
import {
  batchElements,
  colorsOf,
  columnTips,
  DifferenceSpeller,
  type GraphPair,
  type GraphResult,
  ItemSpeller,
  jsonText,
  nodeName,
  Page,
  RawEntries,
} from '../graph/index.ts'
import { type GraphSide, pairSides, singleSide, taskNames } from './graph-sides.ts'
import { itemJoin, NodeWriter, type NodeWriting } from './vis-node.ts'

interface VisOptions {
  /** All stack lines in place of the telling one. */
  readonly fullStacks: boolean
  readonly overflow: boolean
  readonly peers?: GraphResult['peers']
}

/** A single graph. */
type SingleGraph = NonNullable<GraphResult['single']> & { readonly rules: Rules }

/** Bytes that are gathered before they are handed on. */
const gathered = 1 << 20

/** A page that is handed on whenever enough is on it. */
class Pieces {
  readonly page = new Page(gathered + (1 << 16))
  readonly #sink: Sink

  constructor(sink: Sink) {
    this.#sink = sink
  }

  text(text: string): void {
    this.page.text(text)
  }

  pass(): void {
    if (this.page.length > gathered) this.flush()
  }

  flush(): void {
    this.#sink.write(this.page.written)
    this.page.clear()
  }
}

/** One file while it is written. */
interface VisFile {
  readonly out: Pieces
  readonly files: Files
  readonly rules: Rules
  readonly fullStacks: boolean
  /** How deep its graphs begin. */
  readonly depth: number
  /** Nodes of all its graphs. */
  readonly total: number
  readonly job: Job
}

export async function writeVis(
  pair: GraphPair,
  options: VisOptions,
  files: Files,
  sink: Sink,
  job: Job,
): Promise<void> {
  const { rules, debug, bench } = pair
  const { fullStacks, overflow, peers } = options
  const out = new Pieces(sink)
  const total = debug.length + bench.length
  const file: VisFile = { out, files, rules, fullStacks, depth: 2, total, job }
  const sides = pairSides(pair, peers)
  out.text('{\n    "NPU": {\n')
  await writeGraph(file, sides.debug, pair, 0)
  out.text('\n    },\n    "Bench": {\n')
  await writeGraph(file, sides.bench, null, debug.length)
  const tip = asciiJson(columnTips[pair.mode])
  out.text('\n    },\n')
  if (tip !== '{}') out.text(`    "ToolTip": ${jsonText(tip)},\n`)
  out.text(`    "Colors": {\n${colorLines(pair)}\n    },\n    "MicroSteps": ${debug.microSteps},\n`)
  out.text(`    "task": "${taskNames[pair.mode]}",\n    "OverflowCheck": ${overflow}\n}`)
  out.flush()
}

export async function writeSingleVis(
  single: SingleGraph,
  options: VisOptions,
  files: Files,
  sink: Sink,
  job: Job,
): Promise<void> {
  const { rules, graph } = single
  const { fullStacks, overflow, peers } = options
  const out = new Pieces(sink)
  const file: VisFile = { out, files, rules, fullStacks, depth: 1, total: graph.length, job }
  out.text('{\n')
  await writeGraph(file, singleSide(single, peers), null, 0)
  out.text(`,\n    "MicroSteps": ${graph.microSteps},\n    "OverflowCheck": ${overflow}\n}`)
  out.flush()
}

const asciiJson = (tips: Readonly<Record<string, string>>): string =>
  `{${Object.entries(tips)
    .map(([key, text]) => `${jsonText(key)}: ${jsonText(text)}`)
    .join(', ')}}`

function colorLines(pair: GraphPair): string {
  const pad = ' '.repeat(8)
  const deeper = `${pad}    `
  return colorsOf(pair.mode, pair.rules)
    .map(({ color, value, description, level }) => {
      const range =
        value.length === 0 ? '[]' : `[\n${deeper}    ${value[0]},\n${deeper}    ${value[1]}\n${deeper}]`
      const fields = [`"value": ${range}`, `"description": ${jsonText(description)}`]
      if (level) fields.push(`"accuracy_level": "${level}"`)
      return `${pad}"${color}": {\n${fields.map(field => deeper + field).join(',\n')}\n${pad}}`
    })
    .join(',\n')
}

/** One graph; `pair` is given for the side that holds the differences. `done`: nodes written before it. */
async function writeGraph(
  { out, files, rules, fullStacks, depth, total, job }: VisFile,
  side: GraphSide,
  pair: GraphPair | null,
  done: number,
): Promise<void> {
  const { graph, dump } = side
  const pad = ' '.repeat(depth * 4)
  const raw = new RawEntries(files, dump)
  try {
    const join = itemJoin(depth)
    const speller = new ItemSpeller(out.page, dump, rules, raw, join)
    const differences = pair && new DifferenceSpeller(out.page, pair, speller.spelling, join)
    const elementOf = batchElements(dump, rules, files)
    const writing: NodeWriting = { side, rules, fullStacks, depth, speller, differences, elementOf, pair }
    out.text(`${pad}"root": ${jsonText(nodeName(graph, 0))},\n`)
    out.text(`${pad}"dump_data_dir": ${dump.tensors.place ? jsonText(dump.tensors.place) : 'null'},\n`)
    out.text(`${pad}"node": {\n`)
    const nodes = new NodeWriter(out.page, writing)
    for (let node = 0; node < graph.length; node++) {
      if (node > 0) out.text(',\n')
      nodes.write(node)
      out.pass()
      if ((node & 127) === 127) {
        await job.breathe()
        if ((node & 4095) === 4095)
          job.report({ what: 'job.writing', done: done + node, total, countedIn: 'items' })
      }
    }
    out.text(`\n${pad}}`)
  } finally {
    raw.close()
  }
}

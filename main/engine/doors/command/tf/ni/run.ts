// tf ni: all that is known of an operator: card, dumped and reference files, its neighbours as a drawing.
import {
  attributesOf,
  type Attribute,
  cardOf,
  dotOf,
  filesOfOp,
  type GeLookup,
  neighbourhood,
  type OpCard,
  type OpFiles,
  readScriptGraph,
  type ScriptGraph,
  type ScriptNode,
} from '../../../../formats/index.ts'
import { openOutput } from '../../../../io/index.ts'
import { problem, type Problem, Refusal } from '../../../../model/index.ts'
import { defaultOutput } from '../../flags.ts'
import type { Tools } from '../../tools.ts'
import { type Asked, type Command, UsageError } from '../../verb.ts'
import { openGraphs, type OpenGraphs } from '../graphs.ts'
import type { NiField, NiFlags } from './index.ts'
import { printCards } from './print.ts'
import { type OpTensor, valuesOf } from './values.ts'

export interface Card extends OpCard, OpFiles {
  /** Null where nobody asked. */
  readonly attributes: readonly Attribute[] | null
  /** What TensorFlow's own graph says of the operations that it stands for; null where that graph is not there. */
  readonly script: readonly ScriptOp[] | null
  /** Null where the operator is only one of those that may be meant. */
  readonly tensors: readonly OpTensor[] | null
}

interface ScriptOp {
  readonly name: string
  /** Null where the script has no such operation. */
  readonly node: ScriptNode | null
}

export interface Cards extends OpenGraphs {
  readonly cards: readonly Card[]
  /** An operator is called exactly so. */
  readonly exact: boolean
}

export const command: Command<NiFlags, Cards, NiField> = {
  async run({ paths, flags }, tools) {
    const name = paths[1] ?? flags.name
    if (name === undefined) throw new UsageError('cli.usage.tfName', { command: 'ni', count: 0 })
    const open = await openGraphs(paths[0], flags, tools)
    const { lookup, tree, side } = open
    const named = lookup.named(name, flags.graph)
    const ops = named.length > 0 ? named : lookup.like(name)
    if (ops.length === 0) throw new Refusal(notFound(lookup, name, tree.root))
    if (named.length === 0)
      tools.tell(problem('tf-op-like', tree.root, { op: name, count: ops.length }, 'note'))
    const script = await openScript(tree.metas[0], tools)
    const cards: Card[] = []
    for (const op of ops) {
      const card = { ...cardOf(lookup, op), ...filesOfOp(lookup, op, side, tree.reference) }
      cards.push({
        ...card,
        attributes: flags.attributes ? attributesOf(tools.files, lookup.model, op) : null,
        script: scriptOf(card, script),
        tensors: named.length > 0 ? await valuesOf(card, tree, tools) : null,
      })
    }
    if (flags.around !== undefined) saveDrawings(open, ops, flags, tools)
    return { ...open, cards, exact: named.length > 0 }
  },
  print: printCards,
  json: ({ cards, exact, side, lookup }) => ({
    cards: cards.map(card => plain(card, lookup)),
    exact,
    run: side.name,
    files: lookup.model.files,
  }),
}

/** What people know is often the type. */
function notFound(lookup: GeLookup, name: string, root: string): Problem {
  const count = [...lookup.ops()].filter(op => lookup.type(op) === name).length
  return count > 0
    ? problem('tf-op-type', root, { type: name, count })
    : problem('tf-no-op', root, { op: name })
}

/** Null where there is none, or none that can be read. */
async function openScript(
  path: string | undefined,
  { files, kept, tell }: Tools,
): Promise<ScriptGraph | null> {
  if (path === undefined) return null
  try {
    return await kept.of(`script ${path} ${files.stat(path)?.modified}`, () => readScriptGraph(files, path))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    tell({ ...error.problem, severity: 'warning' })
    return null
  }
}

function scriptOf({ originalOps, outputs }: OpCard, script: ScriptGraph | null): readonly ScriptOp[] | null {
  if (!script) return null
  const names = new Set([...originalOps, ...outputs.flatMap(({ source }) => (source ? [source.op] : []))])
  return [...names].map(name => ({ name, node: script.find(name) }))
}

function plain({ inputs, outputs, attributes, tensors, ...card }: Card, lookup: GeLookup): unknown {
  return {
    ...card,
    ...(tensors && { tensors }),
    inputs: inputs.map(({ position, dtype, format, shape, originShape, producer, index }) => [
      position,
      dtype,
      format,
      shape,
      originShape,
      producer,
      index,
    ]),
    outputs: outputs.map(({ index, dtype, format, shape, originShape, consumers }) => [
      index,
      dtype,
      format,
      shape,
      originShape,
      consumers.map(op => lookup.name(op)),
    ]),
    ...(attributes && { attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value])) }),
  }
}

function saveDrawings(
  { lookup, tree, side }: OpenGraphs,
  ops: readonly number[],
  { around = 1, output }: Asked<NiFlags>['flags'],
  tools: Tools,
): void {
  const target = openOutput(output || defaultOutput, [tree.root])
  try {
    for (const op of ops) {
      const parts = [side.name, lookup.graph(op), lookup.type(op), lookup.name(op), String(around)]
      const name = parts.map(part => part.replaceAll(/[/\\]/g, '_')).join('.')
      const sink = target.create(`${name.slice(0, 240)}.gv`)
      sink.write(new TextEncoder().encode(dotOf(lookup, neighbourhood(lookup, op, around))))
    }
    tools.written(target.commit())
  } finally {
    target.abandon()
  }
}

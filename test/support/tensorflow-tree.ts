// Runs of TensorFlow on an NPU, drawn: several graphs with a sub-graph each, of several steps and devices.
import path from 'node:path'
import { rawFile } from './raw-files.ts'
import { f32, npyBytes, put } from './tensor-files.ts'

export interface DrawnRun {
  /** Names of the graphs; ops of each stand in a scope of that name. */
  readonly graphs: readonly string[]
  readonly blocks: number
  readonly steps: readonly number[]
  readonly devices: readonly number[]
  /** Where the NPU goes wrong: from this op of a graph on; of one execution alone where it is told. */
  readonly wrong?: {
    readonly op: string
    readonly step: number
    readonly device: number
    readonly time?: string
  }
  readonly times?: readonly string[]
  readonly side?: string
  /** Dumped without what the ops read. */
  readonly outputsOnly?: boolean
  /** Without tensors of the script. */
  readonly alone?: boolean
  /** Each graph ends with an op that only waits, for every block, and that the one after the call waits for. */
  readonly waits?: boolean
  /** Ops of which the device recorded an overflow, in this order. */
  readonly overflowed?: readonly string[]
}

interface DrawnOp {
  readonly name: string
  readonly type: string
  readonly input: string
  /** The compiler put it in. */
  readonly inserted?: boolean
  readonly subgraph?: string
  readonly parent?: number
  readonly waitsFor?: readonly string[]
}

const values = 4
/** Of every tensor, so that what only hands on gives what it got. */
const drawn: readonly number[] = [0.5, -1.25, 3, 2]

/** `data → (MatMul → trans_Cast → BiasAdd → Relu) × blocks → a call of head → output`. */
function opsOf(scope: string, { blocks, waits = false }: DrawnRun): readonly DrawnOp[] {
  const ops: DrawnOp[] = [{ name: `${scope}/data`, type: 'Data', input: '' }]
  for (let at = 0; at < blocks; at++) {
    const block = `${scope}/block${at}`
    const before = ops.at(-1)?.name ?? ''
    ops.push(
      { name: `${block}/MatMul`, type: 'MatMulV2', input: before },
      { name: `trans_Cast_${scope}_${at}`, type: 'Cast', input: `${block}/MatMul`, inserted: true },
      { name: `${block}/BiasAdd`, type: 'BiasAdd', input: `trans_Cast_${scope}_${at}` },
      { name: `${block}/Relu`, type: 'Relu', input: `${block}/BiasAdd` },
    )
  }
  const last = ops.at(-1)?.name ?? ''
  const done = `${scope}/done`
  const waitsFor = Array.from({ length: blocks }, (_, at) => `${scope}/block${at}/Relu`)
  return [
    ...ops,
    ...(waits ? [{ name: done, type: 'NoOp', input: '', waitsFor }] : []),
    { name: `${scope}/call`, type: 'PartitionedCall', input: last, subgraph: `${scope}_head` },
    { name: `${scope}/after`, type: 'Abs', input: `${scope}/call`, waitsFor: waits ? [done] : [] },
  ]
}

const headOf = (scope: string): readonly DrawnOp[] => [
  { name: `${scope}/head/arg`, type: 'Data', input: '', parent: 0 },
  { name: `${scope}/head/Softmax`, type: 'SoftmaxV2', input: `${scope}/head/arg` },
  { name: `${scope}_head_Node_Output`, type: 'NetOutput', input: `${scope}/head/Softmax` },
]

const desc = (of: 'input' | 'output', source: string): string =>
  `${of}_desc { dtype: DT_FLOAT shape { dim: ${values} } layout: "ND"${source === '' ? '' : ` attr { key: "_datadump_origin_name" value { s: "${source}" } } attr { key: "_datadump_origin_output_index" value { i: 0 } }`} }`

function opText(op: DrawnOp, id: number): string {
  const { name, type, input, inserted, subgraph, parent, waitsFor = [] } = op
  const stands = !inserted && parent === undefined && type !== 'NetOutput' && subgraph === undefined
  return `op { name: "${name}" type: "${type}" id: ${id} ${input === '' ? '' : `input: "${input}:0" ${desc('input', '')}`}
    ${waitsFor.map(other => `input: "${other}:-1"`).join(' ')}
    ${silent.has(type) ? '' : desc('output', stands ? name : '')}
    ${inserted ? 'attr { key: "_datadump_original_op_names" value { list { val_type: VT_LIST_STRING } } }' : ''}
    ${subgraph === undefined ? '' : `subgraph_name: "${subgraph}"`}
    ${parent === undefined ? '' : `attr { key: "_parent_node_index" value { i: ${parent} } }`}
  }\n`
}

/** Give nothing. */
const silent: ReadonlySet<string> = new Set(['NetOutput', 'NoOp'])
/** Have no tensors of their own. */
const undumped: ReadonlySet<string> = new Set([...silent, 'PartitionedCall'])

const graphText = (name: string, ops: readonly DrawnOp[]): string =>
  `graph { name: "${name}"\n${ops.map(opText).join('')}}\n`

const text = (written: string): Uint8Array => new TextEncoder().encode(written)
const fileName = (op: string): string => op.replaceAll(/[/.]/g, '_')
const time = '1620612694000300'

/** The record of a core whose floating-point arithmetic overflowed, beside the dump of what it ran. */
function putOverflow(root: string, op: string, task: number): void {
  const folder = 'overflow/dump/20210510102000/0/net/1/0'
  const record = new Uint8Array(2048)
  const view = new DataView(record.buffer)
  const words = 11
  for (const [i, word] of [0x5a5a5a5a, 0, 1, 0, 0, words * 8].entries()) view.setUint32(i * 4, word, true)
  // Whose it is, its names say; of the words that follow the last is the status.
  for (let i = 0; i < words; i++) view.setBigUint64(24 + i * 8, i < words - 1 ? 2n ** 64n - 1n : 0x20n, true)
  const output = { dtype: 4, shape: [record.length], data: record }
  put(
    root,
    `${folder}/Opdebug.Node_OpDebug.${task}.5.${Number(time) + task}`,
    rawFile({ opName: 'Node_OpDebug', outputs: [output] }),
  )
  const tensor = { shape: [values], data: f32(...drawn) }
  put(
    root,
    `${folder}/Op.${fileName(op)}.${task}.5.${time}`,
    rawFile({ opName: op, inputs: [tensor], outputs: [tensor] }),
  )
}

/** Writes a `precision_data` below the folder; returns its path. */
export function drawRun(folder: string, run: DrawnRun): string {
  const root = path.join(folder, 'precision_data')
  const side = `npu/${run.side ?? 'debug_0'}`
  run.overflowed?.forEach((op, task) => putOverflow(root, op, task))
  run.graphs.forEach((scope, at) => {
    const ops = opsOf(scope, run)
    const all = [...ops, ...headOf(scope)]
    put(
      root,
      `${side}/graph/ge_proto_0000000${at + 1}_Build.txt`,
      text(`name: ""\n${graphText(scope, ops)}${graphText(`${scope}_head`, headOf(scope))}`),
    )
    const right = new Map(all.map(({ name }) => [name, drawn]))
    for (const when of run.times ?? ['20210510101133'])
      for (const device of run.devices)
        for (const step of run.steps) {
          const off =
            run.wrong?.device === device && run.wrong.step === step && (run.wrong.time ?? when) === when
          const from = off ? all.findIndex(({ name }) => name === run.wrong?.op) : -1
          const wrong = new Map(all.map(({ name }, i) => [name, from >= 0 && i >= from ? -1 : 1]))
          const tensor = (name: string): Uint8Array =>
            f32(...(right.get(name) ?? []).map(value => value * (wrong.get(name) ?? 1)))
          for (const { name, type, input } of all)
            if (!undumped.has(type))
              put(
                root,
                `${side}/dump/${when}/${device}/${scope}/1/${step}/${type}.${fileName(name)}.3.5.${time}`,
                rawFile({
                  opName: name,
                  inputs:
                    run.outputsOnly || input === '' || right.get(input) === undefined
                      ? []
                      : [{ shape: [values], data: tensor(input) }],
                  outputs: [{ shape: [values], data: tensor(name) }],
                }),
              )
        }
    if (run.alone) return
    for (const { name, inserted, type, parent } of all)
      if (!inserted && parent === undefined && !undumped.has(type))
        put(
          root,
          `tf/dump/${fileName(name)}.0.${time}.npy`,
          npyBytes({ descr: '<f4', shape: [values], data: f32(...(right.get(name) ?? [])) }),
        )
  })
  return root
}

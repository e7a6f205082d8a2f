// Fills the columns of a GE model from what is heard of its files: a table of the fields that have a place there.
import { problem, type Problem, Refusal, TextPool } from '../../model/index.ts'
import { ListText, Numbers, Rows, textOf } from './columns.ts'
import { dataType } from './messages.ts'
import type { GeModel } from './model.ts'
import { type Events, type Field, hashOf, Message, NameTable } from './schema.ts'

/** What becomes of a field. */
interface Tag {
  /** False where nothing in it is wanted. */
  open?(b: ModelBuilder, at: number): boolean | void
  close?(b: ModelBuilder, at: number): void
  value?(b: ModelBuilder, bytes: Uint8Array, from: number, to: number): void
}

/** What becomes of an attribute, when it is whole. */
type Apply = (b: ModelBuilder) => void

const graphColumns = (room: number) => ({
  name: new Int32Array(room),
  session: new Int32Array(room),
  file: new Int32Array(room),
  firstOp: new Uint32Array(room),
})
const opColumns = (room: number) => ({
  name: new Int32Array(room),
  type: new Int32Array(room),
  id: new Float64Array(room),
  stream: new Float64Array(room),
  graph: new Int32Array(room),
  pass: new Int32Array(room),
  kernel: new Int32Array(room),
  kernelLib: new Int32Array(room),
  l1Fusion: new Int32Array(room),
  multiOp: new Uint8Array(room),
  inserted: new Uint8Array(room),
  parentIndex: new Int32Array(room),
  from: new Float64Array(room),
  to: new Float64Array(room),
  firstInput: new Uint32Array(room),
  firstDesc: new Uint32Array(room),
  firstOutput: new Uint32Array(room),
  firstOriginal: new Uint32Array(room),
  firstSubgraph: new Uint32Array(room),
})
const inputColumns = (room: number) => ({
  position: new Int32Array(room),
  producer: new Int32Array(room),
  producerOp: new Int32Array(room),
  index: new Int32Array(room),
  desc: new Int32Array(room),
})
const descColumns = (room: number) => ({
  dtype: new Int32Array(room),
  format: new Int32Array(room),
  shape: new Int32Array(room),
  originFormat: new Int32Array(room),
  originShape: new Int32Array(room),
  valueRange: new Int32Array(room),
  shapeRange: new Int32Array(room),
  source: new Int32Array(room),
  sourceIndex: new Int32Array(room),
  sourceFormat: new Int32Array(room),
  sourceType: new Int32Array(room),
})
type DescColumn = keyof ReturnType<typeof descColumns>

/** Rows of all tables together: enough for GBs of text, too little to fill memory with empty messages. */
const mostRows = 1 << 24
const mostText = 512 << 20
const kernelSuffix = '_kernelname'
const colon = 0x3a
const minus = 0x2d

export class ModelBuilder implements Events<Tag> {
  readonly texts = new TextPool()
  readonly #graphs = new Rows(graphColumns)
  readonly #ops = new Rows(opColumns)
  readonly #inputs = new Rows(inputColumns)
  readonly #descs = new Rows(descColumns)
  readonly #originals = new Numbers()
  readonly #subgraphs = new Numbers()
  readonly #file: string
  #fileIndex = -1
  /** An op is being read. */
  #within = false
  #position = 0
  /** Descriptions of the op's outputs, which stand behind those of its inputs. */
  readonly #outputs = new Rows(descColumns)
  #side = this.#descs
  readonly #list = new ListText()
  readonly #emptyList = this.texts.add('[]')
  readonly #noType = this.texts.add(dataType('0'))
  // The attribute that is being read.
  #keys: NameTable<Apply> = graphKeys
  #key: string | null = null
  #apply: Apply | null = null
  #text = -1
  #listTexts: number[] = []
  #listed = false
  #number = NaN
  #flag = 2

  constructor(files: readonly string[]) {
    this.#file = files[0] ?? ''
  }

  get ops(): number {
    return this.#ops.length
  }

  get graphs(): number {
    return this.#graphs.length
  }

  beginFile(): void {
    this.#fileIndex++
  }

  /** The file ended early: an op that it ended within is not kept. */
  dropUnfinished(): void {
    if (!this.#within) return
    this.#within = false
    const { columns } = this.#ops
    const op = --this.#ops.length
    this.#inputs.length = columns.firstInput[op]
    this.#descs.length = columns.firstDesc[op]
    this.#originals.length = columns.firstOriginal[op]
    this.#subgraphs.length = columns.firstSubgraph[op]
  }

  open({ tag }: Field<Tag>, at: number): boolean {
    return tag.open?.(this, at) !== false
  }
  close({ tag }: Field<Tag>, at: number): void {
    tag.close?.(this, at)
  }
  value({ tag }: Field<Tag>, bytes: Uint8Array, from: number, to: number): void {
    tag.value?.(this, bytes, from, to)
  }

  code(bytes: Uint8Array, from: number, to: number): number {
    return this.texts.addBytes(bytes.subarray(from, to))
  }

  /** Of a data type, which may be written as a number; -1 of the one that JSON leaves out. */
  typeCode(bytes: Uint8Array, from: number, to: number): number {
    const code =
      bytes[from] > 0x39 ? this.code(bytes, from, to) : this.texts.add(dataType(textOf(bytes, from, to)))
    return code === this.#noType ? -1 : code
  }

  // ---------------------------------------- graphs and ops

  openGraph(): void {
    const { columns } = this.#graphs
    const graph = this.#graphs.add()
    columns.name[graph] = this.texts.add('')
    columns.session[graph] = -1
    columns.file[graph] = this.#fileIndex
    columns.firstOp[graph] = this.#ops.length
  }
  setGraph(column: 'name' | 'session', code: number): void {
    this.#graphs.columns[column][this.#graphs.length - 1] = code
  }

  openOp(at: number): void {
    this.#checkRoom()
    const op = this.#ops.add()
    const { columns } = this.#ops
    for (const column of [columns.pass, columns.kernel, columns.kernelLib, columns.l1Fusion]) column[op] = -1
    columns.name[op] = columns.type[op] = this.texts.add('')
    columns.id[op] = columns.stream[op] = 0
    columns.graph[op] = this.#graphs.length - 1
    columns.multiOp[op] = 2
    columns.inserted[op] = 0
    columns.parentIndex[op] = -1
    columns.from[op] = at
    columns.firstInput[op] = this.#inputs.length
    columns.firstDesc[op] = this.#descs.length
    columns.firstOriginal[op] = this.#originals.length
    columns.firstSubgraph[op] = this.#subgraphs.length
    this.#outputs.length = 0
    this.#position = 0
    this.#within = true
  }

  closeOp(at: number): void {
    const { columns } = this.#ops
    const op = this.#ops.length - 1
    columns.to[op] = at
    columns.firstOutput[op] = this.#descs.length
    const inputs = this.#inputs.columns
    let desc = columns.firstDesc[op]
    for (let row = columns.firstInput[op]; row < this.#inputs.length; row++)
      inputs.desc[row] = inputs.index[row] >= 0 && desc < this.#descs.length ? desc++ : -1
    this.#descs.append(this.#outputs)
    this.#within = false
  }

  setOp(column: 'name' | 'type' | 'pass' | 'kernel' | 'kernelLib' | 'l1Fusion', code: number): void {
    this.#ops.columns[column][this.#ops.length - 1] = code
  }
  setNumber(column: 'id' | 'stream' | 'parentIndex' | 'multiOp', value: number): void {
    this.#ops.columns[column][this.#ops.length - 1] = value
  }

  /** `producer:output`; `:-1` is a control edge, an empty text an input that is not connected. */
  addInput(bytes: Uint8Array, from: number, to: number): void {
    const position = this.#position++
    if (to === from) return
    const row = this.#inputs.add()
    const { columns } = this.#inputs
    let split = to - 1
    while (split > from && bytes[split] !== colon) split--
    const index = split > from ? smallNumber(bytes, split + 1, to) : NaN
    columns.position[row] = position
    columns.producer[row] = this.code(bytes, from, Number.isNaN(index) ? to : split)
    columns.index[row] = Number.isNaN(index) ? 0 : index
    columns.producerOp[row] = columns.desc[row] = -1
  }

  addSubgraph(code: number): void {
    this.#subgraphs.add(code)
  }

  // ---------------------------------------- descriptions

  openDesc(of: 'inputs' | 'outputs'): void {
    this.#side = of === 'inputs' ? this.#descs : this.#outputs
    const row = this.#side.add(-1)
    this.#side.columns.shape[row] = this.#emptyList
  }
  setDesc(column: DescColumn, value: number): void {
    this.#side.columns[column][this.#side.length - 1] = value
  }

  openList(): void {
    this.#list.open()
  }
  closeList(): void {
    this.#list.close()
  }
  beginList(): void {
    this.#list.clear()
    this.#list.open()
  }
  addToList(bytes: Uint8Array, from: number, to: number): void {
    this.#list.item(bytes, from, to)
  }
  /** Code of the list that was read last. */
  get listCode(): number {
    return this.code(this.#list.bytes, 0, this.#list.length)
  }

  // ---------------------------------------- attributes

  openAttr(keys: NameTable<Apply>): void {
    this.#keys = keys
    this.#key = null
    this.#apply = null
    this.#text = -1
    this.#listTexts = []
    this.#listed = false
    this.#number = NaN
    this.#flag = 2
  }
  closeAttr(): void {
    this.#apply?.(this)
  }
  setKey(bytes: Uint8Array, from: number, to: number): void {
    const known = this.#keys.find(bytes, from, to, hashOf(bytes, from, to))
    this.#key = ''
    this.#apply = known ?? null
    if (known || this.#keys !== opKeys || !endsWith(bytes, from, to)) return
    this.#key = new TextDecoder().decode(bytes.subarray(from, to))
    this.#apply = b => b.#setKernel()
  }
  /** Nothing in the value is wanted where its key says so. */
  get wanted(): boolean {
    return this.#key === null || this.#apply !== null
  }
  setText(code: number): void {
    this.#text = code
  }
  addText(code: number): void {
    this.#listTexts.push(code)
  }
  openTexts(): void {
    this.#listed = true
    this.beginList()
  }
  setValue(value: number): void {
    this.#number = value
  }
  setFlag(value: boolean): void {
    this.#flag = Number(value)
  }

  /** A text attribute: its text, or the first of its list, or its number. */
  get attrText(): number {
    if (this.#text >= 0) return this.#text
    if (this.#listTexts.length > 0) return this.#listTexts[0]
    return Number.isNaN(this.#number) ? -1 : this.texts.add(String(this.#number))
  }
  get attrNumber(): number {
    return Number.isNaN(this.#number) ? -1 : this.#number
  }
  get attrFlag(): number {
    return this.#flag
  }
  /** -1 of an empty list, which JSON leaves out. */
  get attrList(): number {
    const code = this.#listed ? this.listCode : -1
    return code === this.#emptyList ? -1 : code
  }

  setOriginals(): void {
    const codes = this.#text >= 0 ? [this.#text] : this.#listTexts
    const named = codes.filter(code => this.texts.bytesOf(code) > 0)
    // Said twice, the last counts.
    this.#originals.length = this.#ops.columns.firstOriginal[this.#ops.length - 1]
    for (const code of named) this.#originals.add(code)
    this.#ops.columns.inserted[this.#ops.length - 1] = Number(named.length === 0)
  }

  /** Its key has the op's name before it; that of a part of a fused op has another. */
  #setKernel(): void {
    const { columns, length } = this.#ops
    const op = length - 1
    const own = this.#key === this.texts.get(columns.name[op]) + kernelSuffix
    if (own || columns.kernel[op] < 0) columns.kernel[op] = this.attrText
  }

  // ---------------------------------------- the whole

  finish(files: readonly string[], partial: boolean, problems: readonly Problem[]): GeModel {
    const ops = this.#ops.cut(1)
    const end = this.#ops.length
    ops.firstInput[end] = this.#inputs.length
    ops.firstDesc[end] = ops.firstOutput[end] = this.#descs.length
    ops.firstOriginal[end] = this.#originals.length
    ops.firstSubgraph[end] = this.#subgraphs.length
    const graphs = this.#graphs.cut(1)
    graphs.firstOp[this.#graphs.length] = end
    const inputs = this.#inputs.cut()
    const model = {
      files,
      texts: this.texts,
      graphs: {
        ...graphs,
        length: this.#graphs.length,
        superseded: supersededIn(graphs, this.#graphs.length),
      },
      ops: { ...ops, length: end },
      inputs: { ...inputs, length: this.#inputs.length },
      descs: { ...this.#descs.cut(), length: this.#descs.length },
      originals: this.#originals.cut(),
      subgraphs: this.#subgraphs.cut(),
      partial,
      problems,
    }
    linkProducers(model)
    return model
  }

  #checkRoom(): void {
    const rows =
      this.#ops.length +
      this.#inputs.length +
      this.#descs.length +
      this.#originals.length +
      this.#subgraphs.length
    if (rows > mostRows) throw new Refusal(problem('too-large', this.#file, { size: rows, limit: mostRows }))
    const { heapBytes } = this.texts
    if (heapBytes > mostText)
      throw new Refusal(problem('too-large', this.#file, { size: heapBytes, limit: mostText }))
  }
}

/** Of graphs with one name the one of the last file counts. */
function supersededIn({ name, file }: ReturnType<typeof graphColumns>, length: number): Uint8Array {
  const last = new Map<number, number>()
  for (let graph = 0; graph < length; graph++) last.set(name[graph], file[graph])
  return Uint8Array.from({ length }, (_, graph) => Number(last.get(name[graph]) !== file[graph]))
}

/** Names become rows: an op reads from ops of its own graph. */
function linkProducers({ texts, graphs, ops, inputs }: GeModel): void {
  const rowOf = new Int32Array(texts.size).fill(-1)
  for (let graph = 0; graph < graphs.length; graph++) {
    const [from, to] = [graphs.firstOp[graph], graphs.firstOp[graph + 1]]
    for (let op = to - 1; op >= from; op--) rowOf[ops.name[op]] = op
    for (let row = ops.firstInput[from]; row < ops.firstInput[to]; row++)
      inputs.producerOp[row] = rowOf[inputs.producer[row]]
    for (let op = from; op < to; op++) rowOf[ops.name[op]] = -1
  }
}

/** Of an output; NaN where it is no number. */
function smallNumber(bytes: Uint8Array, from: number, to: number): number {
  const digits = bytes[from] === minus ? from + 1 : from
  if (digits >= to || to - digits > 9) return NaN
  let value = 0
  for (let i = digits; i < to; i++) {
    const digit = bytes[i] - 0x30
    if (digit < 0 || digit > 9) return NaN
    value = value * 10 + digit
  }
  return digits > from ? -1 : value
}

const kernelBytes = new TextEncoder().encode(kernelSuffix)

function endsWith(bytes: Uint8Array, from: number, to: number): boolean {
  const tail = to - kernelBytes.length
  return tail >= from && kernelBytes.every((byte, i) => bytes[tail + i] === byte)
}

// ---------------------------------------- which field goes where

const number = (bytes: Uint8Array, from: number, to: number): number => Number(textOf(bytes, from, to)) || 0
const truth = (bytes: Uint8Array, from: number): boolean => /[tT1]/.test(String.fromCharCode(bytes[from]))

const graphKeys = new NameTable<Apply>([['_session_graph_id', b => b.setGraph('session', b.attrText)]])
const opKeys = new NameTable<Apply>([
  ['_datadump_original_op_names', b => b.setOriginals()],
  ['_datadump_is_multiop', b => b.setNumber('multiOp', b.attrFlag)],
  ['_L1_fusion_sub_graph_no', b => b.setOp('l1Fusion', b.attrText)],
  ['pass_name', b => b.setOp('pass', b.attrText)],
  ['_ge_attr_op_kernel_lib_name', b => b.setOp('kernelLib', b.attrText)],
  ['_parent_node_index', b => b.setNumber('parentIndex', b.attrNumber)],
])
const descKeys = new NameTable<Apply>([
  ['origin_format', b => b.setDesc('originFormat', b.attrText)],
  ['origin_shape', b => b.setDesc('originShape', b.attrList)],
  ['value_range', b => b.setDesc('valueRange', b.attrList)],
  ['shape_range', b => b.setDesc('shapeRange', b.attrList)],
  ['_datadump_origin_name', b => b.setDesc('source', b.attrText)],
  ['_datadump_origin_output_index', b => b.setDesc('sourceIndex', b.attrNumber)],
  ['_datadump_origin_format', b => b.setDesc('sourceFormat', b.attrText)],
  ['_datadump_data_type', b => b.setDesc('sourceType', b.attrText)],
])

const message = (): Message<Tag> => new Message<Tag>()
const [file, graph, op, desc, shape] = [message(), message(), message(), message(), message()]
const [entry, value, list, lists, inner] = [message(), message(), message(), message(), message()]
const attr = (keys: NameTable<Apply>) => ({
  tag: { open: (b: ModelBuilder) => b.openAttr(keys), close: (b: ModelBuilder) => b.closeAttr() },
  message: entry,
})

file.holds({ graph: { tag: { open: b => b.openGraph() }, message: graph } })
graph.holds({
  name: { tag: { value: (b, bytes, from, to) => b.setGraph('name', b.code(bytes, from, to)) } },
  op: { tag: { open: (b, at) => b.openOp(at), close: (b, at) => b.closeOp(at) }, message: op },
  attr: attr(graphKeys),
})
op.holds({
  name: { tag: { value: (b, bytes, from, to) => b.setOp('name', b.code(bytes, from, to)) } },
  type: { tag: { value: (b, bytes, from, to) => b.setOp('type', b.code(bytes, from, to)) } },
  id: { tag: { value: (b, bytes, from, to) => b.setNumber('id', number(bytes, from, to)) } },
  stream_id: { tag: { value: (b, bytes, from, to) => b.setNumber('stream', number(bytes, from, to)) } },
  input: { tag: { value: (b, bytes, from, to) => b.addInput(bytes, from, to) } },
  input_desc: { tag: { open: b => b.openDesc('inputs') }, message: desc },
  output_desc: { tag: { open: b => b.openDesc('outputs') }, message: desc },
  subgraph_name: { tag: { value: (b, bytes, from, to) => b.addSubgraph(b.code(bytes, from, to)) } },
  attr: attr(opKeys),
})
desc.holds({
  dtype: { tag: { value: (b, bytes, from, to) => b.setDesc('dtype', b.typeCode(bytes, from, to)) } },
  layout: { tag: { value: (b, bytes, from, to) => b.setDesc('format', b.code(bytes, from, to)) } },
  shape: {
    tag: {
      open: b => b.beginList(),
      close: b => {
        b.closeList()
        b.setDesc('shape', b.listCode)
      },
    },
    message: shape,
  },
  attr: attr(descKeys),
})
shape.holds({ dim: { tag: { value: (b, bytes, from, to) => b.addToList(bytes, from, to) } } })
entry.holds({
  key: { tag: { value: (b, bytes, from, to) => b.setKey(bytes, from, to) } },
  value: { tag: { open: b => b.wanted }, message: value },
})
value.holds({
  s: { tag: { value: (b, bytes, from, to) => b.setText(b.code(bytes, from, to)) }, bytes: true },
  i: { tag: { value: (b, bytes, from, to) => b.setValue(number(bytes, from, to)) } },
  b: { tag: { value: (b, bytes, from) => b.setFlag(truth(bytes, from)) } },
  list: { tag: { open: b => b.openTexts(), close: b => b.closeList() }, message: list },
  list_list_int: { tag: { open: b => b.openTexts(), close: b => b.closeList() }, message: lists },
})
list.holds({
  s: { tag: { value: (b, bytes, from, to) => b.addText(b.code(bytes, from, to)) } },
  i: { tag: { value: (b, bytes, from, to) => b.addToList(bytes, from, to) } },
})
lists.holds({ list_list_i: { tag: { open: b => b.openList(), close: b => b.closeList() }, message: inner } })
inner.holds({ list_i: { tag: { value: (b, bytes, from, to) => b.addToList(bytes, from, to) } } })

/** What of a graph file goes into the model. */
export const modelSchema = file

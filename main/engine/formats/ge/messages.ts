// The messages of a graph file with the types of their fields, as JSON shows them: weights and sizes are not shown.
import { npuType } from '../npu/index.ts'
import { Message } from './schema.ts'

/** What a value is; messages have none. */
type Kind = 'message' | 'text' | 'bytes' | 'whole' | 'float' | 'bool' | 'DataType' | 'ListType'

export interface JsonTag {
  readonly kind: Kind
  readonly repeated: boolean
  /** One of several of which only one is there; it is shown though it be 0 or empty. */
  readonly oneof: boolean
  /** Entries with a key and a value. */
  readonly map: boolean
}

type Spec = `${Exclude<Kind, 'message'>}${'' | '*'}`
type Holds = Readonly<Record<string, Spec | readonly [Message<JsonTag>, ('*' | 'map')?]>>

function holds(message: Message<JsonTag>, fields: Holds, oneof = false): void {
  const tags = Object.entries(fields).map(([name, spec]) => {
    if (typeof spec !== 'string') {
      const [inner, many] = spec
      const tag: JsonTag = { kind: 'message', repeated: many !== undefined, oneof, map: many === 'map' }
      return [name, { tag, message: inner }] as const
    }
    const repeated = spec.endsWith('*')
    const kind = (repeated ? spec.slice(0, -1) : spec) as Kind
    return [name, { tag: { kind, repeated, oneof, map: false } }] as const
  })
  message.holds(Object.fromEntries(tags))
}

const made = (): Message<JsonTag> => new Message<JsonTag>()
const [model, graph, op, desc, shape, entry] = [made(), made(), made(), made(), made(), made()]
const [attr, list, named, tensor] = [made(), made(), made(), made()]
const [wholes, wholeList, floats, floatList] = [made(), made(), made(), made()]

holds(model, {
  name: 'text',
  version: 'whole',
  custom_version: 'text',
  graph: [graph, '*'],
  attr: [entry, 'map'],
})
holds(graph, { name: 'text', input: 'text*', op: [op, '*'], attr: [entry, 'map'] })
holds(op, {
  name: 'text',
  type: 'text',
  input: 'text*',
  attr: [entry, 'map'],
  has_out_attr: 'bool',
  id: 'whole',
  stream_id: 'whole',
  input_name: 'text*',
  src_name: 'text*',
  src_index: 'whole*',
  dst_name: 'text*',
  dst_index: 'whole*',
  input_i: 'whole*',
  output_i: 'whole*',
  is_input_const: 'bool*',
  input_desc: [desc, '*'],
  output_desc: [desc, '*'],
  subgraph_name: 'text*',
})
holds(desc, {
  name: 'text',
  dtype: 'DataType',
  shape: [shape],
  layout: 'text',
  attr: [entry, 'map'],
  has_out_attr: 'bool',
  reuse_input: 'bool',
  output_tensor: 'bool',
  device_type: 'text',
  input_tensor: 'bool',
  real_dim_cnt: 'whole',
  reuse_input_index: 'whole',
  cmps_size: 'whole',
  cmps_tab: 'bytes',
  cmps_tab_offset: 'whole',
})
holds(shape, { dim: 'whole*' })
holds(entry, { key: 'text', value: [attr] })
holds(
  attr,
  {
    list: [list],
    s: 'bytes',
    i: 'whole',
    f: 'float',
    b: 'bool',
    func: [named],
    td: [desc],
    t: [tensor],
    g: [graph],
    list_list_int: [wholes],
    dt: 'whole',
    list_list_float: [floats],
    expression: 'text',
  },
  true,
)
holds(list, {
  s: 'bytes*',
  i: 'whole*',
  f: 'float*',
  b: 'bool*',
  td: [desc, '*'],
  t: [tensor, '*'],
  g: [graph, '*'],
  na: [named, '*'],
  dt: 'whole*',
  val_type: 'ListType',
})
holds(named, { name: 'text', attr: [entry, 'map'] })
holds(tensor, { desc: [desc] })
holds(wholes, { list_list_i: [wholeList, '*'] })
holds(wholeList, { list_i: 'whole*' })
holds(floats, { list_list_f: [floatList, '*'] })
holds(floatList, { list_f: 'float*' })

export const modelMessage = model
export const opMessage = op

const listTypes = [
  'NONE',
  'STRING',
  'INT',
  'FLOAT',
  'BOOL',
  'BYTES',
  'TENSOR_DESC',
  'TENSOR',
  'GRAPH',
  'NAMED_ATTRS',
  'DATA_TYPE',
].map(name => `VT_LIST_${name}`)

const digits = /^\d+$/

/** Names of enums' values, which may be written as numbers. */
export const listType = (word: string): string =>
  digits.test(word) ? (listTypes[Number(word)] ?? word) : word
export function dataType(word: string): string {
  if (!digits.test(word)) return word
  const { name } = npuType(Number(word))
  return name.startsWith('TYPE_') ? word : `DT_${name}`
}

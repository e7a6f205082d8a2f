// The text of GE graphs, drawn in a few words.

export interface DrawnOp {
  readonly name: string
  readonly type: string
  readonly id?: number
  /** `producer:output`. */
  readonly input?: readonly string[]
  /** Absent: the graph says nothing; empty: the compiler put it in. */
  readonly originals?: readonly string[]
  readonly output?: readonly DrawnOutput[]
  readonly l1?: string
  readonly multiOp?: boolean
}

interface DrawnOutput {
  readonly dtype?: string
  /** The op of the script, and which output of it. */
  readonly source?: readonly [op: string, index?: number]
  readonly format?: string
}

const attr = (key: string, value: string): string => `attr { key: "${key}" value { ${value} } }`

const outputText = ({ dtype = 'DT_FLOAT', source, format }: DrawnOutput): string =>
  [
    `output_desc { dtype: ${dtype}`,
    ...(source ? [attr('_datadump_origin_name', `s: "${source[0]}"`)] : []),
    ...(source?.[1] === undefined ? [] : [attr('_datadump_origin_output_index', `i: ${source[1]}`)]),
    attr('origin_format', `s: "${format ?? 'ND'}"`),
    '}',
  ].join(' ')

const opText = (op: DrawnOp, place: number): string =>
  [
    `op { name: "${op.name}" type: "${op.type}" id: ${op.id ?? place}`,
    ...(op.input ?? []).map(from => `input: "${from}"`),
    ...(op.originals
      ? [
          attr(
            '_datadump_original_op_names',
            `list { ${op.originals.map(name => `s: "${name}"`).join(' ')} val_type: VT_LIST_STRING }`,
          ),
        ]
      : []),
    ...(op.l1 === undefined ? [] : [attr('_L1_fusion_sub_graph_no', `s: "${op.l1}"`)]),
    ...(op.multiOp ? [attr('_datadump_is_multiop', 'b: true')] : []),
    ...(op.output ?? []).map(outputText),
    '}',
  ].join('\n')

export const graphText = (ops: readonly DrawnOp[], name = 'g'): string =>
  `name: "model" graph { name: "${name}" ${ops.map(opText).join('\n')} }`

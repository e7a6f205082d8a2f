// A made-up network as GE would build it: a root graph that calls sub-graphs, ops put in by the compiler, fused ops.
import type { Attr, Desc, Graph, Model, Op } from './ge-trees.ts'

const text = (key: string, s: string): Attr => ({ key, value: { s } })
const desc = (dtype: string, layout: string, dim: readonly number[], source = '', output = 0): Desc => ({
  dtype,
  layout,
  shape: { dim },
  attr: [
    text('origin_format', 'NHWC'),
    { key: 'origin_shape', value: { list: { i: dim, val_type: 'VT_LIST_INT' } } },
    ...(source === ''
      ? []
      : [
          text('_datadump_origin_name', source),
          { key: '_datadump_origin_output_index', value: { i: output } },
        ]),
  ],
})
const from = (names: readonly string[]): Attr => ({
  key: '_datadump_original_op_names',
  value: { list: { s: names, val_type: 'VT_LIST_STRING' } },
})
const half = (dim: readonly number[], source = ''): Desc => desc('DT_FLOAT16', 'NC1HWC0', dim, source)

/** Layers of a convolution with two outputs that are read twice, and a transposition behind each. */
function layers(scope: string, count: number, first: string): Op[] {
  const ops: Op[] = []
  let before = first
  for (let i = 0; i < count; i++) {
    const conv = `${scope}/block${i}/Conv2D${scope}/block${i}/Relu`
    ops.push({
      name: conv,
      type: 'Conv2D',
      id: ops.length + 1,
      stream_id: i % 3,
      input: [`${before}:0`, '', `${before}:0`, `clean_${scope}:-1`],
      input_desc: [half([1, i + 1]), half([2, 2])],
      output_desc: [half([1, i + 2], `${scope}/block${i}/Relu`), half([3], `${scope}/block${i}/Relu`)],
      attr: [
        from([`${scope}/block${i}/Conv2D`, `${scope}/block${i}/Relu`]),
        text('pass_name', i % 2 === 0 ? 'TbeConvReluFusionPass' : 'TbeOther'),
        text(`${conv}_kernelname`, `te_conv2d_${i}`),
        text('other_kernelname', 'of a part'),
      ],
    })
    ops.push({
      name: `trans_${scope}_${i}`,
      type: 'TransData',
      input: [`${conv}:0`],
      input_desc: [half([1, i + 2])],
      output_desc: [half([i + 2, 1])],
      attr: [from([''])],
    })
    before = `trans_${scope}_${i}`
  }
  return ops
}

const body = (name: string, count: number): Graph => {
  const ops = layers(name, count, `${name}_arg`)
  const last = ops.at(-1)!.name
  return {
    name,
    op: [
      {
        name: `${name}_arg`,
        type: 'Data',
        output_desc: [half([1, 1])],
        attr: [{ key: '_parent_node_index', value: { i: 1 } }],
      },
      { name: `clean_${name}`, type: 'AtomicAddrClean' },
      ...ops,
      {
        name: `${name}_Node_Output`,
        type: 'NetOutput',
        input: [`${last}:0`, `${ops[0]!.name}:1`],
        input_desc: [half([9, 1]), half([3])],
      },
    ],
    attr: [text('_session_graph_id', '0_1')],
  }
}

/** Two sub-graphs of so many blocks each, called by a root graph; everything is named alike each time. */
export function networkOf(blocks: number, root = 'ge_default_1'): Model {
  const call: Op = {
    name: 'call',
    type: 'PartitionedCall',
    input: ['input:0', 'weights:0'],
    input_desc: [desc('DT_FLOAT', 'NHWC', [8, 8]), desc('DT_FLOAT', 'HWCN', [4])],
    subgraph_name: [`${root}_left`, `${root}_right`],
  }
  const cast = (name: string, to: string): Op => ({
    name,
    type: 'Cast',
    input: ['call:0'],
    input_desc: [desc('DT_FLOAT', 'NHWC', [8])],
    output_desc: [desc(to, 'NHWC', [8], name)],
  })
  const top: Graph = {
    name: root,
    input: ['input'],
    output: ['Node_Output'],
    op: [
      { name: 'input', type: 'Data', output_desc: [desc('DT_FLOAT', 'NHWC', [8, 8], 'input')] },
      { name: 'weights', type: 'Constant', output_desc: [desc('DT_FLOAT', 'HWCN', [4], 'weights')] },
      call,
      cast('to_int', 'DT_INT32'),
      cast('to_half', 'DT_FLOAT16'),
      { name: 'alone', type: 'Add', output_desc: [] },
      { name: 'Node_Output', type: 'NetOutput', input: ['to_int:0', 'to_half:0'], input_desc: [{}, {}] },
    ],
    attr: [text('_session_graph_id', '0_1')],
  }
  return { name: '', version: 1, graph: [top, body(`${root}_left`, blocks), body(`${root}_right`, blocks)] }
}

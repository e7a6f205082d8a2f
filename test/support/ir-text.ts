// IR texts of MindSpore's graph mode as tests need them.

export interface IrNode {
  readonly op: string
  readonly scope: string
  readonly lines?: readonly string[]
  readonly id?: string
  readonly forward?: string
}

/** `marks`: how versions spell the comment of the scope. */
export function irText(nodes: readonly IrNode[], mark = '# scope', end = '\n'): string {
  const written = nodes.flatMap(({ op, scope, lines = [], id, forward }, i) => [
    `  %${i}(v${i}) = ${op}(%para${i}_x, Bool(0)) {instance name: n} primitive_attrs: {unique_id: "none"}${attributes(id, forward)}`,
    '      : (<Tensor[Float32], (2, 3)>, <Bool, NoShape>) -> (<Tensor[Float32], (2, 3)>)',
    `      ${mark}: (${scope})`,
    ...lines.map(line => `      # ${line}`),
  ])
  return [
    '# IR entry: @net.1',
    '# Total subgraphs: 1',
    '',
    '%para1_x : <Tensor[Float32], (2, 3)>',
    '',
    'subgraph attr:',
    'subgraph instance: net.1 : 0x1',
    'subgraph @net.1(%para2_y) {',
    ...written,
    '  Return(%0)',
    '      : (<Tensor[Float32], (2, 3)>)',
    '      # scope: (Default)',
    '      # In file /m/net.py:99',
    '}',
    '',
  ].join(end)
}

function attributes(id?: string, forward?: string): string {
  const pairs = [
    ...(forward === undefined ? [] : [`forward_node_name: "Op_${forward}", forward_unique_id: "${forward}"`]),
    ...(id === undefined ? [] : [`unique_id: "${id}"`]),
  ]
  return pairs.length === 0 ? '' : ` cnode_primal_attrs: {${pairs.join(', ')}}`
}

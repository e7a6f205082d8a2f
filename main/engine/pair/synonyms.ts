// What both frameworks mean: words of two dialects for one thing.

const synonyms: Readonly<Record<string, string>> = {
  gather: 'embedding',
  matmul: 'matmul',
  mm: 'matmul',
  bmm: 'matmul',
  batchmatmul: 'matmul',
  biasadd: 'linear',
  dense: 'linear',
  addmm: 'linear',
  bntrain: 'batchnorm',
  bninfer: 'batchnorm',
  view: 'reshape',
  flatten: 'reshape',
  viewas: 'reshape',
  swapaxes: 'permute',
  transpose: 'permute',
  t: 'permute',
  concat: 'cat',
  concatenate: 'cat',
  reducemean: 'mean',
  reducesum: 'sum',
  truediv: 'div',
  realdiv: 'div',
  rmul: 'mul',
  radd: 'add',
  iadd: 'add',
  imul: 'mul',
  swish: 'silu',
  softmaxcrossentropywithlogits: 'crossentropy',
  maxpool2d: 'maxpool',
  avgpool2d: 'avgpool',
  adaptiveavgpool2d: 'avgpool',
  tensoradd: 'add',
}

export function wordOf(api: string): string {
  const word = api
    .slice(api.lastIndexOf('.') + 1)
    .toLowerCase()
    .replaceAll('_', '')
  return synonyms[word] ?? word
}

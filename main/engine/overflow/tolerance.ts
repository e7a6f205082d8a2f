// Places of calls that hold whatever memory held before: buffers that are written, not read.

interface Tolerance {
  /** Positions among arguments, keywords, positions among outputs. */
  readonly inputs?: readonly number[]
  readonly keywords?: readonly string[]
  readonly outputs?: readonly number[]
  /** Only a part of the buffer is written: it is as clean as what comes out. */
  readonly inPart?: true
}

/** By the first two parts of a call's name in lower case. */
export const toleratedByMsprobe: Readonly<Record<string, Tolerance>> = {
  'torch.empty': { outputs: [0] },
  'torch.empty_like': { outputs: [0] },
  'torch.empty_strided': { outputs: [0] },
  'distributed.recv': { inputs: [0], keywords: ['tensor'] },
  'distributed.all_gather': { inputs: [0] },
  'distributed.reduce_scatter': { inputs: [0], keywords: ['output'] },
  'distributed._reduce_scatter_base': { inputs: [0] },
  'distributed.all_gather_into_tensor': { inputs: [0] },
  'distributed.reduce_scatter_tensor': { inputs: [0] },
  'tensor.masked_fill_': { inputs: [0] },
}

const fresh: Tolerance = { outputs: [0] }
const overwritten: Tolerance = { inputs: [0] }
const received: Tolerance = { inputs: [0], keywords: ['tensor'] }
const gathered: Tolerance = { inputs: [0], keywords: ['output', 'output_tensor', 'output_tensor_list'] }

export const tolerated: Readonly<Record<string, Tolerance>> = {
  ...toleratedByMsprobe,
  'torch.empty_permuted': fresh,
  'tensor.new_empty': fresh,
  'tensor.new_empty_strided': fresh,
  'functional.empty': fresh,
  'functional.empty_like': fresh,
  'mint.empty': fresh,
  'mint.empty_like': fresh,
  'tensor.copy_': overwritten,
  'tensor.fill_': overwritten,
  'tensor.zero_': overwritten,
  'tensor.normal_': overwritten,
  'tensor.uniform_': overwritten,
  'tensor.masked_fill_': { inputs: [0], inPart: true },
  'distributed.recv': received,
  'distributed.irecv': received,
  'distributed.scatter': received,
  'distributed.scatter_tensor': gathered,
  'distributed.gather_into_tensor': gathered,
  'distributed.all_gather': { ...gathered, keywords: ['tensor_list'] },
  'distributed._all_gather_base': gathered,
  'distributed.all_gather_into_tensor': gathered,
  'distributed.reduce_scatter': gathered,
  'distributed._reduce_scatter_base': gathered,
  'distributed.reduce_scatter_tensor': gathered,
  'distributed.all_to_all': gathered,
  'distributed.all_to_all_single': gathered,
}

export const toleranceKey = (name: string): string => name.split('.', 2).join('.').toLowerCase()

/** First place of an item inside its part: a position, or the name of a keyword. */
export function placeOf(
  name: string,
  opName: string,
): { readonly position: number; readonly keyword: string } {
  const [, first = ''] =
    /^\.(?:input|kwargs|output|parameters)\.([^.]*)/.exec(name.slice(opName.length)) ?? []
  return /^\d+$/.test(first) ? { position: Number(first), keyword: '' } : { position: -1, keyword: first }
}

/** What a rule says of a place: whether it speaks of that kind of place at all, and whether of this one. */
export function toleratedAt(
  rule: Tolerance,
  output: boolean,
  { position, keyword }: ReturnType<typeof placeOf>,
): { readonly named: boolean; readonly tolerated: boolean } {
  if (keyword) {
    const keywords = output ? undefined : rule.keywords
    return { named: keywords !== undefined, tolerated: keywords?.includes(keyword) === true }
  }
  const positions = output ? rule.outputs : rule.inputs
  return { named: positions !== undefined, tolerated: positions?.includes(position) === true }
}

// The numbers of an operator's tensors: what the NPU dumped of it, and what TensorFlow has in its place.
import {
  decodedNameOf,
  inSlice,
  type OpCard,
  type OpFiles,
  rawNameOf,
  type RawTensor,
  rawTensors,
  type RawWish,
  readRawHeader,
  type TensorFlowTree,
  tensorNameOf,
} from '../../../../formats/index.ts'
import { baseOf, join } from '../../../../io/index.ts'
import { Refusal } from '../../../../model/index.ts'
import { lookedAt, type LookedTensor, tensorsLookedAt } from '../../../../vector/index.ts'
import type { Tools } from '../../tools.ts'

export interface OpTensor extends LookedTensor {
  readonly side: 'npu' | 'reference'
  readonly file: string
}

/** Of a file that cannot be read it is told why; the others are there. */
export async function valuesOf(
  card: OpCard & OpFiles,
  { reference }: TensorFlowTree,
  tools: Tools,
): Promise<readonly OpTensor[]> {
  const found: OpTensor[] = []
  const add = async (side: OpTensor['side'], file: string, read: () => Promise<readonly LookedTensor[]>) => {
    try {
      found.push(...(await read()).map(tensor => ({ side, file, ...tensor })))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      tools.tell({ ...error.problem, severity: 'warning' })
    }
  }
  for (const file of card.npuDump) await add('npu', file, () => dumped(card, file, tools))
  for (const name of card.tfDumpOutput)
    for (const { path, files } of reference)
      if (files.includes(name))
        await add('reference', name, async () => [
          {
            io: 'output',
            index: tensorNameOf(name)?.output ?? 0,
            ...(await lookedAt({ file: join(path, name) }, tools)),
          },
        ])
  return found
}

async function dumped(card: OpCard, file: string, tools: Tools): Promise<readonly LookedTensor[]> {
  const name = baseOf(file)
  const array = decodedNameOf(name)
  if (array) return [{ io: array.io, index: array.index, ...(await lookedAt({ file }, tools)) }]
  const handle = tools.files.open(file)
  try {
    const header = await readRawHeader(handle, file)
    const said = rawNameOf(name)
    return await tensorsLookedAt(file, rawTensors(said ? inSlice(header, said) : header), tools, wishOf(card))
  } finally {
    handle.close()
  }
}

/** In the layout that the graph knows, so that nothing counts that only fills up. */
function wishOf({ inputs, outputs }: OpCard): (tensor: RawTensor) => RawWish {
  const read = inputs.filter(({ index }) => index >= 0)
  return ({ io, index }) => {
    const original = (io === 'input' ? read : outputs)[index]?.originFormat ?? ''
    return original === '' ? {} : { original }
  }
}

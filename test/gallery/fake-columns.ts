// The columns of a comparison of whole tensors, as an engine names them. Written down: the engine's own table brings
// code that needs Node.
import type { ColumnInfo } from '../../preload/contract/engine.ts'

type Kind = 'text' | 'number' | 'extra text' | 'extra number'
const named: readonly (readonly [id: string, title: string, kind: Kind])[] = [
  ['debugName', 'NPU Name', 'text'],
  ['benchName', 'Bench Name', 'text'],
  ['debugDtype', 'NPU Dtype', 'text'],
  ['benchDtype', 'Bench Dtype', 'text'],
  ['debugShape', 'NPU Tensor Shape', 'text'],
  ['benchShape', 'Bench Tensor Shape', 'text'],
  ['cosine', 'Cosine', 'number'],
  ['maxAbs', 'MaxAbsErr', 'number'],
  ['maxRel', 'MaxRelativeErr', 'number'],
  ['thousandth', 'One Thousandth Err Ratio', 'number'],
  ['fiveThousandths', 'Five Thousandths Err Ratio', 'number'],
  ['debugMax', 'NPU max', 'number'],
  ['debugMin', 'NPU min', 'number'],
  ['debugMean', 'NPU mean', 'number'],
  ['debugNorm', 'NPU l2norm', 'number'],
  ['benchMax', 'Bench max', 'number'],
  ['benchMin', 'Bench min', 'number'],
  ['benchMean', 'Bench mean', 'number'],
  ['benchNorm', 'Bench l2norm', 'number'],
  ['accuracy', 'Accuracy Reached or Not', 'text'],
  ['message', 'Err_message', 'text'],
  ['stack', 'NPU_Stack_Info', 'text'],
  ['dataName', 'Data_name', 'text'],
  ['debugGrad', 'NPU Requires_grad', 'extra text'],
  ['benchGrad', 'Bench Requires_grad', 'extra text'],
  ['why', 'Why unmatched', 'extra text'],
  ['euclid', 'EucDist', 'extra number'],
]

export const fakeColumns: readonly ColumnInfo[] = named.map(([id, title, kind]) => ({
  id,
  title,
  numeric: kind.endsWith('number'),
  extra: kind.startsWith('extra'),
}))

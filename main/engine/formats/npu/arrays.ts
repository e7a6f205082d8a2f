// Arrays that were decoded from raw dumps, as if they still stood in them: so they can be turned between layouts.
import { plain, type TensorLayout } from '../tensors/tensor.ts'
import { formatCode, npuTypes } from './codes.ts'
import type { RawTensor } from './raw.ts'

/** How the device has a tensor, as a graph tells it. */
export interface OnDevice {
  readonly format: string
  readonly shape: readonly number[]
  readonly originShape: readonly number[]
}

const anyOrder = 2

/** Null of an array that does not lie as a raw tensor would. */
export function arrayAsRaw(
  { io, index }: Pick<RawTensor, 'io' | 'index'>,
  layout: TensorLayout,
  device: OnDevice | null,
): RawTensor | null {
  const { dtype, shape, size, from, strides } = layout
  const code = npuTypes.findIndex(({ as, packing }, i) => i > 0 && as === dtype.name && !packing)
  if (!plain(layout) || strides || code < 0) return null
  // Another shape than the device's: it was turned when it was decoded.
  const told = device && String(device.shape) === String(shape) ? device : null
  const isKnown = told !== null && told.originShape.length > 0 && told.originShape.every(dim => dim >= 0)
  return {
    io,
    index,
    dtype: code,
    format: (told && formatCode(told.format)) ?? anyOrder,
    shape,
    originalShape: isKnown ? told.originShape : null,
    origin: null,
    groups: 0,
    address: 0n,
    from,
    size: size * dtype.bytes,
    truncated: false,
  }
}

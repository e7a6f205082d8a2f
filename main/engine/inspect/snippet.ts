// Python that loads exactly what is shown.
import type { ByteRange, TensorRef } from '../model/index.ts'

const codes: Readonly<Record<string, string>> = {
  bool: '?',
  int8: 'i1',
  int16: 'i2',
  int32: 'i4',
  int64: 'i8',
  uint8: 'u1',
  uint16: 'u2',
  uint32: 'u4',
  uint64: 'u8',
  float16: 'f2',
  float32: 'f4',
  float64: 'f8',
  complex64: 'c8',
  complex128: 'c16',
  bfloat16: 'u2',
}

/** Of one side or of both; '' where Python has no plain way. */
export function snippetOf(debug: TensorRef | null, bench: TensorRef | null): string {
  const lines = [lineOf('debug', debug), lineOf('bench', bench)].filter(line => line !== '')
  if (lines.length === 0) return ''
  const brain = lines.some(line => line.includes('brain('))
  const usesTorch = lines.some(line => line.includes('torch.'))
  return [
    'import numpy as np',
    ...(usesTorch ? ['import torch'] : []),
    ...(brain
      ? ['', 'def brain(words):', '    return (words.astype(np.uint32) << 16).view(np.float32)']
      : []),
    '',
    ...lines,
    ...(lines.length === 2 ? ['error = np.abs(debug.astype(np.float64) - bench.astype(np.float64))'] : []),
    '',
  ].join('\n')
}

function lineOf(name: string, ref: TensorRef | null): string {
  if (!ref) return ''
  const { file, part } = ref
  if (typeof part === 'object') return ofRange(name, file, part)
  const path = text(file)
  if (/\.npz$/i.test(file)) {
    const member = part === undefined ? 'next(iter(archive))' : text(part)
    return `archive = np.load(${path})\n${name} = archive[${member}]`
  }
  if (/\.npy$/i.test(file))
    return ref.dtype === 'torch.bfloat16'
      ? `${name} = np.load(${path})  # bfloat16 as it was saved`
      : `${name} = np.load(${path})`
  if (!/\.(?:pt|pth)$/i.test(file)) return ''
  const keys = part === undefined ? '' : `[${text(part)}]`
  return `${name} = torch.load(${path}, map_location='cpu', weights_only=True)${keys}.detach().float().numpy()`
}

function ofRange(name: string, file: string, range: ByteRange): string {
  const { from, dtype, shape, strides, bigEndian, packing, tiling } = range
  const code = codes[dtype]
  if (code === undefined || packing || tiling) return ''
  const size = shape.reduce((product, dim) => product * dim, 1)
  const order = bigEndian ? '>' : '<'
  const tuple = `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`
  const span = strides
    ? shape.reduce((last, dim, axis) => last + (dim - 1) * (strides[axis] ?? 0), 0) + 1
    : size
  const flat = `np.fromfile(${text(file)}, dtype='${order}${code}', count=${span}, offset=${from})`
  const steps = strides?.map(step => `${step} * flat.itemsize`).join(', ') ?? ''
  const shaped = strides
    ? `flat = ${flat}\n${name} = np.lib.stride_tricks.as_strided(flat, ${tuple}, (${steps}${strides.length === 1 ? ',' : ''}))`
    : `${name} = ${flat}.reshape(${tuple})`
  return dtype === 'bfloat16' ? `${shaped}\n${name} = brain(${name})` : shaped
}

/** As a Python literal. */
const text = (value: string): string => JSON.stringify(value)

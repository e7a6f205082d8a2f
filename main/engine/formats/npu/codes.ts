// The numbers that raw dumps use for types of elements and for layouts, and what they mean.
import type { DtypeName } from '../tensors/dtype.ts'

/** How the elements of a type lie in the file, where a byte or more is not simply one of them. */
export type Packing = 'int4' | 'uint1'

export interface NpuType {
  readonly name: string
  /** What its elements are read as; null where nobody knows how to read them. */
  readonly as: DtypeName | null
  readonly packing?: Packing
}

const row = (name: string, as: DtypeName | null, packing?: Packing): NpuType =>
  packing ? { name, as, packing } : { name, as }

/** By number. */
export const npuTypes: readonly NpuType[] = [
  row('UNDEFINED', 'int8'),
  row('FLOAT', 'float32'),
  row('FLOAT16', 'float16'),
  row('INT8', 'int8'),
  row('UINT8', 'uint8'),
  row('INT16', 'int16'),
  row('UINT16', 'uint16'),
  row('INT32', 'int32'),
  row('INT64', 'int64'),
  row('UINT32', 'uint32'),
  row('UINT64', 'uint64'),
  row('BOOL', 'bool'),
  row('DOUBLE', 'float64'),
  row('STRING', null),
  row('DUAL_SUB_INT8', null),
  row('DUAL_SUB_UINT8', null),
  row('COMPLEX64', 'complex64'),
  row('COMPLEX128', 'complex128'),
  row('QINT8', 'int8'),
  row('QINT16', 'int16'),
  row('QINT32', 'int32'),
  row('QUINT8', 'uint8'),
  row('QUINT16', 'uint16'),
  row('RESOURCE', 'int64'),
  row('STRING_REF', null),
  row('DUAL', null),
  row('VARIANT', null),
  row('BF16', 'bfloat16'),
  row('INT4', 'int8', 'int4'),
  row('UINT1', 'uint8', 'uint1'),
  row('INT2', null),
  row('UINT2', null),
  row('COMPLEX32', 'complex32'),
  row('HIFLOAT8', 'hifloat8'),
  row('FLOAT8_E5M2', 'float8_e5m2'),
  row('FLOAT8_E4M3FN', 'float8_e4m3fn'),
  row('FLOAT8_E8M0', 'float8_e8m0'),
  row('FLOAT6_E3M2', null),
  row('FLOAT6_E2M3', null),
  row('FLOAT4_E2M1', null),
  row('FLOAT4_E1M2', null),
]

/** The type behind a number; one that is not known cannot be read. */
export const npuType = (code: number): NpuType => npuTypes[code] ?? { name: `TYPE_${code}`, as: null }

/** By number, as GE counts them, which nano devices write. */
export const geTypes: Readonly<Record<number, number>> = {
  0: 1,
  1: 2,
  2: 3,
  3: 7,
  4: 4,
  6: 5,
  7: 6,
  8: 9,
  9: 8,
  10: 10,
  11: 12,
  12: 11,
  13: 13,
  16: 16,
  17: 17,
  27: 27,
  28: 0,
  29: 28,
  30: 29,
}

const formatNames = [
  'NCHW NHWC ND NC1HWC0 FRACTAL_Z NC1C0HWPAD NHWC1C0 FSR_NCHW FRACTAL_DECONV C1HWNC0',
  'FRACTAL_DECONV_TRANSPOSE FRACTAL_DECONV_SP_STRIDE_TRANS NC1HWC0_C04 FRACTAL_Z_C04 CHWN',
  'FRACTAL_DECONV_SP_STRIDE8_TRANS HWCN NC1KHKWHWC0 BN_WEIGHT FILTER_HWCK HASHTABLE_LOOKUP_LOOKUPS',
  'HASHTABLE_LOOKUP_KEYS HASHTABLE_LOOKUP_VALUE HASHTABLE_LOOKUP_OUTPUT HASHTABLE_LOOKUP_HITS C1HWNCoC0 MD',
  'NDHWC FRACTAL_ZZ FRACTAL_NZ NCDHW DHWCN NDC1HWC0 FRACTAL_Z_3D CN NC DHWNC FRACTAL_Z_3D_TRANSPOSE',
  'FRACTAL_ZN_LSTM FRACTAL_Z_G RESERVED ALL NULL ND_RNN_BIAS FRACTAL_ZN_RNN YUV YUV_A NCL FRACTAL_Z_WINO C1HWC0',
].flatMap(line => line.split(' '))

/** The layout behind a number, `FORMAT_<n>` where it has no name. */
export const formatName = (code: number): string => formatNames[code] ?? `FORMAT_${code}`

/** The number of a layout; null where there is none of that name. */
export function formatCode(name: string): number | null {
  const at = formatNames.indexOf(name)
  return at < 0 ? null : at
}

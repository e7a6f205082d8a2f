// Windows that slide over up to three axes: what convolutions, pools and unfold have in common.
import { Unsupported } from './unsupported.ts'

/** Always three axes; missing ones have length 1. */
type Triple = readonly [number, number, number]

export interface Windows {
  readonly input: Triple
  readonly kernel: Triple
  readonly stride: Triple
  readonly dilation: Triple
  /** Elements added before each axis. */
  readonly before: Triple
  readonly output: Triple
}

export const triple = (of: readonly number[], fill: number): Triple => {
  const all = [...Array.from({ length: 3 - of.length }, () => fill), ...of]
  return [all[0], all[1], all[2]]
}

export const volume = ([x, y, z]: Triple): number => x * y * z

interface Sizes {
  readonly input: readonly number[]
  readonly kernel: readonly number[]
  readonly stride: readonly number[]
  readonly dilation: readonly number[]
  readonly before: readonly number[]
  readonly after: readonly number[]
}

export function windowsOf(sizes: Sizes, ceil = false): Windows {
  const { input, kernel, stride, dilation, before, after } = sizes
  const output = input.map((size, i) => {
    const reach = dilation[i] * (kernel[i] - 1) + 1
    const free = size + before[i] + after[i] - reach
    if (!(stride[i] > 0) || free < 0) throw new Unsupported('shapes', 'window')
    if (!ceil) return Math.floor(free / stride[i]) + 1
    const count = Math.ceil(free / stride[i]) + 1
    // The last window begins inside the input or its first padding.
    return (count - 1) * stride[i] >= size + before[i] ? count - 1 : count
  })
  return {
    input: triple(input, 1),
    kernel: triple(kernel, 1),
    stride: triple(stride, 1),
    dilation: triple(dilation, 1),
    before: triple(before, 0),
    output: triple(output, 1),
  }
}

/**
 * Calls `visit` for every element of every window that lies in the input: which window, which place in the
 * kernel, and where in the input.
 */
export function eachPlace(w: Windows, visit: (window: number, place: number, at: number) => void): void {
  const [id, ih, iw] = w.input
  const [kd, kh, kw] = w.kernel
  const [od, oh, ow] = w.output
  for (let z = 0, window = 0; z < od; z++)
    for (let y = 0; y < oh; y++)
      for (let x = 0; x < ow; x++, window++)
        for (let c = 0, place = 0; c < kd; c++) {
          const d = z * w.stride[0] - w.before[0] + c * w.dilation[0]
          for (let b = 0; b < kh; b++) {
            const h = y * w.stride[1] - w.before[1] + b * w.dilation[1]
            const line = (d * ih + h) * iw
            const inside = d >= 0 && d < id && h >= 0 && h < ih
            for (let a = 0; a < kw; a++, place++) {
              const v = x * w.stride[2] - w.before[2] + a * w.dilation[2]
              if (inside && v >= 0 && v < iw) visit(window, place, line + v)
            }
          }
        }
}

/** Windows of all channels as columns: [channels × kernel, windows]. */
export function columnsOf(data: Float64Array, channels: number, w: Windows): Float64Array {
  const [count, kernel, size] = [volume(w.output), volume(w.kernel), volume(w.input)]
  const into = new Float64Array(channels * kernel * count)
  eachPlace(w, (window, place, at) => {
    for (let c = 0; c < channels; c++) into[(c * kernel + place) * count + window] = data[c * size + at]
  })
  return into
}

/** Columns added up where they came from. */
export function fromColumns(columns: Float64Array, channels: number, w: Windows): Float64Array {
  const [count, kernel, size] = [volume(w.output), volume(w.kernel), volume(w.input)]
  const into = new Float64Array(channels * size)
  eachPlace(w, (window, place, at) => {
    for (let c = 0; c < channels; c++) into[c * size + at] += columns[(c * kernel + place) * count + window]
  })
  return into
}

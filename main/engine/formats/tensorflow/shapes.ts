// Which shape a tensor of the NPU is shown and compared in.

const count = (shape: readonly number[]): number => shape.reduce((size, dim) => size * dim, 1)

/** One shape is the other with neighbouring axes joined or cut: the elements keep their order. */
export function isReshaped(a: readonly number[], b: readonly number[]): boolean {
  const [mine, theirs] = [a, b].map(shape => shape.filter(dim => dim !== 1))
  if (count(mine) !== count(theirs)) return false
  // Every axis of the coarser shape must be a run of whole axes of the finer one.
  const [coarse, fine] = mine.length <= theirs.length ? [mine, theirs] : [theirs, mine]
  let at = 0
  for (const dim of coarse) {
    let size = 1
    while (size < dim && at < fine.length) size *= fine[at++]
    if (size !== dim) return false
  }
  return at === fine.length
}

export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((dim, axis) => dim === b[axis])

/** The other of the two layouts of images. */
export const turnedLayout: Readonly<Record<string, string>> = { NHWC: 'NCHW', NCHW: 'NHWC' }

// The kind of difference of two tensors, in a thread.
import { quickFiles, type Root } from '../../io/index.ts'
import type { DifferenceKind, TensorRef } from '../../model/index.ts'
import { Side } from '../side.ts'
import { differenceKind } from './kinds.ts'
import { loaded, mostElements } from './sides.ts'

export function* kindTask({
  roots,
  left,
  right,
}: {
  roots: readonly Root[]
  left: TensorRef
  right: TensorRef
}): Generator<void, DifferenceKind> {
  const files = quickFiles(roots)
  const mine = new Side(files, left)
  try {
    const theirs = new Side(files, right)
    try {
      const whole = Math.max(mine.size, theirs.size) <= mostElements
      return yield* differenceKind(yield* loaded(mine), yield* loaded(theirs), whole)
    } finally {
      theirs.close()
    }
  } finally {
    mine.close()
  }
}

// What people look at first of a tensor, as cells of a line.
import { g16 } from '../../../python/index.ts'
import type { Looked } from '../../../vector/index.ts'
import type { Page } from '../tools.ts'

export const lookedCells = (
  { dtype, shape, max, min, mean, nan, inf, saturated }: Looked,
  page: Page,
): readonly string[] => [
  dtype,
  `[${shape.join(', ')}]`,
  `max ${g16(max)}`,
  `min ${g16(min)}`,
  `mean ${mean.toPrecision(6)}`,
  `NaN ${nan}`,
  `Inf ${inf}`,
  saturated ? page.say('cli.tf.acSaturated') : '',
]

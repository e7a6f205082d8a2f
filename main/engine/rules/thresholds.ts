// Every number that rows and findings are judged by, in one table: visible and editable; the model says what each means.
import type { Thresholds } from '../model/index.ts'

export const defaultThresholds: Thresholds = {
  tolerance: 0,
  floor32: 1.5e-6,
  floor16: 2 ** -11,
  floorBrain: 2 ** -8,
  gainForward: 5,
  gainBackward: 8,
  gainSteep: 16,
  margin: 0.7,
  window: 25,
  classShare: 0.3,
  weightShare: 0.5,
  reducedProduct: 2 ** -9,
  argument: 1e-6,
  clearJump: 20,
}

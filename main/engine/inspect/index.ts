// Any tensor, any two of them: numbers over all elements, slices, the kinds of difference.
export {
  type Apart,
  binTask,
  type CutAnswer,
  cutTask,
  elementsTask,
  kindOf,
  pairTask,
  readCut,
  type Spec,
  specsOf,
  specsTask,
  sumTask,
  type Survey,
  survey,
  type SurveyQuery,
} from './survey.ts'
export type { PairNumbers, Tolerance } from './pair-numbers.ts'
export type { Exact } from './side.ts'
export { type Ailment, ailments, type SideNumbers } from './side-numbers.ts'
export { type BundleDiff, type BundleRow, compareBundles, sameTask, type TensorState } from './bundles.ts'
export { kindTask } from './kinds/task.ts'
export { heatTask } from './heat.ts'
export { numbersTask } from './numbers.ts'
export { spreadTask } from './spread.ts'
export { type LookAt, Looks } from './looks.ts'

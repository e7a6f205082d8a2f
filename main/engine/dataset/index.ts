// Results of many steps and ranks as one folder: written in parts by any number of processes, merged, asked.
export { ranksInOrder } from './order.ts'
export { type PictureOf, pictureOf } from './picture.ts'
export { inOrder, type UnitId } from './names.ts'
export { openQuestionsOver } from './question.ts'
export { type Dataset, type DatasetUnit, isDataset, type KnownRecords, readDataset } from './read.ts'
export type { Asking, DatasetPlan, NodeMark, ShareRecord, UnitRecord } from './records.ts'
export {
  cellOf,
  mergeDataset,
  type Merged,
  recordAt,
  type Summary,
  summaryOf,
  type UnitCell,
} from './summary.ts'
export { type DatasetShare, DatasetWriter, type UnitPlace, type UnitTold } from './write.ts'
export { type OverflowOfStep, overflowVerb } from './calls.ts'

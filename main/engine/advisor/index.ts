// Where the error enters, with evidence, and what to dump next.
export { adviseAcross, type AdvisedUnit, overallOf } from './across.ts'
export {
  adviceDumps,
  keptPrepared,
  adviceOrder,
  adviceTask,
  adviseOnFiles,
  prepareTask,
  type AdviceDumps,
  type AdviceOrder,
  type AdviceTold,
} from './on-files.ts'
export type { Advised } from './advise.ts'
export { reaches } from './explain.ts'

// What a dump alone tells of its calls: which lies in which, and who reads what another wrote.
export {
  countElements,
  edgeNames,
  inferFlow,
  inferFlows,
  parentOps,
  readersOf,
  startOf,
  type Flow,
  type FlowSource,
} from './flow.ts'

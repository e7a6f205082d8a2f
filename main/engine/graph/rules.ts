// How the three rule sets differ where graphs are built, matched and judged; one row each, read by the code that differs.
import type { Rules } from '../model.ts'

export interface GraphRules {
  /** Backward calls of APIs without a parent take it from their forward twin. */
  readonly apiParentRepair: boolean
  /** Backward modules whose parent disagrees with their path take it from their forward twin. */
  readonly inPlaceRepair: boolean
  /** Parameter gradients are nodes below the backward call of their module. */
  readonly gradientNodes: boolean
  /** Forward calls that are recomputed hang below the backward call that asked for them. */
  readonly recomputeRepair: boolean
  /** Nodes of every depth carry a micro step. */
  readonly microInherited: boolean
  /** A parent that is no entry of its own stays outside the tree. */
  readonly orphansStay: boolean
  /** Parameters are items of a node. */
  readonly parameters: boolean
  /** Same id is enough besides the same ancestors; types and shapes are judged, not matched. */
  readonly matchByPath: boolean
  /** Fuzzy partners must agree in shape. */
  readonly fuzzyShapes: boolean
  /** Statistics below a bound are judged by their absolute error. */
  readonly smallValues: boolean
  /** Three levels pass, warning, error in place of a share. */
  readonly levels: boolean
  /** Groups are rolled up before tensors have been read, so that they always show 0. */
  readonly groupsBeforeTensors: boolean
  /** A surplus item is padded with fewer blanks than there are columns. */
  readonly shortPadding: boolean
  /** Backward nodes without a stack show that of their forward twin. */
  readonly stackFromForward: boolean
  /** The file says whether overflow was checked. */
  readonly overflowFlag: boolean
  /** P2P batches are linked across ranks. */
  readonly batchPeers: boolean
  /** Extra entries, unequal sets of ranks and leading zeros in a batch are refused. */
  readonly strictBatch: boolean
}

const base: GraphRules = {
  apiParentRepair: false, inPlaceRepair: false, gradientNodes: false, recomputeRepair: false, microInherited: false, orphansStay: false,
  parameters: false, matchByPath: false, fuzzyShapes: true, smallValues: true, levels: false, groupsBeforeTensors: false, shortPadding: false,
  stackFromForward: true, overflowFlag: true, batchPeers: true, strictBatch: false,
}

export const graphRules: Readonly<Record<Rules, GraphRules>> = {
  plumbline: base,
  'msprobe-1.2.2': {
    ...base, apiParentRepair: true, orphansStay: true, parameters: true, smallValues: false, groupsBeforeTensors: true, shortPadding: true, strictBatch: true,
  },
  'msprobe-26': {
    ...base, apiParentRepair: true, inPlaceRepair: true, gradientNodes: true, recomputeRepair: true, microInherited: true, parameters: true,
    matchByPath: true, fuzzyShapes: false, smallValues: false, levels: true, batchPeers: false,
  },
}

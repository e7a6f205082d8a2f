// What rule sets decide where graphs are built, matched and judged.
import type { Deviations } from './deviations.ts'

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
  /** Groups without partner are rolled up too. */
  readonly loneGroups: boolean
  /** Structure alone has an index of 0 and blanks for metrics of inputs. */
  readonly structureJudged: boolean
  /** A surplus item is padded with fewer blanks than there are columns. */
  readonly shortPadding: boolean
  /** Backward nodes without a stack show that of their forward twin. */
  readonly stackFromForward: boolean
  /** A call with tolerated places is not judged at all, and only PyTorch tensors can grow. */
  readonly wholeCallTolerated: boolean
  /** Only groups that are keywords count, and pairs that carry the same tensor. */
  readonly namedGroupsOnly: boolean
  /** P2P batches are linked across ranks. */
  readonly batchPeers: boolean
  /** A pair of sends and receives is linked only where both ends hold the same tensor. */
  readonly sameTensorPeers: boolean
  /** Outputs of calls whose names hold both words, input and output, are not judged. */
  readonly oddOutputsUnjudged: boolean
  /** The words in the name of an item say which part it is, not its place in the dump. */
  readonly partsByName: boolean
  /** Database files hold whole stacks. */
  readonly fullStacks: boolean
  /** A dump without hierarchy is refused. */
  readonly hierarchyNeeded: boolean
  /** A dump without stacks is refused. */
  readonly stacksNeeded: boolean
  /** Extra entries, unequal sets of ranks and leading zeros in a batch are refused. */
  readonly strictBatch: boolean
}

/** What the table of deviations says about graphs; the rest as msprobe 1.2.2 has it. */
export function graphRulesBy(ours: Deviations): GraphRules {
  return {
    apiParentRepair: !ours['graph-api-parents'],
    orphansStay: !ours['graph-orphans'],
    parameters: !ours['graph-parameters'],
    smallValues: ours['graph-small-values'],
    groupsBeforeTensors: !ours['graph-groups'],
    loneGroups: !ours['graph-lone-groups'],
    structureJudged: !ours['graph-structure'],
    shortPadding: !ours['graph-surplus'],
    wholeCallTolerated: !ours['graph-overflow-buffers'],
    namedGroupsOnly: !ours['graph-peers'],
    strictBatch: !ours['graph-folders'],
    inPlaceRepair: false,
    gradientNodes: false,
    recomputeRepair: false,
    microInherited: false,
    matchByPath: false,
    fuzzyShapes: true,
    levels: false,
    stackFromForward: true,
    batchPeers: true,
    sameTensorPeers: !ours['graph-peers'],
    oddOutputsUnjudged: false,
    partsByName: false,
    fullStacks: false,
    hierarchyNeeded: false,
    stacksNeeded: true,
  }
}

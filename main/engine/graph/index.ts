// The hierarchy of a dump, two of them compared, drawn and searched.
export { batchElements } from './batch-elements.ts'
export { buildGraph } from './build.ts'
export { Bytes, encoded } from './bytes.ts'
export { colorsOf, columnTips, noPartner } from './colors.ts'
export { opsOfBuckets } from './colour-nodes.ts'
export { compareGraphs } from './compare.ts'
export { nodeName, pathOf, type Graph } from './graph.ts'
export { handConfig, matchByHand, readConfig, unmatchByHand, type ReadConfig } from './hand.ts'
export { DifferenceSpeller } from './difference-texts.ts'
export { ItemSpeller, type Leaves } from './item-texts.ts'
export { RawEntries } from './raw-entries.ts'
export { itemSides, rangeOf } from './items.ts'
export {
  type Origin,
  rowsOfNodes,
  sideMarks,
  singleSource,
  sourceOf,
  type Outcome,
  type ViewSource,
} from './marks.ts'
export { noError, tensorError } from './tensor-error.ts'
export { flowAndWay, flowAround, type FlowMarks, wayOfError } from './neighbours.ts'
export { openGraphFile, outlineOf, type OpenedGraph } from './opened.ts'
export { overflowError, overflowLevels } from './overflow.ts'
export { Page, type Piece } from './page.ts'
export { overflowNames, type GraphPair } from './pair.ts'
export { pairedGraphs } from './paired.ts'
export { peerOn, peersOf } from './peer-of.ts'
export { findPeers, type NodePeers, type PeerGroup, type RankGraph } from './peers.ts'
export type { GraphRequest, GraphResult } from './request.ts'
export { stackLines } from './stacks.ts'
export { jsonText } from './texts.ts'
export { GraphView, type KeptOps } from './view.ts'
export { walkRows, type WalkStep } from './walk.ts'
export { whyUnmatched, type WhyUnmatched } from './why.ts'
export { mergeInfo } from './merge-info.ts'

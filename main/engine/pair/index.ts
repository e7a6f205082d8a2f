// Who met whom: rows for the table, ops and items for graphs and advisor.
export { apiOf, builtInName } from './apis.ts'
export { meetByPosition } from './by-position.ts'
export { dtypeFamily, dtypeTest } from './dtypes.ts'
export { isAcross, mappingInForce } from './frameworks.ts'
export { noHandMatches, type HandMatches } from './hand.ts'
export {
  find,
  hierarchyOf,
  layerPartners,
  layerRules,
  translate,
  type Node,
  type Placed,
  type Rule,
  type Rules,
} from './layers.ts'
export { dataMappingText, itemIndex, renamedText } from './listed.ts'
export { pairDumps, pairInSteps, type PairSettings } from './pair-dumps.ts'
export { graphMode, modeOf, type GraphMode } from './mode.ts'
export { tableOrder } from './order.ts'
export { nothingPaired, type Pairing, type Wording } from './pairing.ts'
export { PairedBy, type Partners } from './partners.ts'
export {
  editPlain,
  plainGroups,
  plainPairs,
  written,
  type PlainChange,
  type PlainPair,
} from './plain-yaml.ts'
export { filePairs, isTorchFile } from './tensor-names.ts'
export { Reasons } from './why.ts'
export { listOf, mapOf, ofMapping, readYaml, textOf, type YamlMap } from './yaml.ts'

export { align, type Alignment } from './align.ts'
export { partsOf } from './bias.ts'
export { isPlumbing, kindOf, nonDeterministic, telling } from './op-kinds.ts'
export {
  Direction,
  isFloatItem,
  numeric,
  Precision,
  precisionOf,
  SharedNames,
  viewSide,
  type DumpView,
  type SideView,
} from './side.ts'
export { viewsOf } from './views.ts'

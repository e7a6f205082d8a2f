// Graphs of GE: what a run's graph files hold, read, asked and written.
export {
  cardOf,
  castsIn,
  dotOf,
  looseOps,
  neighbourhood,
  opsLike,
  typesIn,
  type Edge,
  type Neighbourhood,
  type OpCard,
  type OpFilter,
} from './ask.ts'
export { attributesOf, writeGraphJson, type Attribute } from './convert.ts'
export { effectsOf, fusionKinds, readFusion, type Fusion, type FusionOf, type FusionRule } from './fusion.ts'
export { GeLookup, isControl, type Described, type InputOf, type OutputOf, type SourceOf } from './lookup.ts'
export { controlEdge, type GeDescs, type GeGraphs, type GeInputs, type GeModel, type GeOps } from './model.ts'
export { readGraphs } from './read.ts'
export { readScriptGraph, type ScriptGraph, type ScriptNode } from './script-graph.ts'
export { similarityOf, type Similarity } from './similar.ts'

// Graphs of GE: what a run's graph files hold, read, asked and written.
export { controlEdge, type GeDescs, type GeGraphs, type GeInputs, type GeModel, type GeOps } from './model.ts'
export { readGraphs } from './read.ts'

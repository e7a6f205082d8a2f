// Which of a side's graph files belong to its dumps.
import type { GeGraphFile } from './tree.ts'

const build = /^(?:graph_\d+_)?Build$/

export interface GraphChoice {
  /** In the order of their counters: of graphs of one name the last counts. */
  readonly used: readonly GeGraphFile[]
  /** The graph as it was built is not there: another stage stands for it. */
  readonly otherStage: boolean
}

/** Graphs as they were built; else of a stage that is called so, else of the last stage that was written. */
export function graphsFor(files: readonly GeGraphFile[]): GraphChoice {
  const unnamed = files.filter(({ stage }) => stage === '')
  const built = files.filter(({ stage }) => build.test(stage))
  if (built.length > 0) return { used: inOrder([...unnamed, ...built]), otherStage: false }
  if (unnamed.length > 0) return { used: unnamed, otherStage: false }
  const like = files.filter(({ name }) => name.includes('_Build'))
  const last = inOrder(like.length > 0 ? like : files).at(-1)
  return { used: last ? [last] : [], otherStage: last !== undefined }
}

const inOrder = (files: readonly GeGraphFile[]): readonly GeGraphFile[] =>
  files.toSorted((a, b) => a.counter - b.counter)

// Which of two dumps is the one to debug, by what their folders are called.
import { baseOf } from '../io/index.ts'
import type { DumpTree } from './walk.ts'

const benchWords = [
  'bench',
  'gpu',
  'golden',
  'golden_dump',
  'none',
  'base',
  'baseline',
  'ref',
  'reference',
  'cpu',
  'right',
]
const debugWords = ['debug', 'npu', 'ascend', 'target', 'test', 'new', 'left', 'ms', 'mindspore']

/** How many of the words stand in the last part of a path, as whole words. */
function count(path: string, words: readonly string[]): number {
  const parts = baseOf(path)
    .toLowerCase()
    .split(/[^a-z]+/)
  return words.filter(word => parts.includes(word)).length
}

export const looksLikeDebug = (path: string): boolean => count(path, debugWords) > 0
export const looksLikeBench = (path: string): boolean => count(path, benchWords) > 0

type Sides = readonly [debug: DumpTree, bench: DumpTree]

/** Two that were given: the first is the debug side unless both names say otherwise. */
export const debugAndBench = (a: DumpTree, b: DumpTree): Sides =>
  count(b.root, debugWords) > count(a.root, debugWords) && looksLikeBench(a.root) ? [b, a] : [a, b]

/** Two that were found in one folder: either name decides. */
export const sidesInFolder = (a: DumpTree, b: DumpTree): Sides =>
  count(a.root, benchWords) > count(b.root, benchWords) ||
  count(b.root, debugWords) > count(a.root, debugWords)
    ? [b, a]
    : [a, b]

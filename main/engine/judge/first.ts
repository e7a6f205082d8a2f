// The reference's advisor: the first row that fails, and which advice its name calls for.
import type { Advice, Comparison, PairRow } from '../model/index.ts'

/** Keys of the words. */
type AdviceKey =
  | 'advice.passed'
  | 'advice.forwardInput'
  | 'advice.forwardOutput'
  | 'advice.backwardInput'
  | 'advice.backwardOutput'
  | 'advice.deterministic'
  | 'advice.batchNorm'

interface FirstFailing {
  /** Row of the table, from 0. */
  readonly row: PairRow
  /** Name of its debug item. */
  readonly node: string
  readonly advice: AdviceKey
}

export function firstFailing(comparison: Comparison): FirstFailing | null {
  for (let row = 0; row < comparison.length; row++) {
    if (!comparison.failing(row)) continue
    const node = comparison.text(row, 0)
    return { row, node, advice: adviceOf(node) }
  }
  return null
}

/** The row as findings carry it. */
export const firstRow = (first: FirstFailing | null): Advice['first'] =>
  first && { line: first.row, node: first.node, advice: first.advice }

/** Operations whose result may differ from run to run. */
const nondeterministic = ['conv2d', 'conv3d', 'matmul', 'nll_loss', 'layer_norm', 'lstm']

/** By plain substrings of the whole name, as the reference has it. */
function adviceOf(name: string): AdviceKey {
  if (name.includes('Functional_batch_norm') && name.includes('forward_input.1')) return 'advice.batchNorm'
  const forward = name.includes('forward')
  if (name.includes('input')) return forward ? 'advice.forwardInput' : 'advice.backwardInput'
  if (nondeterministic.some(kind => name.includes(kind))) return 'advice.deterministic'
  return forward ? 'advice.forwardOutput' : 'advice.backwardOutput'
}

export const adviceKey = (first: FirstFailing | null): AdviceKey => first?.advice ?? 'advice.passed'

/** The advisor's text file; `sentence` is the advice in words. */
export const advisorText = (first: FirstFailing | null, sentence: string): string =>
  `Line: ${first?.row ?? 'NA'}\nSuspect Nodes: ${first?.node ?? 'NA'}\nExpert Advice: ${sentence}\n`

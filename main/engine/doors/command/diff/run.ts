// diff: two tensors element by element, or two bundles of them name by name.
import type { Bundle } from '../../../formats/index.ts'
import type { Outcome } from '../verb.ts'
import { bundleAt, chosenOf } from '../tensor-at.ts'
import type { Command } from '../verb.ts'
import { type BundlesAnswer, diffBundles, printBundles } from './bundles.ts'
import type { DiffField, DiffFlags } from './index.ts'
import { diffTensors, printTensors, type TensorsAnswer } from './tensors.ts'

type Answer = TensorsAnswer | BundlesAnswer

/** As numpy.allclose has it. */
const usual = { atol: 1e-8, rtol: 1e-5 }

export const command: Command<DiffFlags, Answer, DiffField> = {
  async run({ paths, flags }, tools) {
    const [left, right] = await Promise.all(paths.map(path => bundleAt(path, tools)))
    const tolerance = { atol: flags.al ?? usual.atol, rtol: flags.rl ?? usual.rtol }
    const { as, member, rightMember = member } = flags
    if (rightMember === undefined && several(left) && several(right))
      return diffBundles(left, right, tolerance, tools)
    const mine = chosenOf(left, { as, member: several(left) ? member : undefined })
    const theirs = chosenOf(right, { as, member: several(right) ? (rightMember ?? mine.name) : undefined })
    const sides = { left: { ...mine, path: left.path }, right: { ...theirs, path: right.path } }
    return diffTensors({ ...sides, tolerance, most: flags.most ?? 20, output: flags.output }, tools)
  },
  print(answer, page) {
    if ('bundles' in answer) printBundles(answer, page)
    else printTensors(answer, page)
  },
  json: ({ json }) => ({ ...nothing, ...json }),
  // Shapes that differ are an answer too; it says so itself.
  outcome: ({ json }): Outcome => (json.comparable && !json.allclose ? 'found' : 'ran'),
}

const several = ({ tensors }: Bundle): boolean => tensors.length > 1

const nothing = {
  left: null,
  right: null,
  comparable: false,
  shape: null,
  count: null,
  equal: null,
  mismatched: null,
  nonFinite: null,
  maxAbs: null,
  meanAbs: null,
  rmse: null,
  maxRel: null,
  apart: null,
  allclose: null,
  cosine: null,
  ulp: null,
  histogram: null,
  top: null,
  kind: null,
  tensors: null,
  onlyLeft: null,
  onlyRight: null,
  texts: null,
}

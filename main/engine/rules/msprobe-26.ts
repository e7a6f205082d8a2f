// msprobe 26.2.0: other columns, matching, answers and graphs; where dumps and folders are read, our own rules.
import { askedAsMsprobe } from './asking-rules.ts'
import { deviate } from './deviations.ts'
import { graphRulesBy } from './graph-rules.ts'
import type { RuleSet } from './rule-set.ts'

/** What this rule set does not follow msprobe 26 in. */
export const msprobe26Limits: readonly string[] = [
  'Its other modes (consistency of training and inference, calibration by a matrix, cleaning of padded outputs, merging of graphs over parallel ranks) are not offered; their options are refused.',
  'Where it looks for the first difference over all ranks the two ends of batch_isend_irecv are not told apart; for MindSpore, where it writes tables only, the differences are written too.',
  "In graphs of modules called `output` of which one side has more parameters, it compares parameters with others' values; here each meets its own.",
  'A layer or data mapping lists the rows of the map, not all debug items.',
]

export const msprobe26: RuleSet = {
  id: 'msprobe-26',
  generation: 'msprobe-26',
  deviates: { ...deviate(true), 'merge-strays': false, 'config-meaning': false },
  zeros: 'machine',
  squeezes: true,
  graph: {
    ...graphRulesBy(deviate(false)),
    inPlaceRepair: true,
    gradientNodes: true,
    recomputeRepair: true,
    microInherited: true,
    matchByPath: true,
    fuzzyShapes: false,
    levels: true,
    orphansStay: false,
    smallValues: false,
    groupsBeforeTensors: true,
    loneGroups: true,
    structureJudged: false,
    shortPadding: false,
    strictBatch: false,
    batchPeers: false,
    sameTensorPeers: false,
    partsByName: true,
    fullStacks: true,
    hierarchyNeeded: true,
  },
  asking: askedAsMsprobe,
  writing: {
    table: 'csv',
    graph: 'vis.db',
    ranks: 'debug',
    cells: { sheet: { name: 'Sheet1', truths: true }, shown: true },
  },
  extras: false,
}

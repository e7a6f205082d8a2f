// The table of kinds of study: what each is made of, what is shown of it and what can be done with it.
import { severalTensors, tensors } from '../formats/index.ts'
import type { Plan } from '../layout/index.ts'
import {
  type CompareOptions,
  type KeptMatches,
  type ReportFormat,
  type Side,
  type SideInfo,
  type StepName,
  type StudyCan,
} from '../model/index.ts'
import { openDataset } from './dataset/study.ts'
import { openSeries } from './series/study.ts'
import { openSheets } from './sheets/study.ts'
import { openVerdicts } from './verdicts/study.ts'
import { PairStudy, type PairStudyPorts } from './pair/study.ts'
import type { Opening } from './sources.ts'
import type { Study } from './study.ts'

/** What a study is opened with: what was found, and what the user chose. */
export interface StudyInput {
  readonly opening: Opening
  readonly options: CompareOptions
  readonly matches: readonly KeptMatches[]
}

export interface StudyKind {
  readonly id: string
  /** Whether a plan is one of this kind. */
  accepts(plan: Pick<Plan, 'holds' | 'units'>): boolean
  /** The one under test first. */
  readonly sides: readonly Side[]
  /** What a unit does, in this order, and what is derived of it. */
  readonly steps: readonly StepName[]
  /** Ids of the panels that have something to show, and what can be written, as far as the sides are known. */
  panes(sides: readonly SideInfo[]): readonly string[]
  reports(sides: readonly SideInfo[]): readonly ReportFormat[]
  /** Verbs of the command line that take it. */
  readonly verbs: readonly string[]
  readonly can: StudyCan
  /** What its steps and ranks come to is kept, and seen as one picture. */
  readonly keepsUnits?: true
  open(kind: StudyKind, input: StudyInput, ports: PairStudyPorts): Study
}

const bothSides: readonly Side[] = ['debug', 'bench']
const steps: readonly StepName[] = ['dumps', 'pairs', 'metrics', 'states', 'graph', 'findings']
/** What shows a hierarchy, of one side or of two; the others list differences. */
const hierarchies: readonly ReportFormat[] = ['vis', 'vis.db']
const differences: readonly ReportFormat[] = ['xlsx', 'csv', 'advisor', 'html', 'json']
const columnar: readonly ReportFormat[] = ['arrow', 'parquet']
const compares: readonly string[] = ['compare', 'advise']
const isAlone = ({ units }: Pick<Plan, 'units'>): boolean => units.some(({ places }) => places.bench === null)

/** Dumps of single APIs have no hierarchy. */
const hasGraph = (sides: readonly SideInfo[]): boolean => sides.some(({ level }) => level !== 'L1')
const graphPane = (sides: readonly SideInfo[]): readonly string[] => (hasGraph(sides) ? ['graph'] : [])
const graphReports = (sides: readonly SideInfo[]): readonly ReportFormat[] =>
  hasGraph(sides) ? hierarchies : []

/** Files of weights have neither steps nor ranks. */
const unitsPane = (sides: readonly SideInfo[]): readonly string[] =>
  sides.some(({ stored }) => stored) ? [] : ['units']

/** What a script must be changed by so that it dumps is known of TensorFlow on an NPU. */
const scriptPane = (sides: readonly SideInfo[]): readonly string[] =>
  sides.some(({ framework }) => framework === 'cann') ? ['script'] : []
const frameworksOfCalls: readonly string[] = ['pytorch', 'mindspore', 'mindtorch']
/** A run of msprobe, which alone says a level, can be dumped anew. */
const collectPane = (sides: readonly SideInfo[]): readonly string[] =>
  sides.some(({ framework, level }) => level !== '' && frameworksOfCalls.includes(framework))
    ? ['collect']
    : []
/** Dumps whose calls tell whether values are finite. */
const tasksOfValues: readonly string[] = ['statistics', 'tensor', 'overflow_check']
const overflowPane = ([first]: readonly SideInfo[]): readonly string[] =>
  first && frameworksOfCalls.includes(first.framework) && tasksOfValues.includes(first.task)
    ? ['overflow']
    : []

const openDumps: StudyKind['open'] = (kind, input, ports) => new PairStudy(kind, input, ports)

/** Single tensors; where one side holds several by name it is two models' weights. */
const areTensors = ({ units }: Pick<Plan, 'units'>): boolean =>
  units.length > 0 &&
  units.every(
    ({ format, places }) =>
      format === tensors.id && places.debug.part !== severalTensors && places.bench?.part !== severalTensors,
  )

/** Two tensor files: their values, and nothing that speaks of a model. */
const tensorPair: StudyKind = {
  id: 'tensors',
  accepts: plan => areTensors(plan) && !isAlone(plan),
  sides: bothSides,
  steps: ['dumps', 'pairs', 'metrics', 'states'],
  panes: () => ['values'],
  reports: () => ['xlsx', 'csv', ...columnar],
  verbs: compares,
  can: { compare: true, match: false, join: true, recompute: false },
  open: openDumps,
}

/** The values of one tensor file. */
const tensor: StudyKind = {
  id: 'tensor',
  accepts: areTensors,
  sides: ['debug'],
  steps: ['dumps', 'states'],
  panes: () => ['values'],
  reports: () => [],
  verbs: [],
  can: { compare: false, match: false, join: true, recompute: false },
  open: openDumps,
}

/** Two runs of a model. */
const pair: StudyKind = {
  id: 'pair',
  accepts: plan => plan.holds === 'dump' && !isAlone(plan),
  sides: bothSides,
  steps,
  panes: sides => [
    'advisor',
    'mapping',
    'nodes',
    ...unitsPane(sides),
    ...scriptPane(sides),
    ...collectPane(sides),
    ...overflowPane(sides),
    ...graphPane(sides),
    'grid',
    'inspector',
  ],
  reports: sides => [...differences, ...graphReports(sides), ...columnar],
  verbs: [...compares, 'graph'],
  can: { compare: true, match: true, join: true, recompute: true },
  keepsUnits: true,
  open: openDumps,
}

/** One run that nothing is compared with. */
const single: StudyKind = {
  id: 'single',
  accepts: plan => plan.holds === 'dump' && isAlone(plan),
  sides: ['debug'],
  steps: ['dumps', 'states', 'graph'],
  panes: sides => [
    'advisor',
    'nodes',
    ...overflowPane(sides),
    ...scriptPane(sides),
    ...collectPane(sides),
    ...graphPane(sides),
    'grid',
    'inspector',
  ],
  reports: graphReports,
  verbs: ['graph'],
  can: { compare: false, match: false, join: true, recompute: true },
  open: openDumps,
}

/** The graph of one run, from a file that no other side can be put beside. */
const singleGraph: StudyKind = {
  ...single,
  accepts: plan => plan.holds === 'graph' && isAlone(plan),
  panes: () => ['advisor', 'nodes', 'graph', 'grid', 'inspector'],
  can: { ...single.can, join: false, recompute: false },
}

/** A graph file of two runs, who met whom and with which numbers as it says. */
const graph: StudyKind = {
  id: 'graph',
  accepts: plan => plan.holds === 'graph' && !isAlone(plan),
  sides: bothSides,
  steps,
  panes: () => ['advisor', 'nodes', 'graph', 'grid', 'inspector'],
  reports: () => [...differences, ...columnar],
  verbs: compares,
  can: { compare: true, match: false, join: false, recompute: false },
  open: openDumps,
}

/** What tables say of single calls, one of them or several beside each other. */
const verdictsOf = (sides: readonly Side[], accepts: StudyKind['accepts']): StudyKind => ({
  id: 'verdicts',
  accepts,
  sides,
  steps: ['dumps'],
  panes: () => ['verdicts'],
  reports: () => [],
  verbs: ['api_precision_compare'],
  can: { compare: false, match: false, join: true, recompute: false },
  open: openVerdicts,
})

const verdicts = verdictsOf(['debug'], plan => plan.holds === 'verdicts' && isAlone(plan))
const verdictsPair = verdictsOf(bothSides, ({ holds }) => holds === 'verdicts')

/** A finished result, or kernels that become one: rows without a hierarchy. */
const table: StudyKind = {
  id: 'table',
  accepts: ({ holds }) => holds === 'table' || holds === 'kernels',
  sides: bothSides,
  steps,
  panes: () => ['advisor', 'nodes', 'grid', 'inspector'],
  reports: () => [...differences, ...columnar],
  verbs: compares,
  can: { compare: true, match: false, join: false, recompute: false },
  open: openDumps,
}

/** Values over steps and ranks, of one run or of two: no dumps, so nothing of theirs. */
const seriesOf = (sides: readonly Side[], accepts: StudyKind['accepts']): StudyKind => ({
  id: 'series',
  accepts,
  sides,
  steps: ['dumps'],
  panes: () => ['series'],
  reports: () => [],
  verbs: ['grad_compare', 'monitor'],
  can: { compare: false, match: false, join: true, recompute: false },
  open: openSeries,
})

const series = seriesOf(['debug'], plan => plan.holds === 'series' && isAlone(plan))
const seriesPair = seriesOf(bothSides, ({ holds }) => holds === 'series')

/** Tables of what surrounds runs: of two, or of many ranks in one place. */
const sheetsOf = (sides: readonly Side[], accepts: StudyKind['accepts']): StudyKind => ({
  id: 'sheets',
  accepts,
  sides,
  steps: ['dumps'],
  panes: () => ['sheets'],
  reports: () => [],
  verbs: ['config_check', 'merge_result'],
  can: { compare: false, match: false, join: true, recompute: false },
  open: openSheets,
})

const sheets = sheetsOf(['debug'], plan => plan.holds === 'sheets' && isAlone(plan))
const sheetsPair = sheetsOf(bothSides, ({ holds }) => holds === 'sheets')

/** Results of many steps and ranks, opened where they lie; the dumps themselves may be elsewhere. */
const dataset: StudyKind = {
  id: 'dataset',
  accepts: plan => plan.holds === 'dataset' && isAlone(plan),
  sides: ['debug'],
  steps: ['dumps'],
  panes: () => ['ranks'],
  reports: () => [],
  verbs: ['merge', 'query'],
  can: { compare: false, match: false, join: false, recompute: false },
  open: openDataset,
}

const kinds: readonly StudyKind[] = [
  dataset,
  sheets,
  sheetsPair,
  series,
  seriesPair,
  tensorPair,
  tensor,
  pair,
  single,
  graph,
  singleGraph,
  verdicts,
  verdictsPair,
  table,
]

export function kindOf(plan: Pick<Plan, 'holds' | 'units'>): StudyKind {
  const found = kinds.find(kind => kind.accepts(plan))
  if (!found) throw new RangeError(`no kind of study takes what holds a ${plan.holds}`)
  return found
}

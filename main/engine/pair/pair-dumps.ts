// Who meets whom: the one place that decides it, for table, graph, advisor and mapping files alike.
import {
  type BenchItem,
  type BenchOp,
  type DebugItem,
  type DebugOp,
  type Dump,
  type Generation,
  type Ids,
  type MappingTexts,
  type Mode,
  problem,
  type Problem,
  Refusal,
  type Rules,
} from '../model/index.ts'
import { type Deviations, ruleSets } from '../rules/index.ts'
import { atOnce, type Steps } from '../work/index.ts'
import { apiKeys } from './apis.ts'
import { cellKeys } from './cells.ts'
import { withHand, type HandMatches } from './hand.ts'
import { join26 } from './join-26.ts'
import { joinItems, sameNames } from './join.ts'
import { layerPartners } from './layers.ts'
import { callKeys, givenItems, itemKeys, itemsByNames, listedCalls, listedItems } from './listed.ts'
import type { Pairing } from './pairing.ts'
import { PairedBy } from './partners.ts'
import { modeOf } from './mode.ts'
import { matchAligned, matchCalls } from './queue.ts'

export interface PairSettings {
  readonly rules: Rules
  /** msprobe 1.2.2 compares dumps of PyTorch and of MindSpore by different code; in the app the debug side decides. */
  readonly engine: 'pytorch' | 'mindspore'
  readonly fuzzy: boolean
  readonly mapping: MappingTexts
  /**
   * Bench item per debug item (-1: none) where a finished result says who met whom; mappings do not apply
   * then.
   */
  readonly given?: Ids<DebugItem, BenchItem>
  /** What a person paired or parted by hand. */
  readonly hand?: HandMatches
}

/** Which item meets which under these settings, without any comparing. */
export const pairDumps = (debug: Dump, bench: Dump, settings: PairSettings, problems: Problem[]): Pairing =>
  atOnce(pairInSteps(debug, bench, modeOf(debug, bench), settings, problems))

/** The same in steps, with what a person paired or parted by hand. */
export function* pairInSteps(
  debug: Dump,
  bench: Dump,
  mode: Mode,
  settings: PairSettings,
  problems: Problem[],
): Steps<Pairing> {
  const { deviates, generation } = ruleSets[settings.rules]
  const task: Task = { debug, bench, md5: mode === 'md5', settings, deviates, problems }
  const found = isTold(task) ? toldPairs(task) : yield* pairAs[generation](task)
  return settings.hand ? withHand(debug, bench, found, settings.hand) : found
}

const none = new Int32Array(0)

/** What the format says, unless a text says which names meet. */
const toldPairs = ({ debug, bench, settings, problems }: Task): Pairing =>
  settings.mapping.data === undefined
    ? givenItems(debug, bench, settings.given ?? none, PairedBy.told)
    : itemsByNames(debug, bench, settings.mapping.data, problems)

/** Rule sets find partners by names of msprobe; of other dumps only the format can say who meets whom. */
const isTold = ({ debug, bench, settings }: Task): boolean =>
  settings.given !== undefined && debug.names.id !== 'msprobe' && bench.names.id !== 'msprobe'

/** Two dumps that are to be paired, and by what. */
interface Task {
  readonly debug: Dump
  readonly bench: Dump
  /** md5s belong to what must be the same. */
  readonly md5: boolean
  readonly settings: PairSettings
  readonly deviates: Deviations
  readonly problems: Problem[]
}

const pairAs: Readonly<Record<Generation, (task: Task) => Steps<Pairing>>> = {
  'msprobe-1.2.2': pair122,
  'msprobe-26': pair26,
}

function* pair26({ debug, bench, md5, settings, deviates, problems }: Task): Steps<Pairing> {
  const { mapping, fuzzy, engine } = settings
  // Of two dumps of PyTorch the tool reads no layer mapping.
  const layer = engine === 'pytorch' ? undefined : mapping.layer
  const how = { fuzzy, anyDtype: mapping.data !== undefined || layer !== undefined }
  if (mapping.api !== undefined)
    return yield* join26(debug, bench, apiKeys(debug, bench, mapping.api, true, problems), how)
  if (mapping.cell !== undefined) return yield* join26(debug, bench, cellKeys(debug, mapping.cell, true), how)
  if (layer !== undefined) {
    hasHierarchy(debug, deviates)
    hasHierarchy(bench, deviates)
    return yield* join26(debug, bench, callKeys(debug, bench, layerPartners(debug, bench, layer)), how)
  }
  if (mapping.data !== undefined)
    return yield* join26(debug, bench, itemKeys(debug, bench, mapping.data, problems), how)
  return yield* fuzzy ? matchAligned(debug, bench, { fuzzy, md5, deviates }) : join26(debug, bench, null)
}

function* pair122(task: Task): Steps<Pairing> {
  const { debug, bench, md5, settings, deviates, problems } = task
  const { mapping, engine, fuzzy } = settings
  if (settings.given) return givenItems(debug, bench, settings.given, PairedBy.given)
  const pytorch = engine === 'pytorch'
  if (pytorch) refuseMindsporeMappings(debug, mapping)
  if (mapping.layer !== undefined && (!pytorch || deviates['layer-map-any'])) {
    const partners = partnersByLayer(task, mapping.layer)
    if (partners) return yield* listedCalls(debug, bench, partners)
  } else if (mapping.data !== undefined)
    return listedItems(debug, bench, mapping.data, deviates['unmatched-in-list'], problems)
  if (pytorch) return yield* matchCalls(debug, bench, { fuzzy, md5, deviates })
  if (mapping.cell !== undefined) return yield* joinItems(debug, bench, cellKeys(debug, mapping.cell))
  if (mapping.api !== undefined)
    return yield* joinItems(
      debug,
      bench,
      apiKeys(debug, bench, mapping.api, deviates['api-map-index'], problems),
    )
  if (fuzzy && deviates['fuzzy-mindspore']) return yield* matchAligned(debug, bench, { fuzzy, md5, deviates })
  return yield* joinItems(debug, bench, sameNames(debug))
}

function refuseMindsporeMappings({ file }: Dump, { api, cell }: MappingTexts): void {
  if (api === undefined && cell === undefined) return
  const option = api === undefined ? 'cell_mapping' : 'api_mapping'
  throw new Refusal(problem('option-framework', file, { option, framework: 'pytorch' }))
}

/** Null where the debug side has no hierarchy to go by; nobody meets where the bench side has none. */
function partnersByLayer({ debug, bench, deviates }: Task, text: string): Ids<DebugOp, BenchOp> | null {
  const [here, there] = [hasHierarchy(debug, deviates), hasHierarchy(bench, deviates)]
  if (!here) return null
  return there ? layerPartners(debug, bench, text) : new Int32Array(debug.ops.length).fill(-1)
}

/** Refuses what a layer mapping cannot work on; false where msprobe goes on with an empty map. */
function hasHierarchy(dump: Dump, deviates: Deviations): boolean {
  if (!dump.stacks.file) throw new Refusal(problem('no-stack', dump.file))
  if (dump.construct.length > 0) return true
  if (dump.construct.file && !deviates['layer-map-flat']) return false
  throw new Refusal(problem('no-hierarchy', dump.construct.file || dump.file))
}

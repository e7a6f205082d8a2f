// Tables of verdicts as they were given: each for itself, details of an NPU and of a GPU judged by each other.
import { type Place, readCsv, type SheetTable } from '../../formats/index.ts'
import type { Files } from '../../io/index.ts'
import { problem, Refusal, type Rules } from '../../model/index.ts'
import { detailsOf, judgedVerdicts, type Verdicts, verdictsOf } from '../../precheck/index.ts'
import type { Job } from '../../work/index.ts'

export interface VerdictsAsked {
  readonly places: readonly Place[]
  readonly rules: Rules
}

interface Ports {
  readonly files: Files
  readonly job: Job
}

/** Details of a pre-check, of which two can be held against each other. */
const isDetails = ({ part }: Place): boolean => part === 'details'

export async function readVerdicts(
  { places, rules }: VerdictsAsked,
  { files, job }: Ports,
): Promise<readonly Verdicts[]> {
  const open = (place: Place): Promise<SheetTable> => readCsv(files, place.path, job)
  const [npu, gpu, ...more] = places.filter(isDetails)
  if (!npu || !gpu) return Promise.all(places.map(async place => said(await open(place))))
  const judged = judgedVerdicts(detailsOf(await open(npu)), detailsOf(await open(gpu)), rules)
  const others = places.filter(place => !isDetails(place) || more.includes(place))
  return [judged, ...(await Promise.all(others.map(async place => said(await open(place)))))]
}

function said(table: SheetTable): Verdicts {
  const verdicts = verdictsOf(table)
  if (!verdicts) throw new Refusal(problem('not-a-dump', table.path))
  return verdicts
}

// All steps and ranks of an opened pair: what each came to so far, and questions over them.
import { adviseAcross } from '../../advisor/index.ts'
import {
  cellOf,
  openQuestionsOver,
  type PictureOf,
  type UnitCell,
  type UnitId,
  type UnitRecord,
} from '../../dataset/index.ts'
import type { Questions } from '../../io/index.ts'
import {
  type CellState,
  type CompareOptions,
  problem,
  type RanksUnit,
  Refusal,
  type UnitState,
} from '../../model/index.ts'
import type { RanksData } from '../ranks-data.ts'
import { type KeptOf, KeptUnits } from './kept-units.ts'
import type { PairUnit } from './unit.ts'

interface Compared {
  readonly units: readonly PairUnit[]
  readonly options: CompareOptions
}

type Where = Omit<KeptOf, 'options' | 'units'>

interface Asked {
  readonly records: readonly (UnitRecord | null)[]
  readonly questions: Promise<Questions>
}

const stateOf: Readonly<Record<UnitState, CellState>> = {
  waiting: 'waiting',
  reading: 'working',
  comparing: 'working',
  done: 'done',
  failed: 'failed',
}

export class PairRanks implements RanksData {
  readonly #study: Compared
  readonly #where: Where
  readonly #kept: KeptUnits
  /** Somebody asks of a single step and rank what is kept of many without being asked. */
  #wanted = false
  #asked: Asked | null = null

  constructor(study: Compared, where: Where) {
    this.#study = study
    this.#where = where
    this.#kept = new KeptUnits({ ...where, options: () => study.options, units: () => this.units })
  }

  /** Null while nobody needs it: one step and rank is as fast compared again. */
  get kept(): KeptUnits | null {
    return this.#where.cacheDir !== '' && (this.#wanted || this.#study.units.length > 1) ? this.#kept : null
  }

  get units(): readonly UnitId[] {
    return this.#study.units.map(({ step, rank, name }) => ({ step, rank, name }))
  }

  /** Whether what a unit came to is there to be asked; it will be. */
  want(unit: PairUnit): boolean {
    this.#wanted = true
    return unit.record !== null
  }

  picture(): PictureOf {
    const { debug, bench } = this.#where
    const units = this.#study.units.map(cellOfUnit)
    return {
      debug,
      bench,
      units,
      open: units.some(({ state }) => state === 'waiting' || state === 'working'),
      findings: adviseAcross(
        this.#study.units.flatMap(unit => {
          const advice = unit.findings()
          return advice ? [{ step: unit.step, rank: unit.rank, advice }] : []
        }),
      ),
    }
  }

  unit(of: number): RanksUnit {
    const unit = this.#study.units[of]
    if (!unit) throw new RangeError(`there is no unit ${of}`)
    const { debug, bench } = unit.ref
    const { step, rank } = unit
    return { step, rank, debug, bench, findings: unit.findings()?.findings ?? [], problem: unit.problem }
  }

  questions(): Promise<Questions> {
    const records = this.#study.units.map(unit => unit.record)
    const known = this.#asked
    if (
      known &&
      records.every((record, i) => record === known.records[i]) &&
      known.records.length === records.length
    )
      return known.questions
    const dataset = this.#kept.dataset(records)
    if (!dataset) return Promise.reject(new Refusal(problem('ranks-not-kept', this.#where.cacheDir, {})))
    this.#drop(true)
    const questions = openQuestionsOver(this.#where.files, dataset)
    const asked = { records, questions }
    this.#asked = asked
    questions.catch(() => {
      if (this.#asked === asked) this.#asked = null
    })
    return questions
  }

  close(): void {
    this.#drop(false)
  }

  #drop(gently: boolean): void {
    void this.#asked?.questions.then(
      questions => questions.close(gently),
      () => {},
    )
    this.#asked = null
  }
}

/** What is known of a unit before it is kept says as much as can be seen from afar. */
function cellOfUnit(unit: PairUnit): Omit<UnitCell, 'state'> & { readonly state: CellState } {
  const { step, rank, name, record, facts } = unit
  const { debug, bench } = unit.ref
  const state = unit.record ? 'done' : stateOf[unit.state]
  const known = { ...cellOf({ step, rank, name }, record), debug, bench, state, problem: unit.problem }
  if (record || !unit.known) return known
  const [headline] = unit.findings()?.findings ?? []
  const mark = { node: facts.headline, row: -1, position: NaN, level: facts.worst }
  return {
    ...known,
    counts: facts,
    worst: { ...mark, node: '' },
    first: headline ? { ...mark, position: headline.at / Math.max(1, headline.of) } : null,
    headline: headline?.node ?? '',
    kind: headline?.kind ?? '',
    variant: headline?.variant ?? '',
  }
}

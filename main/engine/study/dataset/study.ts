// A dataset of many steps and ranks as a study: read as far as it is there, and again while it grows.
import {
  type Dataset,
  type KnownRecords,
  openQuestionsOver,
  type PictureOf,
  readDataset,
  recordAt,
  summaryOf,
  type Summary,
} from '../../dataset/index.ts'
import type { Files, Questions } from '../../io/index.ts'
import type { RanksUnit } from '../../model/index.ts'
import type { StudyInput, StudyKind } from '../kinds.ts'
import { type PlainPorts, PlainStudy, PlainUnit, type Reading, type UnitGiven } from '../plain.ts'
import type { RanksData } from '../ranks-data.ts'
import type { Study } from '../study.ts'

/** What is there of a dataset, with what answers questions over it once somebody asks. */
export class DatasetData implements RanksData {
  readonly dataset: Dataset
  readonly summary: Summary
  readonly #files: Files
  #questions: Promise<Questions> | null = null

  constructor(dataset: Dataset, files: Files) {
    this.dataset = dataset
    this.summary = summaryOf(dataset)
    this.#files = files
  }

  get units(): Dataset['units'] {
    return this.dataset.units
  }

  picture(): PictureOf {
    return { ...this.summary, open: this.summary.missing.length > 0 }
  }

  unit(of: number): RanksUnit {
    return recordAt(this.dataset, of)
  }

  questions(): Promise<Questions> {
    const opening = (this.#questions ??= openQuestionsOver(this.#files, this.dataset))
    opening.catch(() => {
      this.#questions = null
    })
    return opening
  }

  close(): void {
    void this.#questions?.then(
      questions => questions.close(),
      () => {},
    )
    this.#questions = null
  }
}

const bytesPerUnit = 6000
/** Looks without news before an open dataset is read all the same. */
const restingLooks = 4

interface Turn {
  now: number
  /** How its folders looked when it was read. */
  look: string
  readonly known: KnownRecords
}

const lookOf = (files: Files, folder: string): string =>
  files
    .list(folder)
    .map(({ name, modified }) => `${name} ${modified}`)
    .join()

const readingOf = (turn: Turn): Reading<DatasetData> => ({
  key: () => `read ${turn.now}`,
  read({ place: { debug }, files, tell }) {
    turn.look = lookOf(files, debug)
    const dataset = readDataset(files, debug, turn.known)
    for (const found of dataset.problems) tell(found)
    return Promise.resolve(new DatasetData(dataset, files))
  },
  rows: ({ summary }) => Math.max(1, summary.counts.rows),
  bytes: ({ dataset }) => dataset.units.length * bytesPerUnit,
  close: data => data.close(),
})

export class DatasetUnit extends PlainUnit<DatasetData> {
  readonly #turn: Turn
  readonly #files: Files
  readonly #folder: string
  #resting = 0

  constructor(...given: UnitGiven) {
    const turn: Turn = { now: 0, look: '', known: new Map() }
    super(readingOf(turn), ...given)
    this.#turn = turn
    this.#folder = given[0].place.debug
    this.#files = given[1]
  }

  /** A dataset that lacks units is read again when its folders change; one that is whole when its plan does. */
  override checkFiles(): void {
    const { data } = this
    if (!data) return
    const isOpen = data.summary.missing.length > 0
    const isNew = lookOf(this.#files, this.#folder) !== this.#turn.look
    if (!isNew && !(isOpen && ++this.#resting >= restingLooks)) return
    this.#resting = 0
    this.#turn.now++
    this.again()
  }
}

export const openDataset = (kind: StudyKind, input: StudyInput, ports: PlainPorts): Study =>
  new PlainStudy(kind, input, ports, (...given) => new DatasetUnit(...given))

// The answers of msprobe 26 for the rows of a table, call by call.
import { type Column, Note, Outcome, type PairRow } from '../model/index.ts'
import { fixed12, roundCosine } from '../python/index.ts'
import type { Steps } from '../work/index.ts'
import type { TableInput } from './compared.ts'
import { beside, type Graded, gradedCall, type GradedItems, reasonList } from './grading-26.ts'
import { gradText, type Values } from './values-26.ts'

const rowsPerStep = 4096

/** Per row the worst of its reasons (a place in `gradeNames`), and the reasons. */
export class Grades {
  readonly grade: Column<Uint8Array, PairRow>
  readonly #graded = new Map<PairRow, Graded>()
  readonly #input: TableInput
  readonly #items: GradedItems

  constructor(input: TableInput, values: Values) {
    this.#input = input
    this.#items = itemsOf(input, values)
    this.grade = new Uint8Array(input.debugItem.length)
  }

  /** Finds the reasons, call by call. */
  *steps(): Steps<void> {
    const { debug, debugItem } = this.#input
    let breathAt = rowsPerStep
    for (let start = 0; start < debugItem.length;) {
      if (start >= breathAt) {
        breathAt = start + rowsPerStep
        yield
      }
      const op = debug.items.op[debugItem[start]]
      const rows = [start]
      while (start + rows.length < debugItem.length && debug.items.op[debugItem[start + rows.length]] === op)
        rows.push(start + rows.length)
      gradedCall(this.#items, rows).forEach((graded, i) => {
        if (graded.grade > 0) this.#graded.set(rows[i], graded)
        this.grade[rows[i]] = graded.grade
      })
      start += rows.length
    }
  }

  text(row: PairRow): string {
    const graded = this.#graded.get(row)
    return graded ? reasonList(graded) : '[]'
  }
}

function itemsOf(input: TableInput, values: Values): GradedItems {
  const { mode, debug, bench, debugItem, benchItem, measured, pairOf } = input
  const measuredAt = (row: PairRow): number => {
    const pair = pairOf ? pairOf[row] : -1
    return measured && pair >= 0 && measured.outcome[pair] === Outcome.measured ? pair : -1
  }
  return {
    mode,
    debug,
    bench,
    nullPasses: false,
    item: row => debugItem[row],
    other: row => (benchItem[row] < 0 ? beside.nothing : benchItem[row]),
    norm(row) {
      const apart = values.apart('norm', row)
      if (apart === null) return { share: NaN, isText: true }
      if (typeof apart === 'string') return { share: /inf/.test(apart) ? Infinity : NaN, isText: true }
      return Number.isNaN(apart.percent)
        ? { share: Infinity, isText: true }
        : { share: apart.percent / 100, isText: false }
    },
    thousandth(row) {
      const pair = measuredAt(row)
      return measured && pair >= 0 ? fixed12(measured.thousandth[pair]) : NaN
    },
    cosine(row) {
      const pair = measuredAt(row)
      return measured && pair >= 0 && !(measured.notes[pair] & Note.single)
        ? roundCosine(measured.cosine[pair])
        : NaN
    },
    sameGrad: row => gradText(debug, debugItem[row]) === gradText(bench, benchItem[row]),
  }
}

// The tables of docs/recompute.md: every API of PyTorch against what PyTorch itself gives in doubles, every API of the MindSpore dumps.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { DirectionAnswer, ItemAnswer } from '../../main/engine/model/index.ts'
import { fixturesRoot } from './fixtures.ts'
import { arrayOf, openForRecompute, type Wanted, wantedOf } from './recomputed.ts'

const begins = { pytorch: '## PyTorch, by API\n', mindspore: '## MindSpore, by API\n' } as const

/** The page with both tables made anew; what stands before the first of them stays. */
export async function recomputePage(page: string): Promise<string> {
  const kept = page.slice(0, page.indexOf(begins.pytorch))
  return `${kept}${begins.pytorch}\n${await pytorchTable()}\n${begins.mindspore}\n${await mindsporeTable()}`
}

const apiOf = (call: string): string => call.replace(/\.\d+$/, '')
const short = (value: number): string => String(Number(value.toPrecision(2)))
const distance = (value: number): string => (value === 0 ? '0' : value.toExponential(0))
const texts: Readonly<Record<string, string>> = { noOutput: 'no output', noAttributes: 'attributes' }
const reasonText = (reason: string): string => texts[reason] ?? reason

const table = (titles: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |\n`).join('')

const largest = (data: Float64Array): number =>
  data.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0)

/** What one API came to, in the dump as it was made and in the one with wrong results. */
interface Tally {
  readonly directions: Set<string>
  readonly computed: Set<string>
  readonly reasons: Set<string>
  readonly outputs: { computed: number; all: number }
  /** From the framework's own doubles, relative to the largest of them. */
  far: number
  /** Of right results. */
  ratio: number
  readonly wrong: { found: number; made: number }
  alarms: number
}

const empty = (): Tally => ({
  directions: new Set(),
  computed: new Set(),
  reasons: new Set(),
  outputs: { computed: 0, all: 0 },
  far: 0,
  ratio: 0,
  wrong: { found: 0, made: 0 },
  alarms: 0,
})

async function pytorchTable(): Promise<string> {
  const tallies = new Map<string, Tally>()
  for (const part of ['calls', 'wrong']) {
    const folder = path.join(fixturesRoot(), 'next', 'recompute', part)
    const { directions, arrays } = await (
      await openForRecompute(path.join(folder, 'step0', 'rank'))
    ).recompute()
    const items = new Map(directions.flatMap(({ outputs }) => outputs).map(output => [output.item, output]))
    const answers = new Map(directions.map(one => [`${one.call} ${one.direction}`, one]))
    for (const wanted of wantedOf(folder)) {
      const api = apiOf(wanted.call)
      const tally = tallies.get(api) ?? empty()
      tallies.set(api, tally)
      const direction = `${wanted.call} ${wanted.direction}`
      if (part === 'calls') {
        tally.directions.add(direction)
        const answer = answers.get(direction)
        if (answer?.status === 'computed') tally.computed.add(direction)
        else if (answer) tally.reasons.add(answer.reason)
      }
      const found = items.get(wanted.item)
      const theirs = path.join(folder, 'float64', `${wanted.item}.npy`)
      take(tally, wanted, found)
      const mine = arrays.get(wanted.item)
      if (found && mine && wanted.value === undefined && wanted.skip === undefined)
        tally.far = Math.max(tally.far, farFrom(mine.data, arrayOf(theirs).data))
    }
  }
  const rows = [...tallies].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const all = rows.map(([, tally]) => tally)
  const sum = (of: (tally: Tally) => number): number => all.reduce((total, one) => total + of(one), 0)
  const full = all.filter(
    ({ directions, computed, reasons }) => computed.size === directions.size || onlyMeant(reasons),
  )
  return (
    `A dump of ${all.length} APIs by msprobe 1.2.2 (PyTorch 2.2.2, CPU), and one in which results were made wrong, against the results of PyTorch itself in doubles: ` +
    `${sum(one => one.computed.size)} of ${sum(one => one.directions.size)} directions of calls computed, of ${full.length} APIs all but random ones and gradients inside the call; ` +
    `largest distance from PyTorch's doubles ${distance(Math.max(...all.map(({ far }) => far)))} of the largest value; ` +
    `${sum(one => one.wrong.found)} of ${sum(one => one.wrong.made)} wrong results found, ${sum(one => one.alarms)} false alarms.\n` +
    `*Error / bound* is the largest of all right results. A test holds both tables against what recomputing comes to (\`vitest run -c test/vitest.config.ts test/golden/recompute-document -u\` writes them).\n\n` +
    table(
      [
        'API',
        'directions',
        'computed',
        'from the doubles',
        'error / bound',
        'wrong found',
        'false alarms',
        'left out',
      ],
      rows.map(([api, one]) => [
        `\`${api}\``,
        one.directions.size,
        `${Math.round((100 * one.computed.size) / one.directions.size)} %`,
        one.computed.size > 0 ? distance(one.far) : '–',
        one.computed.size === 0 ? '–' : one.ratio === 0 ? 'exact' : short(one.ratio),
        one.wrong.made > 0 ? `${one.wrong.found} of ${one.wrong.made}` : '',
        one.alarms,
        [...one.reasons].map(reasonText).join('; '),
      ]),
    )
  )
}

const onlyMeant = (reasons: ReadonlySet<string>): boolean =>
  [...reasons].every(reason => reason === 'random' || reason === 'inner')

function take(tally: Tally, { corrupted, note }: Wanted, found: ItemAnswer | undefined): void {
  tally.outputs.all++
  if (found) tally.outputs.computed++
  // Inputs of fewer bits are no fault: they are told as what they are.
  const isNamed = note === 'hf32' && found?.verdict === 'warning' && found.note === 'hf32'
  const isFound = found?.verdict === 'error' || isNamed
  if (corrupted) {
    tally.wrong.made++
    if (isFound) tally.wrong.found++
  } else if (found) {
    if (found.verdict === 'error') tally.alarms++
    tally.ratio = Math.max(tally.ratio, found.ratio ?? 0)
  }
}

function farFrom(mine: Float64Array, theirs: Float64Array): number {
  const most = largest(theirs)
  let far = 0
  for (let i = 0; i < theirs.length; i++) {
    const off = Math.abs(mine[i] - theirs[i])
    if (Number.isFinite(off)) far = Math.max(far, off)
    else if (!Object.is(mine[i], theirs[i])) return Infinity
  }
  return most > 0 ? far / most : far
}

async function mindsporeTable(): Promise<string> {
  const folder = path.join(fixturesRoot(), 'dumps')
  const dumps = readdirSync(folder).filter(name => /^ms_(?!odd).*_tensor_(?:mix|L1)$/.test(name))
  const found = new Map<string, DirectionAnswer[]>()
  for (const name of dumps) {
    const { recompute } = await openForRecompute(path.join(folder, name, 'step0', 'rank'))
    for (const one of (await recompute()).directions) {
      const api = apiOf(one.call)
      found.set(api, [...(found.get(api) ?? []), one])
    }
  }
  const all = [...found.values()].flat()
  const outputs = all.flatMap(one => one.outputs)
  const count = (verdict: ItemAnswer['verdict']): number =>
    outputs.filter(output => output.verdict === verdict).length
  const wrong = [...new Set(all.filter(isWrong).map(({ call }) => `\`${apiOf(call)}\``))].join(', ')
  return (
    `The ${dumps.length} MindSpore dumps of tensors with calls among \`test/fixtures/dumps\` (CPU, msprobe 1.2.2): ` +
    `${all.filter(({ status }) => status === 'computed').length} of ${all.length} directions of calls computed, ` +
    `${count('pass')} results within bounds, ${count('warning')} at the edge, ${count('error')} wrong (${wrong}: MindSpore's CPU makes NaN 0 there).\n\n` +
    table(
      ['API', 'directions', 'computed', 'error / bound', 'wrong', 'left out'],
      [...found]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([api, of]) => {
          const computed = of.filter(({ status }) => status === 'computed')
          const ratio = Math.max(0, ...computed.flatMap(one => one.outputs.map(output => output.ratio ?? 0)))
          const reasons = new Set(of.flatMap(({ reason }) => (reason === '' ? [] : [reasonText(reason)])))
          return [
            `\`${api}\``,
            of.length,
            computed.length,
            computed.length === 0 ? '–' : ratio === 0 ? 'exact' : short(ratio),
            computed.flatMap(one => one.outputs).filter(({ verdict }) => verdict === 'error').length,
            [...reasons].join('; '),
          ]
        }),
    )
  )
}

const isWrong = ({ outputs }: DirectionAnswer): boolean => outputs.some(({ verdict }) => verdict === 'error')

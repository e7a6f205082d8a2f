// A million rows: sort, filter and group, against arrays of row objects.
import { TextPool } from '../../main/engine/model/columns.ts'
import { job } from '../../main/engine/work/job.ts'
import { Kind, RowState } from '../../main/engine/model/names.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'
import { RowIndex, type RowOrder } from '../../main/engine/view/rows.ts'
import type { RowFilter } from '../../preload/contract/engine.ts'
import { comparisonOf } from '../support/comparison.ts'
import { random, time, type Case } from './case.ts'

const rows = 1_000_000
const names = 20_000

interface Row {
  readonly row: number
  readonly name: string
  readonly diff: number
  readonly result: string
  readonly state: string
  readonly highlighted: boolean
}
interface Input {
  readonly index: RowIndex
  readonly objects: readonly Row[]
}

/**
 * The same million rows as a comparison and as objects. Indexes are built before the clock runs, as the
 * baseline's objects are.
 */
async function made(): Promise<Input> {
  const next = random(11)
  const dictionary = Array.from(
    { length: names },
    (_, i) =>
      `Module.module.layers.${i % 96}.${['self_attention', 'mlp', 'norm'][i % 3]}.Linear.forward.${i}.input.${i % 4}`,
  )
  const results = ['', 'Warning', 'pass', 'Need double check']
  const pool = new TextPool()
  const codes = Uint32Array.from(dictionary, text => pool.add(text))
  const name = Uint32Array.from({ length: rows }, () => codes[Math.floor(next() * names)])
  const diff = Float64Array.from({ length: rows }, () =>
    next() < 0.01 ? NaN : (next() - 0.5) * 10 ** Math.floor(next() * 12 - 6),
  )
  const result = Uint8Array.from({ length: rows }, () => Math.floor(next() * results.length))
  const item = Int32Array.from({ length: rows }, (_, i) => i)
  const small = comparisonOf([{ debug: 'a.forward.input.0', bench: 'a.forward.input.0' }])
  const dump = { ...small.debug, texts: pool, items: { ...small.debug.items, length: rows, name } }
  const table: Comparison = {
    ...small,
    debug: dump,
    bench: dump,
    length: rows,
    debugItem: item,
    benchItem: item,
    state: new Uint8Array(rows).fill(RowState.equal),
    fill: new Uint8Array(rows),
    level: new Float64Array(rows),
    columns: [
      ['debugName', false],
      ['diff', true],
      ['result', false],
    ].map(([id, numeric]) => ({
      id: String(id),
      title: String(id),
      numeric: numeric === true,
      extra: false,
    })),
    kind: (row, column) => (column === 1 ? (Number.isNaN(diff[row]) ? Kind.text : Kind.float) : Kind.text),
    number: row => diff[row],
    sortable: row => diff[row],
    text: (row, column) => (column === 0 ? pool.get(name[row]) : column === 1 ? 'N/A' : results[result[row]]),
  }
  const objects = Array.from({ length: rows }, (_, i) => ({
    row: i,
    name: dictionary[name[i]],
    diff: diff[i],
    result: results[result[i]],
    state: 'equal',
    highlighted: false,
  }))
  const index = new RowIndex(table)
  await index.order(
    none,
    [
      { column: 'debugName', down: false },
      { column: 'diff', down: false },
      { column: 'result', down: false },
    ],
    job(),
  )
  return { index, objects }
}

const none: RowFilter = { show: [], quick: '', columns: [] }
const sameRows = (ours: ArrayLike<number>, baseline: ArrayLike<number>): boolean =>
  ours.length === baseline.length && Array.from(ours).every((row, i) => row === baseline[i])
const order = async (
  { index }: Input,
  filter: Partial<RowFilter>,
  sort: { column: string; down: boolean }[],
): Promise<Uint32Array> => (await index.order({ ...none, ...filter }, sort, job())).rows
const digits = new Intl.Collator('en', { numeric: true })

export default [
  time<Input, ArrayLike<number>>({
    name: 'table: numeric sort, 1 M rows / comparator sort',
    target: 4,
    clock: 'cpu',
    rounds: 3,
    make: made,
    ours: input => order(input, {}, [{ column: 'diff', down: false }]),
    baseline: ({ objects }) =>
      Uint32Array.from(objects.keys()).sort((a, b) => {
        const [x, y] = [objects[a].diff, objects[b].diff]
        return x < y
          ? -1
          : x > y
            ? 1
            : x === y
              ? a - b
              : (Number.isNaN(x) ? 1 : 0) - (Number.isNaN(y) ? 1 : 0) || a - b
      }),
    same: sameRows,
  }),
  time<Input, ArrayLike<number>>({
    name: 'table: text sort, 1 M rows / row objects',
    target: 30,
    clock: 'cpu',
    rounds: 2,
    make: made,
    ours: input => order(input, {}, [{ column: 'debugName', down: false }]),
    baseline: ({ objects }) => objects.toSorted((a, b) => digits.compare(a.name, b.name)).map(row => row.row),
    same: sameRows,
  }),
  time<Input, readonly [ArrayLike<number>, RowOrder['counts']]>({
    name: 'table: text filter with counts, 1 M rows / row objects',
    target: 15,
    clock: 'cpu',
    make: made,
    ours: async ({ index }) => {
      const { rows: found, counts } = await index.order(
        { ...none, columns: [{ column: 'debugName', is: 'text', op: 'contains', text: 'attention' }] },
        [],
        job(),
      )
      return [found, counts]
    },
    baseline: ({ objects }) => {
      const found = objects.filter(row => row.name.toLowerCase().includes('attention'))
      const count = (test: (row: Row) => boolean): number => found.filter(test).length
      return [
        found.map(row => row.row),
        {
          all: found.length,
          incomparable: count(row => row.state === 'incomparable'),
          equal: count(row => row.state === 'equal'),
          noise: count(row => row.state === 'noise'),
          differs: count(row => row.state === 'differs'),
          unpaired: count(row => row.state === 'unpaired'),
          highlighted: count(row => row.highlighted),
        },
      ]
    },
    same: ([ours, a], [baseline, b]) => sameRows(ours, baseline) && a.equal === b.equal && a.all === b.all,
  }),
  time<Input, readonly (readonly [string, number])[]>({
    name: 'table: group by a text column, 1 M rows / Map over row objects',
    target: 7,
    clock: 'cpu',
    make: made,
    ours: async ({ index }) =>
      (await index.summary('debugName', job())).values.map(value => [value.text, value.count] as const),
    baseline: ({ objects }) => {
      const groups = new Map<string, Row[]>()
      for (const row of objects) {
        const group = groups.get(row.name)
        if (group) group.push(row)
        else groups.set(row.name, [row])
      }
      return [...groups]
        .map(([name, group]) => [name, group.length] as const)
        .sort((x, y) => y[1] - x[1])
        .slice(0, 500)
    },
    same: (ours, baseline) =>
      ours.length === baseline.length && ours.every(([, count], i) => count === baseline[i][1]),
  }),
] satisfies Case[]

// Row order: what filters keep, what sorts do, and the rows that are shown.
import { tableFromIPC } from 'apache-arrow'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { job } from '../../../main/engine/work/job.ts'
import { positionOf, rowIndex, RowIndex } from '../../../main/engine/view/rows.ts'
import { sortByNumber, sortByRank } from '../../../main/engine/view/sort.ts'
import { rankTexts } from '../../../main/engine/view/text-rank.ts'
import { TextColumn } from '../../../main/engine/view/text-column.ts'
import type { ColumnFilter, RowFilter } from '../../../preload/contract/engine.ts'
import { RowState } from '../../../main/engine/model/names.ts'
import { comparisonOf } from '../../support/comparison.ts'

const nanLast = (x: number): number => (Number.isNaN(x) ? 1 : 0)
const all: RowFilter = { show: [], quick: '', columns: [] }
const sample = comparisonOf(
  [
    {
      debug: 'Cell.net.layers.2.fc.Dense.forward.0.input.0',
      bench: 'Module.net.layers.2.fc.Linear.forward.0.input.0',
      state: RowState.equal,
      cells: [0, '0.0%', 'pass'],
    },
    {
      debug: 'Cell.net.layers.2.fc.Dense.forward.0.output.0',
      bench: '',
      state: RowState.unpaired,
      cells: ['N/A', 'N/A', ''],
    },
    {
      debug: 'Cell.net.layers.10.fc.Dense.forward.0.input.0',
      bench: 'Module.net.layers.10.fc.Linear.forward.0.input.0',
      state: RowState.differs,
      fill: 2,
      cells: [1e10, '150.0%', 'Warning'],
    },
    {
      debug: 'Cell.net.layers.10.fc.Dense.forward.0.output.0',
      bench: 'Module.net.layers.10.fc.Linear.forward.0.output.0',
      state: RowState.differs,
      fill: 1,
      dtype: 'Float16',
      cells: [-2.5, '12.5%', 'Warning'],
    },
    {
      debug: 'Functional.ADD.0.forward.input.0',
      bench: 'Torch.add.0.forward.input.0',
      state: RowState.equal,
      cells: [NaN, 'Nan', 'pass'],
    },
    {
      debug: 'Functional.添加.0.forward.input.0',
      bench: 'Torch.add.1.forward.input.0',
      state: RowState.equal,
      cells: [-Infinity, 'inf%', 'pass'],
    },
  ],
  ['diff', 'percent', 'result'],
  {
    'Cell.net.layers.2.fc.Dense.forward.0': 'Cell.net.Net.forward.0',
    'Cell.net.layers.10.fc.Dense.forward.0': 'Cell.net.Net.forward.0',
  },
)
const numeric = {
  ...sample,
  columns: sample.columns.map(c => ({ ...c, numeric: c.id === 'diff' || c.id === 'percent' })),
}

const order = async (
  filter: Partial<RowFilter>,
  sort: { column: string; down: boolean }[] = [],
): Promise<number[]> => [...(await rowIndex(numeric).order({ ...all, ...filter }, sort, job())).rows]
const column = (filter: ColumnFilter): Promise<number[]> => order({ columns: [filter] })

describe('filters', () => {
  it('keep states, any of them', async () => {
    expect(await order({ show: ['differs'] })).toEqual([2, 3])
    expect(await order({ show: ['unpaired', 'equal'] })).toEqual([0, 1, 4, 5])
    expect(await order({ show: ['highlighted'] })).toEqual([2, 3])
  })

  it('search names, dtypes and shapes on both sides, every word, whatever the case', async () => {
    expect(await order({ quick: 'LINEAR input' })).toEqual([0, 2])
    expect(await order({ quick: 'float16' })).toEqual([3])
    expect(await order({ quick: '添加' })).toEqual([5])
    expect(await order({ quick: 'add' })).toEqual([4, 5])
    expect(await order({ quick: 'nothing such' })).toEqual([])
  })

  it.each<[ColumnFilter, number[]]>([
    [{ column: 'debugName', is: 'text', op: 'contains', text: 'layers.10' }, [2, 3]],
    [{ column: 'debugName', is: 'text', op: 'notContains', text: 'Cell' }, [4, 5]],
    [{ column: 'debugName', is: 'text', op: 'startsWith', text: 'functional.add' }, [4]],
    [{ column: 'debugName', is: 'text', op: 'endsWith', text: 'output.0' }, [1, 3]],
    [{ column: 'benchName', is: 'text', op: 'equals', text: 'n/a' }, [1]],
    [{ column: 'debugName', is: 'text', op: 'regex', text: String.raw`layers\.\d+\..*input` }, [0, 2]],
    [{ column: 'debugName', is: 'text', op: 'regex', text: '(' }, []],
    // Would take JavaScript's own engine for ever.
    [{ column: 'debugName', is: 'text', op: 'regex', text: String.raw`((\w|\.)+)+!$` }, []],
    [{ column: 'debugName', is: 'text', op: 'contains', text: '' }, [0, 1, 2, 3, 4, 5]],
    [{ column: 'diff', is: 'number', op: '>', value: -3 }, [0, 2, 3]],
    [{ column: 'diff', is: 'number', op: '!=', value: 0 }, [2, 3, 5]],
    [{ column: 'diff', is: 'number', op: 'between', value: -3, to: 0 }, [0, 3]],
    [{ column: 'percent', is: 'number', op: '>=', value: 12.5 }, [2, 3, 5]],
    [{ column: 'result', is: 'set', values: ['Warning', ''] }, [1, 2, 3]],
    [{ column: 'diff', is: 'set', values: ['N/A', '0'] }, [0, 1]],
    [{ column: 'diff', is: 'set', values: ['nan\t'] }, [4]],
  ])('%j', async (filter, rows) => expect(await column(filter)).toEqual(rows))

  it('keep a node and what lies below it', async () => {
    expect(await order({ node: { debug: 'Cell.net.Net.forward.0' } })).toEqual([0, 1, 2, 3])
    expect(await order({ node: { bench: 'Torch.add.0.forward' } })).toEqual([4])
    expect(await order({ node: { debug: 'Cell.net.layers' } })).toEqual([0, 1, 2, 3])
    expect(await order({ node: { debug: 'nobody' } })).toEqual([])
  })

  it('work together, and the counts tell what the states would give', async () => {
    const { rows, counts } = await rowIndex(numeric).order(
      { show: ['differs'], quick: 'layers', columns: [{ column: 'diff', is: 'number', op: '<', value: 5 }] },
      [],
      job(),
    )
    expect([...rows]).toEqual([3])
    expect(counts).toEqual({
      all: 2,
      incomparable: 0,
      equal: 1,
      noise: 0,
      differs: 1,
      unpaired: 0,
      highlighted: 1,
    })
  })
})

describe('sorting', () => {
  it('puts what is no number last in both directions', async () => {
    expect(await order({}, [{ column: 'diff', down: false }])).toEqual([5, 3, 0, 2, 1, 4])
    expect(await order({}, [{ column: 'diff', down: true }])).toEqual([2, 0, 3, 5, 1, 4])
    expect(await order({}, [{ column: 'percent', down: true }])).toEqual([5, 2, 3, 0, 1, 4])
  })

  it('reads numbers inside names and keeps the order of equals', async () => {
    expect(await order({}, [{ column: 'debugName', down: false }])).toEqual([0, 1, 2, 3, 4, 5])
    expect(await order({}, [{ column: 'result', down: false }])).toEqual([1, 0, 4, 5, 2, 3])
    expect(
      await order({}, [
        { column: 'state', down: true },
        { column: 'debugName', down: true },
      ]),
    ).toEqual([3, 2, 1, 5, 4, 0])
    expect(await order({}, [{ column: 'row', down: true }])).toEqual([5, 4, 3, 2, 1, 0])
    expect(await order({}, [{ column: 'debugOp', down: false }])).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('equals a plain stable sort on any numbers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.double(), fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 5e-324, 1)), {
          maxLength: 200,
        }),
        fc.boolean(),
        async (numbers, down) => {
          const rows = Uint32Array.from(numbers.keys())
          await sortByNumber(rows, Float64Array.from(numbers), down, job())
          const plain = [...numbers.keys()].sort(
            (a, b) =>
              nanLast(numbers[a]) - nanLast(numbers[b]) ||
              (nanLast(numbers[a]) || numbers[a] === numbers[b]
                ? 0
                : (numbers[a] < numbers[b] ? -1 : 1) * (down ? -1 : 1)) ||
              a - b,
          )
          expect([...rows]).toEqual(plain)
        },
      ),
    )
  })

  it('tells apart numbers that differ in their last bits only', async () => {
    for (const [count, spread] of [
      [40, 50],
      [3000, 3000],
      [20_000, 1e6],
    ]) {
      const values = Float64Array.from(
        { length: count },
        (_, i) => 1 + ((i * 7919) % spread) * Number.EPSILON,
      )
      const rows = Uint32Array.from(values.keys())
      await sortByNumber(rows, values, false, job())
      expect([...rows]).toEqual([...values.keys()].sort((a, b) => values[a] - values[b] || a - b))
    }
  })

  it('ranks any texts as comparing them one by one does', async () => {
    const texts = fc.array(
      fc.oneof(
        fc.string(),
        fc.string({ unit: fc.constantFrom('a', 'b', '1', '2', '0', '.', '\0') }),
        fc.constantFrom('layers.2', 'layers.10', 'layers.10.a', ''),
      ),
      { maxLength: 300 },
    )
    await fc.assert(
      fc.asyncProperty(texts, async list => {
        const encoded = list.map(text => new TextEncoder().encode(text))
        const offsets = new Float64Array(list.length + 1)
        encoded.forEach((bytes, i) => {
          offsets[i + 1] = offsets[i] + bytes.length
        })
        const rank = await rankTexts(
          { bytes: Uint8Array.from(encoded.flatMap(b => [...b])), offsets, size: list.length },
          job(),
        )
        const key = encoded.map(bytes =>
          Buffer.from(
            Buffer.from(bytes)
              .toString('latin1')
              .replace(/[0-9]+/g, run => `${Math.min(run.length, 9)}${run}`),
            'latin1',
          ),
        )
        const sorted = [...list.keys()].sort((a, b) => Buffer.compare(key[a], key[b]) || a - b)
        expect(sorted.map(i => rank[i])).toEqual(sorted.map((_, i) => i))
      }),
    )
  })

  it('sorts by rank downwards without turning equals round', () => {
    const rows = Uint32Array.from([0, 1, 2, 3, 4])
    sortByRank(rows, Int32Array.from([0, 1, 0, 1, 2]), Uint32Array.from([2, 0, 1]), true)
    expect([...rows]).toEqual([0, 2, 4, 1, 3])
  })
})

describe('rows', () => {
  it('come as one batch, numbers as numbers with what they are', () => {
    const shown = tableFromIPC(
      new RowIndex(numeric).rows(Uint32Array.from([3, 1, 4]), {
        first: 0,
        count: 10,
        columns: ['row', 'debugName', 'diff', 'state', 'fill', 'debugOp', 'benchOp'],
      }),
    )
    expect(shown.batches).toHaveLength(1)
    expect(shown.schema.names).toEqual([
      'row',
      'debugName',
      'diff',
      'diff:kind',
      'diff:text',
      'state',
      'fill',
      'debugOp',
      'benchOp',
    ])
    expect(shown.get(0)?.toJSON()).toEqual({
      row: 3,
      debugName: 'Cell.net.layers.10.fc.Dense.forward.0.output.0',
      diff: -2.5,
      'diff:kind': 3,
      'diff:text': null,
      state: RowState.differs,
      fill: 1,
      debugOp: 'Cell.net.layers.10.fc.Dense.forward.0',
      benchOp: 'Module.net.layers.10.fc.Linear.forward.0',
    })
    expect(shown.get(1)?.toJSON()).toMatchObject({
      diff: NaN,
      'diff:kind': 5,
      'diff:text': 'N/A',
      benchOp: '',
      state: RowState.unpaired,
    })
    expect(shown.get(2)?.toJSON()).toMatchObject({ diff: NaN, 'diff:kind': 3, 'diff:text': 'nan\t' })
  })

  it('end where the order ends', () => {
    const index = new RowIndex(numeric)
    expect(
      tableFromIPC(index.rows(Uint32Array.from([0, 1]), { first: 1, count: 5, columns: ['row'] }))
        .toArray()
        .map(r => r?.row),
    ).toEqual([1])
    expect(
      tableFromIPC(index.rows(Uint32Array.from([0, 1]), { first: 7, count: 5, columns: ['row', 'diff'] }))
        .numRows,
    ).toBe(0)
  })

  it('are found again in an order', () => {
    expect(positionOf(Uint32Array.from([5, 3, 1]), 3)).toBe(1)
    expect(positionOf(Uint32Array.from([5, 3, 1]), 2)).toBe(-1)
  })
})

describe('summaries', () => {
  it('count texts, most frequent first', async () => {
    expect(await rowIndex(numeric).summary('result', job())).toEqual({
      values: [
        { text: 'pass', count: 3 },
        { text: 'Warning', count: 2 },
        { text: '', count: 1 },
      ],
      more: 0,
      min: NaN,
      max: NaN,
    })
  })

  it('give the range of numbers and the texts between them', async () => {
    expect(await rowIndex(numeric).summary('diff', job())).toEqual({
      values: [
        { text: 'N/A', count: 1 },
        { text: 'nan\t', count: 1 },
      ],
      more: 0,
      min: -2.5,
      max: 1e10,
    })
  })

  it('stop at the most frequent ones', async () => {
    const many = comparisonOf(
      Array.from({ length: 5000 }, (_, i) => ({
        debug: `a.${i}.forward.input.0`,
        bench: '',
        cells: [i % 7 === 0 ? 'seven' : `v${i}`],
      })),
      ['x'],
    )
    const { values, more } = await rowIndex(many).summary('x', job())
    expect(values).toHaveLength(500)
    expect(values[0]).toEqual({ text: 'seven', count: 715 })
    expect(more).toBe(5000 - 715 + 1 - 500)
    expect(new Set(values.map(v => v.text)).size).toBe(500)
  })
})

describe('text columns', () => {
  it('find what plain searching finds', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '中', '.', '1'), maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1, maxLength: 40 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'É', '中', '.', '1'), minLength: 1, maxLength: 3 }),
        async (texts, needle) => {
          const column = await TextColumn.of(texts.length, row => texts[row], null, job())
          const low = needle.toLowerCase()
          const passed = async (
            test: 'contains' | 'startsWith' | 'endsWith' | 'equals',
          ): Promise<boolean[]> => {
            const ok = await column.passing(test, needle, job())
            return texts.map((_, row) => ok[column.codes[row]] === 1)
          }
          expect(await passed('contains')).toEqual(texts.map(t => t.toLowerCase().includes(low)))
          expect(await passed('startsWith')).toEqual(texts.map(t => t.toLowerCase().startsWith(low)))
          expect(await passed('endsWith')).toEqual(texts.map(t => t.toLowerCase().endsWith(low)))
          expect(await passed('equals')).toEqual(texts.map(t => t.toLowerCase() === low))
        },
      ),
    )
  })
})

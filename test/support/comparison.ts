// Small comparisons for tests of what reads them: named items on both sides and any further columns.
import { TextPool } from '../../main/engine/model/columns.ts'
import type { Dump } from '../../main/engine/model/dump.ts'
import { msprobeNames } from '../../main/engine/names/msprobe.ts'
import { noTensors } from '../../main/engine/model/tensor-store.ts'
import { Kind, RowState } from '../../main/engine/model/names.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'
import { itemPartners, opPartners } from '../../main/engine/pair/partners.ts'
import { tableOf, type Plain } from './table.ts'

interface RowOf {
  /** Item names as in msprobe's table; '' is none on that side. */
  readonly debug: string
  readonly bench: string
  readonly dtype?: string
  readonly state?: RowState
  readonly fill?: number
  readonly level?: number
  readonly cells?: readonly Plain[]
}

/** Parents by op key. */
type Parents = Readonly<Record<string, string>>

const opOf = (item: string): string =>
  /^(.*?\.(?:forward|backward)(?:\.\d+(?=\.(?:input|output|kwargs|parameters)))?)/.exec(item)?.[1] ?? item

export function comparisonOf(
  rows: readonly RowOf[],
  titles: readonly string[] = [],
  parents: Parents = {},
): Comparison {
  const debug = dumpOf(
    rows.map(row => [row.debug, row.dtype ?? 'torch.float32']),
    parents,
  )
  const bench = dumpOf(
    rows.map(row => [row.bench, row.dtype ?? 'torch.float32']),
    parents,
  )
  const { items: debugItem, dump: debugDump } = debug
  const { items: benchItem, dump: benchDump } = bench
  const ids = ['debugName', 'benchName', 'debugDtype', ...titles]
  const table = tableOf(
    ids,
    rows.map(row => [
      row.debug || 'N/A',
      row.bench || 'N/A',
      row.dtype ?? 'torch.float32',
      ...(row.cells ?? []),
    ]),
  )
  const number = /^(-?(?:[\d.]+|inf))%$/
  const paired = { debugItem, benchItem, by: new Uint8Array(rows.length) }
  const comparison: Comparison = {
    ...table,
    sortable(row, column) {
      const kind = table.kind(row, column)
      if (kind === Kind.int || kind === Kind.float) return table.number(row, column)
      return Number(number.exec(table.text(row, column))?.[1].replace('inf', 'Infinity') ?? NaN)
    },
    measured: null,
    pairOf: null,
    failing: row => rows[row].state === RowState.differs,
    judged: () => comparison,
    pending: 0,
    columns: table.columns.map((column, i) => ({ ...column, id: ids[i] })),
    mode: 'statistics',
    rules: 'plumbline',
    debug: debugDump,
    bench: benchDump,
    debugItem,
    benchItem,
    problems: [],
    benchOnly: new Int32Array(0),
    pairing: {
      ...paired,
      wording: 'mindspore',
      stack: new Uint8Array(rows.length),
      benchOnly: new Int32Array(0),
      ops: opPartners(paired, debugDump, benchDump),
      items: itemPartners(paired, debugDump, benchDump),
    },
    state: Uint8Array.from(
      rows,
      row => row.state ?? (row.bench === '' ? RowState.unpaired : RowState.incomparable),
    ),
    fill: Uint8Array.from(rows, row => row.fill ?? 0),
    level: Float64Array.from(rows, row => row.level ?? NaN),
    noise: new Float64Array(rows.length),
  }
  return comparison
}

function dumpOf(
  list: readonly (readonly [string, string])[],
  parents: Parents,
): { dump: Dump; items: Int32Array } {
  const texts = new TextPool()
  const there = list.filter(([name]) => name !== '')
  const opNames = [...new Set(there.map(([name]) => opOf(name)))]
  const codes = (values: readonly string[]): Int32Array => Int32Array.from(values, value => texts.add(value))
  const none = (): Int32Array => new Int32Array(there.length).fill(-1)
  const cells = { kind: new Uint8Array(there.length), value: new Float64Array(there.length) }
  const firsts = opNames.map(op => there.findIndex(([name]) => opOf(name) === op))
  const children = Object.keys(parents)
  const child = Uint32Array.from(codes(children))
  let next = 0
  return {
    items: Int32Array.from(list, ([name]) => (name === '' ? -1 : next++)),
    dump: {
      dir: '',
      file: '',
      raw: null,
      edges: null,
      tensors: noTensors,
      header: { task: 'statistics', level: 'mix', framework: 'pytorch', hasMd5: false },
      texts,
      names: msprobeNames,
      ops: {
        length: opNames.length,
        name: Uint32Array.from(codes(opNames)),
        from: new Float64Array(opNames.length),
        to: new Float64Array(opNames.length),
        first: Uint32Array.from([...firsts, there.length]),
      },
      items: {
        length: there.length,
        op: Uint32Array.from(there, ([name]) => opNames.indexOf(opOf(name))),
        name: Uint32Array.from(codes(there.map(([name]) => name))),
        state: new Uint8Array(there.length),
        type: none(),
        dtype: codes(there.map(([, dtype]) => dtype)),
        shape: none(),
        max: cells,
        min: cells,
        mean: cells,
        norm: cells,
        md5: none(),
        dataName: none(),
        requiresGrad: new Uint8Array(there.length),
        tensor: new Uint8Array(there.length).fill(1),
      },
      stacks: { file: '', of: () => -1, frames: () => [], length: 0 },
      construct: {
        file: '',
        length: children.length,
        child,
        parent: codes(children.map(name => parents[name])),
        micro: new Int32Array(children.length).fill(-1),
        microSteps: 0,
        find: code => child.indexOf(code),
      },
      partial: false,
      problems: [],
    },
  }
}

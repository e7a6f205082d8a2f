// Comparing dumps of 20,000 calls: rows and workbook against plain objects, and whole commands against
// msprobe where it is installed.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openOutput } from '../../main/engine/io/output.ts'
import { job } from '../../main/engine/work/job.ts'
import { emptyMeasured } from '../../main/engine/measure/metrics.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'
import { writeComparison } from '../../main/engine/report/index.ts'
import { time, Timed, type Case } from './case.ts'
import { rowsOf } from './rows.ts'
import { buildOnce, cli, gone, made, noReference, python, timed, type Pair } from './reference.ts'

const compared = ({ debug, bench }: Pair, engine: 'pytorch' | 'mindspore' = 'pytorch'): Promise<Comparison> =>
  rowsOf([debug, bench], engine, () => pairs => Promise.resolve(emptyMeasured(pairs.length)))

async function written(pair: Pair): Promise<number> {
  const comparison = await compared(pair)
  const output = openOutput(path.join(pair.folder, 'out'))
  await writeComparison('xlsx', comparison, { output, name: 'result' }, { facts: {} }, job())
  output.commit()
  return comparison.length
}

type Leaf = Readonly<Record<string, unknown>>
interface Item {
  readonly name: string
  readonly leaf: Leaf
}

/** What a short script would do: parse, walk, a Map by name, a row object per item. */
function plainRows({ debug, bench }: Pair): number {
  const items = (dir: string): Item[] => {
    const { data } = JSON.parse(
      readFileSync(path.join(dir, 'dump.json'), 'utf8').replace(/\b(?:-?Infinity|NaN)\b/g, 'null'),
    ) as { data: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
    const found: Item[] = []
    const walk = (value: unknown, name: string): void => {
      if (Array.isArray(value)) value.forEach((member, i) => walk(member, `${name}.${i}`))
      else if (typeof value === 'object' && value !== null) {
        if ('type' in value) found.push({ name, leaf: { ...value } })
        else for (const [key, member] of Object.entries(value)) walk(member, `${name}.${key}`)
      } else found.push({ name, leaf: {} })
    }
    for (const [op, entry] of Object.entries(data)) {
      for (const [part, word] of [
        ['input_args', 'input'],
        ['input', 'input'],
        ['input_kwargs', 'input'],
        ['parameters', 'parameters'],
        ['output', 'output'],
      ] as const)
        if (part in entry) walk(entry[part], `${op}.${word}`)
      if (op.endsWith('parameters_grad'))
        for (const [key, [value]] of Object.entries(entry as Readonly<Record<string, readonly unknown[]>>))
          walk(value, `${op}.${key}`)
    }
    return found
  }
  const stacks = [debug, bench].map(
    dir =>
      JSON.parse(readFileSync(path.join(dir, 'stack.json'), 'utf8')) as Readonly<Record<string, unknown>>,
  )
  const partners = new Map(items(bench).map(item => [item.name, item.leaf]))
  const rows = items(debug).map(({ name, leaf }) => {
    const other = partners.get(name)
    const row: Record<string, unknown> = {
      name,
      bench: other ? name : 'N/A',
      dtype: leaf['dtype'],
      benchDtype: other?.['dtype'],
      shape: JSON.stringify(leaf['shape']),
      benchShape: JSON.stringify(other?.['shape']),
    }
    for (const stat of ['Max', 'Min', 'Mean', 'Norm']) {
      const [a, b] = [leaf[stat], other?.[stat]]
      row[`${stat} diff`] = typeof a === 'number' && typeof b === 'number' ? a - b : 'N/A'
      row[`${stat} relative`] =
        typeof a === 'number' && typeof b === 'number' && b !== 0
          ? `${Math.abs(((a - b) / b) * 100)}%`
          : 'N/A'
      row[`debug ${stat}`] = a
      row[`bench ${stat}`] = b
    }
    return { ...row, stack: stacks[0][name.slice(0, name.lastIndexOf('.input'))] }
  })
  return rows.length
}

// ---------------------------------------- whole commands

async function command(framework: 'pt' | 'ms'): Promise<Pair> {
  await buildOnce()
  const pair = made(framework)
  const side = (dir: string): string => path.join(dir, 'dump.json')
  writeFileSync(
    path.join(pair.folder, 'compare.json'),
    JSON.stringify({
      npu_path: side(pair.debug),
      bench_path: side(pair.bench),
      stack_path: path.join(pair.debug, 'stack.json'),
      is_print_compare_log: false,
    }),
  )
  return pair
}

const words = (framework: 'pt' | 'ms', { folder }: Pair, to: string): string[] => [
  '-f',
  framework === 'pt' ? 'pytorch' : 'mindspore',
  'compare',
  '-i',
  path.join(folder, 'compare.json'),
  '-o',
  path.join(folder, to),
]

const whole = (framework: 'pt' | 'ms', name: string): Case =>
  time<Pair, true>({
    name: `compare: 20,000 calls of ${name}, whole command with xlsx / msprobe 1.2.2`,
    target: 20,
    clock: 'wall',
    rounds: 1,
    missing: noReference,
    make: () => command(framework),
    done: gone,
    ours: pair => timed(process.execPath, [cli, ...words(framework, pair, 'ours')]),
    baseline: pair => timed(python, ['-m', 'msprobe.msprobe', ...words(framework, pair, 'theirs')]),
    same: (ours, baseline) => ours === baseline,
  })

export default [
  time<Pair, number>({
    name: 'compare: 20,000 calls, rows ready / JSON.parse, Map and row objects',
    target: 1.5,
    clock: 'cpu',
    rounds: 2,
    make: () => made('pt'),
    done: gone,
    ours: async pair => (await compared(pair)).length,
    baseline: plainRows,
    same: (ours, baseline) => Math.abs(ours - baseline) < ours / 100,
  }),
  time<Pair, number>({
    name: 'compare: 20,000 calls, xlsx written / rows ready (time)',
    target: 0.1,
    clock: 'cpu',
    rounds: 2,
    make: () => made('pt'),
    done: gone,
    ours: written,
    baseline: async pair => (await compared(pair)).length,
    same: (ours, baseline) => ours === baseline,
  }),
  time<Pair, true>({
    name: 'compare: 20,000 calls of MindSpore, rows ready / msprobe 1.2.2, whole command',
    target: 100,
    clock: 'wall',
    rounds: 2,
    missing: noReference,
    make: () => command('ms'),
    done: gone,
    async ours(pair) {
      const began = performance.now()
      await compared(pair, 'mindspore')
      return new Timed((performance.now() - began) / 1e3, true)
    },
    baseline: pair => timed(python, ['-m', 'msprobe.msprobe', ...words('ms', pair, 'theirs')]),
    same: (ours, baseline) => ours === baseline,
  }),
  whole('pt', 'PyTorch'),
  whole('ms', 'MindSpore'),
] satisfies Case[]

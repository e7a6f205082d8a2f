// The graphs of msprobe 1.2.2 and of the version whose small-value rule the requirements describe, node by
// node and item by item.
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import type { Rules } from '../../main/engine/model/names.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { goldenFiles, graphCases, runGraph } from '../support/golden-graph.ts'

type Fields = Readonly<Record<string, string>>
interface VisNode {
  readonly id: string
  readonly node_type: number
  readonly input_data: Readonly<Record<string, Fields>>
  readonly output_data: Readonly<Record<string, Fields>>
  readonly upnode: string
  readonly subnodes: readonly string[]
  readonly matched_node_link: readonly string[]
  readonly stack_info: readonly string[]
  readonly micro_step_id?: number
  readonly data: Readonly<Record<string, unknown>>
  readonly matched_distributed?: unknown
}
interface VisGraph {
  readonly root: string
  readonly node: Readonly<Record<string, VisNode>>
}
interface VisFile extends VisGraph {
  readonly NPU?: VisGraph
  readonly Bench?: VisGraph
  readonly Colors?: Readonly<Record<string, { readonly value: readonly number[] }>>
  readonly MicroSteps: number
  readonly task?: string
}

/**
 * Version 1.1.1 computed these from tensors with formulas that 1.2.2 mended; Plumbline has one set of tensor
 * metrics, that of 1.2.2.
 */
const mendedMetrics = new Set([
  'Cosine',
  'MaxRelativeErr',
  'One Thousandth Err Ratio',
  'Five Thousandths Err Ratio',
])
const lines: string[] = []

const read = (file: string): { text: string; json: VisFile } => {
  const text = readFileSync(file, 'utf8')
  return { text, json: JSON.parse(text) as VisFile }
}
const sides = (file: VisFile): [string, VisGraph][] =>
  file.NPU && file.Bench
    ? [
        ['NPU', file.NPU],
        ['Bench', file.Bench],
      ]
    : [['', file]]

interface Tally {
  nodes: number
  structure: number
  match: number
  index: number
  cells: number
  texts: number
  mended: number
  readonly different: string[]
}

function compare(mine: VisFile, golden: VisFile, seed: boolean): Tally {
  const tally: Tally = {
    nodes: 0,
    structure: 0,
    match: 0,
    index: 0,
    cells: 0,
    texts: 0,
    mended: 0,
    different: [],
  }
  const tensors = golden.task === 'all'
  sides(golden).forEach(([side, theirs], i) => {
    const ours = sides(mine)[i]?.[1]
    expect(Object.keys(ours?.node ?? {})).toEqual(Object.keys(theirs.node))
    for (const [id, want] of Object.entries(theirs.node)) {
      const have = ours!.node[id]!
      tally.nodes++
      const same = (part: 'structure' | 'match' | 'index', a: unknown, b: unknown): void => {
        if (JSON.stringify(a) === JSON.stringify(b)) return
        tally[part]++
        tally.different.push(`${side} ${id} ${part}: ${JSON.stringify(a)}, golden ${JSON.stringify(b)}`)
      }
      same(
        'structure',
        [have.node_type, have.upnode, have.subnodes, have.micro_step_id],
        [want.node_type, want.upnode, want.subnodes, want.micro_step_id],
      )
      same('match', have.matched_node_link, want.matched_node_link)
      // Our own rules link calls without a group too; see peers.test.ts.
      if (!seed) same('match', have.matched_distributed, want.matched_distributed)
      same('index', have.data, want.data)
      if (!seed) same('structure', have.stack_info, want.stack_info)
      for (const part of ['input_data', 'output_data'] as const) {
        expect(Object.keys(have[part]), id).toEqual(Object.keys(want[part]))
        for (const [item, fields] of Object.entries(want[part])) {
          expect(Object.keys(have[part][item]!), item).toEqual(Object.keys(fields))
          for (const [key, text] of Object.entries(fields)) {
            tally.cells++
            if (have[part][item]![key] === text) continue
            if (seed && tensors && mendedMetrics.has(key)) tally.mended++
            else {
              tally.texts++
              tally.different.push(`${side} ${item} ${key}: ${have[part][item]![key]}, golden ${text}`)
            }
          }
        }
      }
    }
  })
  return tally
}

/** Everything but free texts and machine paths. */
const comparable = (text: string): string =>
  text.replaceAll(/\n +"(?:ToolTip|description|dump_data_dir)": .*/g, '').replaceAll(/,(?=\n +\})/g, '')

const root = fixturesRoot()
const sets: readonly (readonly [Rules, string])[] = [
  ['msprobe-1.2.2', 'golden'],
  ['plumbline', 'golden-seed'],
]

describe.each(sets)('%s', (rules, folder) => {
  const cases = graphCases(root, /^graph_/).filter(one => goldenFiles(one, folder).size > 0)
  test.each(cases.map(one => [one.name, one] as const))('%s', async (name, one) => {
    const golden = goldenFiles(one, folder)
    const { report, written } = await runGraph(one, rules)
    expect(report.failed).toBe(0)
    expect([...written.keys()].sort()).toEqual([...golden.keys()].sort())
    if (name.includes('_err_')) expect(report.problems.map(found => found.code)).toContain('no-hierarchy')
    const sum = { nodes: 0, structure: 0, match: 0, index: 0, cells: 0, texts: 0, mended: 0 }
    for (const [file, theirs] of golden) {
      const mine = read(written.get(file)!)
      const want = read(theirs)
      const tally = compare(mine.json, want.json, folder === 'golden-seed')
      expect(tally.different.slice(0, 10)).toEqual([])
      for (const key of ['nodes', 'structure', 'match', 'index', 'cells', 'texts', 'mended'] as const)
        sum[key] += tally[key]
      expect([mine.json.MicroSteps, mine.json.task]).toEqual([want.json.MicroSteps, want.json.task])
      expect(Object.entries(mine.json.Colors ?? {}).map(([color, { value }]) => [color, value])).toEqual(
        Object.entries(want.json.Colors ?? {}).map(([color, { value }]) => [color, value]),
      )
      if (folder === 'golden')
        expect(comparable(mine.text) === comparable(want.text), 'byte for byte').toBe(true)
    }
    lines.push(
      `${rules.padEnd(14)} ${name.padEnd(34)} ${String(sum.nodes).padStart(5)} nodes, different: structure ${sum.structure} match ${sum.match} index ${sum.index}, ${String(sum.cells).padStart(6)} texts ${sum.texts} different${sum.mended > 0 ? `, ${sum.mended} of mended metrics` : ''}`,
    )
  })
})

afterAll(() => {
  console.log(lines.join('\n'))
})

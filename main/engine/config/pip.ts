// Installed packages of two sides: those that decide about results first, others as notes.
import { cellTable, type PlainCell, titled } from '../formats/index.ts'
import type { SetupFinding } from '../model/index.ts'
import { finding, type Level, type PartResult, worst } from './types.ts'

const decisive = [
  'transformers',
  'deepspeed',
  'megatron',
  'numpy',
  'datasets',
  'peft',
  'mindspore',
  'torch',
] as const

/** Beyond msprobe's list: what computes, or decides what is computed. */
const alsoDecisive = [
  'accelerate',
  'apex',
  'flash-attn',
  'mcore-adapter',
  'megatron-core',
  'mindformers',
  'mindspeed',
  'mindspeed-llm',
  'sglang',
  'tokenizers',
  'torch-npu',
  'transformer-engine',
  'triton',
  'triton-ascend',
  'verl',
  'vllm',
  'vllm-ascend',
]

const titles = ['package', 'bench version', 'cmp version', 'level'] as const

interface Row {
  readonly cells: readonly PlainCell[]
  readonly found: SetupFinding
}

export function comparePip(benchText: string, debugText: string, exact: boolean): PartResult {
  const rows = exact ? exactRows(benchText, debugText) : ownRows(benchText, debugText)
  return {
    part: 'pip',
    verdict: worst(rows.map(({ found }) => found.level)),
    sheet: cellTable(titled(titles), rows.length, (row, column) => rows[row].cells[column]),
    findings: rows.map(({ found }) => found),
  }
}

function rowOf(name: string, bench: string | undefined, debug: string | undefined, level: Level): Row {
  const [a, b] = [bench || 'None', debug || 'None']
  return {
    cells: [name, a, b, level],
    found: finding('pip', level, 'pip-differs', { name, bench: a, debug: b }),
  }
}

function exactRows(benchText: string, debugText: string): readonly Row[] {
  const [bench, debug] = [benchText, debugText].map(text => {
    const lines = text.split(/\r\n|\r|\n/).map(line => line.trim().split('='))
    if (text.endsWith('\n') || text === '') lines.pop()
    return new Map(lines.map(parts => [parts[0], parts.length === 2 ? parts[1] : '']))
  })
  return decisive.flatMap(name => {
    const [a, b] = [bench.get(name), debug.get(name)]
    return a === b ? [] : [rowOf(name, a, b, 'error')]
  })
}

function ownRows(benchText: string, debugText: string): readonly Row[] {
  const [bench, debug] = [versionsIn(benchText), versionsIn(debugText)]
  const important = [...decisive, ...alsoDecisive]
  const rest = [...new Set([...bench.keys(), ...debug.keys()])].filter(name => !important.includes(name))
  const differing = (names: readonly string[], both: Level, alone: Level): readonly Row[] =>
    names.flatMap(name => {
      const [a, b] = [bench.get(name), debug.get(name)]
      return a === b ? [] : [rowOf(name, a, b, a === undefined || b === undefined ? alone : both)]
    })
  // Each device brings packages that the other has no use for.
  return [...differing(important, 'error', 'warning'), ...differing(rest.toSorted(), 'note', 'note')]
}

/** Versions by name as Python's index spells it; `=`, `==` and `name @ place` are read. */
function versionsIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name, version] = /^\s*([\w.-]+)\s*(?:={1,3}|@)\s*(\S.*?)\s*$/.exec(line) ?? []
    if (name !== undefined) found.set(name.toLowerCase().replace(/[-_.]+/g, '-'), version)
  }
  return found
}

// Environment variables of two packages: those that change results, paired where devices name them differently.
import { cellTable, type PlainCell, titled } from '../formats/index.ts'
import { type Json, JsonNumber, type JsonObject } from '../json/index.ts'
import { pyTrue } from '../python/index.ts'
import type { SetupFinding } from '../model/index.ts'
import { finding, type Level, type PartResult, worst } from './types.ts'
import { isSecret } from './secrets.ts'
import { cellFrom, pyEqual, sameMeaning, shortly } from './values.ts'

type Device = 'npu' | 'gpu'

interface Variable {
  readonly npu: string
  readonly gpu?: string
  /** What holds where it is not set. */
  readonly unset: Json
  /** A difference says little: other machines count their devices otherwise. */
  readonly local?: true
}

const whole = (text: string): JsonNumber => new JsonNumber(text, false)

const common: readonly Variable[] = [
  { npu: 'HCCL_DETERMINISTIC', gpu: 'NCCL_DETERMINISTIC', unset: false },
  { npu: 'HCCL_ALGO', gpu: 'NCCL_ALGO', unset: 'None' },
  { npu: 'HCCL_INTRA_ROCE_ENABLE', unset: whole('0') },
  { npu: 'HCCL_INTRA_PCIE_ENABLE', unset: whole('1') },
  { npu: 'ASCEND_LAUNCH_BLOCKING', gpu: 'CUDA_LAUNCH_BLOCKING', unset: whole('0') },
  { npu: 'ASCEND_RT_VISIBLE_DEVICES', gpu: 'CUDA_VISIBLE_DEVICES', unset: 'None', local: true },
]

/** The reference looks one variable up under the name of another. */
const slipped = (list: readonly Variable[]): readonly Variable[] =>
  list.map(one => (one.npu === 'HCCL_INTRA_PCIE_ENABLE' ? { ...one, npu: 'HCCL_INTRA_ROCE_ENABLE' } : one))

/** Beyond msprobe's list: these change numbers or the order in which they are made. */
const numeric = new Set([
  'ATB_MATMUL_SHUFFLE_K_ENABLE',
  'CLOSE_MATMUL_K_SHIFT',
  'CUBLAS_WORKSPACE_CONFIG',
  'CUDA_DEVICE_MAX_CONNECTIONS',
  'HCCL_OP_EXPANSION_MODE',
  'INF_NAN_MODE_ENABLE',
  'INF_NAN_MODE_FORCE_DISABLE',
  'LCCL_DETERMINISTIC',
  'MS_ENABLE_HCCL',
  'NVIDIA_TF32_OVERRIDE',
  'NVTE_ALLOW_NONDETERMINISTIC_ALGO',
  'PYTHONHASHSEED',
  'TASK_QUEUE_ENABLE',
  'TORCH_ALLOW_TF32_CUBLAS_OVERRIDE',
])
/** These belong to the software under test: worth a note. */
const related =
  /^(?:ACL|ASCEND|ATB|CANN|CUDA|CUDNN|HCCL|LCAL|LCCL|MINDSPORE|MS|NCCL|NPU|NVTE|PYTORCH|TE|TORCH|VLLM)_/
/** Machine, user and place: they differ between any two runs. */
const elsewhere = /(?:PATH|HOME|DIR|FILE|IFNAME|ADDR|HOST|PORT|RANK|LOG|LEVEL)(?:_|$)/

const titles = ['bench_env_name', 'cmp_env_name', 'bench_value', 'cmp_value', 'level'] as const

interface Row {
  readonly cells: readonly PlainCell[]
  readonly found: SetupFinding
}

export interface EnvironmentOptions {
  readonly exact: boolean
}

export function compareEnvironment(
  bench: JsonObject,
  debug: JsonObject,
  { exact }: EnvironmentOptions,
): PartResult {
  const rows = [
    ...(exact ? slipped(common) : common).flatMap(one => commonRow(one, bench, debug, exact)),
    ...(exact ? [] : otherRows(bench, debug)),
  ]
  return {
    part: 'env',
    verdict: worst(rows.map(({ found }) => found.level)),
    sheet: cellTable(titled(titles), rows.length, (row, column) => rows[row].cells[column]),
    findings: rows.map(({ found }) => found),
  }
}

const deviceOf = (variables: JsonObject): Device =>
  [...variables.keys()].some(name => name.includes('ASCEND')) ? 'npu' : 'gpu'

/** The reference puts the second package into the columns of the first. */
function commonRow(variable: Variable, bench: JsonObject, debug: JsonObject, exact: boolean): readonly Row[] {
  const [left, right] = exact ? [debug, bench] : [bench, debug]
  const [mine, theirs] = [variable[deviceOf(left)], variable[deviceOf(right)]]
  const valueOf = (side: JsonObject, name: string): Json => side.get(name) ?? variable.unset
  if (theirs !== undefined && mine !== undefined) {
    const [a, b] = [valueOf(left, mine), valueOf(right, theirs)]
    if (exact ? pyEqual(a, b) : sameMeaning(a, b)) return []
    const level: Level = variable.local && !exact ? 'warning' : 'error'
    const [benchValue, debugValue] = exact ? [b, a] : [a, b]
    const [name, other] = exact ? [theirs, mine] : [mine, theirs]
    return [
      {
        cells: [mine, theirs, cellFrom(a), cellFrom(b), level],
        found: finding('env', level, 'env-differs', {
          name,
          other,
          bench: shortly(benchValue),
          debug: shortly(debugValue),
        }),
      },
    ]
  }
  const name = mine ?? theirs
  if (name === undefined) return []
  return [aloneRow(name, { left, right, variable, ofLeft: mine !== undefined, exact })]
}

interface Alone {
  readonly left: JsonObject
  readonly right: JsonObject
  readonly variable: Variable
  readonly ofLeft: boolean
  readonly exact: boolean
}

function aloneRow(name: string, { left, right, variable, ofLeft, exact }: Alone): Row {
  const given = (ofLeft ? left : right).get(name)
  // Only here an empty value counts as none.
  const value = (ofLeft && !pyTrue(given) ? undefined : given) ?? variable.unset
  const cells = ofLeft
    ? [name, 'only bench has this env', cellFrom(value), '', 'warning']
    : ['only cmp has this env', name, '', cellFrom(value), 'warning']
  const side = ofLeft === exact ? 'debug' : 'bench'
  return { cells, found: finding('env', 'warning', 'env-alone', { side, name, value: shortly(value) }) }
}

function otherRows(bench: JsonObject, debug: JsonObject): readonly Row[] {
  const known = new Set(common.flatMap(({ npu, gpu }) => [npu, gpu]))
  const names = [...new Set([...bench.keys(), ...debug.keys()])].filter(
    name => !known.has(name) && (numeric.has(name) || (related.test(name) && !elsewhere.test(name))),
  )
  return names.toSorted().flatMap(name => {
    const [a, b] = [bench.get(name), debug.get(name)]
    if (sameMeaning(a, b)) return []
    const level: Level = numeric.has(name) ? 'warning' : 'note'
    const shown = (value: Json | undefined): string => (isSecret(name) ? '***' : shortly(value))
    const cells = [
      a === undefined ? 'only cmp has this env' : name,
      b === undefined ? 'only bench has this env' : name,
      shown(a),
      shown(b),
      level,
    ]
    const found =
      a === undefined || b === undefined
        ? finding('env', level, 'env-alone', {
            side: b === undefined ? 'bench' : 'debug',
            name,
            value: shown(a ?? b),
          })
        : finding('env', level, 'env-differs', { name, other: name, bench: shown(a), debug: shown(b) })
    return [{ cells, found }]
  })
}

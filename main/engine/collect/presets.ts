// Whole config.json files for what a dump is usually taken for.
import type { CollectTarget, ConfigValue, PresetId } from '../model/index.ts'
import { configText } from './edit.ts'
import { isGraph, isMindspore } from './schema.ts'

/** What stands in a preset beside what makes it one. */
export interface PresetWishes {
  readonly dumpPath?: string
  readonly step?: readonly ConfigValue[]
  readonly rank?: readonly ConfigValue[]
  readonly scope?: readonly string[]
  readonly list?: readonly string[]
}

type Section = Readonly<Record<string, ConfigValue>>

interface Preset {
  readonly task: string
  readonly level: string
  readonly section?: Section
  readonly top?: Section
}

/** Null where this generation or mode has no such thing. */
type Make = (target: CollectTarget) => Preset | null

const modes = ['all']
/** A graph is dumped kernel by kernel; only the newest dumps its cells. */
function graphLevel({ mode, version }: CollectTarget, wanted: string): string {
  const cells = version === '26' && mode === 'graph-o0' && wanted === 'L0'
  return !isGraph(mode) || cells ? wanted : 'L2'
}

/** Without it views and shapes are missing, and the other side may have them. */
const everyCall = ({ version, mode }: CollectTarget): Section =>
  version === '26' && !isMindspore(mode) ? { risk_level: 'ALL' } : {}

/** The first generation names the API of a kernel dump in its scope. */
const byScope = ({ version, mode }: CollectTarget): boolean => version === '1.0' && !isMindspore(mode)

const makes: Readonly<Record<PresetId, Make>> = {
  statistics: target => ({
    task: 'statistics',
    level: graphLevel(target, 'L1'),
    top: everyCall(target),
    section: { scope: [], list: [], data_mode: modes, summary_mode: 'statistics' },
  }),
  layer: target => ({
    task: 'tensor',
    level: graphLevel(target, 'mix'),
    top: everyCall(target),
    section: { scope: [], list: [], data_mode: modes },
  }),
  graph: target => {
    const level = isGraph(target.mode) ? graphLevel(target, 'L0') : 'mix'
    if (level === 'L2') return null
    return {
      task: 'statistics',
      level,
      top: everyCall(target),
      section: { scope: [], list: [], data_mode: modes, summary_mode: 'statistics' },
    }
  },
  // The first generation asks a graph for statistics only.
  md5: target =>
    target.version === '1.0' && isGraph(target.mode)
      ? null
      : {
          task: 'statistics',
          level: graphLevel(target, 'L1'),
          top: everyCall(target),
          section: {
            scope: [],
            list: [],
            data_mode: modes,
            summary_mode: isGraph(target.mode) ? ['md5'] : 'md5',
          },
        },
  overflow: ({ version, mode }) => {
    if (version !== '26') {
      if (mode === 'graph-o0') return null
      return {
        task: 'overflow_check',
        level: mode === 'graph-o2' ? 'L2' : 'L1',
        section: isGraph(mode) ? { check_mode: 'all' } : { overflow_nums: 1 },
      }
    }
    if (!isMindspore(mode)) return { task: 'nan_check', level: 'L1', section: { data_mode: modes } }
    return mode === 'graph-o2' ? null : { task: 'exception_dump', level: 'L2', section: {} }
  },
  precheck: target =>
    isMindspore(target.mode)
      ? null
      : {
          task: 'tensor',
          level: 'L1',
          top: everyCall(target),
          section: { scope: [], list: [], data_mode: ['forward', 'backward', 'input'] },
        },
  structure: ({ version, mode }) =>
    version === '1.0' || isGraph(mode) ? null : { task: 'structure', level: 'mix', section: {} },
  kernel: target => ({
    task: 'tensor',
    level: 'L2',
    section: byScope(target) ? { scope: [], data_mode: modes } : { list: [], data_mode: modes },
  }),
  gradients: ({ version }) =>
    version === '26'
      ? null
      : {
          task: 'grad_probe',
          level: 'L1',
          section: { grad_level: 'L1', param_list: [], bounds: [-1, 0, 1] },
        },
}

/** Null where this generation or mode has no such thing. */
export function presetText(id: PresetId, target: CollectTarget, wishes: PresetWishes = {}): string | null {
  const made = makes[id](target)
  if (!made) return null
  const { task, level, top = {}, section = {} } = made
  const every = task === 'grad_probe'
  const chosen: Record<string, ConfigValue> = { ...section }
  // Cells of a graph are dumped whole, kernels by a list.
  const whole = isGraph(target.mode) && level === 'L0'
  if (wishes.scope && level !== 'L2' && !whole) chosen['scope'] = wishes.scope
  if (wishes.list && !whole) chosen[level === 'L2' && byScope(target) ? 'scope' : 'list'] = wishes.list
  return configText({
    task,
    dump_path: wishes.dumpPath ?? './dump_path',
    rank: wishes.rank ?? [],
    step: wishes.step ?? (every ? [] : [0]),
    level,
    ...top,
    [task]: chosen,
  })
}

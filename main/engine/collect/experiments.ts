// Which run to make next: what each would tell of the suspects that a comparison leaves, the sharpest first.
import type {
  Advice,
  CollectTarget,
  ConfigValue,
  DumpHeader,
  Experiment,
  ExperimentId,
  Finding,
} from '../model/index.ts'
import { configText } from './edit.ts'
import { presetText } from './presets.ts'

interface Case {
  readonly advice: Advice
  readonly head: Finding | null
  readonly header: DumpHeader
  readonly target: CollectTarget
}

interface Row {
  readonly id: ExperimentId
  /** How sharply it splits the suspects here, 0 where it would tell nothing. */
  weigh(of: Case): number
  text(of: Case): string | null
}

const differs = ({ advice }: Case, ...whats: readonly string[]): boolean =>
  advice.taken?.differ.some(({ what }) => whats.includes(what)) ?? false

const withMd5 = (header: DumpHeader): boolean => header.hasMd5
const stepsOf = ({ head }: Case): readonly ConfigValue[] => (head?.step == null ? [0] : [head.step])
const ranksOf = ({ head }: Case): readonly ConfigValue[] => (head?.rank == null ? [] : [head.rank])
const wishes = (
  of: Case,
): { step: readonly ConfigValue[]; rank: readonly ConfigValue[]; dumpPath: string } => ({
  step: stepsOf(of),
  rank: ranksOf(of),
  dumpPath: './dump_next',
})

const rows: readonly Row[] = [
  {
    // Other data explains everything: nothing else is worth a run before that.
    id: 'same-inputs',
    weigh: of => (differs(of, 'first-values', 'first-shapes') ? 1 : 0),
    text: of => presetText('statistics', of.target, wishes(of)),
  },
  {
    id: 'take-alike',
    weigh: of => (differs(of, 'risk', 'level', 'data-mode', 'task') ? 0.95 : 0),
    text: of => presetText('graph', of.target, wishes(of)) ?? presetText('statistics', of.target, wishes(of)),
  },
  {
    // Where the values of the suspect are not there, they decide between its inputs and itself.
    id: 'tensors-here',
    weigh: ({ advice, head }) => (head && advice.dumpNext ? 0.9 : 0),
    text: ({ advice }) =>
      advice.dumpNext ? configText(advice.dumpNext as Readonly<Record<string, ConfigValue>>) : null,
  },
  {
    id: 'one-on-cpu',
    weigh: ({ head, header }) => {
      if (!head) return 0
      return header.task === 'tensor' ? 0.85 : 0.6
    },
    text: of =>
      of.head ? presetText('layer', of.target, { ...wishes(of), list: [listName(of.head.node)] }) : null,
  },
  {
    // How much one side differs from itself is what the other may differ by.
    id: 'twin',
    weigh: ({ advice, head, header }) => {
      if (withMd5(header)) return 0.3
      return !head || advice.noise.length > 0 ? 0.8 : 0.5
    },
    text: of => presetText('statistics', of.target, wishes(of)),
  },
  {
    id: 'md5-twin',
    weigh: ({ header }) => (withMd5(header) ? 0 : 0.55),
    text: of => presetText('md5', of.target, wishes(of)),
  },
  {
    id: 'deterministic',
    weigh: ({ head }) => (head ? 0.5 : 0.4),
    text: of => presetText('statistics', of.target, wishes(of)),
  },
  {
    id: 'other-seed',
    weigh: ({ head }) => (head ? 0.45 : 0.2),
    text: of => presetText('statistics', of.target, wishes(of)),
  },
]

/** The name of the call without its number: what a list looks for. */
const listName = (node: string): string =>
  node.replace(/\.(?:\d+\.(?:forward|backward)|(?:forward|backward)\.\d+)$/, '')

export function experimentsOf(
  advice: Advice,
  header: DumpHeader,
  target: CollectTarget,
): readonly Experiment[] {
  const of: Case = { advice, head: advice.findings[0] ?? null, header, target }
  return rows
    .map(({ id, weigh, text }) => ({ id, weight: weigh(of), node: of.head?.node ?? '', text: text(of) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
}

// Flags that actions of `parse` share.
import { needed, text, type Operands } from '../verb.ts'

/** Everything is named by flags, as msprobe has it. */
export const nothing: Operands = { shown: null, counts: [0], wrong: 'cli.usage.extra' }

export const output = text('-o, -out, --output_path', 'cli.value.folder', 'cli.flag.parseFolder')

/** msprobe needs msaccucmp for it; here nothing is called. */
export const converter = text(
  '-cmp_path, -asc, --msaccucmp_path',
  'cli.value.path',
  'cli.flag.parseConverter',
)

export const twoSides = {
  left: needed(text('-m, --my_dump_path', 'cli.value.path', 'cli.flag.parseLeft')),
  right: needed(text('-g, --golden_dump_path', 'cli.value.path', 'cli.flag.parseRight')),
} as const

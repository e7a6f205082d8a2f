// Flags that commands of `tf` share.
import { text } from '../verb.ts'

/** Which graphs are meant, where it is not the newest of the first run. */
export const whichGraphs = {
  run: text('--run', 'cli.value.name', 'cli.flag.tf-run'),
  graphFile: text('--graph-file', 'cli.value.file', 'cli.flag.tf-graph-file'),
} as const

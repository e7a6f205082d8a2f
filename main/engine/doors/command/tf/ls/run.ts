// tf ls: how many operators of which type there are, or those that the user looks for.
import { type OpFilter, opsLike, typesIn } from '../../../../formats/index.ts'
import type { Page } from '../../tools.ts'
import type { Asked, Command } from '../../verb.ts'
import { aligned, openGraphs, type OpenGraphs } from '../graphs.ts'
import type { LsField, LsFlags } from './index.ts'

interface Listed extends OpenGraphs {
  readonly types: ReadonlyMap<string, number>
  /** Null where nothing was looked for. */
  readonly ops: readonly number[] | null
}

export const command: Command<LsFlags, Listed, LsField> = {
  async run({ paths, flags }, tools) {
    const open = await openGraphs(paths[0], flags, tools)
    const filter = filterOf(flags)
    return { ...open, types: typesIn(open.lookup), ops: filter && opsLike(open.lookup, filter) }
  },
  print,
  json: ({ types, ops, side, lookup }) => ({
    types: Object.fromEntries(types),
    ops:
      ops &&
      ops.map(op => ({
        type: lookup.type(op),
        pass: lookup.text(lookup.model.ops.pass[op]),
        name: lookup.name(op),
        graph: lookup.graph(op),
        id: lookup.model.ops.id[op],
        kernel: lookup.text(lookup.model.ops.kernel[op]),
        stream: lookup.model.ops.stream[op],
      })),
    run: side.name,
    files: lookup.model.files,
  }),
}

function filterOf({
  type = '',
  name = '',
  pass = '',
  kernel = '',
}: Asked<LsFlags>['flags']): OpFilter | null {
  return type || name || pass || kernel ? { type, name, pass, kernel } : null
}

function print({ types, ops, lookup, side }: Listed, page: Page): void {
  if (ops === null) {
    for (const line of aligned([...types].map(([type, count]) => [type, String(count)]))) page.line(line)
    const total = [...types.values()].reduce((sum, count) => sum + count, 0)
    page.note(page.say('cli.tf.ls.types', { count: total, run: side.name }))
    return
  }
  for (const op of ops) {
    const pass = lookup.text(lookup.model.ops.pass[op])
    page.line(`[${lookup.type(op)}]${pass && `[${pass}]`} ${lookup.name(op)}`)
  }
  page.note(page.say('cli.tf.ls.ops', { count: ops.length, run: side.name }))
}

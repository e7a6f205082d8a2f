// tf ls: how many operators of which type there are, or those that the user looks for.
import { looseOps, type OpFilter, opsLike, typesIn } from '../../../../formats/index.ts'
import type { Page } from '../../tools.ts'
import type { Asked, Command } from '../../verb.ts'
import { aligned, openGraphs, type OpenGraphs } from '../graphs.ts'
import type { LsField, LsFlags } from './index.ts'

interface Listed extends OpenGraphs {
  readonly types: ReadonlyMap<string, number>
  /** Null where nothing was looked for. */
  readonly ops: readonly number[] | null
  /** Ops that lack inputs or outputs though their type has some; none where others were looked for. */
  readonly loose: ReturnType<typeof looseOps>
}

export const command: Command<LsFlags, Listed, LsField> = {
  async run({ paths, flags }, tools) {
    const open = await openGraphs(paths[0], flags, tools)
    const filter = filterOf(flags)
    const { lookup } = open
    return {
      ...open,
      types: typesIn(lookup),
      ops: filter && opsLike(lookup, filter),
      loose: filter ? [] : looseOps(lookup),
    }
  },
  print,
  json: ({ types, ops, loose, side, lookup }) => ({
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
    loose: loose.map(({ op, lacks }) => ({ name: lookup.name(op), graph: lookup.graph(op), lacks })),
    run: side.name,
    files: lookup.model.files,
  }),
}

const shownNames = 5

function filterOf({
  type = '',
  name = '',
  pass = '',
  kernel = '',
}: Asked<LsFlags>['flags']): OpFilter | null {
  return type || name || pass || kernel ? { type, name, pass, kernel } : null
}

function print({ types, ops, loose, lookup, side }: Listed, page: Page): void {
  if (ops === null) {
    for (const line of aligned([...types].map(([type, count]) => [type, String(count)]))) page.line(line)
    const total = [...types.values()].reduce((sum, count) => sum + count, 0)
    page.note(page.say('cli.tf.ls.types', { count: total, run: side.name }))
    for (const lacks of ['inputs', 'outputs'] as const) {
      const names = loose.filter(one => one.lacks === lacks).map(({ op }) => lookup.name(op))
      const shown = [...names.slice(0, shownNames), ...(names.length > shownNames ? ['…'] : [])].join(', ')
      if (names.length > 0)
        page.note(page.say(`cli.tf.ls.no-${lacks}`, { count: names.length, names: shown }))
    }
    return
  }
  for (const op of ops) {
    const pass = lookup.text(lookup.model.ops.pass[op])
    page.line(`[${lookup.type(op)}]${pass && `[${pass}]`} ${lookup.name(op)}`)
  }
  page.note(page.say('cli.tf.ls.ops', { count: ops.length, run: side.name }))
}

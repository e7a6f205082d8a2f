// dump.json read in the plainest way, value by value, to compare the fast reader with; and a dump as lines of
// text.
import { JsonReader, JsonStop } from '../../main/engine/json/stream.ts'
import { TextPool } from '../../main/engine/model/columns.ts'
import type { ItemTable, OpTable } from '../../main/engine/model/dump.ts'
import { DumpColumns } from '../../main/engine/formats/dump-columns.ts'
import { ItemWalk, Problems, type Texts } from '../../main/engine/formats/msprobe/items.ts'
import { Kind } from '../../main/engine/model/names.ts'

type Tables = { readonly texts: TextPool; readonly ops: OpTable; readonly items: ItemTable }

/** Ops and items of a dump.json up to where it stops being JSON. */
export function carefulDump(
  bytes: Uint8Array,
): Tables & { readonly problems: Problems; readonly stop: JsonStop | null } {
  const texts = new TextPool()
  const columns = new DumpColumns()
  const problems = new Problems()
  const sink: Texts = { add: text => texts.add(text), name: text => texts.add(text) }
  const walk = new ItemWalk(columns, sink, '', problems)
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const reader = new JsonReader(bytes, bom ? 3 : 0)
  let debug = false
  let stop: JsonStop | null = null
  try {
    reader.members(key => {
      if (key !== 'data' || reader.peek() !== 0x7b) {
        const value = reader.value(1)
        debug ||= key === 'level' && value === 'debug'
      } else
        reader.members(op => {
          const from = reader.at
          const value = reader.value(2)
          const to = reader.at
          // An entry counts when what follows it is read, too.
          if (reader.peek() !== 0x2c && reader.peek() !== 0x7d) throw new JsonStop('broken', reader.at)
          walk.entry(op, value, debug)
          columns.addOp(texts.add(op), from, to)
        })
    })
    reader.space()
    if (reader.at < bytes.length) throw new JsonStop('broken', reader.at)
  } catch (error) {
    if (!(error instanceof JsonStop)) throw error
    stop = error
  }
  return { texts, ...columns.tables(), problems, stop }
}

const kindNames = Object.fromEntries(Object.entries(Kind).map(([name, kind]) => [kind, name]))

/** Every op and item of a dump, one per line, without any code. */
export function linesOf({ texts, ops, items }: Tables): string[] {
  const lines: string[] = []
  const text = (code: number): string => (code < 0 ? '-' : JSON.stringify(texts.get(code)))
  for (let op = 0; op < ops.length; op++) {
    lines.push(`${text(ops.name[op]!)} ${ops.from[op]} ${ops.to[op]}`)
    for (let i = ops.first[op]!; i < ops.first[op + 1]!; i++) {
      const cells = [items.max, items.min, items.mean, items.norm].map(({ kind, value }) => {
        const name = kindNames[kind[i]!]
        return name === 'text' || name === 'bigint'
          ? `${name} ${text(value[i]!)}`
          : `${name} ${Object.is(value[i], -0) ? '-0' : value[i]}`
      })
      lines.push(
        ` ${[items.op[i], text(items.name[i]!), items.state[i], text(items.type[i]!), text(items.dtype[i]!), text(items.shape[i]!), ...cells, text(items.md5[i]!), text(items.dataName[i]!), items.requiresGrad[i], items.tensor[i]].join(' | ')}`,
      )
    }
  }
  return lines
}

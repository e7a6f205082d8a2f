// What to dump next: a config.json for msprobe that would decide what this dump leaves open.
import type { Advice, Finding } from '../model/index.ts'
import type { Case } from './links.ts'

/** null when the present dump already names the op with its tensors, and where msprobe does not dump. */
export function dumpNext(c: Case, findings: readonly Finding[]): Advice['dumpNext'] {
  const head = findings[0]
  if (!head) return null
  const { header } = c.debug.dump
  // Only msprobe says a level, and only a run of it can be dumped by its config.json.
  if (header.framework === 'cann' || header.level === '') return null
  const named = head.node === '' || head.kind === 'not-decidable' ? [] : scopeOf(c, head)
  if (header.task === 'tensor' && header.level === 'mix' && head.kind !== 'not-decidable') return null
  return {
    task: 'tensor',
    dump_path: './dump_next',
    rank: head.rank === null ? [] : [head.rank],
    step: head.step === null ? [] : [head.step],
    level: 'mix',
    async_dump: false,
    tensor: { scope: named, list: [], data_mode: ['all'] },
  }
}

/** The module around the node, from its first to its last entry: msprobe's scope takes two module names. */
function scopeOf(c: Case, head: Finding): string[] {
  const view = head.side === 'debug' ? c.debug : c.bench
  const code = view.dump.texts.findPlain(head.node)
  let op = -1
  for (let at = 0; at < view.api.length && op < 0; at++) if (view.dump.ops.name[at] === code) op = at
  while (op >= 0 && view.module[op] === 0) op = view.parent[op]
  return op < 0
    ? []
    : [view.dump.texts.get(view.dump.ops.name[op]), view.dump.texts.get(view.dump.ops.name[op])]
}

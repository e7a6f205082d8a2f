// The section that puts dumped inputs into a later run.
import type { Reading } from './reading.ts'
import { rangesOf } from './ranges.ts'
import { flag } from './rules.ts'
import { loadKeys } from './schema.ts'

export function loadFindings(reading: Reading): void {
  const { say, target } = reading
  const load = reading.top('load')
  if (!load) return
  if (load.truthy && load.kind !== 'object') {
    say(load, 'error', 'not-object', { key: 'load', found: load.text })
    return
  }
  for (const key of loadKeys) reading.read.add(`load/${key}`)
  const of = (key: string): typeof load | undefined => load.members.get(key)?.value
  const modules = of('modules')
  if (modules?.kind !== 'list' || !modules.truthy || modules.items.some(one => one.kind !== 'text'))
    say(modules ?? load, 'error', 'not-text-list', { key: 'load.modules', found: modules?.text ?? '' })
  else {
    const seen = new Set<string>()
    for (const item of modules.items) {
      if (seen.has(item.text)) say(item, 'error', 'load-twice', { name: item.text })
      seen.add(item.text)
      const fits =
        item.text.startsWith('Module.') &&
        !item.text.includes('.backward.') &&
        /\.forward\.\d+\n?$/.test(item.text)
      if (!fits) say(item, 'error', 'load-name', { name: item.text })
    }
  }
  const path = of('path')
  if (!path?.truthy || path.kind !== 'text') say(path ?? load, 'error', 'needed', { key: 'load.path' })
  else say(path, 'note', 'needs-path', { key: 'load.path', path: path.text })
  flag(of('dump_after_load'), 'load.dump_after_load', say)
  rangesOf(of('step'), 'load.step', target.version, say)
  rangesOf(of('rank'), 'load.rank', target.version, say)
}

/** Whether only what was dumped is put in, so that no folder for new dumps is needed. */
export function onlyLoads(reading: Reading): boolean {
  const load = reading.top('load')
  const path = load?.members.get('path')?.value
  return load !== undefined && path?.truthy === true && !load.members.get('dump_after_load')?.value.truthy
}

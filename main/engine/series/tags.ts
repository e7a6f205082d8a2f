// Tags of targets: parts of their names by which a trend view filters.

export type Tag = readonly [name: string, category: string]

const digits = /^\d+$/
const roots = new Set(['Module', 'Cell'])

/** Of a name that a training monitor wrote: each part, and numbered parts with their numbers. */
export function monitorTags(name: string): readonly Tag[] {
  const parts = name.split('.')
  return parts.map((part, i): Tag =>
    digits.test(part) ? [i > 0 ? `${parts[i - 1]}.${part}` : part, 'layer'] : [part, 'module'],
  )
}

/** Of a name made from a dump. */
export function dumpTags(name: string): readonly Tag[] {
  const parts = name.split('.')
  const last = parts.splice(-2)
  const tags: Tag[] = [[last.join('.'), 'index']]
  if (last[0] === 'parameters') tags.push(['parameters', 'default'])
  if (!parts.some(part => roots.has(part))) return [...tags, [parts.join('.'), 'function']]
  let run: string[] = []
  const end = (): void => {
    if (run.length > 0) tags.push([run.join('.'), 'module'])
    run = []
  }
  for (const part of parts) {
    if (roots.has(part)) {
      end()
      tags.push([part, 'default'])
    } else if (digits.test(part)) {
      const before = run.pop()
      end()
      tags.push([before === undefined ? part : `${before}.${part}`, 'layer'])
    } else run.push(part)
  }
  end()
  return tags
}

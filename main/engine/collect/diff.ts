// What one config.json says otherwise than another, key by key.
import type { ConfigDifference, ConfigValue } from '../model/index.ts'
import { parseConfig, plainOf, type Value } from './python-json.ts'

export function diffConfigs(before: string, after: string): readonly ConfigDifference[] {
  const [mine, theirs] = [leavesOf(before), leavesOf(after)]
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap(path => {
    const [was, is] = [mine.get(path), theirs.get(path)]
    return JSON.stringify(was) === JSON.stringify(is)
      ? []
      : [{ path, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }]
  })
}

function leavesOf(text: string): ReadonlyMap<string, ConfigValue> {
  const out = new Map<string, ConfigValue>()
  const visit = (value: Value, path: string): void => {
    if (value.kind !== 'object' || value.members.size === 0) out.set(path, plainOf(value))
    else
      for (const { name, value: of } of value.members.values())
        visit(of, path === '' ? name : `${path}/${name}`)
  }
  const { root } = parseConfig(text)
  if (root) visit(root, '')
  out.delete('')
  return out
}

// What the sides of a study are called before anything of them is read.
import type { Side, SideInfo } from '../model/index.ts'

export function sidesBefore(
  sides: readonly Side[],
  roots: Readonly<Record<Side, string>>,
): readonly SideInfo[] {
  const names = namesOf(sides.map(side => roots[side]))
  return sides.map((side, i) => ({
    side,
    root: roots[side],
    name: names[i],
    framework: '',
    level: '',
    task: '',
  }))
}

const partsOf = (root: string): readonly string[] => root.split(/[\\/]/).filter(part => part !== '')

/** The last folder; those that are called alike in every dump, after the one that they lie in. */
function ownParts(parts: readonly string[]): readonly string[] {
  const own = parts.findLastIndex(part => !/^(?:step|rank)\d*$/.test(part))
  return parts.slice(Math.max(0, own))
}

/** What the sides are called; after the folder that tells them apart where they are called alike. */
function namesOf(roots: readonly string[]): readonly string[] {
  const parts = roots.map(partsOf)
  const names = parts.map((of, i) => ownParts(of).join('/') || roots[i])
  if (new Set(roots).size < roots.length || new Set(names).size === names.length) return names
  const above = (i: number, up: number): string | undefined => parts[i].at(-ownParts(parts[i]).length - up)
  let up = 1
  while (new Set(names.map((_, i) => above(i, up))).size < names.length) up++
  return names.map((name, i) => [above(i, up), ...(up > 1 ? ['…'] : []), name].filter(Boolean).join('/'))
}

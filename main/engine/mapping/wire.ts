// Which argument of one API is which of another.
import { type ItemRow, Kind } from '../model/index.ts'
import { bestPairs, nameLikeness, valueOf } from './likeness.ts'
import type { ApiInfo, SideNames } from './names-of.ts'

/** Which argument is which: by value, then shape, then name and place. */
export function wire(
  debug: SideNames,
  bench: SideNames,
  a: ApiInfo,
  b: ApiInfo,
  part: 'inputs' | 'outputs',
): [string, string][] {
  const pairs: { mine: string; theirs: string; score: number }[] = []
  const theirs = [...b[part]]
  ;[...a[part]].forEach(([index, item], place) => {
    theirs.forEach(([other, there], position) => {
      const tensors = debug.dump.items.tensor[item] === bench.dump.items.tensor[there]
      if (!tensors) return
      const value = debug.dump.items.tensor[item] === 1 ? valueOf(debug.dump, item) : scalarOf(debug, item)
      const far = debug.dump.items.tensor[item] === 1 ? valueOf(bench.dump, there) : scalarOf(bench, there)
      const shape = shapeOf(debug, item) === shapeOf(bench, there)
      if (debug.dump.items.tensor[item] === 1 && !shape) return
      pairs.push({
        mine: index,
        theirs: other,
        score:
          (value !== '' && value === far ? 4 : 0) +
          (shape ? 2 : 0) +
          nameLikeness(index, other) +
          (place === position ? 0.5 : 0),
      })
    })
  })
  const order = [...a[part].keys()]
  return bestPairs(pairs)
    .map((pair): [string, string] => [pair.mine, pair.theirs])
    .sort((x, y) => order.indexOf(x[0]) - order.indexOf(y[0]))
}

/** The value of an argument that is no tensor. */
const scalarOf = (names: SideNames, item: ItemRow): string => {
  const { max } = names.dump.items
  return `${max.kind[item]} ${max.kind[item] === Kind.text ? names.dump.texts.get(max.value[item]) : max.value[item]}`
}

export const shapeOf = (names: SideNames, item: ItemRow): string => {
  const code = names.dump.items.shape[item]
  return code < 0 ? '' : names.dump.texts.get(code)
}

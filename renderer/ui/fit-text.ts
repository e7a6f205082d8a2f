// Names of a model's parts in little room: what all of them share goes first, then their middle.

/** Without the parts before the last dot that all share, but for the last of these. */
export function withoutShared(names: readonly string[]): readonly string[] {
  const [first = '', ...rest] = names
  if (rest.length === 0) return names
  const parts = first.split('.')
  let shared = 0
  while (shared < parts.length - 1) {
    const head = `${parts.slice(0, shared + 1).join('.')}.`
    if (!rest.every(name => name.startsWith(head))) break
    shared++
  }
  const dropped = parts.slice(0, Math.max(0, shared - 1)).join('.').length
  return dropped === 0 ? names : names.map(name => name.slice(dropped + 1))
}

/** Begins and ends like the name, as much as there is room for. */
export function fitted(name: string, widthOf: (text: string) => number, room: number): string {
  if (widthOf(name) <= room) return name
  let [least, most] = [0, name.length - 1]
  const cut = (letters: number): string =>
    `${name.slice(0, Math.ceil(letters / 2))}…${name.slice(name.length - Math.floor(letters / 2))}`
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (widthOf(cut(middle)) <= room) least = middle
    else most = middle - 1
  }
  return cut(least)
}

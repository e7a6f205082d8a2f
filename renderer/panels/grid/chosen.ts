// Rows that are chosen, as ranges: choosing to the end of ten million rows is one pair of numbers.

/** Ascending and apart from each other; `last` is the first row behind. */
export type Chosen = readonly { readonly first: number; readonly last: number }[]

/** A cell of the table; row -1 is the header. */
export interface Cell {
  readonly row: number
  readonly column: number
}

export const onlyRow = (row: number): Chosen => [{ first: row, last: row + 1 }]

export const isChosen = (chosen: Chosen, row: number): boolean =>
  chosen.some(({ first, last }) => row >= first && row < last)

export const chosenFrom = (anchor: number, to: number): Chosen => [
  { first: Math.min(anchor, to), last: Math.max(anchor, to) + 1 },
]

/** One row more or less. */
export function flipped(chosen: Chosen, row: number): Chosen {
  if (isChosen(chosen, row))
    return chosen.flatMap(({ first, last }) =>
      [
        { first, last: Math.min(last, row) },
        { first: Math.max(first, row + 1), last },
      ].filter(part => part.first < part.last),
    )
  const joined: { first: number; last: number }[] = []
  for (const { first, last } of [...chosen, ...onlyRow(row)].toSorted((a, b) => a.first - b.first)) {
    const before = joined.at(-1)
    if (before && before.last >= first) before.last = Math.max(before.last, last)
    else joined.push({ first, last })
  }
  return joined
}

/** The rows themselves, at most so many. */
export function rowsOf(chosen: Chosen, most: number): number[] {
  const rows: number[] = []
  for (const { first, last } of chosen)
    for (let row = first; row < last && rows.length < most; row++) rows.push(row)
  return rows
}

interface Size {
  readonly rows: number
  readonly columns: number
  /** Rows of a page. */
  readonly page: number
}

const steps: Readonly<Record<string, (at: Cell, size: Size) => Cell>> = {
  ArrowDown: at => ({ ...at, row: at.row + 1 }),
  ArrowUp: at => ({ ...at, row: at.row - 1 }),
  ArrowRight: at => ({ ...at, column: at.column + 1 }),
  ArrowLeft: at => ({ ...at, column: at.column - 1 }),
  PageDown: (at, { page }) => ({ ...at, row: at.row + page }),
  PageUp: (at, { page }) => ({ ...at, row: Math.max(0, at.row - page) }),
  Home: at => ({ ...at, row: 0 }),
  End: (at, { rows }) => ({ ...at, row: rows - 1 }),
  'Mod+ArrowDown': (at, { rows }) => ({ ...at, row: rows - 1 }),
  'Mod+ArrowUp': at => ({ ...at, row: 0 }),
  'Mod+ArrowRight': (at, { columns }) => ({ ...at, column: columns - 1 }),
  'Mod+ArrowLeft': at => ({ ...at, column: 0 }),
  'Mod+Home': () => ({ row: 0, column: 0 }),
  'Mod+End': (_, { rows, columns }) => ({ row: rows - 1, column: columns - 1 }),
}

/** Where a key leads to; null for keys that do not move. */
export function movedBy(key: string, at: Cell, size: Size): Cell | null {
  const to = steps[key]?.(at, size)
  return to
    ? {
        row: Math.max(-1, Math.min(size.rows - 1, to.row)),
        column: Math.max(0, Math.min(size.columns - 1, to.column)),
      }
    : null
}

// How many rows are what: by our state of them, and by msprobe's answer.

export const countNames = [
  'rows',
  // Our states; a row without partner is in none of these four.
  'equal',
  'noise',
  'differs',
  'incomparable',
  // Rows that msprobe's own rule calls a failure, and those that it colours.
  'failing',
  'red',
  'yellow',
  'unmatchedDebug',
  'unmatchedBench',
] as const

export type Counts = Readonly<Record<(typeof countNames)[number], number>>

// Rows by names that a file gives.

/** What a table has under a name of its own: `constructor`, which every object has, is none. */
export const namedRow = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

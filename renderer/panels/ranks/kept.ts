// Questions that a user keeps, on this machine.
const key = 'queries'
const most = 50

export interface KeptQuery {
  readonly name: string
  readonly sql: string
}

export function keptQueries(): readonly KeptQuery[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isQuery) : []
  } catch {
    return []
  }
}

const isQuery = (one: unknown): one is KeptQuery =>
  typeof one === 'object' &&
  one !== null &&
  'name' in one &&
  'sql' in one &&
  typeof one.name === 'string' &&
  typeof one.sql === 'string'

/** The same question is kept once, the newest first. */
export function keepQuery(query: KeptQuery): readonly KeptQuery[] {
  const all = [query, ...keptQueries().filter(one => one.sql !== query.sql)].slice(0, most)
  localStorage.setItem(key, JSON.stringify(all))
  return all
}

export function dropQuery(sql: string): readonly KeptQuery[] {
  const all = keptQueries().filter(one => one.sql !== sql)
  localStorage.setItem(key, JSON.stringify(all))
  return all
}

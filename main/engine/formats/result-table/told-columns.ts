// Tables that say themselves what their rows are worth: results of the pre-check, of the free benchmark, of a check of compiled modules.

/** Titles that only such a table has, by what it is. */
const signs = {
  details: ['API Name', 'DEVICE Dtype', 'Status'],
  mindspore: ['API Name', 'Tested Dtype', 'Status'],
  compared: ['API Name', '比对结果', '比对算法'],
  result: ['API Name', 'Forward Test Success', 'Backward Test Success'],
  free: ['api_name', 'pert_mode', 'max_rel'],
  compiled: ['module_name', 'check_type', 'max_abs_diff'],
} as const
export type ToldKind = keyof typeof signs
const kinds = Object.keys(signs) as readonly ToldKind[]

/** Details and results write the same title differently. */
export const plainTitle = (title: string): string => title.trim().replace(/^API name$/, 'API Name')

export function toldKindOf(titles: readonly string[]): ToldKind | null {
  const known = new Set(titles.map(plainTitle))
  for (const kind of kinds) if (signs[kind].every(title => known.has(title))) return kind
  return null
}

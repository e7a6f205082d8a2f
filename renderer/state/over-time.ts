// The way from a tensor of a dump to its values over steps and ranks.
import { changeLayout, showPane } from './settings.ts'
import { set } from './workbench.ts'

/** Which statistic a column of the table speaks of. */
const stats: readonly (readonly [pattern: RegExp, stat: string])[] = [
  [/max/i, 'max'],
  [/min/i, 'min'],
  [/mean/i, 'mean'],
]
export const statOf = (column: string): string =>
  stats.find(([pattern]) => pattern.test(column))?.[1] ?? 'norm'

export function showOverTime(target: string, stat: string): void {
  set({ overTime: { target, stat } })
  changeLayout({ rail: 'overtime' })
  showPane('side', true)
}

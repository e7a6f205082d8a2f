// similarities.csv as msprobe writes it.
import { pyFloat } from '../../python/index.ts'
import { type RankSimilarity, similarityAt, summaryAt } from './compare.ts'

/** What stands where nothing could be compared. */
const none = 'N/A'

export function similaritiesCsv(of: RankSimilarity): string {
  const { steps, params, size } = of
  const lines = [['step', ...steps.map(String)]]
  const cells = (param: number): string[] =>
    steps.map((_, s) => cellText(similarityAt(of, param, s), size[param * steps.length + s]))
  for (const [p, name] of params.entries()) lines.push([name, ...cells(p)])
  lines.push(['summary', ...steps.map((_, s) => summaryText(of, s))])
  return `\uFEFF${lines.map(fields => `${fields.map(field).join(',')}\n`).join('')}`
}

/** Of nothing at all Python's sum is the integer. */
const cellText = (similarity: number | null, size: number): string => {
  if (similarity === null) return none
  return size === 0 ? '0' : pyFloat(similarity)
}

function summaryText(of: RankSimilarity, step: number): string {
  const { equal, size } = summaryAt(of, step)
  return size === 0 ? '0' : pyFloat(equal / size)
}

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

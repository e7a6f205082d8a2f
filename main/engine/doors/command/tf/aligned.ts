// Lines of a small table for a terminal: columns as wide as their widest cell.

/** Two cells of a terminal are taken by the characters of Chinese, Japanese and Korean. */
const wide = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/gu
const widthOf = (text: string): number => text.length + (text.match(wide)?.length ?? 0)

export function aligned(rows: readonly (readonly string[])[], indent = '  '): readonly string[] {
  const count = Math.max(0, ...rows.map(row => row.length))
  const widths = Array.from({ length: count }, (_, i) => Math.max(...rows.map(row => widthOf(row[i] ?? ''))))
  return rows.map(row =>
    (indent + row.map((cell, i) => cell + ' '.repeat(widths[i] - widthOf(cell))).join('  ')).trimEnd(),
  )
}

// What is written: tables, graph files, pages.
export { writeCsv } from './csv.ts'
export { writeHtml, type HtmlWords } from './html.ts'
export { stampOf } from './names.ts'
export type { JudgedTable } from './table.ts'
export { writeComparison, writeTable } from './tables.ts'
export { visDbWriter } from './vis-db.ts'
export { writeSingleVis, writeVis } from './vis.ts'
export { writeXlsx } from './xlsx.ts'

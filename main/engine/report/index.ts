// What is written: tables, graph files, pages.
export { writeCsv } from './csv.ts'
export { writeHtml, type HtmlWords } from './html.ts'
export { stampOf } from './names.ts'
export { slices, type JudgedTable } from './table.ts'
export { writeComparison, writeTable } from './tables.ts'
export { visDbWriter } from './vis-db.ts'
export { writeSingleVis, writeVis } from './vis.ts'
export { type Sheet, writeXlsx } from './xlsx.ts'

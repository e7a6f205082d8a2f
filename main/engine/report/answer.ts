// Answers to questions in SQL as files, piece by piece: csv, JSON, Parquet.
import { rowsIn, type SqlAnswer, type SqlCell, type SqlColumn, type SqlPiece } from '../io/index.ts'
import type { AnswerFormat } from '../model/index.ts'
import { csvField } from './csv.ts'

/** Takes bytes as they come. */
type Write = (bytes: Uint8Array) => void

interface Writer {
  add(piece: SqlPiece): Promise<void> | void
  end(): Promise<void> | void
}

const encoder = new TextEncoder()

const writers: Readonly<
  Record<Exclude<AnswerFormat, 'table'>, (columns: readonly SqlColumn[], write: Write) => Promise<Writer>>
> = {
  async csv(columns, write) {
    const line = (cells: readonly SqlCell[]): string =>
      `${cells.map(cell => csvField(cell === null ? '' : String(cell), typeof cell === 'string')).join(',')}\n`
    write(encoder.encode(line(columns.map(({ name }) => name))))
    return {
      add(piece) {
        let text = ''
        for (const row of rowsIn(piece)) text += line(row)
        write(encoder.encode(text))
      },
      end() {},
    }
  },
  async json(columns, write) {
    let begun = false
    return {
      add(piece) {
        let text = ''
        for (const row of rowsIn(piece)) {
          text += begun ? ',\n' : '[\n'
          begun = true
          text += JSON.stringify(
            Object.fromEntries(columns.map(({ name }, i) => [name, jsonCell(row[i] ?? null)])),
          )
        }
        write(encoder.encode(text))
      },
      end: () => write(encoder.encode(begun ? '\n]\n' : '[]\n')),
    }
  },
  async parquet(columns, write) {
    const { answerParquet } = await import('./columnar.ts')
    return answerParquet(columns, write)
  },
}

const lengthOf = (piece: SqlPiece): number => piece[0]?.length ?? 0
const jsonCell = (cell: SqlCell): SqlCell =>
  typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell

/** Writes a whole answer; returns how many rows it has. */
export async function answerWriter(
  { columns, pieces }: SqlAnswer,
  format: Exclude<AnswerFormat, 'table'>,
  write: Write,
): Promise<number> {
  const writer = await writers[format](columns, write)
  let rows = 0
  for await (const piece of pieces) {
    rows += lengthOf(piece)
    await writer.add(piece)
  }
  await writer.end()
  return rows
}

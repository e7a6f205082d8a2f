// The only readers and writers of files.
export {
  askAnalytics,
  openAnalytics,
  type Analytics,
  type Answer,
  type Appender,
  type Column,
  type ColumnType,
  type Piece,
} from './analytics.ts'
export { diskCache, type Cache } from './cache.ts'
export { diskFiles, filesWithin, seenAt, seenIn, type Entry, type Files, type Handle } from './files.ts'
export { growingFolder, keptFolders, type KeptFolder, type KeptFolders } from './kept-folders.ts'
export type { Mount, Root } from './mounts.ts'
export { openOutput, openStage, removeOwn, shortName, type Output, type Sink, type Stage } from './output.ts'
export { absolute, baseOf, dirOf, isAbsolute, join, serverOf } from './paths.ts'
export {
  copyParquet,
  openQuestions,
  type Questions,
  type QuestionsOver,
  rowsIn,
  type SqlAnswer,
  type SqlCell,
  type SqlColumn,
  sqlList,
  type SqlPiece,
  type SqlTable,
  sqlText,
} from './questions.ts'
export { equalBytes, quickFiles, type QuickFiles } from './quick.ts'
export {
  createSqlite,
  openSqlite,
  type SqliteFile,
  type SqliteRow,
  type SqliteTable,
  type SqliteValue,
} from './sqlite.ts'
export { memberLimit, storedZip, zipWriter, type ZipWriter } from './zip-writer.ts'
export {
  looksLikeZip,
  memberBytes,
  memberPieces,
  memberStart,
  zipEntries,
  type ZipEntry,
  type ZipSource,
} from './zip.ts'
export { decodeMapping, firstForeign, type MappingText } from './text-file.ts'
export { watchFolders, type Hints } from './watch.ts'
export { removeScratch } from './scratch.ts'

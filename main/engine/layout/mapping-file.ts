// The text of a mapping file that was named on the command line.
import { absolute, baseOf, decodeMapping, dirOf, type Files, type MappingText } from '../io/index.ts'
import { problem, Refusal } from '../model/index.ts'

const longest = 64 << 20

/** '' asks for the built-in mapping. */
export const readMapping = (files: Files, given: string): string => readMappingFile(files, given).text

export function readMappingFile(files: Files, given: string): MappingText {
  if (given === '') return { text: '', encoding: 'utf-8' }
  const path = absolute(given)
  if (!/\.ya?ml$/i.test(baseOf(path))) throw new Refusal(problem('mapping-extension', path))
  files.allow(dirOf(path))
  if (!files.stat(path)) throw new Refusal(problem('not-found', path))
  return decodeMapping(files.readAll(path, longest))
}

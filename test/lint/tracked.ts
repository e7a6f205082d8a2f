// The files of the repository, as git lists them.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

/** Tracked files that still exist, and new ones that nothing ignores. */
export const tracked: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 },
)
  .split('\n')
  .filter(file => file !== '' && statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile())

export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

export const isText = (file: string): boolean =>
  !readFileSync(path.join(root, file)).subarray(0, 4096).includes(0)

export const sources = tracked.filter(
  file =>
    /^(?:main|preload|renderer|test|\.ci)\/.*\.(?:ts|tsx|mjs|cjs)$|^[^/]+\.(?:ts|mjs)$/.test(file) &&
    !file.startsWith('test/fixtures/'),
)

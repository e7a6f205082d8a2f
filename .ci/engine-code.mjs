// A digest of the engine's code: what it came to is kept on disk, and other code may come to something else.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// The configuration that calls this is put together elsewhere: the folder is that of the build.
const folder = path.resolve('main', 'engine')

export function engineCode() {
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) hash.update(path.relative(folder, file)).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

// Puts DuckDB's native library beside the code that loads it: what runs needs no node_modules.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const bindings = '@duckdb/node-bindings'
const found = '\0plumbline-duckdb'
/** Of this system, as npm has chosen it. */
const carrier = `${bindings}-${process.platform}-${process.arch}`
/** What of the carrier is loaded, and whose it is. */
export const library = ['*.node', '*.so', '*.dll', '*.dylib', 'LICENSE']
const wanted = new RegExp(`^(?:${library.join('|').replaceAll('.', '\\.').replaceAll('*', '.+')})$`)

export default function duckdb() {
  let root = ''
  return {
    name: 'plumbline-duckdb',
    enforce: 'pre',
    configResolved(config) {
      root = config.root
    },
    resolveId: id => (id === bindings ? found : null),
    // Beside the entries, one folder above the chunks, or where a packaged app keeps what lies outside its archive.
    load: id =>
      id === found
        ? `import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
const beside = ['./duckdb/duckdb.node', '../duckdb/duckdb.node'].map(place => fileURLToPath(new URL(place, import.meta.url)))
const packaged = process.resourcesPath ? [process.resourcesPath + '/duckdb/duckdb.node'] : []
const files = [...beside, ...packaged]
export default createRequire(import.meta.url)(files.find(file => existsSync(file)) ?? files[0])`
        : null,
    writeBundle({ dir }) {
      const resolve = createRequire(path.join(root, 'package.json')).resolve
      const from = path.dirname(resolve(`${carrier}/duckdb.node`))
      const to = path.join(dir, 'duckdb')
      mkdirSync(to, { recursive: true })
      for (const name of readdirSync(from))
        if (wanted.test(name)) copyFileSync(path.join(from, name), path.join(to, name))
    },
  }
}

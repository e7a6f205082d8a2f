// Puts SQLite's WebAssembly beside the code that reads it from its own folder.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const name = 'node-sqlite3-wasm.wasm'

export default function sqlite() {
  let root = ''
  return {
    name: 'plumbline-sqlite',
    configResolved(config) {
      root = config.root
    },
    generateBundle(_, bundle) {
      const folders = new Set(
        Object.values(bundle)
          .filter(part => part.type === 'chunk' && part.code.includes(name))
          .map(part => path.posix.dirname(part.fileName)),
      )
      if (folders.size === 0) return
      const source = readFileSync(
        path.join(
          path.dirname(createRequire(path.join(root, 'package.json')).resolve('node-sqlite3-wasm')),
          name,
        ),
      )
      for (const folder of folders)
        this.emitFile({ type: 'asset', fileName: path.posix.join(folder, name), source })
    },
  }
}

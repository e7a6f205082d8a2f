// The worker script for tests, built as the app builds it, once per state of the sources.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import asc from '../../.ci/asc-plugin.mjs'
import treeshake from '../../.ci/treeshake.mjs'

const root = path.resolve(import.meta.dirname, '..', '..')

/** Loaded by those who use it, from where it is installed: no bundle can hold a native library. */
export const native = ['@duckdb/node-api']

/** Builds an engine file for plain Node and answers where its script stands. */
export async function builtScript(entry: string): Promise<URL> {
  const to = path.join(tmpdir(), `plumbline-built-${fingerprint()}`)
  const name = path.basename(entry, '.ts')
  const script = path.join(to, name, `${name}.js`)
  if (!existsSync(script)) {
    const work = `${to}-${process.pid}-${name}-${performance.now()}`
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [asc()],
      build: {
        ssr: entry,
        outDir: work,
        emptyOutDir: true,
        minify: false,
        rolldownOptions: { external: native, treeshake, output: { entryFileNames: `${name}.js` } },
      },
      ssr: { noExternal: true, external: native },
    })
    mkdirSync(to, { recursive: true })
    // Another test process may have been first.
    if (existsSync(script)) rmSync(work, { recursive: true, force: true })
    else renameSync(work, path.join(to, name))
  }
  return pathToFileURL(script)
}

function fingerprint(): string {
  const hash = createHash('sha256')
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const at = path.join(folder, entry.name)
      if (entry.isDirectory()) walk(at)
      else if (entry.name.endsWith('.ts')) hash.update(`${at} ${statSync(at).mtimeMs}\n`)
    }
  }
  for (const folder of ['main', 'test/support', 'test/bench']) walk(path.join(root, folder))
  return hash.digest('hex').slice(0, 12)
}

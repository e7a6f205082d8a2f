// Compiles `import bytes from './kernels.as.ts?asc'` (AssemblyScript) to a Uint8Array of WebAssembly, for
// vite and vitest alike.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export default function asc() {
  let cache = ''
  return {
    name: 'plumbline-asc',
    enforce: 'pre',
    // The build copies this file into its configuration, so its own place says nothing.
    configResolved(config) {
      cache = path.join(config.root, 'node_modules', '.cache', 'asc')
    },
    async resolveId(source, importer) {
      if (!source.endsWith('?asc') || !importer) return null
      return path.resolve(path.dirname(importer.split('?')[0]), source.slice(0, -4)) + '?asc'
    },
    async load(id) {
      if (!id.endsWith('?asc')) return null
      const file = id.slice(0, -4)
      for (const part of partsOf(file)) this.addWatchFile?.(part)
      const base64 = Buffer.from(await compile(file, cache)).toString('base64')
      return `export default new Uint8Array(Buffer.from(${JSON.stringify(base64)}, 'base64'))\n`
    },
  }
}

/** The file and what it imports, directly or not. */
function partsOf(file, known = new Set()) {
  if (known.has(file)) return known
  known.add(file)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']*)'/g))
    partsOf(path.resolve(path.dirname(file), `${name}.ts`), known)
  return known
}

async function compile(file, cache) {
  const hash = createHash('sha256')
  for (const part of partsOf(file)) hash.update(readFileSync(part))
  const key = hash.digest('hex').slice(0, 16)
  const kept = path.join(cache, `${path.basename(file)}.${key}.wasm`)
  if (existsSync(kept)) return readFileSync(kept)
  const { default: asc } = await import('assemblyscript/asc')
  const out = new Map()
  const { error, stderr } = await asc.main(
    [
      path.basename(file),
      '--outFile',
      'out.wasm',
      '-O3',
      '--noAssert',
      '--runtime',
      'stub',
      '--enable',
      'simd',
      '--importMemory',
      '--initialMemory',
      '1',
    ],
    {
      readFile: (name, dir) => {
        try {
          return readFileSync(path.resolve(path.dirname(file), dir ?? '.', name), 'utf8')
        } catch {
          return null
        }
      },
      writeFile: (name, data) => {
        out.set(name, data)
      },
      listFiles: () => [],
    },
  )
  if (error) throw new Error(`${file}: ${error.message}\n${stderr.toString()}`)
  const wasm = out.get('out.wasm')
  mkdirSync(cache, { recursive: true })
  writeFileSync(kept, wasm)
  return wasm
}

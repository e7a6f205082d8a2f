// Writes the table of docs/mapping.md anew: node test/support/write-mapping.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'vite'
import asc from '../../.ci/asc-plugin.mjs'

const server = await createServer({
  configFile: false,
  plugins: [asc()],
  server: { middlewareMode: true },
  logLevel: 'error',
})
const { scores, table } = await server.ssrLoadModule('/test/support/proposed.ts')
const file = new URL('../../docs/mapping.md', import.meta.url)
const text = readFileSync(file, 'utf8')
writeFileSync(file, text.replace(/^\| kind and fixture[\s\S]*?\n(?!\|)/m, `${table(await scores())}\n`))
await server.close()

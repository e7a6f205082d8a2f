// Writes docs/parity.md from the table that the comparing code reads: node test/support/write-parity.mjs
import { writeFileSync } from 'node:fs'
import { createServer } from 'vite'

const server = await createServer({ configFile: false, server: { middlewareMode: true }, logLevel: 'error' })
const { parityDocument } = await server.ssrLoadModule('/test/support/parity-document.ts')
writeFileSync(new URL('../../docs/parity.md', import.meta.url), parityDocument())
await server.close()

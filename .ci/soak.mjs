// npm run soak [-- --cycles 500]: the built app opens, selects, exports and closes, again and again; what each process takes
// is printed, and must stay within a tenth of what it was after the fifth time.
import { parseArgs } from 'node:util'
import path from 'node:path'
import { build } from './build.mjs'
import { virtualDisplay } from './display.mjs'
import { root } from './electron.mjs'
import { run, setUp } from './setup.mjs'

const { values } = parseArgs({
  args: process.argv.slice(2).filter(word => word !== '--'),
  options: { cycles: { type: 'string', default: '500' } },
})
setUp()
build()
const stop = process.platform === 'linux' ? await virtualDisplay() : () => {}
run(
  process.execPath,
  [
    path.join(root, 'node_modules/@playwright/test/cli.js'),
    'test',
    '-c',
    'test/app/playwright.config.ts',
    'soak',
  ],
  { env: { ...process.env, SOAK_CYCLES: values.cycles } },
)
stop()

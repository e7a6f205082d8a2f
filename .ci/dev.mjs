// npm run dev [-- <debug> <bench>]: the app with hot reload.
import path from 'node:path'
import { electronFlags, root } from './electron.mjs'
import { run, setUp } from './setup.mjs'

setUp()
const from = process.env.INIT_CWD ?? process.cwd()
const paths = process.argv
  .slice(2)
  .filter(arg => arg !== '--')
  .map(file => path.resolve(from, file))
run(process.execPath, [
  path.join(root, 'node_modules/electron-vite/bin/electron-vite.js'),
  'dev',
  '--watch',
  '--',
  ...electronFlags,
  '--',
  ...paths,
])

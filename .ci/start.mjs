// npm start [-- <debug> <bench>]: sets up, builds what changed and opens the app; without a display does the
// main job and saves what it found.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { build } from './build.mjs'
import { hasDisplay, virtualDisplay } from './display.mjs'
import { electronFlags, root } from './electron.mjs'
import { say, setUp, stop } from './setup.mjs'

const from = process.env.INIT_CWD ?? process.cwd()
const paths = process.argv
  .slice(2)
  .filter(arg => arg !== '--')
  .map(file => path.resolve(from, file))

const electron = setUp()
build()
process.exitCode = hasDisplay() ? await openWindow() : await workWithoutWindow()

function openWindow() {
  const app = spawn(electron, [...electronFlags, root, '--', ...paths], { stdio: 'inherit' })
  return new Promise(resolve => app.once('exit', code => resolve(code ?? 0)))
}

async function workWithoutWindow() {
  const out = path.join(from, 'plumbline-output')
  const given =
    paths.length > 0 ? paths : ['debug', 'bench'].map(side => path.join(root, 'resources', 'sample', side))
  say(
    `There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window opens.\nComparing ${paths.length > 0 ? given.join(' with ') : 'the sample'} on the command line instead.\n`,
  )
  for (const file of given) if (!existsSync(file)) stop(`${file} does not exist.`)
  mkdirSync(out, { recursive: true })
  const { status } = spawnSync(
    process.execPath,
    [path.join(root, 'out/main/cli.js'), 'compare', ...given, '-o', out],
    { stdio: 'inherit' },
  )
  if (status !== 0) return status ?? 3

  const { pictureOf } = await import('./picture.mjs')
  const stopDisplay = await virtualDisplay('1680x1050')
  try {
    await pictureOf(given, path.join(out, 'window.png'))
  } finally {
    stopDisplay()
  }
  say(`\nResults and window.png, a picture of the window, are in ${out}`)
  return 0
}

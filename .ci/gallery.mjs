// npm run gallery [-- --shots <folder>]: every block and panel in every state, in a window; or a picture of
// each state in a folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { _electron } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { hasDisplay, virtualDisplay } from './display.mjs'
import { electronFlags, root } from './electron.mjs'
import { say, setUp, stop } from './setup.mjs'

const electron = setUp()
const args = process.argv.slice(2)
const shots = args.includes('--shots')
  ? path.resolve(process.env.INIT_CWD ?? '.', args[args.indexOf('--shots') + 1] ?? 'gallery')
  : ''
if (!shots && !hasDisplay())
  stop('There is no display here. Save pictures instead: npm run gallery -- --shots <folder>')
const stopDisplay = hasDisplay() ? () => {} : await virtualDisplay()

const server = await createServer({
  root,
  configFile: false,
  plugins: [react()],
  server: { host: '127.0.0.1' },
  logLevel: 'warn',
})
await server.listen()
const page = `${server.resolvedUrls.local[0]}test/gallery/index.html`

// A bare window: the gallery brings a host and an engine of its own.
const folder = mkdtempSync(path.join(os.tmpdir(), 'plumbline-gallery-'))
writeFileSync(
  path.join(folder, 'main.js'),
  `const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => new BrowserWindow({ width: 1600, height: 1000, title: 'Plumbline gallery' }).loadURL(${JSON.stringify(page)}))
app.on('window-all-closed', () => app.quit())\n`,
)
const app = await _electron.launch({
  executablePath: electron,
  args: [...electronFlags, path.join(folder, 'main.js')],
})
const window = await app.firstWindow()
if (shots) {
  mkdirSync(shots, { recursive: true })
  await window.waitForSelector('[data-gallery]')
  const states = await window
    .locator('[data-gallery]')
    .evaluateAll(frames =>
      frames.map(frame => ({
        name: frame.dataset.gallery,
        width: frame.clientWidth,
        height: frame.clientHeight,
      })),
    )
  for (const { name, width, height } of states) {
    await window.setViewportSize({ width, height })
    await window.goto(`${page}?state=${name}`)
    await window.waitForFunction(() => window.plumbline)
    // States that show waiting never come to rest.
    await Promise.race([window.evaluate(() => window.plumbline.idle()), window.waitForTimeout(4_000)])
    await window.screenshot({ path: path.join(shots, `${name}.png`) })
  }
  say(`Pictures are in ${shots}`)
  await app.close()
} else {
  await new Promise(resolve => app.once('close', resolve))
}
await server.close()
stopDisplay()
rmSync(folder, { recursive: true, force: true })

// node .ci/icon.mjs: draws resources/icon.png (512 × 512, transparent corners) from icon.svg. Run by hand
// after changing the drawing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { _electron } from '@playwright/test'
import { hasDisplay, virtualDisplay } from './display.mjs'
import { electronFlags, root } from './electron.mjs'
import { setUp } from './setup.mjs'

const electron = setUp()
const stop = hasDisplay() ? () => {} : await virtualDisplay()
const folder = mkdtempSync(path.join(os.tmpdir(), 'plumbline-icon-'))
writeFileSync(
  path.join(folder, 'main.js'),
  "const { app, BrowserWindow } = require('electron')\napp.whenReady().then(() => new BrowserWindow({ width: 512, height: 512, useContentSize: true, frame: false }).loadURL('data:text/html,'))\n",
)
const app = await _electron.launch({
  executablePath: electron,
  args: [...electronFlags, path.join(folder, 'main.js')],
})
const page = await app.firstWindow()
await page.setContent(
  `<style>* { margin: 0 } svg { display: block; width: 512px; height: 512px }</style>${readFileSync(path.join(root, 'resources/icon.svg'), 'utf8')}`,
)
await page.locator('svg').screenshot({ path: path.join(root, 'resources/icon.png'), omitBackground: true })
await app.close()
rmSync(folder, { recursive: true })
stop()

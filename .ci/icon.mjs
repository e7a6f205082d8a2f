// node .ci/icon.mjs: draws resources/icon.png (512 × 512, transparent corners) and icon.ico from icon.svg. Run
// by hand after changing the drawing.
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
const svg = readFileSync(path.join(root, 'resources/icon.svg'), 'utf8')
const resources = name => path.join(root, 'resources', name)
writeFileSync(resources('icon.png'), await drawn(512))
const sizes = [16, 24, 32, 48, 64, 128, 256]
writeFileSync(resources('icon.ico'), icoOf(await inTurn(sizes, drawn)))
await app.close()
rmSync(folder, { recursive: true })
stop()

async function drawn(size) {
  await page.setContent(
    `<style>* { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${svg}`,
  )
  return page.locator('svg').screenshot({ omitBackground: true })
}

async function inTurn(items, work) {
  const done = []
  for (const item of items) done.push(await work(item))
  return done
}

/** An icon file is a table of pictures, which may be PNG as they are; a side of 256 is written as 0. */
function icoOf(pictures) {
  const [head, row] = [6, 16]
  const table = Buffer.alloc(head + row * pictures.length)
  table.writeUInt16LE(1, 2)
  table.writeUInt16LE(pictures.length, 4)
  let at = table.length
  pictures.forEach((picture, i) => {
    const start = head + row * i
    table.writeUInt8(sizes[i] % 256, start)
    table.writeUInt8(sizes[i] % 256, start + 1)
    table.writeUInt16LE(1, start + 4)
    table.writeUInt16LE(32, start + 6)
    table.writeUInt32LE(picture.length, start + 8)
    table.writeUInt32LE(at, start + 12)
    at += picture.length
  })
  return Buffer.concat([table, ...pictures])
}

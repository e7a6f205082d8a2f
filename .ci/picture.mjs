// Opens the built app on some folders, waits until nothing moves, and saves what the window shows.
// node .ci/picture.mjs: takes the pictures of docs/pictures anew.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { _electron } from '@playwright/test'
import { electronFlags, findElectron, root } from './electron.mjs'

/** `settings` are those of the settings file; the window is as large as `bounds` says. */
export async function pictureOf(paths, file, settings = {}) {
  const data = mkdtempSync(path.join(os.tmpdir(), 'plumbline-picture-'))
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify(settings))
  const app = await _electron.launch({
    executablePath: findElectron().path,
    args: [...electronFlags, `--user-data-dir=${data}`, root, '--', ...paths],
  })
  try {
    const page = await app.firstWindow()
    await page.waitForFunction(() => window.plumbline)
    await page.evaluate(() => window.plumbline.idle())
    // Panels are loaded when they are first shown, which is no call of the engine.
    await page.waitForFunction(() => document.querySelector('.skeleton') === null)
    await page.evaluate(() => window.plumbline.idle())
    await page.screenshot({ path: file })
  } finally {
    await app.close()
    rmSync(data, { recursive: true, force: true })
  }
}

async function documentPictures() {
  const { build } = await import('./build.mjs')
  const { setUp } = await import('./setup.mjs')
  const { hasDisplay, virtualDisplay } = await import('./display.mjs')
  setUp()
  build()
  const stop = hasDisplay() ? () => {} : await virtualDisplay()
  const folder = path.join(root, 'docs', 'pictures')
  mkdirSync(folder, { recursive: true })
  const sample = ['debug', 'bench'].map(side => path.join(root, 'resources', 'sample', side))
  const sized = (width, height) => ({ x: 0, y: 0, width, height, maximized: false, fullScreen: false })
  for (const theme of ['light', 'dark'])
    for (const language of ['en', 'zh'])
      await pictureOf(sample, path.join(folder, `sample-${theme}-${language}.png`), {
        theme,
        language,
        bounds: sized(1520, 940),
      })
  await pictureOf([], path.join(folder, 'empty-light-en.png'), {
    theme: 'light',
    language: 'en',
    bounds: sized(1520, 940),
  })
  await pictureOf(sample, path.join(folder, 'sample-small.png'), {
    theme: 'light',
    language: 'en',
    bounds: sized(1024, 640),
  })
  await pictureOf(sample, path.join(folder, 'sample-large.png'), {
    theme: 'dark',
    language: 'zh',
    bounds: sized(2560, 1440),
  })
  stop()
}

if (process.argv[1] === import.meta.filename) await documentPictures()

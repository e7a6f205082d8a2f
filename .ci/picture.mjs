// Opens the built app on some folders, waits until nothing moves, and saves what the window shows.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { _electron } from '@playwright/test'
import { electronFlags, findElectron, root } from './electron.mjs'

export async function pictureOf(paths, file) {
  const data = mkdtempSync(path.join(os.tmpdir(), 'plumbline-picture-'))
  const app = await _electron.launch({ executablePath: findElectron().path, args: [...electronFlags, `--user-data-dir=${data}`, root, '--', ...paths] })
  try {
    const page = await app.firstWindow()
    await page.waitForFunction(() => window.plumbline)
    await page.evaluate(() => window.plumbline.idle())
    await page.screenshot({ path: file })
  } finally {
    await app.close()
    rmSync(data, { recursive: true, force: true })
  }
}

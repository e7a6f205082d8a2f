// Folders that a test may fill; they are gone when its file is done.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-test-'))
  made.push(folder)
  return folder
}

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

// Folders of this process in the scratch folder: they go with it, and what a process left that was ended from outside goes
// with the next one that needs room.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { realPath } from './paths.ts'

const ours = /^plumbline-(\d+)-\w{6}$/
/** Processes of other containers are not seen from here; theirs are younger. */
const abandonedMs = 60 * 60_000

const folders = new Set<string>()
let clearsUp = false

export function makeScratch(parent: string): string {
  mkdirSync(parent, { recursive: true })
  removeAbandoned(parent)
  const folder = realPath(mkdtempSync(path.join(parent, `plumbline-${process.pid}-`)))
  folders.add(folder)
  if (!clearsUp) process.once('exit', removeAll)
  clearsUp = true
  return folder
}

/** Somebody else looks after it from now on. */
export const forgetScratch = (folder: string): boolean => folders.delete(folder)

export function removeScratch(folder: string): void {
  folders.delete(folder)
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Somebody still reads it: the next one that needs room removes it.
  }
}

function removeAll(): void {
  for (const folder of folders) removeScratch(folder)
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(ours.exec(name)?.[1] ?? 0)
    const folder = path.join(parent, name)
    const since = pid > 0 ? statSync(folder, { throwIfNoEntry: false })?.mtimeMs : undefined
    if (since !== undefined && Date.now() - since > abandonedMs && !isRunning(pid)) removeScratch(folder)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be asked.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

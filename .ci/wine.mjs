// Windows without Windows: wine from Debian's packages and the node.exe that carriers.json pins.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { root, windowsNode } from './electron.mjs'
import { fetchCarrier, installed } from './setup.mjs'

/**
 * @returns {{ node: string, prefix: string } | { missing: string }} node.exe and the folder of wine's drives
 */
export function wine() {
  if (process.platform !== 'linux') return { missing: 'wine is for Linux' }
  if (!installed(['wine'], ['wine64', 'wine']))
    return { missing: 'wine is not here and could not be installed' }
  const node = path.join(fetchCarrier(windowsNode), 'node.exe')
  const prefix = path.join(root, 'node_modules', '.cache', 'wine')
  mkdirSync(prefix, { recursive: true })
  // Node asks for Windows 10; wine calls itself something older.
  spawnSync('wine', ['winecfg', '-v', 'win10'], { env: environment(prefix), stdio: 'ignore' })
  return { node, prefix }
}

export const environment = prefix => ({ ...process.env, WINEPREFIX: prefix, WINEDEBUG: '-all' })

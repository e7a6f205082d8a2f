// Collects which packages really end up in the bundles, and writes their licences into notices.txt beside the
// page, for the About dialog and the packages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Part of the WebAssembly that it compiles. */
const compiledIn = ['assemblyscript']

/** One for all builds of a run: the page's build, which is the last, writes what all of them bundled. */
export default function notices() {
  const folders = new Set()
  let root = ''
  const collect = {
    name: 'plumbline-notices',
    configResolved() {
      root = process.cwd()
    },
    generateBundle(_options, bundle) {
      for (const { moduleIds = [] } of Object.values(bundle))
        for (const id of moduleIds) {
          const folder = packageOf(id)
          if (folder) folders.add(folder)
        }
    },
  }
  const write = {
    ...collect,
    generateBundle(options, bundle) {
      collect.generateBundle(options, bundle)
      for (const name of compiledIn) folders.add(path.join(root, 'node_modules', name))
      this.emitFile({ type: 'asset', fileName: 'notices.txt', source: textOf([...folders]) })
    },
  }
  return { collect, write }
}

/** The folder of the package that a module belongs to, or undefined for the product's own. */
export function packageOf(id) {
  const file = id.replace(/^\0/, '').split('?')[0].replaceAll('\\', '/')
  const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]
  return found && existsSync(path.join(found, 'package.json')) ? found : undefined
}

const textOf = folders =>
  folders
    .map(noticeOf)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ head, text }) => `${'='.repeat(78)}\n${head}\n${'='.repeat(78)}\n\n${text.trim()}\n`)
    .join('\n')

function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.map(file => readFileSync(path.join(folder, file), 'utf8'))
  const by = typeof author === 'string' ? author : author?.name
  return {
    name,
    head: `${name} ${version} (${license ?? 'see below'})`,
    // Some packages name their licence without carrying its text.
    text: texts.join('\n\n') || [`Licence: ${license}`, ...(by ? [`Copyright: ${by}`] : [])].join('\n'),
  }
}

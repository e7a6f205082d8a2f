// Who may import whom. [files, what they may import]: the first line that matches decides; the rest is
// forbidden. Inside the engine, folders follow each other in one order and are entered through their index.ts.
import path from 'node:path'

const contract = /^preload\/contract\//
const engine = /^main\/engine\//
const nouns = 'main/engine/model/shared.ts'
const names = 'main/engine/model/names.ts'
const doors = /^main\/engine\/(?:doors\/(?:window|command)\/index|threads\/worker)\.ts$/

export const borders = [
  [/^main\/engine\/(?:io|work)\//, [engine, 'npm', 'node']],
  [/^main\/engine\/doors\//, [engine, 'npm', `type ${contract.source}`]],
  [engine, [engine, 'npm']],
  [
    /^main\/(?:cli|utility|worker|sentences)\b/,
    [doors, nouns, /^main\/sentences\.ts$/, /^main\/(?:cli\/|sealed\.ts$)/, contract, 'npm', 'node'],
  ],
  [/^main\//, [/^main\/[^/]+$/, contract, 'npm', 'node', 'electron']],
  [contract, [contract, 'npm', names, `type ${nouns}`]],
  [/^preload\//, [/^preload\//, 'electron']],
  [
    /^renderer\/panels\/([^/]+)\//,
    [/^renderer\/panels\/$1\//, /^renderer\/(?:state|ui)\//, 'renderer/engine.ts', contract, 'npm'],
  ],
  [/^renderer\//, [/^renderer\//, contract, 'npm']],
  [/^test\//, [/./, 'npm', 'node', 'electron']],
  [/^(?:electron\.vite\.config\.ts$|\.ci\/)/, [/./, 'npm', 'node', 'electron']],
]

/** Folders of the engine, in the order in which values flow; types may look ahead. */
export const order = [
  'model',
  'names',
  'rules',
  'work',
  'io',
  'json',
  'python',
  'parallel',
  'formats',
  'layout',
  'flow',
  'pair',
  'mapping',
  'measure',
  'inspect',
  'recompute',
  'judge',
  'noise',
  'precheck',
  'series',
  'trend',
  'overflow',
  'replicas',
  'config',
  'collect',
  'live',
  'vector',
  'graph',
  'advisor',
  'view',
  'report',
  'dataset',
  'study',
  'session',
  'threads',
  'doors/window',
  'doors/command',
]

const kindOf = name => (/^electron(\/|$)/.test(name) ? 'electron' : name.startsWith('node:') ? 'node' : 'npm')

/** The folder of the engine that a file stands in; '' outside the engine. */
const folderOf = file => /^main\/engine\/((?:doors\/)?[^/]+)\//.exec(file)?.[1] ?? ''

export function reasonAgainst(file, target, typeOnly) {
  const line = borders.find(([who]) => who.test(file))
  if (!line) return `${file} belongs to no folder of the house`
  const group = line[0].exec(file)[1] ?? ''
  if (!line[1].some(may => allows(may, group, target, typeOnly))) return `${file} may not import ${target}`
  return engine.test(file) && engine.test(target) ? reasonInside(file, target, typeOnly) : undefined
}

function allows(may, group, target, typeOnly) {
  if (may instanceof RegExp) return new RegExp(may.source.replace('$1', group)).test(target)
  if (!may.startsWith('type ')) return may === target
  return typeOnly && (may.slice(5) === target || new RegExp(may.slice(5)).test(target))
}

function reasonInside(file, target, typeOnly) {
  const [from, to] = [folderOf(file), folderOf(target)]
  for (const [of, folder] of [
    [file, from],
    [target, to],
  ])
    if (!order.includes(folder)) return `${of} stands in no folder of the engine`
  if (from === to) return undefined
  if (target !== `main/engine/${to}/index.ts`) return `${target} is inside a folder: enter ${to}/index.ts`
  if (!typeOnly && order.indexOf(to) > order.indexOf(from)) return `${to} comes after ${from} in the engine`
  return undefined
}

const rule = {
  create(context) {
    const file = path.relative(process.cwd(), context.filename).replaceAll('\\', '/')
    const check = node => {
      const from = node.source?.value
      if (typeof from !== 'string') return
      const target = from.startsWith('.')
        ? path.posix.join(path.posix.dirname(file), from.split('?')[0])
        : kindOf(from)
      const message = reasonAgainst(file, target, node.importKind === 'type' || node.exportKind === 'type')
      if (message) context.report({ node, message: `${message} (ARCHITECTURE.md, Borders)` })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    }
  },
}

export default { meta: { name: 'plumbline' }, rules: { borders: rule } }

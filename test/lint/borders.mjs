// Who may import whom. [files, what they may import]: the first line that matches decides; the rest is forbidden.
import path from 'node:path'

const contract = /^preload\/contract\//
export const borders = [
  [/^main\/engine\/(?:io|work|worker)\b/, [/^main\/engine\//, 'npm', 'node', 'type preload/contract/engine.ts']],
  [/^main\/engine\//, [/^main\/engine\//, 'npm', 'type preload/contract/engine.ts']],
  [/^main\/(?:cli|utility|sentences)\b/, [/^main\/engine\/(?:index|batch\/index|model|problem)\.ts$/, /^main\/sentences\.ts$/, /^main\/(?:cli\/|sealed\.ts$)/, contract, 'npm', 'node']],
  [/^main\//, [/^main\/[^/]+$/, contract, 'npm', 'node', 'electron']],
  [contract, [contract, 'npm', 'type main/engine/model.ts', 'type main/engine/problem.ts']],
  [/^preload\//, [/^preload\//, 'electron']],
  [/^renderer\/panels\/([^/]+)\//, [/^renderer\/panels\/$1\//, /^renderer\/(?:state|ui)\//, 'renderer/engine.ts', contract, 'npm']],
  [/^renderer\//, [/^renderer\//, contract, 'npm']],
  [/^test\//, [/./, 'npm', 'node', 'electron']],
  [/^(?:electron\.vite\.config\.ts$|\.ci\/)/, [/./, 'npm', 'node', 'electron']],
]
const order = ['model', 'problem', 'columns', 'dump', 'job', 'io', 'work', 'formats', 'result', 'metrics', 'match', 'graph', 'advisor',
  'view', 'report', 'unit', 'unit-reports', 'sources', 'session', 'tasks', 'worker', 'index']

const kindOf = name => (/^electron(\/|$)/.test(name) ? 'electron' : name.startsWith('node:') ? 'node' : 'npm')
const step = file => order.indexOf(/^main\/engine\/([^/.]+)/.exec(file)?.[1] ?? '')

export function reasonAgainst(file, target, typeOnly) {
  const line = borders.find(([who]) => who.test(file))
  if (!line) return `${file} belongs to no folder of the house`
  const group = line[0].exec(file)[1] ?? ''
  const ok = line[1].some(may =>
    may instanceof RegExp ? new RegExp(may.source.replace('$1', group)).test(target)
    : may.startsWith('type ') ? typeOnly && may.slice(5) === target
    : may === target)
  if (!ok) return `${file} may not import ${target}`
  if (!typeOnly && step(target) > step(file) && step(file) >= 0) return `${target} comes after ${file} in the engine`
  return undefined
}

const rule = {
  create(context) {
    const file = path.relative(process.cwd(), context.filename).replaceAll('\\', '/')
    const check = node => {
      const from = node.source?.value
      if (typeof from !== 'string') return
      const target = from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from.split('?')[0]) : kindOf(from)
      const message = reasonAgainst(file, target, node.importKind === 'type' || node.exportKind === 'type')
      if (message) context.report({ node, message: `${message} (ARCHITECTURE.md, Borders)` })
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check }
  },
}

export default { meta: { name: 'plumbline' }, rules: { borders: rule } }

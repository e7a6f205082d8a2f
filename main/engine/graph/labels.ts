// What is written on boxes: names without what the box around them says already, cut so that the telling end stays; widths by classes of characters.
import { NodeKind, nodeName, type Graph } from './graph.ts'

const moduleId = /^(?:Module|Cell)\.(.+)\.(?:forward|backward)\.(\d+)$/s
const gradientsId = /^(?:Module|Cell)\.(.+)\.parameters_grad(?:\.\d+)?$/s
const apiId = /^([^.]+)\.(.+)\.(?:forward|backward)$/s

/** Label of a node: a module by its path below its parent and its class, an API by its name and call number. */
export function labelOf(graph: Graph, node: number): string {
  const id = nodeName(graph, node)
  const kind = graph.kind[node]
  const above = graph.parent[node]
  const module = moduleId.exec(id)
  if (module) {
    const [, path, call] = module
    const label = pathBelow(path, above < 0 ? '' : nodeName(graph, above))
    return call === '0' ? label : `${label} #${call}`
  }
  const gradients = gradientsId.exec(id)
  if (gradients) return `${pathBelow(gradients[1], '')} grad`
  const api = kind === NodeKind.api ? apiId.exec(id) : null
  if (api) return above <= 0 || graph.kind[above] === NodeKind.group ? `${api[1]}.${api[2]}` : api[2]
  return id
}

function pathBelow(path: string, parent: string): string {
  const [, above = ''] = moduleId.exec(parent) ?? []
  const outer = above.split('.').slice(0, -1)
  const own = path.split('.')
  let shared = 0
  while (shared < outer.length && shared < own.length - 2 && outer[shared] === own[shared]) shared++
  return own.slice(shared === outer.length ? shared : 0).join('.')
}

const widths = new Float32Array(128).fill(7)
const put = (chars: string, width: number): void => {
  for (const char of chars) widths[char.charCodeAt(0)] = width
}
put("ijl.,:;|!'`", 3.4)
put('frt()[]{}-" /\\', 4.8)
put('ABCDEFGHJKLNOPQRSTUVXYZ&%', 8.3)
put('I', 3.8)
put('mwMW@', 10.8)
put('_', 6.2)

const wide = 12.5
const fallback = 7.5

const widthOf = (code: number): number => (code < 128 ? widths[code] : code >= 0x2e80 ? wide : fallback)

/** Width of a text in pixels at zoom 1. */
export function textWidth(text: string): number {
  let width = 0
  for (let i = 0; i < text.length; i++) width += widthOf(text.charCodeAt(i))
  return width
}

const ellipsis = '…'

/** The end of a text that fits into a width. */
export function cutFront(text: string, room: number): string {
  if (textWidth(text) <= room) return text
  let left = room - widthOf(ellipsis.charCodeAt(0))
  let at = text.length
  while (at > 0 && left >= widthOf(text.charCodeAt(at - 1))) left -= widthOf(text.charCodeAt(--at))
  if (at < text.length && isLowSurrogate(text.charCodeAt(at))) at++
  return ellipsis + text.slice(at)
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

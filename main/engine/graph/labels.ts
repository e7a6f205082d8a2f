// What is written on boxes: names without what the box around them says already, cut so that the telling end
// stays; widths by classes of characters.
import type { NodeRow } from '../model/index.ts'
import { NodeKind, nodeName, type Graph } from './graph.ts'

/**
 * Label of a node: a module by its path below its parent and its class, an API by its name and call number.
 */
export function labelOf(graph: Graph, node: NodeRow): string {
  const id = nodeName(graph, node)
  const kind = graph.kind[node]
  const above = graph.parent[node]
  const own = graph.names.label?.(id, above < 0 ? '' : nodeName(graph, above))
  if (own !== undefined) return own
  const { form, type, path, ofModule, call } = graph.names.parse(id)
  if (path === '') return id
  if (form === 'module' && ofModule) {
    const label = pathBelow(graph, path, above)
    return call === 0 ? label : `${label} #${call}`
  }
  if (form === 'gradients' && ofModule) return `${pathBelow(graph, path, -1)} grad`
  if (form !== 'api' || kind !== NodeKind.api) return id
  return above <= 0 || graph.kind[above] === NodeKind.group ? `${type}.${path}.${call}` : `${path}.${call}`
}

/** Siblings are labelled one after the other: the path around the last ones is kept. */
const around = new WeakMap<Graph, { readonly above: NodeRow; readonly path: readonly string[] }>()

function pathAround(graph: Graph, above: NodeRow): readonly string[] {
  const known = around.get(graph)
  if (known?.above === above) return known.path
  const { form, ofModule, path } = graph.names.parse(above < 0 ? '' : nodeName(graph, above))
  const found = { above, path: form === 'module' && ofModule ? path.split('.').slice(0, -1) : [] }
  around.set(graph, found)
  return found.path
}

function pathBelow(graph: Graph, path: string, above: NodeRow): string {
  const outer = pathAround(graph, above)
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

function widthOf(code: number): number {
  if (code < 128) return widths[code]
  return code >= 0x2e80 ? wide : fallback
}

/** Width of a text in pixels at zoom 1. */
export function textWidth(text: string): number {
  let width = 0
  for (let i = 0; i < text.length; i++) width += widthOf(text.charCodeAt(i))
  return width
}

const ellipsis = '…'

/**
 * The end of a name that fits into a width: cut at a dot, unless that would take from the last two parts, a
 * node's own name.
 */
export function cutFront(text: string, room: number): string {
  if (textWidth(text) <= room) return text
  let left = room - widthOf(ellipsis.charCodeAt(0))
  let at = text.length
  while (at > 0 && left >= widthOf(text.charCodeAt(at - 1))) left -= widthOf(text.charCodeAt(--at))
  const dot = text.indexOf('.', Math.max(0, at - 1))
  const ownName = text.lastIndexOf('.', text.lastIndexOf('.') - 1)
  if (dot >= 0 && dot <= ownName) at = dot + 1
  else if (at < text.length && isLowSurrogate(text.charCodeAt(at))) at++
  return ellipsis + text.slice(at)
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

// Forward calls that were recomputed during the backward pass hang at the root; msprobe 26 puts them
// below the backward call they served.
import { Direction, type Dump, type NodeRow } from '../model/index.ts'
import { NodeKind } from './graph.ts'
import type { Nodes } from './build.ts'

/** Moves recomputed modules from the root to the backward twin of the parent of their first forward call. */
export function repairRecompute(nodes: Nodes, dump: Dump): void {
  const { texts, names } = dump
  const atRoot = new Set<string>()
  const byPrefix = new Map<string, NodeRow[]>()
  const recomputed: { readonly node: NodeRow; readonly prefix: string; readonly direction: Direction }[] = []
  const ids: { node: NodeRow; id: string }[] = []
  for (const node of nodes.attached.subarray(0, nodes.attachedLength)) {
    const id = texts.get(nodes.name[node])
    ids.push({ node, id })
    if (nodes.parent[node] === 0) atRoot.add(id)
  }
  for (const { node, id } of ids) {
    if (nodes.kind[node] !== NodeKind.module) continue
    const { form, owner: prefix, direction, call } = names.parse(id)
    if (form !== 'module') continue
    const forward = names.moduleCall(prefix, Direction.forward, call)
    const twin =
      direction === Direction.forward ? names.moduleCall(prefix, Direction.backward, call) : forward
    if (nodes.parent[node] === 0 && names.isNested(id) && atRoot.has(twin) && isRecomputed(dump, forward)) {
      recomputed.push({ node, prefix, direction })
    } else if (direction === Direction.forward && nodes.parent[node] !== 0) {
      const others = byPrefix.get(prefix)
      if (others) others.push(node)
      else byPrefix.set(prefix, [node])
    }
  }
  const used = new Map<string, number>()
  for (const { node, prefix, direction } of recomputed) {
    const key = `${direction} ${prefix}`
    const nth = used.get(key) ?? 0
    used.set(key, nth + 1)
    const first = byPrefix.get(prefix)?.[nth]
    if (first === undefined) continue
    const above = texts.findPlain(
      names.turned(texts.get(nodes.name[nodes.parent[first]]), Direction.backward),
    )
    const target = above < 0 ? -1 : nodes.find(above)
    if (target >= 0 && !isBelow(nodes, target, node)) nodes.parent[node] = target
  }
}

function isBelow(nodes: Nodes, node: NodeRow, top: NodeRow): boolean {
  for (let at = node; at >= 0; at = nodes.parent[at]) if (at === top) return true
  return false
}

/** PyTorch leaves traces in the stack; MindSpore none, there the form of the name decides alone. */
function isRecomputed(dump: Dump, forwardId: string): boolean {
  if (dump.header.framework === 'mindspore') return true
  const code = dump.texts.findPlain(forwardId)
  const stack = code < 0 ? -1 : dump.stacks.of(code)
  if (stack < 0) return false
  const frames = dump.stacks.frames(stack).map(line => /^File (.*?), line \d+, in (\w+)/s.exec(line))
  return frames.some((frame, i) => {
    if (!frame) return false
    if (frame[2] === 'recompute_fn' && frame[1].endsWith('torch/utils/checkpoint.py')) return true
    const asks =
      frame[2] === 'backward' ||
      (frame[2] === 'checkpoint_function_backward' && frame[1].includes('megatron'))
    return asks && frames.slice(i + 1, i + 3).some(next => next?.[1].endsWith('torch/autograd/function.py'))
  })
}

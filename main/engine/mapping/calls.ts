// What the calls of a dump are to each other: the module around each, the forward call of each backward one.
import { Direction, type Dump } from '../model/index.ts'
import { apiOf } from '../pair/index.ts'

interface Calls {
  /** By op: the op of the module that called it, -1 none. */
  readonly parents: Int32Array
  /** By op: the forward call of a backward one, -1 for any other. */
  readonly forward: Int32Array
  /** By op: 1 for calls and gradients of modules, and of those 2 for calls. */
  readonly module: Uint8Array
  /** By op: its api, by which calls of two frameworks are alike. */
  readonly words: readonly string[]
}

const known = new WeakMap<Dump, Calls>()

export function callsOf(dump: Dump): Calls {
  let calls = known.get(dump)
  if (!calls) known.set(dump, (calls = read(dump)))
  return calls
}

function read({ ops, construct, texts, names }: Dump): Calls {
  const byName = new Map<number, number>()
  for (let op = 0; op < ops.length; op++) byName.set(ops.name[op], op)
  const parents = new Int32Array(ops.length).fill(-1)
  const forward = new Int32Array(ops.length).fill(-1)
  const module = new Uint8Array(ops.length)
  const words: string[] = []
  for (let op = 0; op < ops.length; op++) {
    const name = texts.get(ops.name[op])
    const said = names.parse(name)
    const entry = construct.find(ops.name[op])
    if (entry >= 0 && construct.parent[entry] >= 0) parents[op] = byName.get(construct.parent[entry]) ?? -1
    if (said.direction === Direction.backward)
      forward[op] = byName.get(texts.findPlain(names.turned(name, Direction.forward))) ?? -1
    if (said.ofModule) module[op] = said.form === 'module' ? 2 : 1
    words.push(apiOf(name))
  }
  cutCircles(parents)
  return { parents, forward, module, words }
}

/** A broken file may say that a call holds itself. */
function cutCircles(parents: Int32Array): void {
  const seenFrom = new Int32Array(parents.length).fill(-1)
  for (let op = 0; op < parents.length; op++)
    for (let at = op; at >= 0 && seenFrom[at] < 0; at = parents[at]) {
      seenFrom[at] = op
      if (parents[at] >= 0 && seenFrom[parents[at]] === op) parents[at] = -1
    }
}

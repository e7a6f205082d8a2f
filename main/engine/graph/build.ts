// From construct.json and the op table to the hierarchy of one dump, by the rules of the chosen generation.
import { type GraphRules, ruleSets } from '../rules/index.ts'
import {
  Direction,
  type Dump,
  type Ids,
  type NameGrammar,
  type NodeRow,
  type OpRow,
  problem,
  type Problem,
  type Rules,
  type TextCode,
  type TextPool,
} from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { cutDepth, deepestLevel, NodeKind, finishGraph, rootId, type Graph } from './graph.ts'
import { repairRecompute } from './recompute.ts'

const pseudo = new Set(['optimizer', 'clip_grad'])

const encoder = new TextEncoder()

/** Kind of a node by how its id begins; -1 for an unknown form. */
function kindByBytes(names: NameGrammar): (texts: TextPool, code: TextCode) => NodeKind | -1 {
  const end = names.moduleEnd
  if (end !== undefined)
    return (texts, code) => (texts.get(code).endsWith(end) ? NodeKind.module : NodeKind.api)
  const beginnings = names.beginnings.map(({ word, is, more }) => ({
    bytes: encoder.encode(word),
    kind: NodeKind[is],
    more,
  }))
  const byFirst = Array.from({ length: 128 }, (_, byte) => beginnings.filter(one => one.bytes[0] === byte))
  return (texts, code) => {
    const candidates = byFirst[texts.firstByte(code) & 127]
    for (let i = 0; i < candidates.length; i++) {
      const { bytes, kind, more } = candidates[i]
      if (texts.startsWith(code, bytes) && (!more || texts.bytesOf(code) > bytes.length)) return kind
    }
    return -1
  }
}

const larger = <T extends Uint32Array | Int32Array | Uint8Array>(old: T): T => {
  const grown = new (old.constructor as new (length: number) => T)(old.length * 2)
  grown.set(old)
  return grown
}

/** The growing columns while construct.json is walked. */
export class Nodes {
  readonly dump: Dump
  length = 0
  name: Uint32Array
  kind: Uint8Array
  parent: Int32Array
  op: Int32Array
  micro: Int32Array
  attached: Uint32Array
  attachedLength = 0
  /** Where in construct.json a node was first met. */
  met: Uint32Array
  readonly #byCode: Ids<TextCode, NodeRow>
  readonly #late = new Map<number, number>()
  readonly kindOf: (texts: TextPool, code: TextCode) => NodeKind | -1

  constructor(dump: Dump) {
    this.dump = dump
    this.kindOf = kindByBytes(dump.names)
    this.#byCode = new Int32Array(dump.texts.size).fill(-1)
    const likely = dump.construct.length + 1024
    this.name = new Uint32Array(likely)
    this.kind = new Uint8Array(likely)
    this.parent = new Int32Array(likely)
    this.op = new Int32Array(likely)
    this.micro = new Int32Array(likely)
    this.attached = new Uint32Array(likely)
    this.met = new Uint32Array(likely)
  }

  find(code: TextCode): NodeRow {
    return code < this.#byCode.length ? this.#byCode[code] : (this.#late.get(code) ?? -1)
  }

  create(code: TextCode, kind: NodeKind, op: OpRow, met: number): NodeRow {
    if (this.length === this.name.length) this.#grow()
    const node = this.length++
    this.name[node] = code
    this.kind[node] = kind
    this.parent[node] = -1
    this.op[node] = op
    this.micro[node] = -1
    this.met[node] = met
    if (code < this.#byCode.length) this.#byCode[code] = node
    else this.#late.set(code, node)
    return node
  }

  getOrCreate(code: TextCode, opOf: Ids<TextCode, OpRow>, met: number): NodeRow {
    const known = this.find(code)
    if (known >= 0) return known
    const kind = this.kindOf(this.dump.texts, code)
    return this.create(code, kind === -1 ? NodeKind.module : kind, code < opOf.length ? opOf[code] : -1, met)
  }

  attach(node: NodeRow, parent: NodeRow): void {
    this.parent[node] = parent
    this.attached[this.attachedLength++] = node
  }

  /** A column that a method holds on to is an old one after `create`. */
  #grow(): void {
    this.name = larger(this.name)
    this.kind = larger(this.kind)
    this.parent = larger(this.parent)
    this.op = larger(this.op)
    this.micro = larger(this.micro)
    this.attached = larger(this.attached)
    this.met = larger(this.met)
  }
}

/** The graph of one dump. A dump without hierarchy gives the root alone and the problem `no-hierarchy`. */
export async function buildGraph(dump: Dump, rules: Rules, job: Job): Promise<Graph> {
  const how = ruleSets[rules].graph
  const { texts, construct, ops } = dump
  const problems: Problem[] = []
  if (construct.length === 0)
    problems.push(problem('no-hierarchy', dump.construct.file || dump.dir, {}, 'warning'))

  const opOf = new Int32Array(texts.size).fill(-1)
  for (let op = 0; op < ops.length; op++) if (opOf[ops.name[op]] < 0) opOf[ops.name[op]] = op

  const nodes = new Nodes(dump)
  const root = nodes.create(texts.addPlain(rootId), NodeKind.module, -1, 0)
  const parents = new Parents(dump, how, nodes.kindOf)
  let unknownOps = 0
  for (let entry = 0; entry < construct.length; entry++) {
    if ((entry & 1023) === 1023) await job.breathe()
    const code = construct.child[entry]
    const above = parents.of(entry)
    const parent = above < 0 ? root : nodes.getOrCreate(above, opOf, entry)
    const node = nodes.getOrCreate(code, opOf, entry)
    if (nodes.parent[node] < 0 && node !== parent && node !== root) nodes.attach(node, parent)
    if (code < opOf.length && opOf[code] < 0 && !mayLackOp(dump.names, texts.get(code))) unknownOps++
  }
  if (unknownOps > 0)
    problems.push(problem('construct-unknown-op', dump.construct.file, { count: unknownOps }, 'note'))

  if (how.gradientNodes) addGradientNodes(nodes, opOf, construct.length)
  settleStrays(nodes, how, problems)
  if (how.recomputeRepair) repairRecompute(nodes, dump)
  groupFreeApis(nodes)
  const announced = how.microInherited && construct.microSteps > 0
  const microSteps = announced ? takeMicroSteps(nodes) : numberMicroSteps(nodes)

  const { length } = nodes
  problems.push(...flattened(nodes))
  const graph = finishGraph(
    {
      length,
      texts,
      names: dump.names,
      name: nodes.name.subarray(0, length),
      kind: nodes.kind.subarray(0, length),
      parent: nodes.parent.subarray(0, length),
      op: nodes.op.subarray(0, length),
      micro: nodes.micro.subarray(0, length),
      microSteps,
      attached: nodes.attached.subarray(0, nodes.attachedLength),
      problems,
    },
    code => nodes.find(code),
  )
  if (how.microInherited) {
    for (const node of graph.order) {
      const above = graph.parent[node]
      if (graph.micro[node] < 0) graph.micro[node] = above > 0 ? graph.micro[above] : 0
    }
  }
  return graph
}

function flattened({ dump, parent, length }: Nodes): Problem[] {
  const count = cutDepth(parent.subarray(0, length))
  if (count === 0) return []
  return [problem('graph-deep', dump.construct.file, { count, levels: deepestLevel }, 'warning')]
}

/** Scopes are no calls, and some of msprobe's nodes are none. */
const mayLackOp = ({ moduleEnd }: NameGrammar, name: string): boolean =>
  pseudo.has(name) || (moduleEnd !== undefined && name.endsWith(moduleEnd))

/** The parent of each entry after the repairs of the rule set. */
class Parents {
  readonly #dump: Dump
  readonly #how: GraphRules
  readonly #kindOf: Nodes['kindOf']

  constructor(dump: Dump, how: GraphRules, kindOf: Nodes['kindOf']) {
    this.#dump = dump
    this.#how = how
    this.#kindOf = kindOf
  }

  /** Code of the parent of an entry, -1 for the root. */
  of(entry: number): TextCode {
    const { construct, texts } = this.#dump
    const parent = construct.parent[entry]
    if (parent < 0) return this.#repairMissing(texts.get(construct.child[entry]))
    return this.#how.inPlaceRepair ? this.#repairInPlace(texts.get(construct.child[entry]), parent) : parent
  }

  #repairMissing(id: string): TextCode {
    const { construct, texts, names } = this.#dump
    if (names.direction(id) !== Direction.backward) return -1
    if (names.parse(id).form === 'module') {
      const forward = this.#parentOf(names.turned(id, Direction.forward))
      return forward < 0 ? -1 : this.#entry(names.turned(texts.get(forward), Direction.backward))
    }
    if (!this.#how.apiParentRepair) return -1
    const forward = this.#parentOf(names.turnedThroughout(id, Direction.forward))
    if (forward < 0) return -1
    const twin = this.#entry(names.turnedThroughout(texts.get(forward), Direction.backward))
    return twin >= 0 && construct.find(twin) >= 0 ? twin : -1
  }

  #repairInPlace(id: string, parent: TextCode): TextCode {
    const { texts, names } = this.#dump
    const { form, direction } = names.parse(id)
    if (form !== 'module' || direction !== Direction.backward || names.mayStandBelow(id, texts.get(parent)))
      return parent
    if (this.#kindOf(texts, texts.findPlain(id)) === NodeKind.api) return parent
    const twin = texts.findPlain(names.turned(id, Direction.forward))
    const entry = twin < 0 ? -1 : this.#dump.construct.find(twin)
    if (entry < 0) return parent
    const forward = this.#dump.construct.parent[entry]
    if (forward < 0) return -1
    const backward = this.#entry(names.turned(texts.get(forward), Direction.backward))
    return backward >= 0 ? backward : parent
  }

  /** Recorded parent of an id, -1 when it has none or is no entry. */
  #parentOf(id: string): TextCode {
    const { construct, texts } = this.#dump
    const code = texts.findPlain(id)
    const entry = code < 0 ? -1 : construct.find(code)
    return entry < 0 ? -1 : construct.parent[entry]
  }

  /** Code of an id that is an entry of its own, else -1. */
  #entry(id: string): TextCode {
    const { construct, texts } = this.#dump
    const code = texts.findPlain(id)
    return code >= 0 && construct.find(code) >= 0 ? code : -1
  }
}

/** Records of parameter gradients become children of the last backward call of their module. */
function addGradientNodes(nodes: Nodes, opOf: Ids<TextCode, OpRow>, met: number): void {
  const { dump } = nodes
  const { texts, names, ops, construct } = dump
  const lastCall = new Map<string, { call: number; node: NodeRow }>()
  for (let entry = 0; entry < construct.length; entry++) {
    const id = texts.get(construct.child[entry])
    const { form, owner, direction, call } = names.parse(id)
    if (form !== 'module' || direction !== Direction.backward) continue
    const known = lastCall.get(owner)
    if (!known || call > known.call) lastCall.set(owner, { call, node: nodes.find(construct.child[entry]) })
  }
  for (let op = 0; op < ops.length; op++) {
    const { form, owner: module } = names.parse(texts.get(ops.name[op]))
    const owner = form === 'gradients' ? lastCall.get(module) : undefined
    if (!owner || nodes.find(ops.name[op]) >= 0) continue
    const node = nodes.create(ops.name[op], NodeKind.module, opOf[ops.name[op]], met)
    nodes.attach(node, owner.node)
  }
}

/**
 * Parents that are no entries hang from the root (or nowhere, as msprobe has it); a ring of parents is opened
 * at its first node.
 */
function settleStrays(nodes: Nodes, how: GraphRules, problems: Problem[]): void {
  const { length, parent } = nodes
  const state = new Uint8Array(length)
  state[0] = 2
  const opened: NodeRow[] = []
  const path = new Uint32Array(length)
  for (let start = 1; start < length; start++) {
    let steps = 0
    let at = start
    while (at >= 0 && state[at] === 0) {
      state[at] = 1
      path[steps++] = at
      at = parent[at]
    }
    if (at >= 0 && state[at] === 1) {
      let first = at
      for (let i = steps - 1; path[i] !== at; i--) first = Math.min(first, path[i])
      opened.push(first)
      parent[first] = -1
    }
    for (let i = 0; i < steps; i++) state[path[i]] = 2
  }
  if (opened.length > 0) {
    problems.push(
      problem(
        'construct-cycle',
        nodes.dump.construct.file,
        { count: opened.length, name: nodes.dump.texts.get(nodes.name[opened[0]]) },
        'warning',
      ),
    )
    const gone = new Set(opened)
    const kept = nodes.attached.subarray(0, nodes.attachedLength).filter(node => !gone.has(node))
    nodes.attached.set(kept)
    nodes.attachedLength = kept.length
  }
  const strays: NodeRow[] = []
  const ringed = new Set(opened)
  for (let node = 1; node < nodes.length; node++) {
    if (nodes.parent[node] < 0 && (ringed.has(node) || !how.orphansStay)) strays.push(node)
  }
  for (const node of strays) nodes.attach(node, 0)
  if (strays.length > 0) sortByEntry(nodes)
}

/** Puts late-comers where their first entry stands. */
function sortByEntry(nodes: Nodes): void {
  const rows = nodes.attached.subarray(0, nodes.attachedLength)
  const entryOf = new Float64Array(nodes.length)
  for (let i = 0; i < nodes.length; i++) {
    const entry = nodes.dump.construct.find(nodes.name[i])
    entryOf[i] = entry >= 0 ? entry : nodes.met[i] - 0.5
  }
  rows.set([...rows].sort((a, b) => entryOf[a] - entryOf[b]))
}

/** Runs of two or more APIs directly below the root become one node each. */
function groupFreeApis(nodes: Nodes): void {
  const { dump } = nodes
  const before = nodes.attached.slice(0, nodes.attachedLength)
  // Children of the root come first; everything else keeps its order behind them.
  const top = before.filter(node => nodes.parent[node] === 0)
  let place = 0
  let count = 0
  for (let i = 0; i < top.length;) {
    let end = i
    while (end < top.length && nodes.kind[top[end]] === NodeKind.api) end++
    if (end - i < 2) {
      nodes.attached[place++] = top[i++]
      continue
    }
    const group = nodes.create(
      dump.texts.addPlain(`Apis_Between_Modules.${count++}`),
      NodeKind.group,
      -1,
      nodes.met[top[i]],
    )
    nodes.parent[group] = 0
    nodes.attached[place++] = group
    for (; i < end; i++) nodes.parent[top[i]] = group
  }
  for (const node of before) if (nodes.parent[node] !== 0) nodes.attached[place++] = node
  nodes.attachedLength = place
}

/** A forward module after anything that is not forward begins the next micro step. */
function numberMicroSteps(nodes: Nodes): number {
  let step = 0
  let passed = false
  for (const node of nodes.attached.subarray(0, nodes.attachedLength)) {
    if (nodes.parent[node] !== 0) continue
    if (nodes.kind[node] === NodeKind.module) {
      if (nodes.dump.names.direction(nodes.dump.texts.get(nodes.name[node])) !== Direction.forward)
        passed = true
      else if (passed) {
        step++
        passed = false
      }
    }
    nodes.micro[node] = step
  }
  return step + 1
}

/** The steps that the file gives; a plain value means the first. */
function takeMicroSteps(nodes: Nodes): number {
  const { construct } = nodes.dump
  for (let node = 1; node < nodes.length; node++) {
    const entry = construct.find(nodes.name[node])
    if (entry >= 0) nodes.micro[node] = Math.max(0, construct.micro[entry])
  }
  return construct.microSteps
}

// Layer mapping: calls meet by where they stand in the model's code, class by class translated to the other
// side's names.
import {
  type BenchOp,
  type DebugOp,
  Direction,
  type Dump,
  type Ids,
  type NameGrammar,
  type OpRow,
  problem,
  Refusal,
} from '../model/index.ts'
import { readGroups, textOf } from './yaml.ts'

const topLayer = 'TopLayer'

/** One call with its place in the code. */
export interface Placed {
  readonly op: OpRow
  readonly name: string
  readonly type: string
  readonly api: string
  readonly state: string
  layer: string
  scope: string
}

/** Per debug op its bench op, or -1. */
export function layerPartners(debug: Dump, bench: Dump, text: string): Ids<DebugOp, BenchOp> {
  const rules = layerRules(text)
  const { placed: mine, tree: debugTree } = hierarchyOf(debug)
  const { tree: benchTree } = hierarchyOf(bench)
  const partner = new Int32Array(debug.ops.length).fill(-1)
  const position = new Map<Placed, number>()
  for (const node of nodes(debugTree))
    for (const items of node.items.values()) items.forEach((item, k) => position.set(item, k))
  for (const item of mine) {
    const there = find(benchTree, translate(debugTree, item.scope, rules))
    const twin = there?.items.get(item.state)?.[position.get(item) ?? 0]
    if (twin) partner[item.op] = twin.op
  }
  return partner
}

// ---------------------------------------- rules

export interface Rule {
  readonly from: readonly string[]
  readonly to: readonly string[]
}
export type Rules = ReadonlyMap<string, readonly Rule[]>

/** Children by class: rules with more segments first. */
export function layerRules(text: string): Rules {
  const rules = new Map<string, Rule[]>()
  const classes = readGroups(text, 'layer')
  for (const [type, children] of classes) {
    if (type === topLayer && classes.has('Cell')) continue
    const list = [...children].map(([from, to]): Rule => ({
      from: from.split('.'),
      to: textOf(to).split('.'),
    }))
    rules.set(
      type === 'Cell' ? topLayer : type,
      list.sort((a, b) => b.from.length - a.from.length),
    )
  }
  return rules
}

const byFirst = new WeakMap<readonly Rule[], ReadonlyMap<string, readonly Rule[]>>()

/** Rules of a class whose path begins with a segment, the longest first. */
function beginningWith(rules: readonly Rule[] | undefined, first: string): readonly Rule[] {
  if (!rules) return []
  let index = byFirst.get(rules)
  if (!index) {
    const made = new Map<string, Rule[]>()
    for (const rule of rules) {
      const list = made.get(rule.from[0])
      if (list) list.push(rule)
      else made.set(rule.from[0], [rule])
    }
    byFirst.set(rules, (index = made))
  }
  return index.get(first) ?? []
}

/**
 * The scope in the other side's names; `used` is told of every rule on the way, with the class that it
 * belongs to and whether it ends the scope.
 */
export function translate(
  root: Node,
  scope: string,
  rules: Rules,
  used?: (type: string, rule: Rule, last: boolean) => void,
): readonly string[] {
  const segments = scope.split('.').slice(1)
  const found: string[] = []
  let node: Node | undefined = root
  for (let at = 0; at < segments.length;) {
    const rule: Rule | undefined =
      node &&
      beginningWith(rules.get(node.type), segments[at]).find(({ from }) =>
        from.every((segment, i) => segments[at + i] === segment),
      )
    const step: number = rule?.from.length ?? 1
    found.push(...(rule?.to ?? segments.slice(at, at + 1)))
    if (rule && node) used?.(node.type, rule, at + step >= segments.length)
    for (let i = 0; i < step; i++) node = node?.children.get(segments[at + i])
    at += step
  }
  return found
}

// ---------------------------------------- places

interface Hierarchy {
  readonly placed: readonly Placed[]
  readonly tree: Node
}

const hierarchies = new WeakMap<Dump, Hierarchy>()

/** Where every call of a dump stands, made once. */
export function hierarchyOf(dump: Dump): Hierarchy {
  let known = hierarchies.get(dump)
  if (!known) {
    const placed = place(dump)
    hierarchies.set(dump, (known = { placed, tree: tree(placed) }))
  }
  return known
}

function place(dump: Dump): Placed[] {
  if (dump.stacks.length === 0 || dump.construct.length === 0) return []
  const pytorch = isPytorch(dump)
  const placed = Array.from({ length: dump.ops.length }, (_, op) => placeOf(dump, op, pytorch))
  followForward(placed, dump.names)
  renumber(placed)
  return placed
}

function isPytorch(dump: Dump): boolean {
  for (let item = 0; item < dump.items.length; item++) {
    const type = dump.items.type[item] < 0 ? '' : dump.texts.get(dump.items.type[item])
    if (type.startsWith('mindspore')) return false
    if (type.startsWith('torch')) return true
  }
  return dump.header.framework === 'pytorch'
}

function placeOf(dump: Dump, op: OpRow, pytorch: boolean): Placed {
  const name = dump.texts.get(dump.ops.name[op])
  const segments = name.split('.')
  if (segments.length < 4) throw new Refusal(problem('name-unreadable', dump.file, { name }))
  const end = (back: number): string => segments[segments.length - back]
  const upTo = (back: number): string => segments.slice(0, segments.length - back + 1).join('.')
  if (end(1) === 'parameters_grad')
    return placedAt({ op, name, type: end(2), api: end(3), state: end(1), layer: upTo(4), scope: '' }, '')
  if (segments[0] === 'Cell' || segments[0] === 'Module')
    return placedAt({ op, name, type: end(3), api: end(4), state: end(2), layer: upTo(5), scope: '' }, '')
  return placedAt(
    { op, name, type: end(3), api: end(3), state: end(1), layer: parentScope(dump, op), scope: '' },
    frameScope(dump, op, segments[0], pytorch),
  )
}

function placedAt(item: Placed, frame: string): Placed {
  item.scope = [item.layer, frame, item.api].filter(Boolean).join('.')
  return item
}

function parentScope(dump: Dump, op: OpRow): string {
  const entry = dump.construct.find(dump.ops.name[op])
  const parent =
    entry < 0 || dump.construct.parent[entry] < 0 ? '' : dump.texts.get(dump.construct.parent[entry])
  if (!parent) return topLayer
  const segments = parent.split('.')
  if (segments.length > 1 && segments.length < 4)
    throw new Refusal(problem('name-unreadable', dump.construct.file, { name: parent }))
  return segments.slice(0, -3).join('.')
}

const frameworkPath = /(?:site-packages|package)\/(?:torch|mindspore)/
const skippedPath = /msprobe|MindSpeed/
const skippedFunction = /construct|__call__/

/** The framework function that the model's code called, when the API itself was called further inside. */
function frameScope(dump: Dump, op: OpRow, type: string, pytorch: boolean): string {
  if (type.startsWith('Primitive') || type.startsWith('Jit')) return ''
  const stack = dump.stacks.of(dump.ops.name[op])
  if (stack < 0) return ''
  const frames = dump.stacks.frames(stack)
  const start = frames.findLastIndex(frame => frame.includes('Template'))
  const sign = pytorch ? /in (?:for|back)ward,/ : /construct/
  const end = start < 0 ? -1 : frames.findIndex((frame, i) => i > start && sign.test(frame))
  const window = frames.slice(start + 1, end < 0 ? undefined : end)
  const stop = window.findIndex(frame => !frameworkPath.test(frame.split(',')[0] ?? ''))
  const last = window[(stop < 0 ? window.length : stop) - 1]
  if (last === undefined) return ''
  const [file = '', , part = ''] = last.split(',')
  if (skippedPath.test(file) || skippedFunction.test(part)) return ''
  return part.trim().split(/\s+/)[1] ?? ''
}

/** Backward calls stand where their forward calls stand. */
function followForward(placed: readonly Placed[], names: NameGrammar): void {
  const byName = new Map(placed.map(item => [item.name, item]))
  for (const item of placed) {
    if (names.direction(item.name) !== Direction.backward) continue
    const twin = byName.get(names.turned(item.name, Direction.forward))
    if (twin) {
      item.scope = twin.scope
      item.layer = twin.layer
    }
  }
}

/**
 * Layers below a ParallelTransformer count from 0 on both sides, also where a pipeline stage holds later
 * ones.
 */
function renumber(placed: readonly Placed[]): void {
  const prefixes = new Set(
    placed.filter(item => item.type === 'ParallelTransformer').map(item => `${item.scope}.layers.`),
  )
  for (const prefix of prefixes) {
    const numbered = placed.filter(item => item.scope.startsWith(prefix))
    const numberOf = (item: Placed): number =>
      Number(/(\d+)\D*$/.exec(item.scope.slice(prefix.length).split('.')[0] ?? '')?.[1] ?? NaN)
    const least = Math.min(...numbered.map(numberOf).filter(n => !Number.isNaN(n)))
    if (!Number.isFinite(least)) continue
    for (const item of numbered) {
      const [, ...rest] = item.scope.slice(prefix.length).split('.')
      if (!Number.isNaN(numberOf(item))) item.scope = prefix + [numberOf(item) - least, ...rest].join('.')
    }
  }
}

// ---------------------------------------- tree

export interface Node {
  type: string
  readonly children: Map<string, Node>
  /** Per state, in order. */
  readonly items: Map<string, Placed[]>
}

const node = (type: string): Node => ({ type, children: new Map(), items: new Map() })

function tree(placed: readonly Placed[]): Node {
  const root = node(topLayer)
  for (const item of placed) {
    let at = root
    for (const segment of item.scope.split('.').slice(1)) {
      let child = at.children.get(segment)
      if (!child) at.children.set(segment, (child = node(segment)))
      at = child
    }
    at.type = item.type
    const list = at.items.get(item.state)
    if (list) list.push(item)
    else at.items.set(item.state, [item])
  }
  return root
}

export function find(root: Node, path: readonly string[]): Node | undefined {
  let at: Node | undefined = root
  for (const segment of path) at = at?.children.get(segment)
  return at
}

function nodes(root: Node): Node[] {
  return [root, ...[...root.children.values()].flatMap(nodes)]
}

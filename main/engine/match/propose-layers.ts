// Layer proposals: both trees are walked down together, class by class; what has no partner below a pair is paired by evidence.
import type { MappingChange, MappingProposal, MappingReason } from '../../../preload/contract/engine.ts'
import { addEvidence, addTo, bags, bestPairs, nameLikeness, noEvidence, weigh, type Evidence } from './likeness.ts'
import { find, type Node, type Rule, type Rules } from './layers.ts'
import { rulesOf, type MappingDesk } from './mapping.ts'
import type { SideNames } from './names-of.ts'

/** A pair of nodes that stand for the same layer. */
interface Met { readonly mine: Node; readonly theirs: Node }

interface Candidate {
  readonly mine: string
  readonly theirs: string
  readonly score: number
  readonly reasons: MappingReason[]
  readonly matched: number
  readonly all: number
}

const leastScore = 0.4
const deepest = 60

export function proposeLayers(desk: MappingDesk, text: string): MappingProposal[] {
  const { debug, bench } = desk
  const rules = new Map(rulesOf(text))
  const evidence = { debug: new Evidences(debug), bench: new Evidences(bench) }
  const found: MappingProposal[] = []
  const judged = new Set<string>()

  for (let round = 0; round < deepest; round++) {
    let more = false
    for (const [type, pairs] of metByClass(debug.tree, bench.tree, rules)) {
      if (judged.has(type)) continue
      judged.add(type)
      const accepted = pairChildren(type, pairs, rules, evidence)
      if (accepted.length === 0) continue
      found.push(...accepted)
      const known = [...(rules.get(type) ?? [])]
      for (const { changes } of accepted) for (const change of changes) known.push({ from: change.from.split('.'), to: change.to.split('.') })
      rules.set(type, known.sort((a, b) => b.from.length - a.from.length))
      more = true
      break
    }
    if (!more) break
  }
  return found
}

/** All pairs of nodes that the rules bring together, from the roots down, by the debug side's class. */
function metByClass(debug: Node, bench: Node, rules: Rules): Map<string, Met[]> {
  const met = new Map<string, Met[]>()
  const walk = (mine: Node, theirs: Node, depth: number): void => {
    const list = met.get(mine.type)
    if (list) list.push({ mine, theirs })
    else met.set(mine.type, [{ mine, theirs }])
    if (depth >= deepest) return
    for (const [name, child] of mine.children) {
      const own = rules.get(mine.type) ?? []
      const exact = own.find(rule => rule.from.length === 1 && rule.from[0] === name)
      const there = find(theirs, exact?.to ?? [name])
      if (there) walk(child, there, depth + 1)
      for (const rule of own) {
        if (rule.from.length < 2 || rule.from[0] !== name) continue
        const [a, b] = [find(mine, rule.from), find(theirs, rule.to)]
        if (a && b) walk(a, b, depth + rule.from.length)
      }
    }
  }
  walk(debug, bench, 0)
  return met
}

/** Children of a class without a partner, with the best of what is free on the other side. */
function pairChildren(type: string, pairs: readonly Met[], rules: Rules, evidence: { debug: Evidences; bench: Evidences }): MappingProposal[] {
  const scope = type === 'TopLayer' ? 'Cell' : type
  const free = pairs.map(({ mine, theirs }) => freeChildren(mine, theirs, rules.get(mine.type) ?? []))
  const shifted = renumbered(scope, free.map(one => [[...one.mine.keys()].filter(isNumber), [...one.theirs.keys()].filter(isNumber)]))
  if (shifted) return [shifted]

  const sums = new Map<string, { mine: string; theirs: string; sum: number; matched: number; reasons: MappingReason[] }>()
  const appears = new Map<string, number>()
  for (const { mine, theirs } of free) {
    for (const [name, node] of mine) {
      appears.set(name, (appears.get(name) ?? 0) + 1)
      for (const [other, there] of theirs) {
        // Two levels on both sides are met when the first level has met.
        if (name.includes('.') && other.includes('.')) continue
        const { score, reasons } = likeness(name, node, placeOf(mine, name), other, there, placeOf(theirs, other), evidence)
        const key = `${name}\n${other}`
        const known = sums.get(key)
        if (known) { known.sum += score; known.matched++ }
        else sums.set(key, { mine: name, theirs: other, sum: score, matched: 1, reasons })
      }
    }
  }
  const candidates = [...sums.values()].map((one): Candidate => ({
    mine: one.mine, theirs: one.theirs, score: one.sum / one.matched, reasons: one.reasons, matched: one.matched, all: appears.get(one.mine) ?? one.matched,
  })).filter(one => one.score >= leastScore)
  return withoutNested(bestPairs(candidates)).map(one => ({
    id: `layer ${scope} ${one.mine} ${one.theirs}`, score: one.score, fits: { matched: one.matched, all: one.all },
    changes: [{ kind: 'layer', scope, from: one.mine, to: one.theirs } satisfies MappingChange],
    reasons: [...one.reasons, { key: 'children', weight: 0, facts: { matched: one.matched, all: one.all } }],
  }))
}

const ascending = (names: readonly string[]): number[] => names.map(Number).sort((a, b) => a - b)
const isNumber = (name: string): boolean => /^\d+$/.test(name)
const placeOf = (children: ReadonlyMap<string, Node>, name: string): number => [...children.keys()].indexOf(name) / Math.max(1, children.size - 1)

const clash = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`)

/** A path goes with its first part or alone, not both. */
function withoutNested(pairs: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = []
  for (const pair of pairs) {
    if (!kept.some(one => clash(one.mine, pair.mine) || clash(one.theirs, pair.theirs))) kept.push(pair)
  }
  return kept
}

/** What has no partner below a pair: children, and children of children where a level is missing on one side. */
function freeChildren(mine: Node, theirs: Node, own: readonly Rule[]): { mine: Map<string, Node>; theirs: Map<string, Node> } {
  const targets = new Set<string>()
  const left = new Map<string, Node>()
  for (const [name, child] of mine.children) {
    const rule = own.find(one => one.from[0] === name)
    const to = rule?.to ?? [name]
    if (find(theirs, to)) targets.add(to[0])
    else left.set(name, child)
  }
  const right = new Map([...theirs.children].filter(([name]) => !targets.has(name)))
  return left.size > 0 && right.size > 0 ? { mine: withGrandchildren(left), theirs: withGrandchildren(right) } : { mine: left, theirs: right }
}

/** Children and their children: a level may be missing on one side. */
function withGrandchildren(from: ReadonlyMap<string, Node>): Map<string, Node> {
  const all = new Map(from)
  for (const [name, child] of from) for (const [below, inner] of child.children) if (inner.items.size > 0) all.set(`${name}.${below}`, inner)
  return all
}

/** Numbered layers whose numbers do not meet: paired in order, as one proposal. */
function renumbered(scope: string, children: readonly (readonly [readonly string[], readonly string[]])[]): MappingProposal | null {
  const with2 = children.filter(([mine, theirs]) => mine.length > 0 && mine.length === theirs.length)
  const [first] = with2
  if (!first || with2.length !== children.filter(([mine]) => mine.length > 0).length) return null
  const [mine, theirs] = [ascending(first[0]), ascending(first[1])]
  const changes = mine.map((from, i): MappingChange => ({ kind: 'layer', scope, from: String(from), to: String(theirs[i]) }))
  return {
    id: `layer ${scope} ${mine[0]}-${mine.at(-1)}`, changes, score: 0.8, fits: { matched: changes.length, all: changes.length },
    reasons: [{ key: 'order', weight: 1, facts: { from: mine[0], to: theirs[0], count: mine.length } }],
  }
}

function likeness(name: string, node: Node, place: number, other: string, there: Node, position: number, evidence: { debug: Evidences; bench: Evidences }): { score: number; reasons: MappingReason[] } {
  const alone = node.items.size > 0 && there.items.size > 0
  const [own, far] = alone ? [evidence.debug.own(node), evidence.bench.own(there)] : [evidence.debug.of(node), evidence.bench.of(there)]
  const depth = name.split('.').length === other.split('.').length ? 1 : 0.6
  return weigh([
    ['name', 3, nameLikeness(name, other), { mine: name, theirs: other }],
    ['class', 1.5, node.items.size === 0 && there.items.size === 0 ? null : nameLikeness(node.type, there.type), { mine: node.type, theirs: there.type }],
    ['shapes', 2.5, bags(own.shapes, far.shapes), {}],
    ['values', 2.5, bags(own.values, far.values), {}],
    ['order', 1, (1 - Math.abs(place - position)) * depth, {}],
  ])
}

/** Evidence of a node, alone or with everything below it, made once. */
class Evidences {
  readonly #names: SideNames
  readonly #known = new Map<Node, Evidence>()
  readonly #own = new Map<Node, Evidence>()

  constructor(names: SideNames) { this.#names = names }

  own(node: Node): Evidence {
    let known = this.#own.get(node)
    if (known) return known
    known = noEvidence()
    for (const items of node.items.values()) for (const item of items) addEvidence(this.#names.dump, item.op, known)
    this.#own.set(node, known)
    return known
  }

  of(node: Node): Evidence {
    let known = this.#known.get(node)
    if (known) return known
    known = noEvidence()
    for (const part of [this.own(node), ...[...node.children.values()].map(child => this.of(child))]) {
      for (const key of ['shapes', 'values', 'dtypes'] as const) for (const [entry, count] of part[key]) addTo(known[key], entry, count)
    }
    this.#known.set(node, known)
    return known
  }
}

// Layer proposals: both trees are walked down together, class by class; what has no partner below a pair is
// paired by evidence.
import type { MappingChange, MappingProposal, MappingReason } from '../model/index.ts'
import {
  addEvidence,
  addTo,
  bags,
  bestPairs,
  inPart,
  nameLikeness,
  noEvidence,
  weigh,
  type Evidence,
} from './likeness.ts'
import { isPart } from './parts.ts'
import { find, type Node, type Rule, type Rules } from '../pair/index.ts'
import { rulesOf, type MappingDesk } from './desk.ts'
import type { SideNames } from './names-of.ts'

/** A pair of nodes that stand for the same layer. */
interface Met {
  readonly mine: Node
  readonly theirs: Node
}

interface Candidate {
  readonly mine: string
  readonly theirs: string
  readonly score: number
  /** The score if nothing were known of the names; 0 where only the names could tell. */
  readonly nameless: number
  readonly reasons: MappingReason[]
  readonly matched: number
  readonly all: number
}

const leastScore = 0.4
/** What speaks for a pair of unlike names must speak for no other pair of the two so strongly. */
const clearLead = 0.1
const namelessShare = 0.9
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
      for (const { changes } of accepted)
        for (const change of changes) known.push({ from: change.from.split('.'), to: change.to.split('.') })
      rules.set(
        type,
        known.sort((a, b) => b.from.length - a.from.length),
      )
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
function pairChildren(
  type: string,
  pairs: readonly Met[],
  rules: Rules,
  evidence: { debug: Evidences; bench: Evidences },
): MappingProposal[] {
  const scope = type === 'TopLayer' ? 'Cell' : type
  const free = pairs.map(({ mine, theirs }) => freeChildren(mine, theirs, rules.get(mine.type) ?? []))
  const shifted = renumbered(
    scope,
    free.map(one => [[...one.mine.keys()].filter(isNumber), [...one.theirs.keys()].filter(isNumber)]),
  )
  if (shifted) return [shifted]

  const candidates = unlikeNames(candidatesOf(free, evidence)).filter(one => one.score >= leastScore)
  return withoutNested(bestPairs(candidates)).map(one => ({
    id: `layer ${scope} ${one.mine} ${one.theirs}`,
    score: one.score,
    fits: { matched: one.matched, all: one.all },
    changes: [{ kind: 'layer', scope, from: one.mine, to: one.theirs } satisfies MappingChange],
    reasons: one.reasons,
  }))
}

interface Free {
  readonly mine: ReadonlyMap<string, Node>
  readonly theirs: ReadonlyMap<string, Node>
}

/** Every free child with every free one of the other side, over all pairs of one class. */
function candidatesOf(free: readonly Free[], evidence: { debug: Evidences; bench: Evidences }): Candidate[] {
  const sums = new Map<string, Likeness & { mine: string; theirs: string; matched: number }>()
  const appears = new Map<string, number>()
  const parts = new Set<string>()
  for (const { mine, theirs } of free) {
    for (const [name, node] of mine) {
      appears.set(name, (appears.get(name) ?? 0) + 1)
      for (const [other, there] of theirs) {
        // Two levels on both sides are met when the first level has met.
        if (name.includes('.') && other.includes('.')) continue
        const found = likeness(
          { name, node, place: placeOf(mine, name) },
          { name: other, node: there, place: placeOf(theirs, other) },
          evidence,
        )
        const known = sums.get(`${name}\n${other}`)
        if (known) {
          known.score += found.score
          known.nameless += found.nameless
          known.matched++
        } else {
          sums.set(`${name}\n${other}`, { ...found, mine: name, theirs: other, matched: 1 })
          // Calls of one class are alike in this.
          if (evidence.debug.isPartOf(node, evidence.bench, there)) parts.add(`${name}\n${other}`)
        }
      }
    }
  }
  return [...sums].map(([key, one]): Candidate => {
    const candidate = {
      ...one,
      score: one.score / one.matched,
      nameless: one.nameless / one.matched,
      all: appears.get(one.mine) ?? one.matched,
    }
    return parts.has(key) ? inPart(candidate) : candidate
  })
}

/** Names that have nothing in common are no evidence against a pair for which all else speaks alone. */
function unlikeNames(candidates: readonly Candidate[]): readonly Candidate[] {
  const best = { mine: new Leaders(), theirs: new Leaders() }
  for (const one of candidates) {
    best.mine.add(one.mine, one.nameless)
    best.theirs.add(one.theirs, one.nameless)
  }
  return candidates.map(one => {
    const alone = best.mine.leads(one.mine, one.nameless) && best.theirs.leads(one.theirs, one.nameless)
    return alone ? { ...one, score: Math.max(one.score, namelessShare * one.nameless) } : one
  })
}

/** The two best scores by name. */
class Leaders {
  readonly #best = new Map<string, readonly [first: number, second: number]>()

  add(name: string, score: number): void {
    const [first, second] = this.#best.get(name) ?? [0, 0]
    this.#best.set(name, score > first ? [score, first] : [first, Math.max(second, score)])
  }

  leads(name: string, score: number): boolean {
    const [first, second] = this.#best.get(name) ?? [0, 0]
    return score === first && first - second >= clearLead
  }
}

const ascending = (names: readonly string[]): number[] => names.map(Number).sort((a, b) => a - b)
const isNumber = (name: string): boolean => /^\d+$/.test(name)
const placeOf = (children: ReadonlyMap<string, Node>, name: string): number =>
  [...children.keys()].indexOf(name) / Math.max(1, children.size - 1)

const clash = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`)

/** A path goes with its first part or alone, not both. */
function withoutNested(pairs: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = []
  for (const pair of pairs) {
    if (!kept.some(one => clash(one.mine, pair.mine) || clash(one.theirs, pair.theirs))) kept.push(pair)
  }
  return kept
}

/**
 * What has no partner below a pair: children, and children of children where a level is missing on one side.
 */
function freeChildren(mine: Node, theirs: Node, own: readonly Rule[]): Free {
  const [ruled, taken] = [new Set<string>(), new Set<string>()]
  for (const { from, to } of own) {
    if (!find(theirs, to)) continue
    ruled.add(from.join('.'))
    taken.add(to.join('.'))
  }
  const met = (name: string): boolean =>
    !own.some(rule => rule.from.join('.') === name) && theirs.children.has(name)
  const left = new Map([...mine.children].filter(([name]) => !ruled.has(name) && !met(name)))
  const right = new Map(
    [...theirs.children].filter(([name]) => !taken.has(name) && !(mine.children.has(name) && met(name))),
  )
  return left.size > 0 && right.size > 0
    ? { mine: withGrandchildren(left, ruled), theirs: withGrandchildren(right, taken) }
    : { mine: left, theirs: right }
}

/** Children and their children but those that have met: a level may be missing on one side. */
function withGrandchildren(from: ReadonlyMap<string, Node>, met: ReadonlySet<string>): Map<string, Node> {
  const all = new Map(from)
  for (const [name, child] of from)
    for (const [below, inner] of child.children) {
      const path = `${name}.${below}`
      if (!met.has(path) && (inner.items.size > 0 || numbered(inner).length > 0)) all.set(path, inner)
    }
  return all
}

/** Numbered layers whose numbers do not meet: paired in order, as one proposal. */
function renumbered(
  scope: string,
  children: readonly (readonly [readonly string[], readonly string[]])[],
): MappingProposal | null {
  const with2 = children.filter(([mine, theirs]) => mine.length > 0 && mine.length === theirs.length)
  const [first] = with2
  if (!first || with2.length !== children.filter(([mine]) => mine.length > 0).length) return null
  const [mine, theirs] = [ascending(first[0]), ascending(first[1])]
  const changes = mine.map((from, i): MappingChange => ({
    kind: 'layer',
    scope,
    from: String(from),
    to: String(theirs[i]),
  }))
  return {
    id: `layer ${scope} ${mine[0]}-${mine.at(-1)}`,
    changes,
    score: 0.8,
    fits: { matched: changes.length, all: changes.length },
    reasons: [{ key: 'order', weight: 1 }],
  }
}

interface Named {
  readonly name: string
  readonly node: Node
  /** Where it stands among the children, in [0,1]. */
  readonly place: number
}

interface Likeness {
  score: number
  nameless: number
  readonly reasons: MappingReason[]
}

type Parts = Parameters<typeof weigh>[0]

/** Shares of the evidence where names say nothing: classes are named by hand, values are what is in doubt. */
const namelessWeights: Readonly<Partial<Record<MappingReason['key'], number>>> = {
  name: 0,
  class: 0.5,
  values: 1,
}

function likeness(mine: Named, theirs: Named, evidence: { debug: Evidences; bench: Evidences }): Likeness {
  const name = nameLikeness(mine.name, theirs.name)
  const [own, far] = [numbered(mine.node), numbered(theirs.node)]
  const depth = mine.name.split('.').length === theirs.name.split('.').length ? 1 : 0.6
  const order = (1 - Math.abs(mine.place - theirs.place)) * depth
  const parts: Parts =
    own.length > 0 && far.length > 0
      ? [['name', 1, name], ...numberedLikeness(own, far, evidence), ['order', 1, order]]
      : [['name', 3, name], ...partsOf(mine.node, theirs.node, evidence), ['order', 1, order]]
  const telling = evidence.debug.isModule(mine.node) && evidence.bench.isModule(theirs.node)
  const nameless = parts.map(([key, weight, score]) => [key, namelessWeights[key] ?? weight, score] as const)
  return { ...weigh(parts), nameless: telling ? weigh(nameless).score : 0 }
}

function partsOf(node: Node, there: Node, evidence: { debug: Evidences; bench: Evidences }): Parts {
  const [own, far] = compared(node, there, evidence)
  return [
    [
      'class',
      1.5,
      node.items.size === 0 && there.items.size === 0 ? null : nameLikeness(node.type, there.type),
    ],
    ['shapes', 2.5, bags(own.shapes, far.shapes)],
    ['values', 2.5, bags(own.values, far.values)],
    ['children', 1.5, bags(evidence.debug.below(node).shapes, evidence.bench.below(there).shapes)],
  ]
}

/** Calls of their own say most of two nodes; else what is below them. */
function compared(
  node: Node,
  there: Node,
  evidence: { debug: Evidences; bench: Evidences },
): readonly [Evidence, Evidence] {
  return node.items.size > 0 && there.items.size > 0
    ? [evidence.debug.own(node), evidence.bench.own(there)]
    : [evidence.debug.of(node), evidence.bench.of(there)]
}

/** Children of a container of numbered parts, in order; none for anything else. */
function numbered(node: Node): readonly Node[] {
  const names = [...node.children.keys()]
  if (node.items.size > 0 || !names.every(isNumber)) return []
  return ascending(names).flatMap(number => node.children.get(String(number)) ?? [])
}

/** Two containers are alike by how many parts they have and by what each part carries. */
function numberedLikeness(
  own: readonly Node[],
  far: readonly Node[],
  evidence: { debug: Evidences; bench: Evidences },
): Parts {
  const both = own.slice(0, far.length).map((node, i) => compared(node, far[i], evidence))
  const mean = (key: 'shapes' | 'values'): number | null => {
    const scores = both.flatMap(([a, b]) => bags(a[key], b[key]) ?? [])
    return scores.length === 0 ? null : scores.reduce((sum, one) => sum + one, 0) / scores.length
  }
  return [
    ['count', 2, Math.min(own.length, far.length) / Math.max(own.length, far.length)],
    ['shapes', 4, mean('shapes')],
    ['values', 1.5, mean('values')],
  ]
}

function add(part: Evidence, to: Evidence): void {
  for (const key of ['shapes', 'values', 'dtypes'] as const)
    for (const [entry, count] of part[key]) addTo(to[key], entry, count)
}

/** Evidence of a node, alone or with everything below it, made once. */
class Evidences {
  readonly #names: SideNames
  readonly #known = new Map<Node, Evidence>()
  readonly #own = new Map<Node, Evidence>()
  readonly #below = new Map<Node, Evidence>()

  constructor(names: SideNames) {
    this.#names = names
  }

  /** A module, or what holds modules: its name was chosen, unlike that of a call. */
  isModule(node: Node): boolean {
    const [items] = node.items.values()
    return items === undefined || this.#names.dump.names.parse(items[0].name).ofModule
  }

  /** Whether of two calls that stand for the nodes one does a part of what the other does. */
  isPartOf(node: Node, other: Evidences, there: Node): boolean {
    if (this.isModule(node) || other.isModule(there)) return false
    const [mine] = node.items.get('forward') ?? []
    const [theirs] = there.items.get('forward') ?? []
    return mine && theirs ? isPart(this.#names, mine.op, other.#names, theirs.op) : false
  }

  own(node: Node): Evidence {
    let known = this.#own.get(node)
    if (known) return known
    known = noEvidence()
    for (const items of node.items.values())
      for (const item of items) addEvidence(this.#names.dump, item.op, known)
    this.#own.set(node, known)
    return known
  }

  /** What the modules below a node carry: how a framework divides them into calls says nothing. */
  below(node: Node): Evidence {
    let known = this.#below.get(node)
    if (known) return known
    known = noEvidence()
    for (const child of node.children.values()) {
      add(this.below(child), known)
      if (child.items.size > 0 && this.isModule(child)) add(this.own(child), known)
    }
    this.#below.set(node, known)
    return known
  }

  of(node: Node): Evidence {
    let known = this.#known.get(node)
    if (known) return known
    known = noEvidence()
    add(this.own(node), known)
    for (const child of node.children.values()) add(this.of(child), known)
    this.#known.set(node, known)
    return known
  }
}

// What is wrong in the meaning of a mapping's entries: names and indexes that the dumps do not have, lists
// that do not fit, entries without effect.
import type { MappingChange, MappingDiagnostic, Side, Span } from '../model/index.ts'
import { apiOf, builtInName, find, type Node } from '../pair/index.ts'
import { removal, topOf, type ParsedEntry, type PlacedText } from './document.ts'
import { NearNames } from './near-names.ts'
import type { ApiInfo, SideNames } from './names-of.ts'

type Change<K> = ParsedEntry['change'] & { readonly kind: K }

export class Judge {
  readonly #sides: Readonly<Record<Side, SideNames>>
  readonly #near = new Map<string, NearNames>()
  readonly #byType: ReadonlyMap<string, readonly Node[]>

  constructor(debug: SideNames, bench: SideNames) {
    this.#sides = { debug, bench }
    const byType = new Map<string, Node[]>()
    for (const { node } of debug.layers) {
      const list = byType.get(node.type)
      if (list) list.push(node)
      else byType.set(node.type, [node])
    }
    this.#byType = byType
  }

  /** For a new text: near names may be looked for again. */
  begin(): void {
    for (const near of this.#near.values()) near.refill()
  }

  /** `partners`: nodes of the bench side below which a layer entry looks for its name. */
  entry(
    entry: ParsedEntry,
    matches: number,
    partners: (scope: string) => readonly Node[],
  ): MappingDiagnostic[] {
    const { change } = entry
    const found = this.#ofKind(entry, change, matches, partners)
    if (matches === 0 && found.every(one => one.severity === 'note')) {
      found.push({
        ...firstLine(entry),
        severity: 'warning',
        code: 'matches-nothing',
        facts: { name: change.from },
        fixes: removal(entry, change.from),
      })
    }
    return found
  }

  #ofKind(
    entry: ParsedEntry,
    change: MappingChange,
    matches: number,
    partners: (scope: string) => readonly Node[],
  ): MappingDiagnostic[] {
    if (change.kind === 'api') return this.#api(entry, change)
    if (change.kind === 'layer') return this.#layer(entry, change, matches, partners)
    return this.#names(entry, change, change.kind === 'cell' ? 'cells' : 'items')
  }

  #names(
    entry: ParsedEntry,
    { from, to }: { readonly from: string; readonly to: string },
    what: 'cells' | 'items',
  ): MappingDiagnostic[] {
    const { debug, bench } = this.#sides
    const found: MappingDiagnostic[] = []
    if (!debug[what].has(from))
      found.push(this.#unknown('debug', from, entry.key, what, () => debug[what].keys()))
    if (to !== 'N/A' && !bench[what].has(to))
      found.push(this.#unknown('bench', to, entry.value, what, () => bench[what].keys()))
    return found
  }

  #api(entry: ParsedEntry, { from, to }: Change<'api'>): MappingDiagnostic[] {
    const { debug, bench } = this.#sides
    const [mine, theirs] = [debug.apis.get(from), bench.apis.get(to)]
    const found: MappingDiagnostic[] = []
    if (!mine) found.push(this.#unknown('debug', from, entry.key, 'apis', () => debug.apis.keys()))
    if (!theirs) found.push(this.#unknown('bench', to, entry.value, 'apis', () => bench.apis.keys()))
    const wrong = listDiagnostics(entry, mine, theirs)
    found.push(...wrong)
    const builtIn = apiOf(builtInName(`${from}.0`))
    if (mine && builtIn !== from && builtIn !== to)
      found.push({
        ...entry.key,
        severity: 'note',
        code: 'overrides-built-in',
        facts: { to: builtIn },
        fixes: [],
      })
    if (
      mine &&
      theirs &&
      builtIn === to &&
      builtIn !== from &&
      wrong.length === 0 &&
      sameIndexes(entry, mine)
    ) {
      found.push({
        ...entry.key,
        severity: 'note',
        code: 'same-as-built-in',
        facts: {},
        fixes: removal(entry, from),
      })
    }
    return found
  }

  #layer(
    entry: ParsedEntry,
    { scope, from, to }: Change<'layer'>,
    matches: number,
    partners: (scope: string) => readonly Node[],
  ): MappingDiagnostic[] {
    const type = topOf(scope)
    const nodes = this.#byType.get(type)
    if (!nodes)
      return entry.scope
        ? [this.#unknown('debug', scope, entry.scope, 'types', () => this.#byType.keys())]
        : []
    if (matches > 0) return []
    if (!nodes.some(node => find(node, from.split('.'))))
      return [
        this.#unknown(
          'debug',
          from,
          entry.key,
          `below ${type}`,
          () => new Set(nodes.flatMap(node => [...node.children.keys()])),
        ),
      ]
    const there = partners(type)
    if (there.length === 0 || there.some(node => find(node, to.split('.')))) return []
    return [
      this.#unknown('bench', to, entry.value, `beside ${type}`, () => new Set(there.flatMap(pathsBelow))),
    ]
  }

  #unknown(
    side: Side,
    name: string,
    place: Span,
    what: string,
    known: () => Iterable<string>,
  ): MappingDiagnostic {
    const key = `${side} ${what}`
    let near = this.#near.get(key)
    if (!near || what.startsWith('beside')) this.#near.set(key, (near = new NearNames(known())))
    const text = near.of(name)
    return {
      from: place.from,
      to: place.to,
      severity: 'warning',
      code: side === 'debug' ? 'unknown-name' : 'unknown-bench-name',
      facts: { name },
      fixes:
        text === undefined
          ? []
          : [{ title: 'replace', facts: { text }, edits: [{ from: place.from, to: place.to, text }] }],
    }
  }
}

const firstLine = ({ whole, value }: ParsedEntry): Span => ({
  from: whole.from,
  to: Math.max(whole.from, Math.min(whole.to, value.to)),
})

/** Names of children, and of theirs where a level is missing on the other side. */
const pathsBelow = (node: Node): string[] =>
  [...node.children].flatMap(([name, child]) => [
    name,
    ...[...child.children.keys()].map(below => `${name}.${below}`),
  ])

/** Whether an entry leaves every index of an api where it is. */
function sameIndexes({ change, lists }: ParsedEntry, mine: ApiInfo): boolean {
  if (change.kind !== 'api' || [...lists.keys()].some(key => key.includes('parameters'))) return false
  return (
    [
      ['args', mine.inputs],
      ['outputs', mine.outputs],
    ] as const
  ).every(
    ([list, known]) =>
      change[list].every(([a, b]) => a === b) &&
      [...known.keys()].every(index => change[list].some(([a]) => a === index)),
  )
}

/** Lists of an api entry: as long as each other, indexes that the api has, none twice. */
function listDiagnostics(
  entry: ParsedEntry,
  mine: ApiInfo | undefined,
  theirs: ApiInfo | undefined,
): MappingDiagnostic[] {
  return ['args', 'output', 'outputs', 'parameters', 'parameters_grad'].flatMap(part => {
    const [a, b] = [entry.lists.get(`ms_${part}`) ?? [], entry.lists.get(`pt_${part}`) ?? []]
    return [
      ...unevenLists(part, a, b),
      ...indexDiagnostics(a, b, knownIndexes(part, mine)),
      ...indexDiagnostics(b, a, knownIndexes(part, theirs)),
    ]
  })
}

function unevenLists(part: string, a: readonly PlacedText[], b: readonly PlacedText[]): MappingDiagnostic[] {
  if (a.length === b.length) return []
  const long = a.length > b.length ? a : b
  const kept = Math.min(a.length, b.length)
  const extra = { from: long[kept].from, to: long[long.length - 1].to }
  const edits = [{ from: kept > 0 ? long[kept - 1].to : extra.from, to: extra.to, text: '' }]
  return [
    {
      ...extra,
      severity: 'error',
      code: 'uneven-lists',
      facts: { part, mine: a.length, theirs: b.length },
      fixes: [{ title: 'trim-list', facts: {}, edits }],
    },
  ]
}

/** Indexes that an api has in one of its parts; undefined where that is not known. */
function knownIndexes(part: string, api: ApiInfo | undefined): readonly string[] | undefined {
  if (!api) return undefined
  if (part === 'args') return [...api.inputs.keys()]
  return part.startsWith('output') ? [...api.outputs.keys()] : undefined
}

function indexDiagnostics(
  list: readonly PlacedText[],
  other: readonly PlacedText[],
  known: readonly string[] | undefined,
): MappingDiagnostic[] {
  const seen = new Set<string>()
  return list.flatMap((index, i): MappingDiagnostic[] => {
    const { from, to, text } = index
    if (seen.has(text)) {
      const edits = [list, ...(list.length === other.length ? [other] : [])].map(one => cutAt(one, i))
      const fixes = [{ title: 'remove', facts: { key: text }, edits } as const]
      return [{ from, to, severity: 'warning', code: 'repeated-index', facts: { index: text }, fixes }]
    }
    seen.add(text)
    if (!known || known.some(path => path === text || path.startsWith(`${text}.`))) return []
    const facts = { index: text, known: known.join(', ') }
    return [{ from, to, severity: 'warning', code: 'unknown-index', facts, fixes: [] }]
  })
}

/** Takes one index that is not the first out of its list, with what stands before it. */
const cutAt = (list: readonly PlacedText[], i: number): { from: number; to: number; text: string } => ({
  from: list[i - 1].to,
  to: list[i].to,
  text: '',
})

// What the order of events across ranks needs of one rank: its classes and the ends of its communication, as columns
// that any thread can hand on.
import { type Place, RawReader } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import type { Json } from '../json/index.ts'
import { Direction, type Dump, State } from '../model/index.ts'
import { communicates, endsOf } from './communication.ts'
import { Evidence, Scene, type Scenes } from './scenes.ts'

/** A rank as it was found: where it lies and how it is called. */
export interface RankPlace {
  readonly place: Place
  readonly rank: number
}

/** One row per end of a communication call, in the order of the dump. */
export interface EndTable {
  readonly length: number
  /** Row of the call. */
  readonly op: Uint32Array
  /** What it meets by: a row of `keys`, and the how manieth of them. */
  readonly key: Uint32Array
  readonly ordinal: Uint32Array
  readonly role: Uint8Array
}

export interface RankRecord {
  readonly rank: number
  readonly framework: string
  readonly task: string
  /** Per call. */
  readonly scene: Uint8Array
  readonly evidence: Uint8Array
  /**
   * Calls that others explain, whatever their place: modules around a bad call, backward calls of a bad forward one, gradients
   * of parameters.
   */
  readonly explained: Uint8Array
  /** Rows of calls that may be spoken of, in order, and their names. */
  readonly named: Uint32Array
  readonly names: readonly string[]
  readonly ends: EndTable
  readonly keys: readonly string[]
  /** Per key: who takes part, null where nobody says. */
  readonly members: readonly (readonly number[] | null)[]
  /** Tensors whose extremes are known; without any nothing can be said. */
  readonly counted: number
  readonly hasInputs: boolean
  /** The file ended early. */
  readonly partial: boolean
}

export function recordOf(
  files: Files,
  dump: Dump,
  rank: number,
  explained: Uint8Array,
  scenes: Scenes,
): RankRecord {
  const { scene, evidence, counted, hasInputs } = scenes
  const ends = new Ends(files, dump, rank).table()
  const named = spokenOf(scenes, explained, ends.ends)
  return {
    rank,
    framework: dump.header.framework,
    task: dump.header.task,
    scene,
    evidence,
    explained,
    named,
    names: Array.from(named, op => nameOf(dump, op)),
    ...ends,
    counted,
    hasInputs,
    partial: dump.partial,
  }
}

/** The name of a call that may be spoken of. */
export function nameIn({ named, names }: Pick<RankRecord, 'named' | 'names'>, op: number): string {
  let low = 0
  for (let high = named.length; low < high;) {
    const middle = (low + high) >>> 1
    if (named[middle] < op) low = middle + 1
    else high = middle
  }
  return named[low] === op ? names[low] : ''
}

/** Calls where something enters, the first that only has it, and all that talk to others. */
function spokenOf({ scene }: Scenes, explained: Uint8Array, ends: EndTable): Uint32Array {
  const found: number[] = []
  let isFirst = true
  for (let op = 0, end = 0; op < scene.length; op++) {
    const talks = end < ends.length && ends.op[end] === op
    while (end < ends.length && ends.op[end] === op) end++
    const has = explained[op] === 0 && (scene[op] === Scene.absorbed || scene[op] === Scene.passed)
    if (talks || scene[op] === Scene.entered || (has && isFirst)) found.push(op)
    if (has) isFirst = false
  }
  return Uint32Array.from(found)
}

/** Whether modules stand among the calls where something seems to enter: their layers know better. */
export function entersModules(dump: Dump, { scene }: Scenes): boolean {
  for (let op = 0; op < dump.ops.length; op++)
    if (scene[op] === Scene.entered && dump.names.parse(nameOf(dump, op)).ofModule) return true
  return false
}

/** Whether a call is explained by others; modules only where the hierarchy was read. */
export function explainedIn(dump: Dump, scenes: Scenes): Uint8Array {
  const explained = new Uint8Array(dump.ops.length)
  markModules(dump, scenes, explained)
  const { ops, items, names, texts } = dump
  for (let op = 0; op < ops.length; op++) {
    // msprobe keeps their places in the order from before they were made.
    if (items.state[ops.first[op]] === State.parametersGrad && ops.first[op] < ops.first[op + 1])
      explained[op] = 1
    if (scenes.scene[op] !== Scene.entered || explained[op] === 1) continue
    const name = nameOf(dump, op)
    const forward = names.turned(name, Direction.forward)
    const code = forward === name ? -1 : texts.findPlain(forward)
    if (code >= 0 && isBad(dump, scenes, code)) explained[op] = 1
  }
  return explained
}

/** What a backward call reads of its forward one stands in no list of inputs. */
function isBad({ ops }: Dump, { evidence }: Scenes, name: number): boolean {
  const op = ops.name.indexOf(name)
  return op >= 0 && (evidence[op] & (Evidence.badInput | Evidence.badOutput)) !== 0
}

/** Marks every call that holds one with bad outputs. */
function markModules({ construct, ops }: Dump, { evidence }: Scenes, explained: Uint8Array): void {
  if (construct.length === 0) return
  const rows = new Map<number, number>()
  for (let op = 0; op < ops.length; op++) rows.set(ops.name[op], op)
  const seen = new Set<number>()
  for (let op = 0; op < ops.length; op++) {
    if ((evidence[op] & Evidence.badOutput) === 0) continue
    for (let entry = construct.find(ops.name[op]); entry >= 0 && !seen.has(entry);) {
      seen.add(entry)
      const parent = construct.parent[entry]
      const row = parent < 0 ? undefined : rows.get(parent)
      if (row !== undefined) explained[row] = 1
      entry = parent < 0 ? -1 : construct.find(parent)
    }
  }
}

const nameOf = ({ texts, ops }: Dump, op: number): string => texts.get(ops.name[op])

/** Collects the ends of a dump's communication calls. */
class Ends {
  readonly #op: number[] = []
  readonly #key: number[] = []
  readonly #ordinal: number[] = []
  readonly #role: number[] = []
  readonly #codes = new Map<string, number>()
  readonly #seen: number[] = []
  readonly #members: (readonly number[] | null)[] = []

  constructor(files: Files, dump: Dump, rank: number) {
    const reader = new RawReader(files, dump)
    try {
      for (let op = 0; op < dump.ops.length; op++) {
        // Only names of calls are looked at whose first letter is that of `Distributed`.
        if (dump.texts.firstByte(dump.ops.name[op]) !== letterD) continue
        const name = nameOf(dump, op)
        const api = dump.names.communication(name)
        if (api !== null && communicates(api)) this.#add(op, api, name, reader.json(op) ?? null, rank)
      }
    } finally {
      reader.close()
    }
  }

  table(): Pick<RankRecord, 'ends' | 'keys' | 'members'> {
    return {
      ends: {
        length: this.#op.length,
        op: Uint32Array.from(this.#op),
        key: Uint32Array.from(this.#key),
        ordinal: Uint32Array.from(this.#ordinal),
        role: Uint8Array.from(this.#role),
      },
      keys: [...this.#codes.keys()],
      members: this.#members,
    }
  }

  #add(op: number, api: string, name: string, entry: Json, rank: number): void {
    const direction = name.includes('.backward') ? 'backward' : 'forward'
    for (const { key, role, members } of endsOf(api, direction, entry, rank)) {
      let code = this.#codes.get(key)
      if (code === undefined) {
        this.#codes.set(key, (code = this.#members.length))
        this.#members.push(members)
        this.#seen.push(0)
      }
      this.#op.push(op)
      this.#key.push(code)
      this.#ordinal.push(this.#seen[code]++)
      this.#role.push(role)
    }
  }
}

const letterD = 'D'.charCodeAt(0)

// Which calls of an earlier dump a scope and a list would hit, and how much would be written of them.
import {
  byText,
  type ConfigEffect,
  type ConfigHits,
  Direction,
  type Dump,
  elementsIn,
  opName,
  State,
} from '../model/index.ts'
import { lowRisk } from './risk.ts'

const shownNames = 200

export function hitsOf(dump: Dump, effect: ConfigEffect): ConfigHits {
  const hit = hitOps(dump, effect)
  const size = bytesOf(dump, hit, effect)
  const names: string[] = []
  let count = 0
  for (let op = 0; op < dump.ops.length; op++) {
    if (!hit[op]) continue
    count++
    if (names.length < shownNames) names.push(opName(dump, op))
  }
  return { calls: dump.ops.length, hit: count, names, ...size, ...missing(dump, effect) }
}

const isModule = (dump: Dump, name: string): boolean => dump.names.parse(name).ofModule

/** The op at each row is dumped. */
function hitOps(dump: Dump, { level, scope, list, task, risk }: ConfigEffect): Uint8Array {
  const count = dump.ops.length
  const out = new Uint8Array(count)
  const [first, last] = scope
  const opened = level === 'mix' && list.length > 0 ? underNamed(dump, list) : null
  const end = last === undefined ? '' : last
  let open = scope.length === 0
  const choosesByRisk = risk !== 'ALL' && scope.length === 0 && list.length === 0
  for (let op = 0; op < count; op++) {
    const name = opName(dump, op)
    if (!levelTakes(level, isModule(dump, name))) continue
    if (choosesByRisk && lowRisk.has(dump.names.word(name)) && !isModule(dump, name)) continue
    if (task === 'free_benchmark' && scope.length > 0) {
      out[op] = scope.includes(name) ? 1 : 0
      continue
    }
    if (name === first) open = true
    if (open) {
      const listed = list.length === 0 || list.some(one => name.includes(one)) || opened?.has(name) === true
      out[op] = listed ? 1 : 0
    }
    if (name === end && !(isModule(dump, name) && level !== 'L1')) open = false
    if (open && end !== '' && isModule(dump, end) && closes(dump, op, end)) open = false
  }
  return out
}

const levelTakes = (level: string, module: boolean): boolean =>
  module ? level !== 'L1' && level !== 'L2' : level !== 'L0'

/** A module's end is behind the last call inside it. */
function closes(dump: Dump, op: number, module: string): boolean {
  if (op + 1 >= dump.ops.length) return true
  const inside = (name: string): boolean => name === module || ancestors(dump, name).includes(module)
  return inside(opName(dump, op)) && !inside(opName(dump, op + 1))
}

function ancestors(dump: Dump, name: string): readonly string[] {
  const out: string[] = []
  const { construct, texts } = dump
  let code = texts.findPlain(name)
  while (code >= 0 && out.length < 100) {
    const at = construct.find(code)
    code = at < 0 ? -1 : construct.parent[at]
    if (code >= 0) out.push(texts.get(code))
  }
  return out
}

/** Calls inside a module whose name holds an entry: it opens all that runs in it. */
function underNamed(dump: Dump, list: readonly string[]): ReadonlySet<string> {
  const out = new Set<string>()
  for (let op = 0; op < dump.ops.length; op++) {
    const name = opName(dump, op)
    if (ancestors(dump, name).some(above => list.some(one => above.includes(one)))) out.add(name)
  }
  return out
}

/** Names of the scope and entries of the list that hit nothing. */
function missing(dump: Dump, { scope, list }: ConfigEffect): Pick<ConfigHits, 'missing' | 'backwards'> {
  const names = Array.from({ length: dump.ops.length }, (_, op) => opName(dump, op))
  const place = scope.map(one => names.indexOf(one))
  return {
    missing: [
      ...scope.filter((_, i) => place[i] < 0),
      ...list.filter(one => !names.some(name => name.includes(one))),
    ],
    backwards: place.length === 2 && place[0] >= 0 && place[1] >= 0 && place[1] < place[0],
  }
}

/** What one entry of dump.json takes, about. */
const bytesPerStatistic = 260

function bytesOf(
  dump: Dump,
  hit: Uint8Array,
  { dataMode, task, level }: ConfigEffect,
): Pick<ConfigHits, 'bytes' | 'files' | 'unsized'> {
  const elements = elementsIn(dump)
  // MindSpore writes bfloat16 as float32; PyTorch keeps it.
  const wide = dump.header.framework === 'mindspore'
  const itemBytes = byText(dump.texts, dump.items.dtype, dtype => widthOf(dtype, wide))
  const takes = partsOf(dataMode)
  const tensors = task === 'tensor' && level !== 'L2'
  let bytes = 0
  let files = 0
  let unsized = 0
  for (let item = 0; item < dump.items.length; item++) {
    const op = dump.items.op[item]
    if (!hit[op] || !dump.items.tensor[item] || !takes(dump, op, item)) continue
    bytes += bytesPerStatistic
    if (!tensors) continue
    files++
    const count = elements(item)
    if (count < 0) unsized++
    else bytes += count * itemBytes(item)
  }
  return { bytes, files: files + 3, unsized }
}

function widthOf(dtype: string, wide: boolean): number {
  if (/bool|float8|hifloat8/i.test(dtype)) return 1
  if (/bfloat16/i.test(dtype)) return wide ? 4 : 2
  if (/double/i.test(dtype)) return 8
  const bits = Number(/(\d+)$/.exec(dtype)?.[1] ?? 32)
  return Math.max(1, bits / 8)
}

/** A side that is not named is not taken; where neither is named both are. */
function partsOf(modes: readonly string[]): (dump: Dump, op: number, item: number) => boolean {
  const all = modes.includes('all') || modes.length === 0
  const either = (a: string, b: string): readonly [boolean, boolean] =>
    all || (!modes.includes(a) && !modes.includes(b)) ? [true, true] : [modes.includes(a), modes.includes(b)]
  const [forward, backward] = either('forward', 'backward')
  const [input, output] = either('input', 'output')
  return (dump, op, item) => {
    const direction = dump.names.parse(opName(dump, op)).direction
    const state = dump.items.state[item]
    const way = direction === Direction.forward ? forward : backward
    return way && (state === State.output || state === State.parametersGrad ? output : input)
  }
}

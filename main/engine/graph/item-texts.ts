// The items of a node as graph files spell them: what the dump says, then how it differs from the bench.
import { JsonReader, isArray, isObject, type Json, type JsonObject } from '../formats/json-stream.ts'
import { parts } from '../formats/msprobe-items.ts'
import type { Cells } from '../columns.ts'
import type { Dump } from '../dump.ts'
import type { Files, Handle } from '../io/files.ts'
import { Note, Outcome } from '../metrics/measured.ts'
import { fixed12, roundCosine } from '../metrics/numpy.ts'
import { insteadOfNumbers, noNumbers } from '../metrics/outcomes.ts'
import { Kind, type Rules } from '../model.ts'
import { NodeKind } from './graph.ts'
import { graderOf, gradeNames, type ItemGrade, type Reason } from './levels.ts'
import { notCompared, surplus, type GraphPair } from './pair.ts'
import { isNumber, numberOf, sameMd5, smallValues, statCells } from './values.ts'
import { graphRules, type GraphRules } from './rules.ts'
import { fullSpelling, jsonText, shortSpelling, spell, type Spelling } from './texts.ts'

const statKeys = ['Max', 'Min', 'Mean', 'Norm'] as const
const diffKeys = ['Max diff', 'Min diff', 'Mean diff', 'L2norm diff'] as const
const relativeKeys = ['MaxRelativeErr', 'MinRelativeErr', 'MeanRelativeErr', 'NormRelativeErr'] as const

export type Field = readonly [key: string, text: string]

/** Reads entries of dump.json again, for what the columns do not keep. */
export class RawEntries {
  readonly #files: Files
  readonly #dump: Dump
  #handle: Handle | null = null

  constructor(files: Files, dump: Dump) {
    this.#files = files
    this.#dump = dump
  }

  /** The leaves of an op, one per item row, or null when the entry cannot be read again. */
  leaves(op: number): readonly Json[] | null {
    const { ops } = this.#dump
    try {
      this.#handle ??= this.#files.open(this.#dump.files.dump)
      const bytes = new Uint8Array(ops.to[op] - ops.from[op])
      if (this.#handle.read(ops.from[op], bytes) < bytes.length) return null
      const key = this.#dump.texts.get(ops.name[op])
      const leaves = leavesOf(key, new JsonReader(bytes).value())
      return leaves.length === ops.first[op + 1] - ops.first[op] ? leaves : null
    } catch {
      return null
    }
  }

  close(): void {
    this.#handle?.close()
    this.#handle = null
  }
}

/** Leaves and nulls of an entry in the order in which items are made of them. */
function leavesOf(key: string, entry: Json): Json[] {
  const leaves: Json[] = []
  const walk = (value: Json): void => {
    if (value === null || (isObject(value) && typeof value.get('type') === 'string')) leaves.push(value)
    else if (isArray(value)) value.forEach(walk)
    else if (isObject(value)) for (const member of value.values()) walk(member)
  }
  if (key.split('.').includes('parameters_grad')) walk(entry)
  else if (isObject(entry)) {
    for (const [part] of parts) {
      const value = entry.get(part)
      if (value !== undefined) walk(value)
    }
  }
  return leaves
}

/** Leaves of the op at hand, read when first needed. */
export interface Leaves { current: readonly Json[] | null | undefined }

/** Spells the items of one dump. */
export class ItemSpeller {
  readonly #dump: Dump
  readonly #how: GraphRules
  readonly #raw: RawEntries
  readonly #spelling: Spelling
  readonly #md5: boolean
  readonly #texts: (string | undefined)[] = []
  readonly #stats: readonly Cells[]
  readonly #plainClasses: ReadonlySet<number>
  readonly #statHeads: readonly string[]

  constructor(dump: Dump, rules: Rules, raw: RawEntries) {
    this.#dump = dump
    this.#how = graphRules[rules]
    this.#raw = raw
    this.#spelling = this.#how.levels ? fullSpelling : shortSpelling
    this.#md5 = dump.header.hasMd5
    this.#stats = statCells(dump)
    this.#plainClasses = new Set(['int', 'float', 'bool', 'str'].map(name => dump.texts.find(`<class '${name}'>`)).filter(code => code >= 0))
    this.#statHeads = statKeys.map(key => `"${key}": "`)
  }

  get spelling(): Spelling { return this.#spelling }

  /** An item that is shown as nothing but null. */
  isNull(item: number): boolean {
    const { kind } = this.#dump.items.max
    return kind[item] === Kind.none || kind[item] === Kind.absent
  }

  /** The fields of the items of an op joined by `join`, each as `"key": "text"`; in the order of the rows asked for. */
  fields(op: number, item: number, join: string, leaves: Leaves): string {
    if (this.isNull(item)) return '"value": "null"'
    if (this.#isPlain(item)) return this.#dump.items.tensor[item] === 1 ? this.#tensor(item, join) : this.#scalar(item, join)
    if (leaves.current === undefined) leaves.current = this.#raw.leaves(op)
    const leaf = leaves.current?.[item - this.#dump.ops.first[op]]
    if (!isObject(leaf)) return this.#dump.items.tensor[item] === 1 ? this.#tensor(item, join) : this.#scalar(item, join)
    return this.#leaf(leaf, item).map(([key, text]) => `${jsonText(key)}: ${jsonText(text)}`).join(join)
  }

  /** Whether the columns hold all that the entry says. */
  #isPlain(item: number): boolean {
    const { items } = this.#dump
    if (items.tensor[item] !== 1) return this.#plainClasses.has(items.dtype[item])
    const finite = (cells: Cells): boolean => cells.kind[item] !== Kind.float || Number.isFinite(cells.value[item])
    return finite(items.max) && finite(items.min)
  }

  #tensor(item: number, join: string): string {
    const { items } = this.#dump
    let out = `"type": ${this.code(items.type[item])}${join}"dtype": ${this.code(items.dtype[item])}${join}"shape": ${this.code(items.shape[item])}${join}${this.#fourStats(item, join)}`
    const grad = items.requiresGrad[item]
    if (this.#how.levels && grad !== 2) out += `${join}"requires_grad": "${grad ? 'True' : 'False'}"`
    const name = `"data_name": ${items.dataName[item] < 0 ? '"-1"' : this.code(items.dataName[item])}`
    if (this.#md5) out += `${join}"md5": ${this.code(items.md5[item])}${join}${name}`
    else if (this.#how.levels) out += join + name
    else out += `${join}${name}${join}"md5": ${this.code(items.md5[item])}`
    return this.#how.levels && grad === 2 ? `${out}${join}"requires_grad": "null"` : out
  }

  #scalar(item: number, join: string): string {
    const { items } = this.#dump
    const shown = this.#cell(items.max, item)
    const name = items.dataName[item] < 0 ? '"-1"' : this.code(items.dataName[item])
    const grad = this.#how.levels ? `${join}"requires_grad": "null"` : ''
    const md5 = this.#how.levels && !this.#md5 ? '' : `${join}"md5": ${this.code(items.md5[item])}`
    return `"type": ${this.code(items.type[item])}${join}"value": ${jsonText(shown)}${join}"data_name": ${name}${grad}${join}${this.#fourStats(item, join)}${join}"dtype": ${this.code(items.dtype[item])}${join}"shape": ${this.code(items.shape[item])}${md5}`
  }

  #fourStats(item: number, join: string): string {
    let out = ''
    for (let s = 0; s < 4; s++) {
      const text = this.#cell(this.#stats[s], item)
      const quoted = this.#stats[s].kind[item] === Kind.text ? jsonText(text).slice(1, -1) : text
      out += `${s > 0 ? join : ''}${this.#statHeads[s]}${quoted}"`
    }
    return out
  }

  /** The general way: the entry's own fields, then those that every item gets. */
  #leaf(leaf: JsonObject, item: number): Field[] {
    const { items, texts } = this.#dump
    const isTensor = items.tensor[item] === 1
    const fields = new Map<string, string>()
    for (const [key, value] of leaf) {
      if (key === 'requires_grad') {
        if (this.#how.levels) fields.set(key, spell(value, this.#spelling))
      } else fields.set(key, spell(value, this.#spelling))
    }
    fields.set('data_name', items.dataName[item] < 0 ? '-1' : this.#spelling.text(texts.get(items.dataName[item])))
    if (this.#how.levels && !fields.has('requires_grad')) fields.set('requires_grad', 'null')
    statKeys.forEach((key, s) => { if (!isTensor || !fields.has(key)) fields.set(key, this.#cell(this.#stats[s], item)) })
    if (!isTensor) {
      fields.set('dtype', this.text(items.dtype[item]))
      fields.set('shape', this.text(items.shape[item]))
    }
    if (this.#how.levels && !this.#md5) fields.delete('md5')
    else if (!fields.has('md5')) fields.set('md5', this.text(items.md5[item]))
    const kept = texts.get(items.type[item]) === 'torch.ProcessGroup' ? ['type', 'group_ranks', 'group_id', 'data_name'] : null
    return [...fields].filter(([key]) => kept === null || kept.includes(key))
  }

  #cell(cells: Cells, item: number): string {
    const value = cells.value[item]
    switch (cells.kind[item]) {
      case Kind.float: return this.#spelling.float(value)
      case Kind.int: return String(value)
      case Kind.bool: return value ? 'True' : 'False'
      case Kind.text: return this.text(value)
      case Kind.bigint: return this.#dump.texts.get(value)
      default: return 'null'
    }
  }

  text(code: number): string { return code < 0 ? 'null' : this.#spelling.text(this.#dump.texts.get(code)) }

  /** A text of the pool as JSON, kept: types, dtypes and shapes repeat. */
  code(code: number): string {
    if (code < 0) return '"null"'
    return this.#texts[code] ??= jsonText(this.text(code))
  }
}

/** Spells how the debug items of a comparison differ from their partners. */
export class DifferenceSpeller {
  readonly #pair: GraphPair
  readonly #how: GraphRules
  readonly #spelling: Spelling
  readonly #mine: readonly Cells[]
  readonly #theirs: readonly Cells[]
  readonly #smallOf: ReturnType<typeof smallValues>
  readonly #grades: ((node: number) => readonly ItemGrade[]) | null
  #node = -1
  #nodeGrades: ReadonlyMap<number, ItemGrade> = new Map()

  constructor(pair: GraphPair, spelling: Spelling) {
    this.#pair = pair
    this.#how = graphRules[pair.rules]
    this.#spelling = spelling
    this.#mine = statCells(pair.debugDump)
    this.#theirs = statCells(pair.benchDump)
    this.#smallOf = this.#how.smallValues ? smallValues(pair.debugDump) : () => undefined
    this.#grades = this.#how.levels ? graderOf(pair) : null
  }

  /** The fields of an item's difference, each with `join` in front; '' where nothing was compared. */
  fields(node: number, item: number, join: string): string {
    const there = this.#pair.benchItem[item]
    if (there === notCompared || this.#pair.mode === 'structure') return ''
    const made = { statistics: this.#statistics, tensor: this.#tensor, md5: this.#md5 }[this.#pair.mode].call(this, item, there, join)
    return this.#grades ? this.#withGrade(made, node, item, there, join) : made
  }

  /** `Result` of a node in md5 mode. */
  nodeResult(node: number, index: string): string {
    if (this.#pair.mode !== 'md5' || this.#how.levels || this.#pair.debug.kind[node] === NodeKind.group) return ''
    return index === '1' ? 'pass' : 'Different'
  }

  #statistics(item: number, there: number, join: string): string {
    if (there === surplus) return this.#surplusStatistics(item, join)
    const { debugDump, benchDump } = this.#pair
    const small = this.#smallOf(debugDump.items.dtype[item])
    let diffs = ''
    let relatives = ''
    for (let s = 0; s < 4; s++) {
      const kind = this.#mine[s].kind[item]
      const otherKind = this.#theirs[s].kind[there]
      let diff = 'N/A'
      let relative = 'N/A'
      if (isNumber(kind) && isNumber(otherKind)) {
        const n = numberOf(debugDump, this.#mine[s], item)
        const b = numberOf(benchDump, this.#theirs[s], there)
        const d = n - b
        if (Number.isNaN(d)) diff = relative = 'Nan'
        else {
          const floats = kind === Kind.float || otherKind === Kind.float
          diff = !floats ? String(d) : Number.isFinite(d) ? this.#spelling.float(d) : d < 0 ? '-inf\\t' : 'inf\\t'
          if (b !== 0) relative = d === 0 ? '0.0%' : this.#spelling.percent(Math.abs(d / b) * 100)
        }
        if (small && Math.abs(n) <= small.bound) relative += smallNotes[s](small.shown)
      }
      diffs += `${join}"${diffKeys[s]}": "${diff}"`
      relatives += `${join}"${relativeKeys[s]}": "${relative}"`
    }
    return diffs + relatives
  }

  #surplusStatistics(item: number, join: string): string {
    const shifted = (s: number): string => {
      const cells = this.#mine[s - 1]
      return isNumber(cells.kind[item]) ? this.#spelling.float(numberOf(this.#pair.debugDump, cells, item)) : ' '
    }
    return diffKeys.map(key => `${join}"${key}": " "`).join('')
      + relativeKeys.map((key, s) => `${join}"${key}": "${this.#how.shortPadding && s > 0 ? shifted(s) : ' '}"`).join('')
  }

  #tensor(item: number, there: number, join: string): string {
    const { measured, measuredRow } = this.#pair
    const row = measuredRow[item]
    const fixed = measured && row >= 0 ? insteadOfNumbers[measured.outcome[row]] : there === surplus ? ' ' : noNumbers
    return tensorMetrics.filter(metric => metric.key !== 'EucDist' || this.#how.levels).map(metric => {
      let text = fixed
      if (measured && row >= 0) {
        const outcome = measured.outcome[row]
        if (outcome === Outcome.empty && !this.#how.levels) text = '0'
        else if (text === null && (outcome === Outcome.scalar ? !metric.scalar : !metric.single && (measured.notes[row] & Note.single) !== 0)) text = noNumbers
        else if (text === null) text = Number.isNaN(measured[metric.column][row]) ? 'Nan' : this.#spelling.float(metric.shown(measured[metric.column][row]))
      }
      return `${join}"${metric.key}": "${text ?? noNumbers}"`
    }).join('')
  }

  #md5(item: number, there: number, join: string): string {
    const { debugDump, benchDump } = this.#pair
    const text = there === surplus ? 'Nan' : sameMd5(debugDump, item, benchDump, there) ? 'pass' : 'Different'
    return this.#how.levels ? '' : `${join}"Result": "${text}"`
  }

  #withGrade(made: string, node: number, item: number, there: number, join: string): string {
    if (node !== this.#node && this.#grades) {
      this.#node = node
      this.#nodeGrades = new Map(this.#grades(node).map(grade => [grade.item, grade]))
    }
    const grade = this.#nodeGrades.get(item)
    const { debugDump, benchDump } = this.#pair
    const same = there < 0 || debugDump.items.requiresGrad[item] === benchDump.items.requiresGrad[there]
    const consistent = `${join}"Requires_grad Consistent": "${same ? 'True' : 'False'}"`
    const result = `${join}"Result": "${gradeNames[grade?.grade ?? 0]}"`
    const message = `${join}"Err_message": ${jsonText(`[${(grade?.reasons ?? []).map(reason => `"${reasonTexts[reason]}"`).join(', ')}]`)}`
    return this.#pair.mode === 'md5' ? result + consistent + message : made + consistent + result + message
  }
}

/** The note that a relative error of a small value gets; viewers read what stands before the comma. */
const smallNotes = statKeys.map(key => (bound: string) => `, \\u7531\\u4e8e${key}\\u5c0f\\u4e8e${bound}, \\u5efa\\u8bae\\u4e0d\\u53c2\\u8003\\u6b64\\u76f8\\u5bf9\\u8bef\\u5dee\\uff0c\\u8bf7\\u53c2\\u8003\\u7edd\\u5bf9\\u8bef\\u5dee`)

const tensorMetrics = [
  { key: 'Cosine', column: 'cosine', shown: roundCosine, scalar: false, single: false },
  { key: 'EucDist', column: 'euclid', shown: (x: number) => x, scalar: false, single: true },
  { key: 'MaxAbsErr', column: 'maxAbs', shown: fixed12, scalar: true, single: true },
  { key: 'MaxRelativeErr', column: 'maxRel', shown: fixed12, scalar: true, single: true },
  { key: 'One Thousandth Err Ratio', column: 'thousandth', shown: fixed12, scalar: false, single: true },
  { key: 'Five Thousandths Err Ratio', column: 'fiveThousandths', shown: fixed12, scalar: false, single: true },
] as const

const reasonTexts: Readonly<Record<Reason, string>> = {
  'not-finite': 'error: NaN or Inf only on the debug side', 'norm-jump': 'error: the norm was right in the inputs and is wrong here',
  'ratio-fall': 'error: the one-thousandth ratio falls from the inputs to here', 'requires-grad': 'error: requires_grad differs', scalar: 'error: the argument differs',
  dtype: 'error: the dtype differs', shape: 'error: the shape differs', 'norm-growth': 'warning: the relative error of the norm grows from the inputs to here',
  'cosine-fall': 'warning: the cosine falls from the inputs to here', checksum: 'error: the checksums differ', 'no-partner': 'warning: no counterpart',
}


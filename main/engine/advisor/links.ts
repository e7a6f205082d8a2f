// Why an input disagrees: follows it back on both sides to what made it, and says which ends do not meet.
import { type Alignment, Direction, Precision, type SideView } from '../pair/index.ts'
import {
  type BenchItem,
  type BenchOp,
  type Column,
  type DebugItem,
  type DebugOp,
  type Ids,
  itemName,
  type ItemRow,
  type NameCode,
  opName,
  type OpRow,
  State,
  type Thresholds,
  itemShape,
} from '../model/index.ts'
import { textOf } from './evidence.ts'
import { Difference, isFloat, type Levels } from './levels.ts'
import { floorOf } from '../judge/index.ts'
import { Equal, Part } from '../measure/index.ts'
import type { Flips, KnownNoise } from '../noise/index.ts'
import { finerEnds, type Noise } from './noise.ts'
import { firstTensorOutput } from './sources.ts'
import { makerOf, type Timeline } from './timeline.ts'

export interface Case {
  readonly debug: SideView
  readonly bench: SideView
  readonly aligned: Alignment
  readonly levels: Levels
  readonly noise: Noise
  /** What noise was measured to do, between healthy runs; null where nobody measured. */
  readonly known: KnownNoise | null
  /** Choices that rounding turned, and what follows from them. */
  readonly flips: Flips
  readonly limits: Thresholds
  readonly time: Timeline
  /** The sides come from different frameworks: pairs are given, names and arguments do not compare. */
  readonly across: boolean
  /** Unmatched ops that change nothing, per side. */
  readonly neutralDebug: Column<Uint8Array, OpRow>
  readonly neutralBench: Column<Uint8Array, OpRow>
}

/** What an input is to its op. */
export type Role = 'parameter' | 'placed' | 'statistic' | 'data'

/** What made an input on either side. */
export interface Meeting {
  /** Outputs that were recorded, -1: none. */
  readonly made: DebugItem
  readonly benchMade: BenchItem
  /** Either was. */
  readonly known: boolean
  /** Calls that one side alone makes, where one of them made it. */
  readonly lone: { readonly debug: DebugOp; readonly bench: BenchOp } | null
  /** Some earlier output is this input on both sides. */
  readonly met: boolean
}

/** Buffers that a collective overwrites: what they held before means nothing. */
const buffers: readonly (readonly [RegExp, RegExp])[] = [
  [
    /all_gather|_reduce_scatter_base|reduce_scatter_tensor|all_gather_into_tensor|_all_gather_base|all_to_all/,
    /^\.(?:input|kwargs)\.(?:0\b|output|tensor_list|output_tensor)/,
  ],
  [/reduce_scatter/, /^\.(?:input|kwargs)\.(?:0\b|output)/],
  [/\birecv\b|\brecv\b/, /^\.(?:input|kwargs)\.(?:0\b|tensor)/],
  [/\bcopy_|\bfill_|\bzero_/, /^\.input\.0\b/],
]

export class Links {
  readonly #c: Case
  readonly #readDebug: Uint8Array
  readonly #readBench: Uint8Array
  /** By class, an item that a module's record names as its parameter; -1: none. */
  readonly #heldDebug: Ids<number, DebugItem>
  readonly #heldBench: Ids<number, BenchItem>
  readonly #rootInput: Column<Uint8Array, DebugItem>
  readonly #early: Uint8Array
  readonly #readByLeaf: Uint8Array
  readonly #outputs: Ids<number, DebugItem>
  readonly #nextOutput: Ids<DebugItem, DebugItem>
  readonly #tolerates = new Map<NameCode, RegExp | null>()
  /** Products that the matched addition of a bias completes: they are no calls of one side alone. */
  readonly #completed: Readonly<Record<'debug' | 'bench', ReadonlySet<OpRow>>>
  readonly #firstBackward: DebugOp
  #brokenLimit = -1
  #chosen = -1
  #lost: Map<number, { lost: number; kept: number }> | null = null

  constructor(c: Case) {
    this.#c = c
    this.#readDebug = classesOf(c.debug, state => state !== State.output)
    this.#readBench = classesOf(c.bench, state => state !== State.output)
    this.#heldDebug = recordsOf(c.debug)
    this.#heldBench = recordsOf(c.bench)
    this.#rootInput = rootInputs(c.debug, c.neutralDebug)
    this.#early = earlyReads(c.debug)
    this.#firstBackward = c.debug.direction.indexOf(Direction.backward)
    this.#readByLeaf = classesOf(c.debug, (state, op) => state !== State.output && c.debug.leaf[op] === 1)
    this.#completed = {
      debug: completed(c.aligned.completes.debug, c.aligned.ops.toBench),
      bench: completed(c.aligned.completes.bench, c.aligned.ops.toDebug),
    }
    const { items } = c.debug.dump
    this.#outputs = new Int32Array(items.length).fill(-1)
    this.#nextOutput = new Int32Array(items.length).fill(-1)
    for (let i = items.length - 1; i >= 0; i--) {
      const of = c.debug.flow.view[i]
      if (items.state[i] !== State.output || of < 0) continue
      this.#nextOutput[i] = this.#outputs[of]
      this.#outputs[of] = i
    }
  }

  /** Inputs that hold nothing yet. */
  tolerated(op: OpRow, item: ItemRow): boolean {
    const { debug } = this.#c
    let pattern = this.#tolerates.get(debug.api[op])
    if (pattern === undefined) {
      const api = debug.names.text(debug.api[op])
      const tensorCall = api.startsWith('Tensor.') || debug.dump.names.communication(api) !== null
      pattern = tensorCall ? (buffers.find(([name]) => name.test(api))?.[1] ?? null) : null
      this.#tolerates.set(debug.api[op], pattern)
    }
    return pattern !== null && pattern.test(itemName(debug.dump, item).slice(opName(debug.dump, op).length))
  }

  /** A call reads whole numbers so large that its statistics tell nothing of the others. */
  readsHidden(op: DebugOp): boolean {
    const { ops, items } = this.#c.debug.dump
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
      if (
        items.state[i] === State.input &&
        this.#c.debug.precision[i] === Precision.whole &&
        this.#c.debug.range[i] >= hiding
      )
        return true
    return false
  }

  /** Memory that nobody has filled yet, in full: no index, label or count is so large. */
  isUnfilled(item: DebugItem): boolean {
    const { debug, bench, levels } = this.#c
    const partner = levels.toBench[item]
    if (debug.precision[item] !== Precision.whole || partner < 0) return false
    const huge = ({ range }: SideView, i: ItemRow): boolean => range[i] > largestIndex
    return huge(debug, item) || huge(bench, partner)
  }

  /** An output that somebody reads, or of an op none of whose outputs is read. */
  matters(item: ItemRow): boolean {
    const { debug, levels } = this.#c
    const { items, ops } = debug.dump
    const op = items.op[item]
    if (debug.direction[op] !== Direction.forward)
      return !this.#c.across || debug.module[op] === 1 || this.#readAlike(item)
    if (this.#isRead(item)) return true
    if (levels.toBench[item] < 0) return false
    let tensors = 0
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (items.state[i] !== State.output || items.tensor[i] === 0) continue
      tensors++
      if (i !== item && this.#isRead(i)) return false
    }
    // Where nothing is known of the readers, the first result is the result; the others are often scratch
    // space.
    return tensors === 1 || item === firstTensorOutput(debug, op)
  }

  /** A gradient that one side's next op reads and the other's does not is not the same gradient. */
  #readAlike(item: ItemRow): boolean {
    const { debug, bench, levels } = this.#c
    const [of, other] = [debug.flow.view[item], bench.flow.view[levels.toBench[item]]]
    // PyTorch records the gradient of the innermost step: for a linear layer on a batch that is what came in.
    if (handsOn(debug, item) !== handsOn(bench, levels.toBench[item])) return false
    return (of >= 0 && this.#readDebug[of] === 1) === (other >= 0 && this.#readBench[other] === 1)
  }

  #isRead(item: ItemRow): boolean {
    const { debug, bench, levels } = this.#c
    const j = levels.toBench[item]
    return (
      (debug.flow.view[item] >= 0 && this.#readDebug[debug.flow.view[item]] === 1) ||
      (j >= 0 && bench.flow.view[j] >= 0 && this.#readBench[bench.flow.view[j]] === 1)
    )
  }

  /**
   * What a source is to its op: a parameter with proof, one by its place alone, a running statistic that
   * earlier steps left, or data.
   */
  role(i: DebugItem): Role {
    const { debug, bench, levels } = this.#c
    const j = levels.toBench[i]
    if (
      debug.dump.items.state[i] === State.output ||
      debug.flow.producer[i] >= 0 ||
      (j >= 0 && bench.flow.producer[j] >= 0) ||
      !isFloat(debug, i)
    )
      return 'data'
    const { items, ops } = debug.dump
    const op = items.op[i]
    if (debug.direction[op] !== Direction.forward) return 'data'
    const place = i - ops.first[op]
    const api = debug.names.text(debug.api[op])
    if (items.state[i] === State.parameters)
      return /running_|moving_|num_batches/.test(itemName(debug.dump, i)) ? 'statistic' : 'parameter'
    if (/batch_?norm|bn_train|bn_infer|BatchNorm/.test(api)) {
      const statistics = api.startsWith('Primitive') || api.startsWith('Mint') ? [3, 4] : [1, 2]
      if (statistics.includes(place) && items.requiresGrad[i] !== 1) return 'statistic'
    }
    const call = api.slice(api.lastIndexOf('.') + 1)
    if (this.#recorded(i, j)) return 'parameter'
    // Modules have their parameters recorded apart from what they are given.
    if (debug.module[op] === 1) return 'data'
    if (place === 0 && !/embedding|gather/i.test(call)) return 'data'
    if (/embedding|gather/i.test(call)) return 'placed'
    const kind = debug.kind[op]
    if (kind !== 'product' && kind !== 'norm' && kind !== 'recurrent') return 'data'
    return /matmul|bmm|einsum|^mm$/i.test(call) && !this.#isMatrix(i) ? 'data' : 'placed'
  }

  /**
   * A module's record holds this tensor on both sides, and differs as it does: normalised weights begin as equal
   * to what they are made from, so that equal numbers alone may be luck.
   */
  #recorded(i: DebugItem, j: BenchItem): boolean {
    const { debug, bench, levels } = this.#c
    const held = (view: SideView, item: ItemRow, records: Ids<number, ItemRow>): ItemRow =>
      item >= 0 && view.flow.identity[item] >= 0 ? records[view.flow.view[item]] : -1
    const [mine, theirs] = [held(debug, i, this.#heldDebug), held(bench, j, this.#heldBench)]
    if (mine < 0 || theirs < 0) return false
    return levels.equal[i] !== Equal.no || levels.toBench[mine] < 0 || levels.equal[mine] === Equal.no
  }

  /** Weights are matrices; what meets in attention has more dimensions. */
  #isMatrix(item: ItemRow): boolean {
    const { dump } = this.#c.debug
    return (itemShape(dump, item).match(/\d+/g)?.length ?? 0) <= 2
  }

  /** What an op reads has another shape on the other side: its arguments follow from that. */
  reshaped(op: OpRow): boolean {
    const { debug, levels } = this.#c
    for (let i = debug.dump.ops.first[op]; i < debug.dump.ops.first[op + 1]; i++) {
      if (debug.dump.items.state[i] === State.input && (levels.differs[i] & Difference.shape) !== 0)
        return true
    }
    return false
  }

  /** Nothing recorded wrote it on either side: unseen operations may lie behind it. */
  isSource(item: ItemRow): boolean {
    const { debug, bench, levels } = this.#c
    return debug.flow.producer[item] < 0 && bench.flow.producer[levels.toBench[item]] < 0
  }

  /** An input of the model that nothing recorded can have made: read before anything was, or whole numbers. */
  isGiven(item: ItemRow): boolean {
    const of = this.#c.debug.flow.view[item]
    return (
      this.isUnrounded(item) ||
      (this.isRootInput(item) &&
        (this.#early[of] === 1 || this.#c.debug.precision[item] === Precision.whole)) ||
      this.#isIndexGiven(item)
    )
  }

  /**
   * A number in it that differs has more digits than anything that its side computes, and nothing recorded wrote it: it
   * was loaded, so that no rounding is in it. Of weights all may differ but the extremes.
   */
  isUnrounded(item: ItemRow): boolean {
    const { debug, bench, levels, noise, across, limits } = this.#c
    const { items } = debug.dump
    const forward = debug.direction[items.op[item]] === Direction.forward
    if (across || !forward || items.state[item] === State.output || !isFloat(debug, item)) return false
    // Optimizers keep more digits than what is computed.
    if (this.#firstBackward >= 0 && items.op[item] > this.#firstBackward) return false
    const partner = levels.toBench[item]
    const side = noise.roundsAll.debug ? 'debug' : 'bench'
    if (!noise.roundsAll[side]) return false
    const finer = finerEnds(this.#c[side], side === 'debug' ? item : partner, noise[side])
    if (finer.length === 0 || !this.isSource(item) || this.#isHeldAround(item)) return false
    const least = limits.gainBackward * limits.floor32 * bench.range[partner]
    if (finer.some(end => Math.abs(items[end].value[item] - bench.dump.items[end].value[partner]) > least))
      return true
    if (finer.length < 2) return false
    // Between two numbers that were loaded some may have been computed: those average out in a norm.
    const byRounding = limits.gainForward * floorOf(noise[side], limits)
    return this.role(item) === 'placed' || levels.parts[Part.norm][item] > byRounding
  }

  /**
   * The record of a module around its call holds it, in this shape or another, and tells of it: constants have
   * no other trace.
   */
  #isHeldAround(item: ItemRow): boolean {
    const { debug } = this.#c
    const { items, ops } = debug.dump
    for (let up = debug.parent[items.op[item]]; up >= 0; up = debug.parent[up])
      for (let held = ops.first[up]; held < ops.first[up + 1]; held++)
        if (
          items.state[held] === State.parameters &&
          debug.numel[held] === debug.numel[item] &&
          items.max.value[held] === items.max.value[item] &&
          items.min.value[held] === items.min.value[item]
        )
          return true
    return false
  }

  /**
   * Labels and places that no call made and that no choice among rounded numbers can have made, as long as none of
   * those recorded came out otherwise. What a container is given besides may be of its own making.
   */
  #isIndexGiven(item: ItemRow): boolean {
    const { debug, flips, across } = this.#c
    const { items } = debug.dump
    return (
      !across &&
      flips.found.length === 0 &&
      debug.leaf[items.op[item]] === 1 &&
      debug.direction[items.op[item]] === Direction.forward &&
      items.state[item] === State.input &&
      this.isSource(item) &&
      indices.test(textOf(debug, item, 'dtype')) &&
      !this.#choseOtherwise()
    )
  }

  /** Some call gives other whole numbers from what differs by rounding. */
  #choseOtherwise(): boolean {
    if (this.#chosen < 0) {
      const { debug, levels } = this.#c
      const { items } = debug.dump
      const isOther = (i: DebugItem): boolean =>
        items.state[i] === State.output &&
        debug.precision[i] === Precision.whole &&
        levels.equal[i] === Equal.no &&
        readsFloats(debug, items.op[i])
      this.#chosen = levels.toBench.some((partner, i) => partner >= 0 && isOther(i)) ? 1 : 0
    }
    return this.#chosen === 1
  }

  /** Some call inside which nothing was recorded reads it. */
  isReadInside(item: ItemRow): boolean {
    const of = this.#c.debug.flow.view[item]
    return of >= 0 && this.#readByLeaf[of] === 1
  }

  isRootInput(item: ItemRow): boolean {
    const of = this.#c.debug.flow.view[item]
    return of >= 0 && this.#rootInput[of] === 1
  }

  /** The dtype differs here for the first time on the way of this tensor. */
  freshCast(i: DebugItem): boolean {
    const { debug, bench, levels } = this.#c
    const j = levels.toBench[i]
    const [p, q] = [debug.flow.producer[i], bench.flow.producer[j]]
    const met = q >= 0 ? levels.toDebug[q] : -1
    const made = p >= 0 ? p : met
    return made < 0 || levels.toBench[made] < 0 || (levels.differs[made] & Difference.dtype) === 0
  }

  /**
   * Ops that made an item on either side; ops that only hand on are passed over when they have no partner.
   */
  #makers(i: DebugItem, j: BenchItem): readonly [DebugItem, BenchItem] {
    const { debug, bench, aligned, neutralDebug, neutralBench, across } = this.#c
    return [
      makerOf(debug, i, op => (!across && aligned.ops.toBench[op] >= 0) || neutralDebug[op] === 0),
      makerOf(bench, j, op => (!across && aligned.ops.toDebug[op] >= 0) || neutralBench[op] === 0),
    ]
  }

  meeting(i: DebugItem): Meeting {
    const { debug, bench, aligned, levels } = this.#c
    const j = levels.toBench[i]
    const [made, benchMade] = this.#makers(i, j)
    const op = made < 0 ? -1 : debug.dump.items.op[made]
    const benchOp = benchMade < 0 ? -1 : bench.dump.items.op[benchMade]
    const lone = {
      debug: op >= 0 && aligned.ops.toBench[op] < 0 && !this.#completed.debug.has(op) ? op : -1,
      bench:
        benchOp >= 0 && aligned.ops.toDebug[benchOp] < 0 && !this.#completed.bench.has(benchOp)
          ? benchOp
          : -1,
    }
    return {
      made,
      benchMade,
      known:
        (made >= 0 && !this.#isUnseen(made)) ||
        (benchMade >= 0 && !this.#isUnseen(levels.toDebug[benchMade])),
      lone: lone.debug >= 0 || lone.bench >= 0 ? lone : null,
      met: made >= 0 && benchMade >= 0 && this.#meet(i, j, made, benchMade),
    }
  }

  /** Its tensors could not be compared: what it gave shows first where it is read. */
  #isUnseen(made: DebugItem): boolean {
    const { levels } = this.#c
    return (
      made >= 0 &&
      levels.toBench[made] >= 0 &&
      levels.equal[made] === Equal.unknown &&
      Number.isNaN(levels.level[made])
    )
  }

  /** The call that only one side makes and that really made an input, whoever handed it on since. */
  madeAlone(i: DebugItem): Meeting['lone'] {
    const { debug, bench, aligned, levels, neutralDebug, neutralBench } = this.#c
    const made = makerOf(debug, i, op => neutralDebug[op] === 0)
    const benchMade = makerOf(bench, levels.toBench[i], op => neutralBench[op] === 0)
    const op = made < 0 ? -1 : debug.dump.items.op[made]
    const benchOp = benchMade < 0 ? -1 : bench.dump.items.op[benchMade]
    const lone = {
      debug: op >= 0 && aligned.ops.toBench[op] < 0 ? op : -1,
      bench: benchOp >= 0 && aligned.ops.toDebug[benchOp] < 0 ? benchOp : -1,
    }
    return lone.debug >= 0 || lone.bench >= 0 ? lone : null
  }

  /**
   * A call of one side alone that gives an input the same elements in another order: its statistics stay as they
   * were, also in what is put together of it.
   */
  turnedAlone(i: DebugItem, deep = 4): Meeting['lone'] {
    const lone = this.#turnedHere(i)
    const made = this.#c.debug.flow.producer[i]
    if (lone || made < 0 || deep === 0) return lone
    const { debug, levels } = this.#c
    const { ops, items } = debug.dump
    const op = items.op[made]
    if (debug.kind[op] !== 'view') return null
    for (let k = ops.first[op]; k < ops.first[op + 1]; k++) {
      if (items.state[k] === State.output || levels.toBench[k] < 0 || !isFloat(debug, k)) continue
      const before = this.madeAlone(k) ?? this.turnedAlone(k, deep - 1)
      if (before) return before
    }
    return null
  }

  #turnedHere(i: DebugItem): Meeting['lone'] {
    const { debug, bench, aligned, levels } = this.#c
    const last = (view: SideView, item: ItemRow, partners: Ids<OpRow, OpRow>): OpRow => {
      const made = item < 0 ? -1 : view.flow.producer[item]
      const op = made < 0 ? -1 : view.dump.items.op[made]
      return op >= 0 && partners[op] < 0 && turns(view, op) ? op : -1
    }
    const d = last(debug, i, aligned.ops.toBench)
    const b = last(bench, levels.toBench[i], aligned.ops.toDebug)
    return d < 0 === b < 0 ? null : { debug: d, bench: b }
  }

  /**
   * An edge that holds to the bit on one side and not on the other: noise acts inside operations, so no noise
   * does this.
   */
  broken(i: DebugItem, { made, benchMade, known, met }: Meeting): boolean {
    const { debug, bench, aligned, levels, across } = this.#c
    if (!isFloat(debug, i) || levels.equal[i] !== Equal.no || !known || this.isSource(i)) return false
    if (made >= 0 && aligned.ops.toBench[debug.dump.items.op[made]] < 0) return false
    if (benchMade >= 0 && aligned.ops.toDebug[bench.dump.items.op[benchMade]] < 0) return false
    if (made >= 0 && benchMade >= 0 ? met : this.#bothLost(i, made >= 0 ? made : levels.toDebug[benchMade]))
      return false
    return !(across ? this.#usuallyLost(i) : this.#manyBroken())
  }

  /** The dtype changed on the way, or the tensors are of different size: no statement. */
  #bothLost(i: DebugItem, made: ItemRow): boolean {
    const { debug, levels } = this.#c
    return (
      made < 0 ||
      levels.toBench[made] < 0 ||
      debug.numel[made] !== debug.numel[i] ||
      debug.precision[made] !== debug.precision[i] ||
      (levels.differs[i] & (Difference.dtype | Difference.shape)) !== 0
    )
  }

  /** Some earlier output is this input on both sides. */
  #meet(i: DebugItem, j: BenchItem, p: DebugItem, q: BenchItem): boolean {
    const { debug, bench, levels } = this.#c
    if (levels.toBench[p] === q) return true
    // Outputs of one call do not always meet across frameworks; those that do are told apart.
    const other = levels.toBench[p]
    if (
      this.#c.across &&
      this.#c.aligned.ops.toBench[debug.dump.items.op[p]] === bench.dump.items.op[q] &&
      (other < 0 || bench.flow.view[other] < 0 || bench.flow.view[other] === bench.flow.view[q])
    )
      return true
    const [x, y] = [debug.flow.view, bench.flow.view]
    if (x[i] < 0 || y[j] < 0) return true
    for (let at = this.#outputs[x[i]]; at >= 0; at = this.#nextOutput[at]) {
      const partner = levels.toBench[at]
      if (partner >= 0 && y[partner] === y[j]) return true
    }
    return false
  }

  /** One side may have steps that are never dumped: then broken edges are everywhere and say nothing. */
  #manyBroken(): boolean {
    if (this.#brokenLimit < 0) {
      const { debug, bench, levels } = this.#c
      let [all, lost] = [0, 0]
      for (let i = 0; i < levels.toBench.length; i++) {
        const j = levels.toBench[i]
        if (j < 0 || debug.dump.items.state[i] !== State.input || !isFloat(debug, i)) continue
        if (debug.flow.producer[i] < 0 && bench.flow.producer[j] < 0) continue
        all++
        if (debug.flow.producer[i] < 0 !== bench.flow.producer[j] < 0) lost++
      }
      this.#brokenLimit = lost > Math.max(12, 0.1 * all) ? 1 : 0
    }
    return this.#brokenLimit === 1
  }

  /**
   * Across frameworks an edge may be missing because one of them dumps less: then it is missing wherever such
   * a call reads.
   */
  #usuallyLost(i: DebugItem): boolean {
    const { debug, levels } = this.#c
    const pattern = (item: ItemRow): number =>
      (debug.api[debug.dump.items.op[item]] * 2 + debug.direction[debug.dump.items.op[item]]) * 64 +
      Math.min(63, item - debug.dump.ops.first[debug.dump.items.op[item]])
    if (!this.#lost) {
      this.#lost = new Map()
      for (let k = 0; k < levels.toBench.length; k++) {
        const j = levels.toBench[k]
        if (j < 0 || debug.dump.items.state[k] !== State.input || !isFloat(debug, k) || this.isSource(k))
          continue
        const [p, q] = this.#makers(k, j)
        const count = this.#lost.get(pattern(k)) ?? { lost: 0, kept: 0 }
        this.#lost.set(pattern(k), count)
        if (p < 0 !== q < 0) count.lost++
        else count.kept++
      }
    }
    const count = this.#lost.get(pattern(i))
    return count === undefined || count.lost > count.kept
  }
}

const largestIndex = 2 ** 40
/** What is made of infinity or of nothing is as large as 32 bits hold. */
const hiding = 2 ** 30

/** Smaller whole numbers are quantised ones. */
const indices = /int(?:32|64)$/i

function readsFloats(view: SideView, op: OpRow): boolean {
  for (let i = view.dump.ops.first[op]; i < view.dump.ops.first[op + 1]; i++)
    if (view.dump.items.state[i] !== State.output && isFloat(view, i)) return true
  return false
}

const turning = /^(?:t|transpose|permute|swapaxes|swapdims|movedim)$/

/** Gives all that it gets, in another order. */
const turns = (view: SideView, op: OpRow): boolean => {
  const api = view.names.text(view.api[op])
  return turning.test(api.slice(api.lastIndexOf('.') + 1))
}

function completed(half: Ids<OpRow, OpRow>, partners: Ids<OpRow, OpRow>): ReadonlySet<OpRow> {
  const found = new Set<OpRow>()
  for (let op = 0; op < half.length; op++) if (half[op] >= 0 && partners[op] >= 0) found.add(half[op])
  return found
}

/** An output that is one of the op's inputs. */
function handsOn(view: SideView, item: ItemRow): boolean {
  const { ops, items } = view.dump
  const of = view.flow.view[item]
  if (of < 0) return false
  for (let i = ops.first[items.op[item]]; i < ops.first[items.op[item] + 1]; i++)
    if (items.state[i] !== State.output && view.flow.view[i] === of) return true
  return false
}

function classesOf(
  { dump: { items }, flow }: SideView,
  wanted: (state: number, op: OpRow) => boolean,
): Uint8Array {
  const found = new Uint8Array(items.length)
  for (let i = 0; i < found.length; i++)
    if (flow.view[i] >= 0 && wanted(items.state[i], items.op[i])) found[flow.view[i]] = 1
  return found
}

/** Classes that are read before any float result was recorded, or given to a model that began before. */
function earlyReads(view: SideView): Uint8Array {
  const { ops, items } = view.dump
  const found = new Uint8Array(items.length)
  const read = (i: ItemRow): void => {
    if (items.state[i] !== State.output && view.flow.view[i] >= 0) found[view.flow.view[i]] = 1
  }
  const makes = (op: OpRow): boolean => {
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
      if (items.state[i] === State.output && view.leaf[op] === 1 && isFloat(view, i)) return true
    return false
  }
  let op = 0
  for (; op < view.api.length; op++) {
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) read(i)
    if (makes(op)) break
  }
  for (let model = op + 1; model < view.api.length; model++)
    if (
      view.module[model] === 1 &&
      view.parent[model] < 0 &&
      view.start[model] <= op &&
      view.leaf[model] === 0
    )
      for (let i = ops.first[model]; i < ops.first[model + 1]; i++)
        if (items.state[i] === State.input) read(i)
  return found
}

function recordsOf({ dump: { items }, flow }: SideView): Ids<number, ItemRow> {
  const found = new Int32Array(items.length).fill(-1)
  for (let i = 0; i < found.length; i++)
    if (items.state[i] === State.parameters && flow.view[i] >= 0) found[flow.view[i]] = i
  return found
}

/** Tensors that a top-level module gets and nothing recorded wrote: the model's inputs. */
function rootInputs(view: SideView, neutral: Column<Uint8Array, OpRow>): Column<Uint8Array, DebugItem> {
  const { ops, items } = view.dump
  const found = new Uint8Array(items.length)
  for (let op = 0; op < view.api.length; op++) {
    if (
      view.module[op] === 0 ||
      view.parent[op] >= 0 ||
      view.leaf[op] === 1 ||
      view.direction[op] !== Direction.forward
    )
      continue
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (
        items.state[i] === State.input &&
        items.requiresGrad[i] !== 1 &&
        view.flow.view[i] >= 0 &&
        makerOf(view, i, at => neutral[at] === 0) < 0
      )
        found[view.flow.view[i]] = 1
    }
  }
  return found
}

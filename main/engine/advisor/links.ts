// Why an input disagrees: follows it back on both sides to what made it, and says which ends do not meet.
import { type Alignment, Direction, Precision, type SideView } from '../pair/index.ts'
import {
  type BenchItem,
  type BenchOp,
  type Column,
  type DebugItem,
  type DebugOp,
  type Entry,
  type Ids,
  itemName,
  type ItemRow,
  type NameCode,
  opName,
  type OpRow,
  State,
  type Thresholds,
  type TimeStep,
  itemShape,
} from '../model/index.ts'
import { blockOf, calledAlone, calledInstead, outermost } from './blocks.ts'
import { Difference, isFloat, type Levels } from './levels.ts'
import { Equal } from '../measure/index.ts'
import { floorOf } from '../judge/index.ts'
import { floorAt, type Noise } from './noise.ts'
import { makerOf, type Timeline } from './timeline.ts'

export interface Case {
  readonly debug: SideView
  readonly bench: SideView
  readonly aligned: Alignment
  readonly levels: Levels
  readonly noise: Noise
  readonly limits: Thresholds
  readonly time: Timeline
  /** The sides come from different frameworks: pairs are given, names and arguments do not compare. */
  readonly across: boolean
  /** Unmatched ops that change nothing, per side. */
  readonly neutralDebug: Column<Uint8Array, OpRow>
  readonly neutralBench: Column<Uint8Array, OpRow>
}

export interface Cause {
  readonly entry: Entry
  readonly debug?: DebugOp
  readonly bench?: BenchOp
  readonly at?: TimeStep
  /** Debug items that show it besides the one that differs. */
  readonly proof?: readonly DebugItem[]
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
  readonly #outputs: Ids<number, DebugItem>
  readonly #nextOutput: Ids<DebugItem, DebugItem>
  readonly #tolerates = new Map<NameCode, RegExp | null>()
  /** Products that the matched addition of a bias completes: they are no calls of one side alone. */
  readonly #completed: Readonly<Record<'debug' | 'bench', ReadonlySet<OpRow>>>
  #brokenLimit = -1
  #lost: Map<number, { lost: number; kept: number }> | null = null

  constructor(c: Case) {
    this.#c = c
    this.#readDebug = classesOf(c.debug, state => state !== State.output)
    this.#readBench = classesOf(c.bench, state => state !== State.output)
    this.#heldDebug = recordsOf(c.debug)
    this.#heldBench = recordsOf(c.bench)
    this.#rootInput = rootInputs(c.debug, c.neutralDebug)
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
  role(i: DebugItem): 'parameter' | 'placed' | 'statistic' | 'data' {
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

  /** Why a disagreeing input disagrees; null: the difference was there before. */
  explain(d: DebugOp, i: DebugItem, j: BenchItem, dirty: boolean): Cause | null {
    const { debug, bench, aligned, levels } = this.#c
    const [p, q] = this.#makers(i, j)
    const [opP, opQ] = [p < 0 ? -1 : debug.dump.items.op[p], q < 0 ? -1 : bench.dump.items.op[q]]
    const [loneP, loneQ] = [
      opP >= 0 && aligned.ops.toBench[opP] < 0 && !this.#completed.debug.has(opP),
      opQ >= 0 && aligned.ops.toDebug[opQ] < 0 && !this.#completed.bench.has(opQ),
    ]
    if (this.#c.across && (loneP || loneQ)) return this.#unlike(loneP ? opP : -1, loneQ ? opQ : -1, dirty)
    if (loneP) return this.#unmatched(opP, -1)
    if (loneQ) return this.#unmatched(-1, opQ)
    if (p >= 0 && q >= 0) return this.#meet(i, j, p, q) ? null : this.#rewired(p, q)
    if (p >= 0 || q >= 0) {
      const made = p >= 0 ? p : levels.toDebug[q]
      if (made < 0 || levels.equal[made] === Equal.no || this.#nearlyKept(i, made, p >= 0)) return null
      return this.#overwritten(d, made, p >= 0 ? 'bench' : 'debug')
    }
    return this.#source(d, i, dirty)
  }

  /**
   * An edge that holds to the bit on one side and not on the other: noise acts inside operations, so no noise
   * does this.
   */
  broken(d: DebugOp, i: DebugItem, j: BenchItem): Cause | null {
    const { debug, bench, aligned, levels, across } = this.#c
    if (!isFloat(debug, i) || levels.equal[i] !== Equal.no) return null
    if (debug.flow.producer[i] < 0 && bench.flow.producer[j] < 0) return null
    const [p, q] = this.#makers(i, j)
    if (p < 0 && q < 0) return null
    const [opP, opQ] = [p < 0 ? -1 : debug.dump.items.op[p], q < 0 ? -1 : bench.dump.items.op[q]]
    if ((opP >= 0 && aligned.ops.toBench[opP] < 0) || (opQ >= 0 && aligned.ops.toDebug[opQ] < 0)) return null
    if (p >= 0 && q >= 0 ? this.#meet(i, j, p, q) : this.#bothLost(i, p >= 0 ? p : levels.toDebug[q]))
      return null
    if (across ? this.#usuallyLost(i) : this.#manyBroken()) return null
    if (p >= 0 && q >= 0) return this.#rewired(p, q)
    const made = p >= 0 ? p : levels.toDebug[q]
    if (made < 0 || this.#nearlyKept(i, made, p >= 0) || (across && !this.matters(made))) return null
    return this.#overwritten(d, made, p >= 0 ? 'bench' : 'debug')
  }

  /**
   * The same elements in another order, whose sums differ in the last digits while their extremes do not; or,
   * among noise, what an unseen step has only rounded.
   */
  #nearlyKept(i: DebugItem, made: ItemRow, lostOnBench: boolean): boolean {
    const { debug, bench, levels } = this.#c
    const [view, x, y] = lostOnBench ? [bench, levels.toBench[i], levels.toBench[made]] : [debug, i, made]
    if (x < 0 || y < 0 || view.counted[x] === 0 || view.counted[y] === 0 || view.numel[x] !== view.numel[y])
      return false
    const { max, min, mean, norm } = view.dump.items
    const range = view.range[y]
    const near = (cells: { readonly value: Float64Array }, size: number, share: number): boolean =>
      Math.abs(cells.value[x] - cells.value[y]) <= share * size
    const rounded = this.#c.noise.exact ? 0 : this.#c.limits.gainForward * floorAt(this.#c, i)
    return (
      near(max, range, rounded) &&
      near(min, range, rounded) &&
      near(mean, range, Math.max(2e-6, rounded)) &&
      near(norm, Math.abs(norm.value[y]), Math.max(2e-6, rounded))
    )
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
    if (
      levels.toBench[p] === q ||
      (this.#c.across && this.#c.aligned.ops.toBench[debug.dump.items.op[p]] === bench.dump.items.op[q])
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

  #unmatched(debugOp: DebugOp, benchOp: BenchOp): Cause {
    const { debug } = this.#c
    const block = blockOf(this.#c, debugOp, benchOp)
    // A call that brings in values which nothing recorded wrote and which are not finite only carries them:
    // name the gap.
    if (debugOp >= 0 && this.#carries(debugOp)) {
      const carrier = opName(debug.dump, debugOp)
      return { entry: { kind: 'uncovered-entry', variant: 'nan', facts: { carrier } } }
    }
    return block
  }

  /**
   * Calls without partner are common across frameworks: they count only where all that they were made from
   * agrees.
   */
  #unlike(opP: number, opQ: number, dirty: boolean): Cause | null {
    const { debug, bench, aligned, levels } = this.#c
    if (dirty) return null
    const wrong = (
      view: SideView,
      op: OpRow,
      partners: Ids<OpRow, OpRow>,
      level: (item: ItemRow) => number,
    ): boolean => {
      const queue = op >= 0 && partners[op] < 0 ? [op] : []
      for (let steps = 0; queue.length > 0 && steps < 64; steps++) {
        const at = queue.pop() ?? -1
        for (let i = view.dump.ops.first[at]; i < view.dump.ops.first[at + 1]; i++) {
          const made = view.dump.items.state[i] === State.output ? -1 : view.flow.producer[i]
          if (made < 0) continue
          if (partners[view.dump.items.op[made]] < 0) queue.push(view.dump.items.op[made])
          else if (level(made) > 8 * this.#c.noise.floor) return true
        }
      }
      return false
    }
    if (wrong(debug, opP, aligned.ops.toBench, item => levels.level[item])) return null
    if (
      wrong(bench, opQ, aligned.ops.toDebug, item =>
        levels.toDebug[item] < 0 ? 0 : levels.level[levels.toDebug[item]],
      )
    )
      return null
    // Without pairs of modules (an API mapping) every module is without partner.
    const modules = aligned.ops.toBench.some((partner, op) => partner >= 0 && debug.module[op] === 1)
    const whole = (view: SideView, op: OpRow, partners: Ids<OpRow, OpRow>): OpRow => {
      if (op < 0 || partners[op] >= 0) return -1
      return modules ? outermost(view, op, partners) : op
    }
    const [d, b] = [whole(debug, opP, aligned.ops.toBench), whole(bench, opQ, aligned.ops.toDebug)]
    return {
      entry: d >= 0 && b >= 0 ? calledInstead(opName(bench.dump, b)) : calledAlone,
      debug: d,
      bench: d >= 0 ? -1 : b,
    }
  }

  #carries(op: OpRow): boolean {
    const { debug } = this.#c
    const { items, ops } = debug.dump
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (
        items.state[i] === State.input &&
        items.tensor[i] === 1 &&
        debug.nonFinite[i] === 1 &&
        debug.flow.producer[i] < 0
      )
        return true
    }
    return false
  }

  #rewired(p: DebugItem, q: BenchItem): Cause {
    const { debug, bench } = this.#c
    return {
      entry: {
        kind: 'hidden-producer',
        variant: 'rewired',
        facts: {
          from: opName(debug.dump, debug.dump.items.op[p]),
          benchFrom: opName(bench.dump, bench.dump.items.op[q]),
        },
      },
    }
  }

  /** Between the op that wrote a tensor and the one that reads it, it changed on one side. */
  #overwritten(d: DebugOp, made: ItemRow, lost: 'debug' | 'bench'): Cause {
    const { debug, bench, aligned, levels, time, neutralDebug, neutralBench } = this.#c
    const maker = debug.dump.items.op[made]
    const [view, neutral, partners]: readonly [SideView, Column<Uint8Array, OpRow>, Ids<OpRow, OpRow>] =
      lost === 'debug'
        ? [debug, neutralDebug, aligned.ops.toBench]
        : [bench, neutralBench, aligned.ops.toDebug]
    const kept = lost === 'debug' ? made : levels.toBench[made]
    const steps: Ids<TimeStep, OpRow> = lost === 'debug' ? time.debug : time.bench
    // An unmatched call in between that reads what was written is the one that changed it.
    for (let at = time.ofDebug[maker] + 1; at < time.ofDebug[d]; at++) {
      const op = steps[at]
      if (op < 0 || partners[op] >= 0 || neutral[op] === 1) continue
      for (let k = view.dump.ops.first[op]; k < view.dump.ops.first[op + 1]; k++) {
        if (
          view.dump.items.state[k] === State.output ||
          view.flow.view[k] < 0 ||
          view.flow.view[k] !== view.flow.view[kept]
        )
          continue
        return lost === 'debug' ? this.#unmatched(op, -1) : this.#unmatched(-1, op)
      }
    }
    const from = opName(debug.dump, maker)
    return {
      entry: { kind: 'hidden-producer', variant: 'overwritten', facts: { from, lost } },
      proof: [made],
    }
  }

  #source(d: DebugOp, i: DebugItem, dirty: boolean): Cause | null {
    const { debug } = this.#c
    const backward = debug.direction[d] === Direction.backward
    if (!backward && this.isRootInput(i)) return otherInput('data')
    if (!backward && debug.precision[i] === Precision.whole && debug.kind[d] !== 'view')
      return otherInput('data')
    if (dirty) return null
    if (backward) return this.#uncovered(d, 'gradient')
    if (this.#first(d)) return otherInput(debug.numel[i] > 1 ? 'data' : 'constant')
    const module = this.#around(d)
    if (module < 0) return this.#uncovered(d, 'forward')
    return {
      entry: { kind: 'uncovered-entry', variant: 'module', facts: { reader: opName(debug.dump, d) } },
      debug: module,
      bench: this.#c.aligned.ops.toBench[module],
    }
  }

  #uncovered(d: DebugOp, variant: 'forward' | 'gradient'): Cause {
    const before = matchedBefore(this.#c, this.#c.time.ofDebug[d])
    return { entry: { kind: 'uncovered-entry', variant, facts: { before } } }
  }

  /** No float output has been recorded before this op. */
  #first(d: DebugOp): boolean {
    const { debug } = this.#c
    for (let op = 0; op < d; op++)
      if (
        debug.direction[op] === Direction.forward &&
        firstTensorOutput(debug, op) >= 0 &&
        debug.leaf[op] === 1
      )
        return false
    return true
  }

  /**
   * The innermost module around an op whose own inputs agree and whose output does not; -1: none but the
   * whole model.
   */
  #around(d: DebugOp): number {
    const { debug, levels, noise } = this.#c
    for (let op = debug.parent[d]; op >= 0; op = debug.parent[op]) {
      if (debug.parent[op] < 0) return -1
      let [inputs, outputs] = [true, true]
      for (let i = debug.dump.ops.first[op]; i < debug.dump.ops.first[op + 1]; i++) {
        if (levels.toBench[i] < 0 || debug.dump.items.tensor[i] === 0) continue
        const agrees = noise.exact
          ? levels.equal[i] !== Equal.no
          : !(levels.level[i] > 8 * Math.max(noise.floor, floorOf(debug.precision[i], this.#c.limits)))
        if (debug.dump.items.state[i] === State.output) outputs &&= agrees
        else inputs &&= agrees
      }
      if (inputs && !outputs && this.#c.aligned.ops.toBench[op] >= 0) return op
    }
    return -1
  }
}

function firstTensorOutput(view: SideView, op: OpRow): number {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.output && items.tensor[i] === 1) return i
  return -1
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

function classesOf(view: SideView, wanted: (state: number) => boolean): Uint8Array {
  const found = new Uint8Array(view.dump.items.length)
  for (let i = 0; i < found.length; i++)
    if (view.flow.view[i] >= 0 && wanted(view.dump.items.state[i])) found[view.flow.view[i]] = 1
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

const otherInput = (variant: 'data' | 'constant'): Cause => ({
  entry: { kind: 'different-input', variant, facts: {} },
})

/** The last matched call before a place on the line of time. */
function matchedBefore({ time, debug, aligned }: Case, place: number): string {
  for (let at = place - 1; at >= 0; at--) {
    const op = time.debug[at]
    if (op >= 0 && aligned.ops.toBench[op] >= 0 && debug.kind[op] !== 'view' && debug.leaf[op] === 1)
      return opName(debug.dump, op)
  }
  return '…'
}

// Why an input disagrees: follows it back on both sides to what made it, and says which ends do not meet.
import type { AdvisorThresholds, FindingKind } from '../../../preload/contract/engine.ts'
import { itemName, opName } from '../dump.ts'
import { State } from '../model.ts'
import type { Alignment } from './align.ts'
import { blockOf, outermost } from './blocks.ts'
import { Difference, Equal, isFloat, type Levels } from './levels.ts'
import { floorOf, type Noise } from './noise.ts'
import { Direction, Precision, type SideView } from './side.ts'
import { makerOf, type Timeline } from './timeline.ts'

export interface Case {
  readonly debug: SideView
  readonly bench: SideView
  readonly aligned: Alignment
  readonly levels: Levels
  readonly noise: Noise
  readonly limits: AdvisorThresholds
  readonly time: Timeline
  /** The sides come from different frameworks: pairs are given, names and arguments do not compare. */
  readonly across: boolean
  /** Unmatched ops that change nothing, per side. */
  readonly neutralDebug: Uint8Array
  readonly neutralBench: Uint8Array
}

export interface Cause {
  readonly kind: FindingKind
  readonly debug?: number
  readonly bench?: number
  readonly at?: number
  readonly facts: Readonly<Record<string, string | number>>
}

/** Buffers that a collective overwrites: what they held before means nothing. */
const buffers: readonly (readonly [RegExp, RegExp])[] = [
  [/all_gather|_reduce_scatter_base|reduce_scatter_tensor|all_gather_into_tensor|_all_gather_base|all_to_all/, /^\.(?:input|kwargs)\.(?:0\b|output|tensor_list|output_tensor)/],
  [/reduce_scatter/, /^\.(?:input|kwargs)\.(?:0\b|output)/],
  [/\birecv\b|\brecv\b/, /^\.(?:input|kwargs)\.(?:0\b|tensor)/],
  [/\bcopy_|\bfill_|\bzero_/, /^\.input\.0\b/],
]

export class Links {
  readonly #c: Case
  readonly #readDebug: Uint8Array
  readonly #readBench: Uint8Array
  readonly #heldDebug: Uint8Array
  readonly #heldBench: Uint8Array
  readonly #rootInput: Uint8Array
  readonly #outputs: Int32Array
  readonly #nextOutput: Int32Array
  readonly #tolerates = new Map<number, RegExp | null>()
  /** Products that the matched addition of a bias completes: they are no calls of one side alone. */
  readonly #completed: Readonly<Record<'debug' | 'bench', ReadonlySet<number>>>
  #brokenLimit = -1
  #lost: Map<number, { lost: number; kept: number }> | null = null

  constructor(c: Case) {
    this.#c = c
    this.#readDebug = classesOf(c.debug, state => state !== State.output)
    this.#readBench = classesOf(c.bench, state => state !== State.output)
    this.#heldDebug = classesOf(c.debug, state => state === State.parameters)
    this.#heldBench = classesOf(c.bench, state => state === State.parameters)
    this.#rootInput = rootInputs(c.debug, c.neutralDebug)
    this.#completed = { debug: completed(c.aligned.halfDebug, c.aligned.mate), bench: completed(c.aligned.halfBench, c.aligned.back) }
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
  tolerated(op: number, item: number): boolean {
    const { debug } = this.#c
    let pattern = this.#tolerates.get(debug.api[op])
    if (pattern === undefined) {
      const api = debug.names.text(debug.api[op])
      const tensorCall = api.startsWith('Tensor.') || api.startsWith('Distributed.')
      pattern = tensorCall ? buffers.find(([name]) => name.test(api))?.[1] ?? null : null
      this.#tolerates.set(debug.api[op], pattern)
    }
    return pattern !== null && pattern.test(itemName(debug.dump, item).slice(opName(debug.dump, op).length))
  }

  /** An output that somebody reads, or of an op none of whose outputs is read. */
  matters(item: number): boolean {
    const { debug, levels } = this.#c
    const { items, ops } = debug.dump
    const op = items.op[item]
    if (debug.direction[op] !== Direction.forward) return !this.#c.across || debug.module[op] === 1 || this.#readAlike(item)
    if (this.#isRead(item)) return true
    if (levels.mate[item] < 0) return false
    let tensors = 0
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (items.state[i] !== State.output || items.tensor[i] === 0) continue
      tensors++
      if (i !== item && this.#isRead(i)) return false
    }
    // Where nothing is known of the readers, the first result is the result; the others are often scratch space.
    return tensors === 1 || item === firstTensorOutput(debug, op)
  }

  /** A gradient that one side's next op reads and the other's does not is not the same gradient. */
  #readAlike(item: number): boolean {
    const { debug, bench, levels } = this.#c
    const [of, other] = [debug.flow.view[item], bench.flow.view[levels.mate[item]]]
    // PyTorch records the gradient of the innermost step: for a linear layer on a batch that is what came in.
    if (handsOn(debug, item) !== handsOn(bench, levels.mate[item])) return false
    return (of >= 0 && this.#readDebug[of] === 1) === (other >= 0 && this.#readBench[other] === 1)
  }

  #isRead(item: number): boolean {
    const { debug, bench, levels } = this.#c
    const j = levels.mate[item]
    return (debug.flow.view[item] >= 0 && this.#readDebug[debug.flow.view[item]] === 1) ||
      (j >= 0 && bench.flow.view[j] >= 0 && this.#readBench[bench.flow.view[j]] === 1)
  }

  /** What a source is to its op: a parameter, a running statistic that earlier steps left, or data. */
  role(i: number): 'parameter' | 'statistic' | 'data' {
    const { debug, bench, levels } = this.#c
    const j = levels.mate[i]
    if (debug.dump.items.state[i] === State.output || debug.flow.producer[i] >= 0 || (j >= 0 && bench.flow.producer[j] >= 0) || !isFloat(debug, i)) return 'data'
    const { items, ops } = debug.dump
    const op = items.op[i]
    if (debug.direction[op] !== Direction.forward) return 'data'
    const place = i - ops.first[op]
    const api = debug.names.text(debug.api[op])
    if (items.state[i] === State.parameters) return /running_|moving_|num_batches/.test(itemName(debug.dump, i)) ? 'statistic' : 'parameter'
    if (/batch_?norm|bn_train|bn_infer|BatchNorm/.test(api)) {
      const statistics = api.startsWith('Primitive') || api.startsWith('Mint') ? [3, 4] : [1, 2]
      if (statistics.includes(place) && items.requiresGrad[i] !== 1) return 'statistic'
    }
    if (place === 0 && !/embedding|gather/i.test(api)) return 'data'
    const held = (view: SideView, item: number, classes: Uint8Array): boolean => view.flow.identity[item] >= 0 && classes[view.flow.view[item]] === 1
    if (held(debug, i, this.#heldDebug) || (j >= 0 && held(bench, j, this.#heldBench))) return 'parameter'
    if (items.requiresGrad[i] === 1 || /embedding|gather/i.test(api)) return 'parameter'
    const kind = debug.kind[op]
    return kind === 'product' || kind === 'norm' || kind === 'recurrent' ? (/matmul|bmm|einsum|^mm$/i.test(api) && !this.#isMatrix(i) ? 'data' : 'parameter') : 'data'
  }

  /** Weights are matrices; what meets in attention has more dimensions. */
  #isMatrix(item: number): boolean {
    const { dump } = this.#c.debug
    return (dump.texts.get(dump.items.shape[item]).match(/\d+/g)?.length ?? 0) <= 2
  }

  /** What an op reads has another shape on the other side: its arguments follow from that. */
  reshaped(op: number): boolean {
    const { debug, levels } = this.#c
    for (let i = debug.dump.ops.first[op]; i < debug.dump.ops.first[op + 1]; i++) {
      if (debug.dump.items.state[i] === State.input && (levels.differs[i] & Difference.shape) !== 0) return true
    }
    return false
  }

  /** Nothing recorded wrote it on either side: unseen operations may lie behind it. */
  isSource(item: number): boolean {
    const { debug, bench, levels } = this.#c
    return debug.flow.producer[item] < 0 && bench.flow.producer[levels.mate[item]] < 0
  }

  isRootInput(item: number): boolean {
    const of = this.#c.debug.flow.view[item]
    return of >= 0 && this.#rootInput[of] === 1
  }

  /** The dtype differs here for the first time on the way of this tensor. */
  freshCast(i: number): boolean {
    const { debug, bench, levels } = this.#c
    const j = levels.mate[i]
    const [p, q] = [debug.flow.producer[i], bench.flow.producer[j]]
    const made = p >= 0 ? p : q >= 0 ? levels.back[q] : -1
    return made < 0 || levels.mate[made] < 0 || (levels.differs[made] & Difference.dtype) === 0
  }

  /** Ops that made an item on either side; ops that only hand on are passed over when they have no partner. */
  #makers(i: number, j: number): readonly [number, number] {
    const { debug, bench, aligned, neutralDebug, neutralBench, across } = this.#c
    return [
      makerOf(debug, i, op => (!across && aligned.mate[op] >= 0) || neutralDebug[op] === 0),
      makerOf(bench, j, op => (!across && aligned.back[op] >= 0) || neutralBench[op] === 0),
    ]
  }

  /** Why a disagreeing input disagrees; null: the difference was there before. */
  explain(d: number, i: number, j: number, dirty: boolean): Cause | null {
    const { debug, bench, aligned, levels } = this.#c
    const [p, q] = this.#makers(i, j)
    const [opP, opQ] = [p < 0 ? -1 : debug.dump.items.op[p], q < 0 ? -1 : bench.dump.items.op[q]]
    const [loneP, loneQ] = [opP >= 0 && aligned.mate[opP] < 0 && !this.#completed.debug.has(opP), opQ >= 0 && aligned.back[opQ] < 0 && !this.#completed.bench.has(opQ)]
    if (this.#c.across && (loneP || loneQ)) return this.#unlike(loneP ? opP : -1, loneQ ? opQ : -1, dirty)
    if (loneP) return this.#unmatched(opP, -1)
    if (loneQ) return this.#unmatched(-1, opQ)
    if (p >= 0 && q >= 0) return this.#meet(i, j, p, q) ? null : this.#rewired(p, q)
    if (p >= 0 || q >= 0) {
      const made = p >= 0 ? p : levels.back[q]
      if (made < 0 || levels.equal[made] === Equal.no || this.#nearlyKept(i, made, p >= 0)) return null
      return this.#overwritten(d, made, p >= 0 ? 'bench' : 'debug')
    }
    return this.#source(d, i, dirty)
  }

  /** An edge that holds to the bit on one side and not on the other: noise acts inside operations, so no noise does this. */
  broken(d: number, i: number, j: number): Cause | null {
    const { debug, bench, aligned, levels, across } = this.#c
    if (!isFloat(debug, i) || levels.equal[i] !== Equal.no) return null
    if (debug.flow.producer[i] < 0 && bench.flow.producer[j] < 0) return null
    const [p, q] = this.#makers(i, j)
    if (p < 0 && q < 0) return null
    const [opP, opQ] = [p < 0 ? -1 : debug.dump.items.op[p], q < 0 ? -1 : bench.dump.items.op[q]]
    if ((opP >= 0 && aligned.mate[opP] < 0) || (opQ >= 0 && aligned.back[opQ] < 0)) return null
    if (p >= 0 && q >= 0 ? this.#meet(i, j, p, q) : this.#bothLost(i, p >= 0 ? p : levels.back[q])) return null
    if (across ? this.#usuallyLost(i) : this.#manyBroken()) return null
    if (p >= 0 && q >= 0) return this.#rewired(p, q)
    const made = p >= 0 ? p : levels.back[q]
    if (made < 0 || this.#nearlyKept(i, made, p >= 0) || (across && !this.matters(made))) return null
    return this.#overwritten(d, made, p >= 0 ? 'bench' : 'debug')
  }

  /** The same elements in another order: their sums differ in the last digits, their extremes do not. */
  #nearlyKept(i: number, made: number, lostOnBench: boolean): boolean {
    const { debug, bench, levels } = this.#c
    const [view, x, y] = lostOnBench ? [bench, levels.mate[i], levels.mate[made]] : [debug, i, made]
    if (x < 0 || y < 0 || view.counted[x] === 0 || view.counted[y] === 0 || view.numel[x] !== view.numel[y]) return false
    const { max, min, norm } = view.dump.items
    return max.value[x] === max.value[y] && min.value[x] === min.value[y] && Math.abs(norm.value[x] - norm.value[y]) <= 2e-6 * Math.abs(norm.value[y])
  }

  /** The dtype changed on the way, or the tensors are of different size: no statement. */
  #bothLost(i: number, made: number): boolean {
    const { debug, levels } = this.#c
    return made < 0 || levels.mate[made] < 0 || debug.numel[made] !== debug.numel[i] || debug.precision[made] !== debug.precision[i] ||
      (levels.differs[i] & (Difference.dtype | Difference.shape)) !== 0
  }

  /** Some earlier output is this input on both sides. */
  #meet(i: number, j: number, p: number, q: number): boolean {
    const { debug, bench, levels } = this.#c
    if (levels.mate[p] === q || (this.#c.across && this.#c.aligned.mate[debug.dump.items.op[p]] === bench.dump.items.op[q])) return true
    const [x, y] = [debug.flow.view, bench.flow.view]
    if (x[i] < 0 || y[j] < 0) return true
    for (let at = this.#outputs[x[i]]; at >= 0; at = this.#nextOutput[at]) {
      const mate = levels.mate[at]
      if (mate >= 0 && y[mate] === y[j]) return true
    }
    return false
  }

  /** One side may have steps that are never dumped: then broken edges are everywhere and say nothing. */
  #manyBroken(): boolean {
    if (this.#brokenLimit < 0) {
      const { debug, bench, levels } = this.#c
      let [all, lost] = [0, 0]
      for (let i = 0; i < levels.mate.length; i++) {
        const j = levels.mate[i]
        if (j < 0 || debug.dump.items.state[i] !== State.input || !isFloat(debug, i)) continue
        if (debug.flow.producer[i] < 0 && bench.flow.producer[j] < 0) continue
        all++
        if ((debug.flow.producer[i] < 0) !== (bench.flow.producer[j] < 0)) lost++
      }
      this.#brokenLimit = lost > Math.max(12, 0.1 * all) ? 1 : 0
    }
    return this.#brokenLimit === 1
  }

  /** Across frameworks an edge may be missing because one of them dumps less: then it is missing wherever such a call reads. */
  #usuallyLost(i: number): boolean {
    const { debug, levels } = this.#c
    const pattern = (item: number): number => (debug.api[debug.dump.items.op[item]] * 2 + debug.direction[debug.dump.items.op[item]]) * 64 + Math.min(63, item - debug.dump.ops.first[debug.dump.items.op[item]])
    if (!this.#lost) {
      this.#lost = new Map()
      for (let k = 0; k < levels.mate.length; k++) {
        const j = levels.mate[k]
        if (j < 0 || debug.dump.items.state[k] !== State.input || !isFloat(debug, k) || this.isSource(k)) continue
        const [p, q] = this.#makers(k, j)
        const count = this.#lost.get(pattern(k)) ?? { lost: 0, kept: 0 }
        this.#lost.set(pattern(k), count)
        if (p < 0 !== (q < 0)) count.lost++
        else count.kept++
      }
    }
    const count = this.#lost.get(pattern(i))
    return count === undefined || count.lost > count.kept
  }

  #unmatched(debugOp: number, benchOp: number): Cause {
    const { debug, aligned } = this.#c
    const block = blockOf(this.#c, debugOp, benchOp)
    // A call that brings in values which nothing recorded wrote and which are not finite only carries them: name the gap.
    if (debugOp >= 0 && this.#carries(debugOp)) {
      return { kind: 'uncovered-entry', facts: { ...block.facts, carrier: opName(debug.dump, debugOp), what: 'nan' } }
    }
    return { kind: 'unmatched-call', debug: block.debug, bench: block.bench, at: block.at, facts: { ...block.facts, mate: aligned.renumbered } }
  }

  /** Calls without partner are common across frameworks: they count only where all that they were made from agrees. */
  #unlike(opP: number, opQ: number, dirty: boolean): Cause | null {
    const { debug, bench, aligned, levels } = this.#c
    if (dirty) return null
    const wrong = (view: SideView, op: number, mates: Int32Array, level: (item: number) => number): boolean => {
      const queue = op >= 0 && mates[op] < 0 ? [op] : []
      for (let steps = 0; queue.length > 0 && steps < 64; steps++) {
        const at = queue.pop() ?? -1
        for (let i = view.dump.ops.first[at]; i < view.dump.ops.first[at + 1]; i++) {
          const made = view.dump.items.state[i] === State.output ? -1 : view.flow.producer[i]
          if (made < 0) continue
          if (mates[view.dump.items.op[made]] < 0) queue.push(view.dump.items.op[made])
          else if (level(made) > 8 * this.#c.noise.floor) return true
        }
      }
      return false
    }
    if (wrong(debug, opP, aligned.mate, item => levels.level[item])) return null
    if (wrong(bench, opQ, aligned.back, item => (levels.back[item] < 0 ? 0 : levels.level[levels.back[item]]))) return null
    // Without pairs of modules (an API mapping) every module is without partner.
    const modules = aligned.mate.some((mate, op) => mate >= 0 && debug.module[op] === 1)
    const whole = (view: SideView, op: number, mates: Int32Array): number => (op < 0 || mates[op] >= 0 ? -1 : modules ? outermost(view, op, mates) : op)
    const [d, b] = [whole(debug, opP, aligned.mate), whole(bench, opQ, aligned.back)]
    return { kind: 'unmatched-call', debug: d, bench: d >= 0 ? -1 : b, facts: { onlyDebug: d < 0 ? 0 : 1, onlyBench: b < 0 ? 0 : 1, ...(d >= 0 && b >= 0 && { instead: opName(bench.dump, b) }) } }
  }

  #carries(op: number): boolean {
    const { debug } = this.#c
    const { items, ops } = debug.dump
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (items.state[i] === State.input && items.tensor[i] === 1 && debug.wild[i] === 1 && debug.flow.producer[i] < 0) return true
    }
    return false
  }

  #rewired(p: number, q: number): Cause {
    const { debug, bench } = this.#c
    return { kind: 'hidden-producer', facts: { how: 'rewired', from: opName(debug.dump, debug.dump.items.op[p]), benchFrom: opName(bench.dump, bench.dump.items.op[q]) } }
  }

  /** Between the op that wrote a tensor and the one that reads it, it changed on one side. */
  #overwritten(d: number, made: number, lost: 'debug' | 'bench'): Cause {
    const { debug, bench, aligned, levels, time, neutralDebug, neutralBench } = this.#c
    const maker = debug.dump.items.op[made]
    const [view, neutral, mates] = lost === 'debug' ? [debug, neutralDebug, aligned.mate] : [bench, neutralBench, aligned.back]
    const kept = lost === 'debug' ? made : levels.mate[made]
    const steps = lost === 'debug' ? time.debug : time.bench
    // An unmatched call in between that reads what was written is the one that changed it.
    for (let at = time.ofDebug[maker] + 1; at < time.ofDebug[d]; at++) {
      const op = steps[at]
      if (op < 0 || mates[op] >= 0 || neutral[op] === 1) continue
      for (let k = view.dump.ops.first[op]; k < view.dump.ops.first[op + 1]; k++) {
        if (view.dump.items.state[k] === State.output || view.flow.view[k] < 0 || view.flow.view[k] !== view.flow.view[kept]) continue
        return lost === 'debug' ? this.#unmatched(op, -1) : this.#unmatched(-1, op)
      }
    }
    return { kind: 'hidden-producer', facts: { how: 'overwritten', from: opName(debug.dump, maker), lost } }
  }

  #source(d: number, i: number, dirty: boolean): Cause | null {
    const { debug } = this.#c
    const backward = debug.direction[d] === Direction.backward
    if (!backward && this.isRootInput(i)) return { kind: 'different-input', facts: { what: 'data' } }
    if (!backward && debug.precision[i] === Precision.whole && debug.kind[d] !== 'view') return { kind: 'different-input', facts: { what: 'data' } }
    if (dirty) return null
    if (backward) return { kind: 'uncovered-entry', facts: { what: 'gradient' } }
    if (this.#first(d)) return { kind: 'different-input', facts: { what: debug.numel[i] > 1 ? 'data' : 'constant' } }
    const module = this.#around(d)
    if (module < 0) return { kind: 'uncovered-entry', facts: { what: 'forward' } }
    return { kind: 'uncovered-entry', debug: module, bench: this.#c.aligned.mate[module], facts: { what: 'module', reader: opName(debug.dump, d) } }
  }

  /** No float output has been recorded before this op. */
  #first(d: number): boolean {
    const { debug } = this.#c
    for (let op = 0; op < d; op++) if (debug.direction[op] === Direction.forward && firstTensorOutput(debug, op) >= 0 && debug.leaf[op] === 1) return false
    return true
  }

  /** The innermost module around an op whose own inputs agree and whose output does not; -1: none but the whole model. */
  #around(d: number): number {
    const { debug, levels, noise } = this.#c
    for (let op = debug.parent[d]; op >= 0; op = debug.parent[op]) {
      if (debug.parent[op] < 0) return -1
      let [inputs, outputs] = [true, true]
      for (let i = debug.dump.ops.first[op]; i < debug.dump.ops.first[op + 1]; i++) {
        if (levels.mate[i] < 0 || debug.dump.items.tensor[i] === 0) continue
        const agrees = noise.exact ? levels.equal[i] !== Equal.no : !(levels.level[i] > 8 * Math.max(noise.floor, floorOf(debug.precision[i], this.#c.limits)))
        if (debug.dump.items.state[i] === State.output) outputs &&= agrees
        else inputs &&= agrees
      }
      if (inputs && !outputs && this.#c.aligned.mate[op] >= 0) return op
    }
    return -1
  }
}

export function firstTensorOutput(view: SideView, op: number): number {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) if (items.state[i] === State.output && items.tensor[i] === 1) return i
  return -1
}

function completed(half: Int32Array, mates: Int32Array): ReadonlySet<number> {
  const found = new Set<number>()
  for (let op = 0; op < half.length; op++) if (half[op] >= 0 && mates[op] >= 0) found.add(half[op])
  return found
}

/** An output that is one of the op's inputs. */
function handsOn(view: SideView, item: number): boolean {
  const { ops, items } = view.dump
  const of = view.flow.view[item]
  if (of < 0) return false
  for (let i = ops.first[items.op[item]]; i < ops.first[items.op[item] + 1]; i++) if (items.state[i] !== State.output && view.flow.view[i] === of) return true
  return false
}

function classesOf(view: SideView, wanted: (state: number) => boolean): Uint8Array {
  const found = new Uint8Array(view.dump.items.length)
  for (let i = 0; i < found.length; i++) if (view.flow.view[i] >= 0 && wanted(view.dump.items.state[i])) found[view.flow.view[i]] = 1
  return found
}

/** Tensors that a top-level module gets and nothing recorded wrote: the model's inputs. */
function rootInputs(view: SideView, neutral: Uint8Array): Uint8Array {
  const { ops, items } = view.dump
  const found = new Uint8Array(items.length)
  for (let op = 0; op < view.api.length; op++) {
    if (view.module[op] === 0 || view.parent[op] >= 0 || view.leaf[op] === 1 || view.direction[op] !== Direction.forward) continue
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (items.state[i] === State.input && view.flow.view[i] >= 0 && makerOf(view, i, at => neutral[at] === 0) < 0) found[view.flow.view[i]] = 1
    }
  }
  return found
}

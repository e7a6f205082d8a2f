// Runs a toy model on one device, with gradients, and keeps what msprobe would have dumped of it.
import { operations, type Attrs, type OpName, type Operation } from './arith.ts'
import { named, type Arg, type Style } from './names.ts'
import {
  like,
  Random,
  rounding,
  seedOf,
  tensor,
  toTen,
  type Device,
  type Precision,
  type Tensor,
} from './numbers.ts'

export interface Var {
  t: Tensor
  /** What its elements are stored as. */
  as: Precision
  grad: Tensor | null
  needs: boolean
  /** Name of a parameter. */
  readonly held?: string
}

/** Where an operation stands: the module around it, what it is, the how-many-eth of its kind there. */
export interface Site {
  readonly path: string
  readonly op: OpName
  readonly nth: number
  readonly shapes: readonly (readonly number[])[]
  readonly attrs: Attrs
}

export const siteId = (site: Pick<Site, 'path' | 'op' | 'nth'>): string =>
  `${site.path}/${site.op}/${site.nth}`

/** What a fault makes of one call. */
export interface Change {
  readonly skip?: boolean
  readonly twice?: boolean
  readonly op?: OpName
  readonly attrs?: Attrs
  /** Computed in this precision, silently. */
  readonly silent?: Precision
  /** Inputs are cast to this precision before, which the dump shows in their dtype. */
  readonly cast?: Precision
  /** The result itself is wrong. */
  readonly wrong?: (t: Tensor) => Tensor
  /** The result is written over after it was recorded. */
  readonly overwrite?: (t: Tensor) => Tensor
  /** A call that the dump shows changes the result. */
  readonly insert?: { readonly api: string; readonly change: (t: Tensor) => Tensor }
  /** Input k is taken from the result of another site. */
  readonly rewire?: readonly [number, string]
  /** The gradient of input k is wrong. */
  readonly gradient?: { readonly of: number; readonly change: (t: Tensor) => Tensor }
  /** The gradient that arrives is changed by a hook before it is recorded. */
  readonly hook?: (t: Tensor) => Tensor
  /** No gradient flows to input k. */
  readonly detach?: number
}

export interface Fault {
  readonly parameter?: (path: string, name: string, t: Tensor) => Tensor
  readonly data?: (name: string, t: Tensor) => Tensor
  readonly call?: (site: Site) => Change | null
  readonly layers?: number
}

interface Setup {
  readonly style: Style
  readonly device: Device
  readonly fault: Fault
  /** Changes what uninitialised outputs hold and nothing else. */
  readonly garbage: number
  readonly withApis: boolean
  readonly withModules: boolean
  /** What the other ranks give to the collectives, in order. */
  readonly others?: readonly Float64Array[]
}

export interface Snapshot {
  readonly t: Tensor
  readonly as: Precision
  readonly needs: boolean
}
export type Value =
  | Snapshot
  | { readonly scalar: number | string | boolean | null; readonly type: string }
  | null
  | readonly Value[]
export interface Entry {
  readonly key: string
  readonly parts: Record<string, Value | readonly Value[] | Readonly<Record<string, Value>>>
}

/** Other ways to look at the same memory: no device changes a bit of it. */
const views: ReadonlySet<OpName> = new Set<OpName>(['reshape', 'permute', 'split'])

interface Call {
  readonly path: string
  readonly name: string
  readonly key: string
  readonly inputs: readonly Var[]
  output: Var | null
  readonly gradients: Map<Var, Tensor>
  open: number
  backwardKey: string
  gradOut: Tensor | null
}

interface Step {
  readonly op: OpName
  readonly x: readonly Var[]
  readonly y: readonly Var[]
  readonly attrs: Attrs
  readonly key: string
  readonly calls: readonly Call[]
  readonly change: Change | null
  readonly values: readonly Tensor[]
  readonly results: readonly Tensor[]
}

export class Machine {
  readonly setup: Setup
  readonly entries: Entry[] = []
  readonly construct: Record<string, string | null> = {}
  readonly sites: Site[] = []
  /** Op keys that were recorded at a site, gradients included. */
  readonly keys = new Map<string, string[]>()
  /** What this rank gave to each collective. */
  readonly sent: Float64Array[] = []
  /** Sites that read the result of a site, those that only move it passed over. */
  readonly readers = new Map<string, string[]>()
  readonly #madeAt = new Map<Var, readonly string[]>()
  readonly #counters = new Map<string, number>()
  readonly #calls: Call[] = []
  readonly #steps: Step[] = []
  readonly #parameters = new Map<string, Var>()
  readonly #results = new Map<string, Var>()
  readonly #noise: Random
  readonly #gradients: { readonly entry: Entry; readonly vars: readonly (readonly [string, Var])[] }[] = []

  constructor(setup: Setup) {
    this.setup = setup
    this.#noise = new Random(setup.device.seed)
  }

  get #stored(): Precision {
    return this.setup.device.wide ? 'fp32' : this.setup.device.precision
  }

  // -------------------------------------------------------------------------------------------- data

  parameter(path: string, name: string, shape: readonly number[], spread: number, centre = 0): Var {
    const held = `${path}.${name}`
    const known = this.#parameters.get(held)
    if (known) return known
    const random = new Random(seedOf(held))
    const made = like(tensor(shape), () => Math.fround(centre + spread * random.normal()))
    const t = this.setup.fault.parameter?.(path, name, made) ?? made
    const round = this.setup.device.wide ? Math.fround : rounding[this.setup.device.precision]
    const v: Var = { t: like(t, i => round(t.data[i])), as: this.#stored, grad: null, needs: true, held }
    this.#parameters.set(held, v)
    return v
  }

  data(name: string, t: Tensor): Var {
    const given = this.setup.fault.data?.(name, t) ?? t
    const round = t.whole
      ? (value: number) => value
      : this.setup.device.wide
        ? Math.fround
        : rounding[this.setup.device.precision]
    return { t: { ...given, data: given.data.map(round) }, as: this.#stored, grad: null, needs: false }
  }

  // -------------------------------------------------------------------------------------------- modules

  module(
    path: string,
    name: string,
    inputs: readonly Var[],
    held: readonly (readonly [string, Var])[],
    body: (...inputs: Var[]) => Var,
  ): Var {
    const { style } = this.setup
    const full = `${style === 'ms' ? 'Cell' : 'Module'}.${path}.${name}`
    const key = `${full}.forward.${this.#count(`${full}.forward`)}`
    const handed = inputs.map(v => this.#handOn(v))
    const call: Call = {
      path,
      name: full,
      key,
      inputs: handed,
      output: null,
      gradients: new Map(),
      open: 0,
      backwardKey: '',
      gradOut: null,
    }
    if (this.setup.withModules) this.construct[key] = this.#calls.at(-1)?.key ?? null
    const given = handed.map(v => this.#snap(v))
    this.#calls.push(call)
    const out = body(...handed)
    this.#calls.pop()
    call.output = out
    if (this.setup.withModules) {
      this.#record(key, {
        input_args: given,
        input_kwargs: {},
        output: [this.#snap(out)],
        parameters: Object.fromEntries(held.map(([n, v]) => [n, this.#snap(v)])),
      })
      const gradKey = `${full}.parameters_grad`
      if (held.length > 0 && !this.entries.some(entry => entry.key === gradKey)) {
        const entry: Entry = { key: gradKey, parts: {} }
        this.entries.push(entry)
        this.#gradients.push({ entry, vars: held })
      }
    }
    return this.#handOn(out)
  }

  /** PyTorch's hooks put a view at every border of a module. */
  #handOn(v: Var): Var {
    if (this.setup.style === 'pt' && this.setup.withModules && this.setup.withApis && !v.t.whole) {
      const key = this.#apiKey('Tensor.view_as')
      this.#record(key, {
        input_args: [this.#snap(v), this.#snap(v)],
        input_kwargs: {},
        output: [this.#snap(v)],
      })
    }
    return v
  }

  // -------------------------------------------------------------------------------------------- calls

  /** Performs an operation; the last result for those with one. */
  call(op: OpName, x: readonly Var[], attrs: Attrs = {}): Var {
    return this.callAll(op, x, attrs)[0]
  }

  callAll(op: OpName, x: readonly Var[], attrs: Attrs = {}): Var[] {
    const path = this.#calls.at(-1)?.path ?? ''
    const site: Site = {
      path,
      op,
      nth: this.#count(`site ${path} ${op}`),
      shapes: x.map(v => v.t.shape),
      attrs,
    }
    this.sites.push(site)
    const change = this.setup.fault.call?.(site) ?? null
    if (change?.skip) return [x[0]]
    let y = this.#perform(change?.op ?? op, x, { ...attrs, ...change?.attrs }, site, change)
    if (change?.twice) y = this.#perform(op, [y[0], ...x.slice(1)], attrs, site, null)
    if (change?.overwrite) y[0].t = change.overwrite(y[0].t)
    if (change?.insert) y = [this.#insert(y[0], change.insert, site)]
    this.#results.set(siteId(site), y[0])
    for (const v of x)
      for (const id of this.#madeAt.get(v) ?? [])
        this.readers.set(id, [...(this.readers.get(id) ?? []), siteId(site)])
    for (const v of y)
      this.#madeAt.set(
        v,
        ['reshape', 'permute', 'split'].includes(op)
          ? [siteId(site), ...(this.#madeAt.get(x[0]) ?? [])]
          : [siteId(site)],
      )
    return y
  }

  #perform(op: OpName, given: readonly Var[], attrs: Attrs, site: Site, change: Change | null): Var[] {
    const { device } = this.setup
    const operation: Operation = operations[op]
    let x = [...given]
    if (change?.rewire)
      x = x.map((v, k) => (k === change.rewire?.[0] ? (this.#results.get(change.rewire[1]) ?? v) : v))
    if (change?.cast)
      x = x.map(v =>
        v.t.whole
          ? v
          : {
              ...v,
              t: like(v.t, i => rounding[change.cast ?? 'fp32'](v.t.data[i])),
              as: change.cast ?? 'fp32',
            },
      )
    const precision = change?.cast ?? change?.silent ?? device.precision
    const reduced = device.reduced && ['linear', 'matmulT', 'matmul', 'conv2d'].includes(op)
    const made = operation.forward(
      x.map(v => (reduced ? like(v.t, i => toTen(v.t.data[i])) : v.t)),
      attrs,
      device,
    )
    const wrong = change?.wrong
    const results = made.map((t, k) =>
      this.#finish(k === 0 && wrong ? wrong(t) : t, operation.moves === true, precision, views.has(op)),
    )
    const y: Var[] = results.map(t => ({
      t,
      as: change?.cast ?? x.find(v => !v.t.whole)?.as ?? this.#stored,
      grad: null,
      needs: x.some(v => v.needs),
    }))
    const key = this.#recordCall(op, x, y, attrs, site)
    this.#steps.push({
      op,
      x: given.map((v, k) => (change?.rewire?.[0] === k ? x[k] : v)),
      y,
      attrs,
      key,
      calls: [...this.#calls],
      change,
      values: x.map(v => v.t),
      results,
    })
    for (const call of this.#calls) call.open++
    return y
  }

  /** A result as the device leaves it. */
  #finish(t: Tensor, moves: boolean, precision: Precision, view: boolean): Tensor {
    const { device } = this.setup
    if (t.whole) return t
    const noisy = device.noise > 0 && !view && (!moves || device.everywhere)
    const round = rounding[precision]
    return like(t, i =>
      round(noisy ? t.data[i] * (1 + device.noise * (2 * this.#noise.next() - 1)) : t.data[i]),
    )
  }

  #insert(v: Var, insert: NonNullable<Change['insert']>, site: Site): Var {
    const t = insert.change(v.t)
    const y: Var = { t, as: v.as, grad: null, needs: v.needs }
    const key = this.#apiKey(insert.api)
    const inPlace = insert.api.endsWith('_')
    this.#record(key, {
      input_args: [this.#snap(v), this.#snap(v)],
      input_kwargs: {},
      output: inPlace ? [null] : [this.#snap(y)],
    })
    this.#note(site, key)
    // Recorded or not, the gradient passes as through an identity.
    this.#steps.push({
      op: 'reshape',
      x: [v],
      y: [y],
      attrs: { shape: v.t.shape },
      key: '',
      calls: [...this.#calls],
      change: null,
      values: [v.t],
      results: [t],
    })
    for (const call of this.#calls) call.open++
    return y
  }

  #recordCall(op: OpName, x: readonly Var[], y: readonly Var[], attrs: Attrs, site: Site): string {
    const { style } = this.setup
    const form = named(style, op, attrs)
    const key = this.#apiKey(form.api)
    const arg = (one: Arg): Value => {
      if (typeof one === 'object' && one !== null && 'input' in one) return this.#snap(x[one.input])
      if (typeof one === 'object' && one !== null && 'list' in one) return one.list.map(arg)
      if (typeof one === 'object' && one !== null && 'constant' in one)
        return { t: like(tensor(one.shape), () => one.constant), as: this.#stored, needs: false }
      return one === null
        ? null
        : {
            scalar: one,
            type:
              typeof one === 'number'
                ? Number.isInteger(one)
                  ? 'int'
                  : 'float'
                : typeof one === 'boolean'
                  ? 'bool'
                  : 'str',
          }
    }
    const kwargs = Object.fromEntries(
      Object.entries(form.kwargs ?? {}).map(([name, one]) => [name, arg(one)]),
    )
    this.#record(key, {
      input_args: form.args(x.length).map(arg),
      input_kwargs: kwargs,
      output: [...y.map(v => this.#snap(v)), ...this.#scratch(op, x, y)],
    })
    this.#note(site, key)
    return key
  }

  /**
   * Outputs besides the result that some operations of the static dialect give: saved statistics, and memory
   * that nobody set.
   */
  #scratch(op: OpName, x: readonly Var[], y: readonly Var[]): Value[] {
    if (this.setup.style !== 'ms' || (op !== 'batchNorm' && op !== 'layerNorm')) return []
    const width = x[1].t.data.length
    const random = new Random(this.setup.garbage + this.entries.length)
    const saved = (f: (v: number) => number): Snapshot => ({
      t: like(tensor([width]), i => Math.fround(f(y[0].t.data[i] ?? 0))),
      as: this.#stored,
      needs: false,
    })
    const memory = (): Snapshot => ({
      t: like(tensor([width]), () => Math.fround(random.normal())),
      as: this.#stored,
      needs: false,
    })
    return op === 'batchNorm'
      ? [memory(), memory(), saved(v => v * 0.5), saved(v => v * v + 0.1)]
      : [saved(v => v * 0.25)]
  }

  #apiKey(api: string): string {
    return `${api}.${this.#count(api)}.forward`
  }

  #count(name: string): number {
    const n = this.#counters.get(name) ?? 0
    this.#counters.set(name, n + 1)
    return n
  }

  #note(site: Site, key: string): void {
    const list = this.keys.get(siteId(site))
    if (list) list.push(key)
    else this.keys.set(siteId(site), [key])
  }

  #snap(v: Var): Snapshot {
    return { t: v.t, as: v.as, needs: v.needs }
  }

  #record(key: string, parts: Entry['parts']): void {
    const api = !/^(?:Module|Cell)\./.test(key)
    if (api ? !this.setup.withApis : !this.setup.withModules) return
    this.entries.push({ key, parts })
    if (api && this.setup.withModules) this.construct[key] = this.#calls.at(-1)?.key ?? null
  }

  // -------------------------------------------------------------------------------------------- backward

  backward(loss: Var): void {
    loss.grad = like(loss.t, () => 1)
    for (let k = this.#steps.length - 1; k >= 0; k--) this.#stepBack(this.#steps[k])
    for (const { entry, vars } of this.#gradients) {
      for (const [name, v] of vars)
        entry.parts[name] = [v.grad ? { t: v.grad, as: v.as, needs: false } : null]
    }
  }

  #stepBack(step: Step): void {
    const { device } = this.setup
    const operation: Operation = operations[step.op]
    const arrived = step.y.map(v => v.grad)
    for (const call of [...step.calls].reverse()) {
      if (call.backwardKey === '' && call.output?.grad) {
        call.backwardKey = `${call.name}.backward.${this.#count(`${call.name}.backward`)}`
        call.gradOut = call.output.grad
      }
    }
    if (arrived.some(g => g !== null)) {
      const round = rounding[step.change?.cast ?? step.change?.silent ?? device.precision]
      const g = step.y
        .map((v, k) => arrived[k] ?? like(v.t, () => 0))
        .map(t => {
          const changed = step.change?.hook?.(t)
          return changed ? like(changed, i => round(changed.data[i])) : t
        })
      const made = operation.backward(step.values, step.results, g, step.attrs, device).map((t, k) => {
        if (!t || !step.x[k].needs || step.change?.detach === k) return null
        const own = step.change?.gradient?.of === k ? step.change.gradient.change(t) : t
        const passes = step.op === 'add' || step.op === 'allReduce' || step.op === 'biasAdd'
        return passes && step.change?.gradient?.of !== k && (k === 0 || step.op === 'add')
          ? own
          : this.#finish(
              own,
              operation.moves === true || passes,
              step.change?.cast ?? step.change?.silent ?? device.precision,
              views.has(step.op),
            )
      })
      if (step.key !== '') this.#recordBack(step, g, made)
      made.forEach((t, k) => {
        if (t) this.#flow(step, step.x[k], t)
      })
    }
    for (const call of [...step.calls].reverse()) {
      if (--call.open === 0 && this.setup.withModules && call.gradOut) {
        this.construct[call.backwardKey] = this.#parentBack(step, call)
        const as = call.output?.as ?? 'fp32'
        this.#record(call.backwardKey, {
          input: [{ t: call.gradOut, as, needs: false }],
          output: call.inputs.map(v => {
            const t = call.gradients.get(v)
            return t ? { t, as: v.as, needs: false } : null
          }),
        })
      }
    }
  }

  #parentBack(step: Step, call: Call): string | null {
    const at = step.calls.indexOf(call)
    return at > 0 ? step.calls[at - 1].backwardKey || null : null
  }

  #recordBack(step: Step, g: readonly Tensor[], made: readonly (Tensor | null)[]): void {
    const { style } = this.setup
    const as = step.change?.cast ?? step.y[0].as
    const snap = (t: Tensor | null): Value => (t ? { t, as, needs: false } : null)
    let output: Value[] = made.map(snap)
    if (style === 'ms') output.reverse()
    else if (step.op === 'linear') {
      const [gx, gw, gb] = made
      const turned = gw
        ? {
            shape: [gw.shape[1], gw.shape[0]],
            data: operations.permute.forward([gw], { order: [1, 0] })[0].data,
          }
        : null
      output = gb === undefined ? [snap(gx), snap(turned)] : [snap(gb), snap(gx), snap(turned)]
    } else if (step.op === 'crossEntropy') {
      // The reference records the inner step: the gradient of the log-probabilities.
      const [x, target] = step.values
      const n = x.shape[x.shape.length - 1]
      output = [
        snap(
          like(x, i =>
            target.data[Math.floor(i / n)] === i % n ? Math.fround(-g[0].data[0] / target.data.length) : 0,
          ),
        ),
      ]
    }
    const key = step.key.replace(/forward$/, 'backward')
    if (this.setup.withApis && this.setup.withModules)
      this.construct[key] = step.calls.at(-1)?.backwardKey || null
    if (this.setup.withApis) this.entries.push({ key, parts: { input: g.map(snap), output } })
  }

  #flow(step: Step, v: Var, t: Tensor): void {
    const round = rounding[this.setup.device.precision]
    const sum = (a: Tensor | null | undefined): Tensor => (a ? like(a, i => round(a.data[i] + t.data[i])) : t)
    v.grad = sum(v.grad)
    for (const call of step.calls)
      if (call.inputs.includes(v)) call.gradients.set(v, sum(call.gradients.get(v)))
  }

  /** Sum over the ranks; what the others give is known from an earlier round. */
  allReduce(v: Var): Var {
    const n = this.sent.length
    this.sent.push(v.t.data)
    return this.call('allReduce', [v], { rest: this.setup.others?.[n] ?? new Float64Array(v.t.data.length) })
  }
}

// A small model of true numbers, dumped as one rank would and as ranks that share it: what is put together of the ranks
// must be what the one dumped.
import { drawn, scalar, tensor, type Ops } from './dump-text.ts'
import type { Dump } from '../../main/engine/model/dump.ts'

export interface Spread {
  readonly tp: number
  readonly pp: number
  /** Pieces of the model on each stage. */
  readonly vpp: number
  /** Along the sequence outside of products. */
  readonly sequence: boolean
}

export interface Model {
  readonly seed: number
  readonly layers: number
  readonly micros: number
  readonly hidden: number
  readonly inner: number
  /** The value whose last element is another one: of ranks that share it, the last has it. */
  readonly wrong?: string
}

interface Values {
  readonly shape: readonly number[]
  readonly data: Float64Array
}

const steps = 4
const batch = 2

/** The same name has the same numbers, whoever dumps it. */
function values(model: Model, name: string, shape: readonly number[]): Values {
  let state =
    model.seed ^ [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 7)
  const data = Float64Array.from({ length: shape.reduce((size, dim) => size * dim, 1) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) / 2 ** 24 - 0.5
  })
  if (model.wrong === name) data[data.length - 1] += 3
  return { shape, data }
}

/** One of so many equal parts along an axis. */
function part({ shape, data }: Values, axis: number, index: number, of: number): Values {
  const size = shape[axis] / of
  const inner = shape.slice(axis + 1).reduce((product, dim) => product * dim, 1)
  const outer = shape.slice(0, axis).reduce((product, dim) => product * dim, 1)
  const rows: number[] = []
  for (let i = 0; i < outer; i++) {
    const from = (i * shape[axis] + index * size) * inner
    rows.push(...data.subarray(from, from + size * inner))
  }
  return { shape: shape.map((dim, i) => (i === axis ? size : dim)), data: Float64Array.from(rows) }
}

function leaf({ shape, data }: Values): string {
  const sum = data.reduce((total, value) => total + value, 0)
  const norm = Math.sqrt(data.reduce((total, value) => total + value * value, 0))
  const texts = [Math.max(...data), Math.min(...data), sum / data.length, norm].map(String)
  return tensor('torch.float64', shape, texts)
}

class Rank {
  readonly ops: Record<string, Record<string, string>> = {}
  readonly construct: Record<string, string | null> = {}
  readonly #model: Model
  readonly #spread: Spread
  readonly #stage: number
  readonly #slice: number
  readonly #calls = new Map<string, number>()

  constructor(model: Model, spread: Spread, stage: number, slice: number) {
    this.#model = model
    this.#spread = spread
    this.#stage = stage
    this.#slice = slice
    const { pp, vpp } = spread
    const chunks = Array.from({ length: vpp }, (_, chunk) => chunk)
    for (let micro = 0; micro < model.micros; micro++) {
      for (const chunk of chunks) this.#forward(micro, chunk)
      // One rank goes back after each micro batch, stages when all are through.
      if (pp * vpp === 1) for (const chunk of chunks.toReversed()) this.#backward(micro, chunk)
    }
    if (pp * vpp > 1)
      for (let micro = 0; micro < model.micros; micro++)
        for (const chunk of chunks.toReversed()) this.#backward(micro, chunk)
  }

  #layers(chunk: number): readonly { readonly own: number; readonly whole: number }[] {
    const { pp, vpp } = this.#spread
    const each = this.#model.layers / (pp * vpp)
    const from = (chunk * pp + this.#stage) * each
    return Array.from({ length: each }, (_, own) => ({ own, whole: from + own }))
  }

  #prefix(chunk: number): string {
    return this.#spread.vpp > 1 ? `Module.${chunk}.module` : 'Module.module'
  }

  #whole(name: string, shape: readonly number[]): Values {
    return values(this.#model, name, shape)
  }
  #cut(name: string, shape: readonly number[], axis: number): Values {
    return part(this.#whole(name, shape), axis, this.#slice, this.#spread.tp)
  }
  /** The stream between products. */
  #stream(name: string): Values {
    const shape = [steps, batch, this.#model.hidden]
    return this.#spread.sequence ? this.#cut(name, shape, 0) : this.#whole(name, shape)
  }

  #put(name: string, parent: string | null, parts: Record<string, string>): void {
    this.ops[name] = parts
    this.construct[name] = parent
  }

  #api(api: string, parent: string, input: string, output: string): string {
    const call = this.#calls.get(api) ?? 0
    this.#calls.set(api, call + 1)
    const name = `${api}.${call}.forward`
    this.#put(name, parent, { input_args: input, input_kwargs: '{}', output })
    return name
  }

  #forward(micro: number, chunk: number): void {
    const { hidden, inner } = this.#model
    const { pp, vpp, tp } = this.#spread
    const root = `${this.#prefix(chunk)}.Float16Module.forward.${micro}`
    const at = chunk * pp + this.#stage
    const ends = this.#layers(chunk)
    for (const { own, whole } of ends) {
      const layer = `${this.#prefix(chunk)}.layers.${own}`
      const above = `${layer}.TransformerLayer.forward.${micro}`
      const of = `m${micro} layer${whole}`
      const [stream, next] = [this.#stream(of), this.#stream(`m${micro} layer${whole + 1}`)]
      const full = this.#whole(of, [steps, batch, hidden])
      const middle = this.#cut(`${of} middle`, [steps, batch, inner], 2)
      const column = `${layer}.fc1.ColumnParallelLinear.forward.${micro}`
      const weight = this.#cut(`layer${whole} fc1`, [inner, hidden], 0)
      this.#api('Functional.linear', column, `[${[full, weight].map(leaf).join(', ')}]`, `[${leaf(middle)}]`)
      this.#put(column, above, {
        input_args: `[${leaf(this.#spread.sequence ? stream : full)}]`,
        input_kwargs: '{}',
        parameters: `{"weight": ${leaf(weight)}}`,
        output: `[${leaf(middle)}]`,
      })
      this.#api(
        'Tensor.view',
        above,
        `[${leaf(middle)}, ${scalar('int', String(inner / tp))}]`,
        `[${leaf(middle)}]`,
      )
      this.#put(`${layer}.fc2.RowParallelLinear.forward.${micro}`, above, {
        input_args: `[${leaf(middle)}]`,
        input_kwargs: '{}',
        parameters: `{"weight": ${leaf(this.#cut(`layer${whole} fc2`, [hidden, inner], 1))}}`,
        output: `[${leaf(next)}]`,
      })
      this.#put(above, root, {
        input_args: `[${leaf(stream)}]`,
        input_kwargs: '{}',
        output: `[${leaf(next)}]`,
      })
    }
    const last = at === pp * vpp - 1
    this.#put(root, null, {
      input_args: `[${at === 0 ? leaf(this.#whole(`m${micro} ids`, [batch, steps])) : leaf(this.#stream(`m${micro} layer${ends[0].whole}`))}]`,
      input_kwargs: '{}',
      output: `[${last ? leaf(this.#whole(`m${micro} loss`, [1])) : leaf(this.#stream(`m${micro} layer${at + 100}`))}]`,
    })
  }

  #backward(micro: number, chunk: number): void {
    for (const { own, whole } of this.#layers(chunk).toReversed()) {
      const layer = `${this.#prefix(chunk)}.layers.${own}`
      const of = `m${micro} grad${whole}`
      this.#put(
        `${layer}.TransformerLayer.backward.${micro}`,
        `${this.#prefix(chunk)}.Float16Module.backward.${micro}`,
        {
          input: `[${leaf(this.#stream(`m${micro} grad${whole + 1}`))}]`,
          output: `[${leaf(this.#stream(of))}]`,
        },
      )
    }
    this.#put(`${this.#prefix(chunk)}.Float16Module.backward.${micro}`, null, {
      input: `[${leaf(this.#whole(`m${micro} loss grad`, [1]))}]`,
      output: '[null]',
    })
  }
}

/** The dump of one rank. */
export function rankDump(model: Model, spread: Spread, stage: number, slice: number): Promise<Dump> {
  const { ops, construct } = new Rank(model, spread, stage, slice)
  return drawn(ops as Ops, { framework: 'pytorch', construct })
}

// Runs of many steps and ranks, made up: a model of layers whose ranks meet in a collective after each, with one rank
// that goes wrong in one layer. Ranks that are alike share their files.
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface TreeOrder {
  readonly folder: string
  readonly steps: number
  readonly ranks: number
  /** Tensors of a rank, about. */
  readonly tensors: number
  /** The rank, step and layer from where on the debug side differs. */
  readonly fault?: { readonly rank: number; readonly step: number; readonly layer: number }
}

/** Tensors that a layer has. */
const perLayer = 34

const noise = (seed: number): number => {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32
}

interface Texts {
  readonly dump: string
  readonly construct: string
  readonly stack: string
}

interface Wrong {
  /** Layer whose product is wrong, and the first after whose collective all are. */
  readonly own: number
  readonly after: number
}

/** One rank; `wrong`: from which layer on its values are others. */
export function rankTexts(layers: number, step: number, wrong: Wrong | null): Texts {
  const data: string[] = []
  const construct: string[] = []
  const tensor = (id: number, bad: boolean, shape = '[2, 128, 256]'): string => {
    const scale = bad ? 1.02 : 1
    const at = noise(id * 7 + step)
    const text = (value: number): string => String(Number((value * scale).toPrecision(10)))
    return `{"type": "torch.Tensor", "dtype": "torch.bfloat16", "shape": ${shape}, "Max": ${text(3 + at)}, "Min": ${text(-3 - at)}, "Mean": ${text(at / 100)}, "Norm": ${text(200 + 50 * at)}, "requires_grad": true}`
  }
  const op = (
    name: string,
    inputs: readonly string[],
    outputs: readonly string[],
    parent: string | null,
  ): void => {
    data.push(
      `"${name}": {"input_args": [${inputs.join(', ')}], "input_kwargs": {}, "output": [${outputs.join(', ')}]}`,
    )
    construct.push(`"${name}": ${parent === null ? 'null' : `"${parent}"`}`)
  }
  const root = 'Module.model.Transformer.forward.0'
  const inner: (() => void)[] = []
  for (let layer = 0; layer < layers; layer++) {
    const name = `Module.model.layers.${layer}.Block.forward.0`
    const before = wrong !== null && layer > wrong.after
    const own = wrong !== null && layer >= wrong.own
    const id = layer * 1000
    inner.push(() => {
      construct.push(`"${name}": "${root}"`)
      const attention = `Module.model.layers.${layer}.attn.Attention.forward.0`
      const mlp = `Module.model.layers.${layer}.mlp.Mlp.forward.0`
      construct.push(`"${attention}": "${name}"`, `"${mlp}": "${name}"`)
      let value = tensor(id, before)
      const chain = (
        call: string,
        number: number,
        parent: string,
        bad: boolean,
        more: readonly string[] = [],
      ): void => {
        const out = tensor(id + data.length + 1, bad)
        op(`${call}.${number}.forward`, [value, ...more], [out], parent)
        value = out
      }
      chain('Functional.layer_norm', layer * 2, attention, before, [tensor(id + 501, false, '[256]')])
      for (let i = 0; i < 3; i++)
        chain('Functional.linear', layer * 6 + i, attention, before, [
          tensor(id + 502 + i, false, '[256, 256]'),
        ])
      chain('Functional.softmax', layer, attention, before)
      chain('Functional.linear', layer * 6 + 3, attention, own, [tensor(id + 506, false, '[256, 256]')])
      chain('Distributed.all_reduce', layer, attention, wrong !== null && layer >= wrong.after)
      const after = wrong !== null && layer >= wrong.after
      chain('Tensor.__add__', layer * 2, attention, after)
      chain('Functional.layer_norm', layer * 2 + 1, mlp, after, [tensor(id + 507, false, '[256]')])
      chain('Functional.linear', layer * 6 + 4, mlp, after, [tensor(id + 508, false, '[256, 1024]')])
      chain('Functional.gelu', layer, mlp, after)
      chain('Functional.linear', layer * 6 + 5, mlp, after, [tensor(id + 509, false, '[1024, 256]')])
      chain('Tensor.__add__', layer * 2 + 1, mlp, after)
    })
  }
  for (const act of inner) act()
  construct.push(`"${root}": null`)
  return {
    dump: `{"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": null, "data": {\n${data.join(',\n')}\n}}`,
    construct: `{\n${construct.join(',\n')}\n}`,
    stack: '{}',
  }
}

/** `debug` and `bench` below the folder; the texts of ranks that are alike are written once. */
export function rankTrees({ folder, steps, ranks, tensors, fault }: TreeOrder): {
  readonly debug: string
  readonly bench: string
} {
  const layers = Math.max(2, Math.round(tensors / perLayer))
  rmSync(folder, { recursive: true, force: true })
  const kept = new Map<string, string>()
  const put = (side: string, step: number, rank: number, wrong: Wrong | null): void => {
    const key = `${step} ${wrong ? `${wrong.own} ${wrong.after}` : ''}`
    const at = path.join(folder, side, `step${step}`, `rank${rank}`)
    mkdirSync(at, { recursive: true })
    const first = kept.get(key)
    if (first === undefined) {
      const texts = rankTexts(layers, step, wrong)
      for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(at, `${name}.json`), text)
      kept.set(key, at)
    } else
      for (const name of ['dump', 'construct', 'stack'])
        linkSync(path.join(first, `${name}.json`), path.join(at, `${name}.json`))
  }
  for (let step = 0; step < steps; step++)
    for (let rank = 0; rank < ranks; rank++) {
      put('bench', step, rank, null)
      const isWrong = fault !== undefined && step >= fault.step
      const own = isWrong && rank === fault.rank ? fault.layer : Infinity
      put('debug', step, rank, isWrong ? { own, after: fault.layer } : null)
    }
  return { debug: path.join(folder, 'debug'), bench: path.join(folder, 'bench') }
}

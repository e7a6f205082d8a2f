// The toy models: small enough to run hundreds of times, with the building blocks of real ones.
import type { OpName } from './arith.ts'
import { Machine, type Var } from './machine.ts'
import { className, parameterName } from './names.ts'
import { like, Random, tensor, type Tensor } from './numbers.ts'

export type ModelName = 'conv' | 'residual' | 'encoder' | 'decoder' | 'mixer'
export const modelNames: readonly ModelName[] = ['conv', 'residual', 'encoder', 'decoder', 'mixer']

class Layers {
  readonly m: Machine
  constructor(m: Machine) {
    this.m = m
  }

  linear(path: string, x: Var, out: number, bias = true): Var {
    const { m } = this
    const k = x.t.shape[x.t.shape.length - 1]
    const w = m.parameter(path, 'weight', [out, k], 1 / Math.sqrt(k))
    const b = bias ? m.parameter(path, 'bias', [out], 0.1) : null
    const held: [string, Var][] = b
      ? [
          ['weight', w],
          ['bias', b],
        ]
      : [['weight', w]]
    return m.module(path, className(m.setup.style, 'Linear'), [x], held, v => {
      if (m.setup.style === 'pt') return m.call('linear', b ? [v, w, b] : [v, w])
      const flat = v.t.shape.length > 2 ? m.call('reshape', [v], { shape: [v.t.data.length / k, k] }) : v
      let y = m.call('matmulT', [flat, w])
      if (b) y = m.call('biasAdd', [y, b])
      return v.t.shape.length > 2 ? m.call('reshape', [y], { shape: [...v.t.shape.slice(0, -1), out] }) : y
    })
  }

  conv(path: string, x: Var, out: number, kernel: number, stride = 1, pad = 0, bias = true): Var {
    const { m } = this
    const w = m.parameter(
      path,
      'weight',
      [out, x.t.shape[1], kernel, kernel],
      1 / Math.sqrt(x.t.shape[1] * kernel * kernel),
    )
    const b = bias ? m.parameter(path, 'bias', [out], 0.1) : null
    const held: [string, Var][] = b
      ? [
          ['weight', w],
          ['bias', b],
        ]
      : [['weight', w]]
    return m.module(path, 'Conv2d', [x], held, v => {
      if (m.setup.style === 'pt') return m.call('conv2d', b ? [v, w, b] : [v, w], { stride, pad })
      const y = m.call('conv2d', [v, w], { stride, pad })
      return b ? m.call('biasAdd', [y, b], { area: y.t.shape[2] * y.t.shape[3] }) : y
    })
  }

  norm(path: string, x: Var, op: 'batchNorm' | 'layerNorm' | 'rmsNorm'): Var {
    const { m } = this
    const { style } = m.setup
    const width = op === 'batchNorm' ? x.t.shape[1] : x.t.shape[x.t.shape.length - 1]
    const w = m.parameter(path, 'weight', [width], 0.1, 1)
    const b = op === 'rmsNorm' ? null : m.parameter(path, 'bias', [width], 0.1)
    const held: [string, Var][] = [[parameterName(style, 'norm', 'weight'), w]]
    if (b) held.push([parameterName(style, 'norm', 'bias'), b])
    const name = { batchNorm: 'BatchNorm2d', layerNorm: 'LayerNorm', rmsNorm: 'RMSNorm' }[op]
    return m.module(path, name, [x], held, v => m.call(op, b ? [v, w, b] : [v, w], { eps: 1e-5, width }))
  }

  attention(path: string, x: Var, heads: number, causal: boolean, mask: Var): Var {
    const { m } = this
    const [n, s, e] = x.t.shape
    const d = e / heads
    return m.module(path, 'Attention', [x], [], v => {
      const qkv = this.linear(`${path}.qkv`, v, 3 * e)
      const [q, k, u] = m.callAll('split', [qkv], { parts: 3, width: e })
      const part = (t: Var, order: readonly number[]): Var =>
        m.call('permute', [m.call('reshape', [t], { shape: [n, s, heads, d] })], { order })
      const [query, key, value] = [part(q, [0, 2, 1, 3]), part(k, [0, 2, 3, 1]), part(u, [0, 2, 1, 3])]
      let scores = m.call('scale', [m.call('matmul', [query, key])], { by: Math.fround(1 / Math.sqrt(d)) })
      if (causal) scores = m.call('fill', [scores, mask], { value: -10000 })
      const mixed = m.call('matmul', [m.call('softmax', [scores]), value])
      const back = m.call('reshape', [m.call('permute', [mixed], { order: [0, 2, 1, 3] })], {
        shape: [n, s, e],
      })
      return this.linear(`${path}.proj`, back, e)
    })
  }
}

/** Runs a model forward and backward. `depth` is the number of repeated layers. */
export function runModel(name: ModelName, m: Machine, depth: number): void {
  const layers = new Layers(m)
  const random = new Random(7)
  const noise = (shape: readonly number[]): Tensor => like(tensor(shape), () => Math.fround(random.normal()))
  const whole = (shape: readonly number[], below: number): Tensor => ({
    ...like(tensor(shape), () => random.below(below)),
    whole: true,
  })
  const bodies: Record<ModelName, () => Var> = {
    conv: () => {
      const x = m.data('x', noise([2, 3, 12, 12]))
      const target = m.data('target', whole([2], 6))
      const logits = m.module('net', 'ConvNet', [x], [], v => {
        let h = v
        for (let i = 0; i < depth; i++) {
          h = layers.norm(
            `net.bn${i + 1}`,
            layers.conv(`net.conv${i + 1}`, h, 4 + 2 * i, 3, 1, 1),
            'batchNorm',
          )
          h = m.call('relu', [h])
          h = m.module('net.pool', 'MaxPool2d', [h], [], p => m.call('maxPool', [p]))
        }
        const flat = m.call('reshape', [h], { shape: [2, h.t.data.length / 2] })
        const hidden = m.module('net.act', 'ReLU', [layers.linear('net.fc1', flat, 12)], [], a =>
          m.call('relu', [a]),
        )
        return layers.linear('net.fc2', hidden, 6)
      })
      return m.module('loss_fn', 'CrossEntropyLoss', [logits, target], [], (l, t) =>
        m.call('crossEntropy', [l, t]),
      )
    },
    residual: () => {
      const x = m.data('x', noise([2, 3, 8, 8]))
      const target = m.data('target', whole([2], 5))
      const logits = m.module('net', 'ResNet', [x], [], v => {
        let h = m.call('relu', [
          layers.norm('net.bn', layers.conv('net.stem', v, 4, 3, 1, 1, false), 'batchNorm'),
        ])
        for (let i = 0; i < depth; i++) {
          const path = `net.layer${i + 1}`
          const wide = i === 1 ? 6 : h.t.shape[1]
          h = m.module(path, 'BasicBlock', [h], [], u => {
            let b = m.call('relu', [
              layers.norm(
                `${path}.bn1`,
                layers.conv(`${path}.conv1`, u, wide, 3, i === 1 ? 2 : 1, 1, false),
                'batchNorm',
              ),
            ])
            b = layers.norm(`${path}.bn2`, layers.conv(`${path}.conv2`, b, wide, 3, 1, 1, false), 'batchNorm')
            const skip =
              i === 1
                ? layers.norm(
                    `${path}.bn3`,
                    layers.conv(`${path}.down`, u, wide, 1, 2, 0, false),
                    'batchNorm',
                  )
                : u
            return m.call('relu', [m.call('add', [b, skip])])
          })
        }
        return layers.linear('net.fc', m.call('meanPool', [h]), 5)
      })
      return m.module('loss_fn', 'CrossEntropyLoss', [logits, target], [], (l, t) =>
        m.call('crossEntropy', [l, t]),
      )
    },
    encoder: () => {
      const ids = m.data('ids', whole([2, 6], 20))
      const target = m.data('target', whole([12], 20))
      const mask = m.data('mask', { ...tensor([6, 6]), whole: true })
      const logits = m.module('model', 'Encoder', [ids], [], i => {
        const table = m.parameter('model.embed', 'weight', [20, 16], 0.5)
        let h = m.module('model.embed', 'Embedding', [i], [['weight', table]], t =>
          m.call('embedding', [t, table]),
        )
        for (let k = 0; k < depth; k++) {
          const path = `model.layers.${k}`
          h = m.module(path, 'EncoderLayer', [h], [], u => {
            const a = layers.norm(
              `${path}.norm1`,
              m.call('add', [u, layers.attention(`${path}.attention`, u, 2, false, mask)]),
              'layerNorm',
            )
            const f = m.module(`${path}.mlp`, 'MLP', [a], [], v =>
              layers.linear(`${path}.mlp.fc2`, m.call('gelu', [layers.linear(`${path}.mlp.fc1`, v, 32)]), 16),
            )
            return layers.norm(`${path}.norm2`, m.call('add', [a, f]), 'layerNorm')
          })
        }
        return layers.linear('model.head', h, 20)
      })
      const flat = m.call('reshape', [logits], { shape: [12, 20] })
      return m.module('loss_fn', 'CrossEntropyLoss', [flat, target], [], (l, t) =>
        m.call('crossEntropy', [l, t]),
      )
    },
    decoder: () => {
      const ids = m.data('ids', whole([1, 8], 24))
      const target = m.data('target', whole([8], 24))
      const mask = m.data('mask', {
        ...like(tensor([8, 8]), i => (i % 8 > Math.floor(i / 8) ? 1 : 0)),
        whole: true,
      })
      const logits = m.module('gpt', 'GPT', [ids], [], i => {
        const table = m.parameter('gpt.wte', 'weight', [24, 16], 0.5)
        const e = m.module('gpt.wte', 'Embedding', [i], [['weight', table]], t =>
          m.call('embedding', [t, table]),
        )
        let h = m.module('gpt.drop', 'Dropout', [e], [], v =>
          m.call('masked', [v], { mask: dropMask(e.t.data.length, 3), p: 0.125 }),
        )
        for (let k = 0; k < depth; k++) {
          const path = `gpt.blocks.${k}`
          h = m.module(path, 'Block', [h], [], u => {
            const a = m.call('add', [
              u,
              layers.attention(`${path}.attn`, layers.norm(`${path}.ln1`, u, 'rmsNorm'), 4, true, mask),
            ])
            const f = m.module(
              `${path}.ffn`,
              'GatedMLP',
              [layers.norm(`${path}.ln2`, a, 'rmsNorm')],
              [],
              v => {
                const gate = m.call('silu', [layers.linear(`${path}.ffn.gate`, v, 24, false)])
                return layers.linear(
                  `${path}.ffn.down`,
                  m.call('mul', [gate, layers.linear(`${path}.ffn.up`, v, 24, false)]),
                  16,
                  false,
                )
              },
            )
            return m.call('add', [a, f])
          })
        }
        return layers.linear('gpt.lm_head', layers.norm('gpt.ln_f', h, 'rmsNorm'), 24, false)
      })
      const flat = m.call('reshape', [logits], { shape: [8, 24] })
      return m.module('loss_fn', 'CrossEntropyLoss', [flat, target], [], (l, t) =>
        m.call('crossEntropy', [l, t]),
      )
    },
    mixer: () => {
      const x = m.data('x', noise([3, 10]))
      const target = m.data('target', noise([3, 4]))
      const y = m.module('reg', 'Regressor', [x], [], v => {
        let h = m.call('tanh', [layers.linear('reg.enc', v, 16)])
        for (let k = 0; k < depth; k++) {
          const path = `reg.cells.${k}`
          h = m.module(path, 'GatedCell', [h], [], u => {
            const gate = m.call('sigmoid', [layers.linear(`${path}.gate`, u, 16)])
            const value = m.call('tanh', [layers.linear(`${path}.value`, u, 16)])
            const step = m.call('scale', [m.call('mul', [gate, value])], { by: 0.75 })
            const sum = m.setup.others ? m.allReduce(step) : step
            return layers.norm(`${path}.norm`, m.call('add', [u, sum]), 'layerNorm')
          })
        }
        return layers.linear('reg.out', h, 4)
      })
      return m.module('criterion', 'MSELoss', [y, target], [], (a, b) => m.call('mse', [a, b]))
    },
  }
  m.backward(bodies[name]())
}

function dropMask(length: number, seed: number): Float64Array {
  const random = new Random(seed)
  return Float64Array.from({ length }, () => (random.next() < 0.125 ? 0 : 1 / 0.875))
}

export const arithmetic: ReadonlySet<OpName> = new Set<OpName>([
  'linear',
  'matmulT',
  'matmul',
  'conv2d',
  'batchNorm',
  'layerNorm',
  'rmsNorm',
  'gelu',
  'silu',
  'tanh',
  'sigmoid',
  'scale',
  'softmax',
  'meanPool',
  'add',
  'mul',
])

// The arithmetic of the toy models: each operation forward, and backward from the gradients of its outputs.
import { like, size, sumOfProducts, tensor, type Device, type Tensor } from './numbers.ts'

export type Attrs = Readonly<Record<string, number | string | boolean | readonly number[] | Float64Array>>

export interface Operation {
  forward(x: readonly Tensor[], a: Attrs, dev: Device): Tensor[]
  /** Gradients of the inputs, null where there is none. */
  backward(
    x: readonly Tensor[],
    y: readonly Tensor[],
    g: readonly Tensor[],
    a: Attrs,
    dev: Device,
  ): (Tensor | null)[]
  /** Moves or selects elements: nothing is rounded. */
  readonly moves?: boolean
}

const last = (t: Tensor): number => t.shape[t.shape.length - 1]
const rows = (t: Tensor): number => t.data.length / last(t)

/** Per element, with the derivative by input and output. */
const elementwise = (
  f: (x: number, a: Attrs) => number,
  df: (x: number, y: number, a: Attrs) => number,
  moves = false,
): Operation => ({
  moves,
  forward: ([x], a) => [like(x, i => f(x.data[i], a))],
  backward: ([x], [y], [g], a) => [like(x, i => g.data[i] * df(x.data[i], y.data[i], a))],
})

const erf = (x: number): number => {
  const t = 1 / (1 + 0.3275911 * Math.abs(x))
  const y =
    1 -
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) *
      t *
      Math.exp(-x * x)
  return x < 0 ? -y : y
}
const c = Math.sqrt(2 / Math.PI)
const gelu = (x: number, a: Attrs): number =>
  a.approximate === 'tanh'
    ? 0.5 * x * (1 + Math.tanh(c * (x + 0.044715 * x ** 3)))
    : 0.5 * x * (1 + erf(x / Math.SQRT2))
const dgelu = (x: number, a: Attrs): number => (gelu(x + 1e-4, a) - gelu(x - 1e-4, a)) / 2e-4
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/** Sums a gradient over leading positions down to a row vector. */
function overRows(g: Tensor, width: number, dev: Device): Tensor {
  const n = g.data.length / width
  return tensor(
    [width],
    Float64Array.from({ length: width }, (_, j) => sumOfProducts(n, i => g.data[i * width + j], dev.blocked)),
  )
}

/** Normalises groups of elements: `at(group, k)` is the place of the k-th element of a group. */
function normalise(
  x: Tensor,
  groups: number,
  length: number,
  at: (group: number, k: number) => number,
  eps: number,
  centre: boolean,
): { hat: Float64Array; scale: Float64Array } {
  const hat = new Float64Array(x.data.length)
  const scale = new Float64Array(groups)
  for (let group = 0; group < groups; group++) {
    let mean = 0
    if (centre) for (let k = 0; k < length; k++) mean += x.data[at(group, k)] / length
    let variance = 0
    for (let k = 0; k < length; k++) variance += (x.data[at(group, k)] - mean) ** 2 / length
    scale[group] = 1 / Math.sqrt(variance + eps)
    for (let k = 0; k < length; k++) hat[at(group, k)] = (x.data[at(group, k)] - mean) * scale[group]
  }
  return { hat, scale }
}

interface Layout {
  readonly groups: number
  readonly length: number
  at(group: number, k: number): number
  /** Which weight an element meets. */
  weight(i: number): number
}

const byRow = (x: Tensor): Layout => ({
  groups: rows(x),
  length: last(x),
  at: (group, k) => group * last(x) + k,
  weight: i => i % last(x),
})
const byChannel = (x: Tensor): Layout => {
  const [n, ch, ...rest] = x.shape
  const area = size(rest)
  return {
    groups: ch,
    length: n * area,
    at: (group, k) => (Math.floor(k / area) * ch + group) * area + (k % area),
    weight: i => Math.floor(i / area) % ch,
  }
}

const norm = (layout: (x: Tensor) => Layout, centre: boolean): Operation => ({
  forward([x, w, b], a) {
    const l = layout(x)
    const { hat } = normalise(x, l.groups, l.length, l.at, Number(a.eps), centre)
    return [like(x, i => hat[i] * w.data[l.weight(i)] + (b ? b.data[l.weight(i)] : 0))]
  },
  backward([x, w, b], _y, [g], a) {
    const l = layout(x)
    const { hat, scale } = normalise(x, l.groups, l.length, l.at, Number(a.eps), centre)
    const gx = new Float64Array(x.data.length)
    for (let group = 0; group < l.groups; group++) {
      let [sum, dot] = [0, 0]
      for (let k = 0; k < l.length; k++) {
        const i = l.at(group, k)
        const gh = g.data[i] * w.data[l.weight(i)]
        sum += gh / l.length
        dot += (gh * hat[i]) / l.length
      }
      for (let k = 0; k < l.length; k++) {
        const i = l.at(group, k)
        gx[i] = scale[group] * (g.data[i] * w.data[l.weight(i)] - (centre ? sum : 0) - hat[i] * dot)
      }
    }
    const gw = new Float64Array(w.data.length)
    const gb = new Float64Array(w.data.length)
    for (let i = 0; i < x.data.length; i++) {
      gw[l.weight(i)] = Math.fround(gw[l.weight(i)] + g.data[i] * hat[i])
      gb[l.weight(i)] = Math.fround(gb[l.weight(i)] + g.data[i])
    }
    return b
      ? [tensor(x.shape, gx), tensor(w.shape, gw), tensor(b.shape, gb)]
      : [tensor(x.shape, gx), tensor(w.shape, gw)]
  },
})

/** x[…, k] · w[o, k]ᵀ */
function product(x: Tensor, w: Tensor, dev: Device): Tensor {
  const [o, k] = w.shape
  const n = rows(x)
  const y = new Float64Array(n * o)
  for (let i = 0; i < n; i++)
    for (let j = 0; j < o; j++)
      y[i * o + j] = sumOfProducts(k, p => x.data[i * k + p] * w.data[j * k + p], dev.blocked)
  return tensor([...x.shape.slice(0, -1), o], y)
}

function productGradients(x: Tensor, w: Tensor, g: Tensor, dev: Device): [Tensor, Tensor] {
  const [o, k] = w.shape
  const n = rows(x)
  const gx = new Float64Array(x.data.length)
  const gw = new Float64Array(w.data.length)
  for (let i = 0; i < n; i++)
    for (let p = 0; p < k; p++)
      gx[i * k + p] = sumOfProducts(o, j => g.data[i * o + j] * w.data[j * k + p], dev.blocked)
  for (let j = 0; j < o; j++)
    for (let p = 0; p < k; p++)
      gw[j * k + p] = sumOfProducts(n, i => g.data[i * o + j] * x.data[i * k + p], dev.blocked)
  return [tensor(x.shape, gx), tensor(w.shape, gw)]
}

/** [batch…, m, k] × [batch…, k, n] */
function matmul(a: Tensor, b: Tensor, dev: Device): Tensor {
  const [m, k] = a.shape.slice(-2)
  const n = last(b)
  const batch = a.data.length / (m * k)
  const y = new Float64Array(batch * m * n)
  for (let z = 0; z < batch; z++)
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        y[(z * m + i) * n + j] = sumOfProducts(
          k,
          p => a.data[(z * m + i) * k + p] * b.data[(z * k + p) * n + j],
          dev.blocked,
        )
      }
  return tensor([...a.shape.slice(0, -1), n], y)
}

function transposeLast(t: Tensor): Tensor {
  const [m, n] = t.shape.slice(-2)
  const y = new Float64Array(t.data.length)
  for (let z = 0; z < t.data.length / (m * n); z++)
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) y[(z * n + j) * m + i] = t.data[(z * m + i) * n + j]
  return tensor([...t.shape.slice(0, -2), n, m], y)
}

interface Window {
  readonly n: number
  readonly ch: number
  readonly h: number
  readonly w: number
  readonly o: number
  readonly k: number
  readonly oh: number
  readonly ow: number
  readonly stride: number
  readonly pad: number
}

function windowOf(x: Tensor, w: Tensor, a: Attrs): Window {
  const [n, ch, h, width] = x.shape
  const [o, , k] = w.shape
  const [stride, pad] = [Number(a.stride ?? 1), Number(a.pad ?? 0)]
  return {
    n,
    ch,
    h,
    w: width,
    o,
    k,
    stride,
    pad,
    oh: Math.floor((h + 2 * pad - k) / stride) + 1,
    ow: Math.floor((width + 2 * pad - k) / stride) + 1,
  }
}

/** Calls back for every product of a convolution: place in output, input and weight. */
function eachTap(v: Window, visit: (out: number, into: number, weight: number) => void): void {
  for (let b = 0; b < v.n; b++)
    for (let o = 0; o < v.o; o++)
      for (let i = 0; i < v.oh; i++)
        for (let j = 0; j < v.ow; j++) {
          for (let q = 0; q < v.ch; q++)
            for (let p = 0; p < v.k; p++)
              for (let r = 0; r < v.k; r++) {
                const [y, x] = [i * v.stride + p - v.pad, j * v.stride + r - v.pad]
                if (y >= 0 && y < v.h && x >= 0 && x < v.w)
                  visit(
                    ((b * v.o + o) * v.oh + i) * v.ow + j,
                    ((b * v.ch + q) * v.h + y) * v.w + x,
                    ((o * v.ch + q) * v.k + p) * v.k + r,
                  )
              }
        }
}

function permuted(t: Tensor, order: readonly number[]): Tensor {
  const shape = order.map(d => t.shape[d])
  const strides = t.shape.map((_, d) => size(t.shape.slice(d + 1)))
  const y = new Float64Array(t.data.length)
  for (let i = 0; i < y.length; i++) {
    let [rest, from] = [i, 0]
    for (let d = shape.length - 1; d >= 0; d--) {
      from += (rest % shape[d]) * strides[order[d]]
      rest = Math.floor(rest / shape[d])
    }
    y[i] = t.data[from]
  }
  return { shape, data: y, ...(t.whole && { whole: true }) }
}

const inverse = (order: readonly number[]): number[] => order.map((_, d) => order.indexOf(d))

function softmaxRows(x: Tensor): Float64Array {
  const n = last(x)
  const y = new Float64Array(x.data.length)
  for (let r = 0; r < rows(x); r++) {
    let [top, sum] = [Number.NEGATIVE_INFINITY, 0]
    for (let k = 0; k < n; k++) top = Math.max(top, x.data[r * n + k])
    for (let k = 0; k < n; k++) sum += y[r * n + k] = Math.exp(x.data[r * n + k] - top)
    for (let k = 0; k < n; k++) y[r * n + k] /= sum
  }
  return y
}

export const operations = {
  linear: {
    forward: ([x, w, b], _a, dev) => {
      const y = product(x, w, dev)
      return [b ? like(y, i => y.data[i] + b.data[i % w.shape[0]]) : y]
    },
    backward: ([x, w, b], _y, [g], _a, dev) => {
      const [gx, gw] = productGradients(x, w, g, dev)
      return b ? [gx, gw, overRows(g, w.shape[0], dev)] : [gx, gw]
    },
  },
  matmulT: {
    forward: ([x, w], _a, dev) => [product(x, w, dev)],
    backward: ([x, w], _y, [g], _a, dev) => productGradients(x, w, g, dev),
  },
  biasAdd: {
    forward: ([x, b], a) => {
      const area = Number(a.area ?? 1)
      return [like(x, i => x.data[i] + b.data[Math.floor(i / area) % b.data.length])]
    },
    backward: ([, b], _y, [g], a) => {
      const area = Number(a.area ?? 1)
      const gb = new Float64Array(b.data.length)
      for (let i = 0; i < g.data.length; i++)
        gb[Math.floor(i / area) % gb.length] = Math.fround(gb[Math.floor(i / area) % gb.length] + g.data[i])
      return [g, tensor(b.shape, gb)]
    },
  },
  matmul: {
    forward: ([a, b], _a, dev) => [matmul(a, b, dev)],
    backward: ([a, b], _y, [g], _a, dev) => [
      matmul(g, transposeLast(b), dev),
      matmul(transposeLast(a), g, dev),
    ],
  },
  conv2d: {
    forward([x, w, b], a) {
      const v = windowOf(x, w, a)
      const y = new Float64Array(v.n * v.o * v.oh * v.ow)
      eachTap(v, (out, into, weight) => {
        y[out] = Math.fround(y[out] + x.data[into] * w.data[weight])
      })
      if (b) for (let i = 0; i < y.length; i++) y[i] += b.data[Math.floor(i / (v.oh * v.ow)) % v.o]
      return [tensor([v.n, v.o, v.oh, v.ow], y)]
    },
    backward([x, w, b], _y, [g], a) {
      const v = windowOf(x, w, a)
      const [gx, gw] = [new Float64Array(x.data.length), new Float64Array(w.data.length)]
      eachTap(v, (out, into, weight) => {
        gx[into] = Math.fround(gx[into] + g.data[out] * w.data[weight])
        gw[weight] = Math.fround(gw[weight] + g.data[out] * x.data[into])
      })
      if (!b) return [tensor(x.shape, gx), tensor(w.shape, gw)]
      const gb = new Float64Array(v.o)
      for (let i = 0; i < g.data.length; i++)
        gb[Math.floor(i / (v.oh * v.ow)) % v.o] = Math.fround(
          gb[Math.floor(i / (v.oh * v.ow)) % v.o] + g.data[i],
        )
      return [tensor(x.shape, gx), tensor(w.shape, gw), tensor(b.shape, gb)]
    },
  },
  batchNorm: norm(byChannel, true),
  layerNorm: norm(byRow, true),
  rmsNorm: norm(byRow, false),
  relu: elementwise(
    x => Math.max(0, x),
    x => (x > 0 ? 1 : 0),
    true,
  ),
  gelu: elementwise(gelu, (x, _y, a) => dgelu(x, a)),
  silu: elementwise(
    x => x * sigmoid(x),
    x => sigmoid(x) * (1 + x * (1 - sigmoid(x))),
  ),
  tanh: elementwise(
    x => Math.tanh(x),
    (_x, y) => 1 - y * y,
  ),
  sigmoid: elementwise(sigmoid, (_x, y) => y * (1 - y)),
  scale: elementwise(
    (x, a) => x * Number(a.by),
    (_x, _y, a) => Number(a.by),
  ),
  softmax: {
    forward: ([x]) => [tensor(x.shape, softmaxRows(x))],
    backward([x], [y], [g]) {
      const n = last(x)
      const gx = new Float64Array(x.data.length)
      for (let r = 0; r < rows(x); r++) {
        let dot = 0
        for (let k = 0; k < n; k++) dot += g.data[r * n + k] * y.data[r * n + k]
        for (let k = 0; k < n; k++) gx[r * n + k] = y.data[r * n + k] * (g.data[r * n + k] - dot)
      }
      return [tensor(x.shape, gx)]
    },
  },
  maxPool: {
    moves: true,
    forward([x]) {
      const { y, shape } = pool(x)
      return [
        tensor(
          shape,
          Float64Array.from(y, i => x.data[i]),
        ),
      ]
    },
    backward([x], _y, [g]) {
      const { y } = pool(x)
      const gx = new Float64Array(x.data.length)
      for (let i = 0; i < y.length; i++) gx[y[i]] += g.data[i]
      return [tensor(x.shape, gx)]
    },
  },
  meanPool: {
    forward([x]) {
      const [n, ch, h, w] = x.shape
      return [
        tensor(
          [n, ch],
          Float64Array.from(
            { length: n * ch },
            (_, i) => x.data.subarray(i * h * w, (i + 1) * h * w).reduce((a, b) => a + b, 0) / (h * w),
          ),
        ),
      ]
    },
    backward: ([x], _y, [g]) => {
      const area = x.shape[2] * x.shape[3]
      return [like(x, i => g.data[Math.floor(i / area)] / area)]
    },
  },
  add: { forward: ([a, b]) => [like(a, i => a.data[i] + b.data[i])], backward: (_x, _y, [g]) => [g, g] },
  mul: {
    forward: ([a, b]) => [like(a, i => a.data[i] * b.data[i])],
    backward: ([a, b], _y, [g]) => [like(a, i => g.data[i] * b.data[i]), like(a, i => g.data[i] * a.data[i])],
  },
  embedding: {
    moves: true,
    forward([ids, w]) {
      const width = w.shape[1]
      const y = new Float64Array(ids.data.length * width)
      ids.data.forEach((id, i) => y.set(w.data.subarray(id * width, (id + 1) * width), i * width))
      return [tensor([...ids.shape, width], y)]
    },
    backward([ids, w], _y, [g]) {
      const width = w.shape[1]
      const gw = new Float64Array(w.data.length)
      ids.data.forEach((id, i) => {
        for (let k = 0; k < width; k++)
          gw[id * width + k] = Math.fround(gw[id * width + k] + g.data[i * width + k])
      })
      return [null, tensor(w.shape, gw)]
    },
  },
  reshape: {
    moves: true,
    forward: ([x], a) => [{ ...x, shape: a.shape as readonly number[] }],
    backward: ([x], _y, [g]) => [tensor(x.shape, g.data)],
  },
  permute: {
    moves: true,
    forward: ([x], a) => [permuted(x, a.order as readonly number[])],
    backward: (_x, _y, [g], a) => [permuted(g, inverse(a.order as readonly number[]))],
  },
  split: {
    moves: true,
    forward([x], a) {
      const parts = Number(a.parts)
      const width = last(x) / parts
      return Array.from({ length: parts }, (_, p) =>
        tensor(
          [...x.shape.slice(0, -1), width],
          Float64Array.from(
            { length: x.data.length / parts },
            (_v, i) => x.data[Math.floor(i / width) * last(x) + p * width + (i % width)],
          ),
        ),
      )
    },
    backward([x], _y, g, a) {
      const width = last(x) / Number(a.parts)
      return [
        like(x, i => {
          const k = i % last(x)
          return g[Math.floor(k / width)].data[Math.floor(i / last(x)) * width + (k % width)]
        }),
      ]
    },
  },
  crossEntropy: {
    forward([x, target]) {
      const p = softmaxRows(x)
      const n = last(x)
      let loss = 0
      target.data.forEach((t, r) => {
        loss -= Math.log(p[r * n + t] + 1e-30) / target.data.length
      })
      return [tensor([], Float64Array.of(loss))]
    },
    backward([x, target], _y, [g]) {
      const p = softmaxRows(x)
      const n = last(x)
      return [
        like(
          x,
          i => (g.data[0] * (p[i] - (target.data[Math.floor(i / n)] === i % n ? 1 : 0))) / target.data.length,
        ),
        null,
      ]
    },
  },
  mse: {
    forward: ([x, t]) => [
      tensor([], Float64Array.of(x.data.reduce((s, v, i) => s + (v - t.data[i]) ** 2, 0) / x.data.length)),
    ],
    backward: ([x, t], _y, [g]) => [
      like(x, i => (2 * g.data[0] * (x.data[i] - t.data[i])) / x.data.length),
      null,
    ],
  },
  /** Multiplies with a mask that the attributes carry: dropout and attention masks. */
  masked: {
    forward: ([x], a) => {
      const m = a.mask as Float64Array
      return [like(x, i => x.data[i] * m[i % m.length])]
    },
    backward: (_x, _y, [g], a) => {
      const m = a.mask as Float64Array
      return [like(g, i => g.data[i] * m[i % m.length])]
    },
  },
  /** Sets what the mask selects to a value. */
  fill: {
    moves: true,
    forward: ([x, m], a) => [like(x, i => (m.data[i % m.data.length] !== 0 ? Number(a.value) : x.data[i]))],
    backward: ([, m], _y, [g]) => [like(g, i => (m.data[i % m.data.length] !== 0 ? 0 : g.data[i])), null],
  },
  /** Sum over ranks: the other ranks' part comes with the attributes. */
  allReduce: {
    forward: ([x], a) => {
      const rest = a.rest as Float64Array
      return [like(x, i => x.data[i] + (rest[i] ?? 0))]
    },
    backward: (_x, _y, [g]) => [g],
  },
} satisfies Record<string, Operation>

export type OpName = keyof typeof operations

function pool(x: Tensor): { y: Int32Array; shape: number[] } {
  const [n, ch, h, w] = x.shape
  const [oh, ow] = [Math.floor(h / 2), Math.floor(w / 2)]
  const y = new Int32Array(n * ch * oh * ow)
  for (let z = 0; z < n * ch; z++)
    for (let i = 0; i < oh; i++)
      for (let j = 0; j < ow; j++) {
        let best = -1
        for (const [p, q] of [
          [0, 0],
          [0, 1],
          [1, 0],
          [1, 1],
        ]) {
          const at = (z * h + 2 * i + p) * w + 2 * j + q
          if (best < 0 || x.data[at] > x.data[best] || Number.isNaN(x.data[at])) best = at
        }
        y[(z * oh + i) * ow + j] = best
      }
  return { y, shape: [n, ch, oh, ow] }
}

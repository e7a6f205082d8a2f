// The faults: what each kind does to a run, where it can be put, and which nodes count as found.
import type { OpName } from './arith.ts'
import { siteId, type Change, type Fault, type Site } from './machine.ts'
import { arithmetic } from './models.ts'
import { like, Random, type Tensor } from './numbers.ts'

export interface Placed {
  readonly fault: Fault
  /** Sites any of whose ops counts as found: both ends where something happens in between. */
  readonly sites: readonly string[]
  /** Modules whose own name, or any node below it, counts as found. */
  readonly modules: readonly string[]
  /** Sites that read the results of these count as well. */
  readonly readers?: boolean
  /** Finding kinds that count whatever node they name. */
  readonly kinds?: readonly string[]
}

interface FaultKind {
  readonly name: string
  readonly backward?: boolean
  /** null where the model has no place for it. */
  readonly place: (sites: readonly Site[], random: Random, depth: number) => Placed | null
}

type Test = (site: Site) => boolean

const pick = <T>(list: readonly T[], random: Random): T | null =>
  list.length === 0 ? null : list[random.below(list.length)]
const isOp =
  (...ops: OpName[]): Test =>
  site =>
    ops.includes(site.op)

/** A fault at one call. */
const atCall = (
  test: Test,
  change: (site: Site, random: Random) => Change,
  more: Partial<FaultKind> = {},
): Omit<FaultKind, 'name'> => ({
  ...more,
  place(sites, random) {
    const site = pick(sites.filter(test), random)
    if (!site) return null
    const made = change(site, random)
    return {
      fault: { call: at => (siteId(at) === siteId(site) ? made : null) },
      sites: [siteId(site)],
      modules: [],
    }
  },
})

/** A fault between one call and those that read it: both ends count. */
const between = (test: Test, change: (site: Site, random: Random) => Change): Omit<FaultKind, 'name'> => ({
  place(sites, random) {
    const usable = sites.filter(
      (site, i) =>
        test(site) && i + 1 < sites.length && sites[i + 1].op !== 'mse' && sites[i + 1].op !== 'crossEntropy',
    )
    const site = pick(usable, random)
    if (!site) return null
    const made = change(site, random)
    return {
      fault: { call: at => (siteId(at) === siteId(site) ? made : null) },
      sites: [siteId(site)],
      modules: [],
      readers: true,
    }
  },
})

const scaleBy =
  (by: number) =>
  (t: Tensor): Tensor =>
    like(t, i => Math.fround(t.data[i] * by))

const parameter = (
  test: (path: string, name: string) => boolean,
  change: (t: Tensor, random: Random) => Tensor,
): Omit<FaultKind, 'name'> => ({
  place(sites, random) {
    const paths = [
      ...new Set(
        sites
          .filter(isOp('linear', 'matmulT', 'conv2d', 'layerNorm', 'batchNorm', 'rmsNorm', 'embedding'))
          .map(site => site.path),
      ),
    ]
    const path = pick(
      paths.filter(at => test(at, 'weight')),
      random,
    )
    if (path === null) return null
    const seed = random.below(1e9)
    return {
      fault: {
        parameter: (at, name, t) => (at === path && name === 'weight' ? change(t, new Random(seed)) : t),
      },
      sites: [],
      modules: [path],
    }
  },
})

const inner: Test = site => arithmetic.has(site.op) && site.path !== ''

const table: Readonly<Record<string, Omit<FaultKind, 'name'>>> = {
  'weight scaled': parameter(
    () => true,
    t => scaleBy(1.08)(t),
  ),
  'weight, one element': parameter(
    () => true,
    (t, random) => {
      const at = random.below(t.data.length)
      return like(t, i => (i === at ? Math.fround(t.data[i] + 0.01) : t.data[i]))
    },
  ),
  'weight shuffled': parameter(
    () => true,
    (t, random) => {
      const shift = 1 + random.below(t.data.length - 1)
      return like(t, i => t.data[(i + shift) % t.data.length])
    },
  ),
  'all weights': {
    place: () => ({
      fault: {
        parameter: (path, name, t) => {
          const r = new Random(path.length * 31 + name.length)
          return like(t, i => Math.fround(t.data[i] + 0.05 * r.normal()))
        },
      },
      sites: [],
      modules: [],
      kinds: ['different-weights'],
    }),
  },
  'other input': {
    place: (_sites, random) => {
      const seed = random.below(1e9)
      return {
        fault: {
          data: (name, t) => {
            const r = new Random(seed)
            return name === 'x'
              ? like(t, () => Math.fround(r.normal()))
              : name === 'ids'
                ? { ...like(t, () => r.below(15)), whole: true }
                : t
          },
        },
        sites: [],
        modules: [],
        kinds: ['different-input'],
      }
    },
  },
  'other labels': {
    place: () => ({
      fault: {
        data: (name, t) =>
          name === 'target'
            ? {
                ...like(t, i => (t.whole ? (t.data[i] + 1) % 4 : Math.fround(t.data[i] * 1.5))),
                ...(t.whole && { whole: true }),
              }
            : t,
      },
      sites: [],
      modules: ['loss_fn', 'criterion'],
      kinds: ['different-input'],
    }),
  },
  'other mask': {
    place: sites =>
      sites.some(isOp('fill'))
        ? {
            fault: {
              data: (name, t) =>
                name === 'mask'
                  ? { ...like(t, i => (i % 8 > Math.floor(i / 8) + 1 ? 1 : 0)), whole: true }
                  : t,
            },
            sites: sites.filter(isOp('fill')).map(siteId),
            modules: [],
            kinds: ['different-input'],
          }
        : null,
  },
  'wrong result': atCall(inner, () => ({
    wrong: t => like(t, i => (i % 3 === 0 ? t.data[i] * 1.3 : t.data[i])),
  })),
  'small wrong result': atCall(
    isOp('linear', 'matmulT', 'matmul', 'conv2d', 'layerNorm', 'batchNorm', 'rmsNorm'),
    () => ({ wrong: t => like(t, i => t.data[i] * (1 + 0.06 * Math.sin(i))) }),
  ),
  'operation replaced': atCall(isOp('gelu', 'silu', 'tanh', 'relu', 'sigmoid'), site => ({
    op:
      site.op === 'tanh' ? 'sigmoid' : site.op === 'relu' ? 'silu' : site.op === 'sigmoid' ? 'tanh' : 'relu',
  })),
  'other formula': atCall(isOp('gelu', 'softmax', 'layerNorm', 'rmsNorm', 'batchNorm'), site =>
    site.op === 'gelu'
      ? { wrong: t => like(t, i => t.data[i] * (1 - 0.2 * Math.exp(-t.data[i] * t.data[i]))) }
      : site.op === 'softmax'
        ? { wrong: t => like(t, i => Math.sqrt(t.data[i])) }
        : { attrs: { eps: 0.3 } },
  ),
  'other scale': atCall(isOp('scale'), site => ({ attrs: { by: Number(site.attrs.by) * 1.2 } })),
  'silent cast': atCall(isOp('linear', 'matmulT', 'matmul', 'conv2d', 'gelu', 'layerNorm'), () => ({
    silent: 'bf16',
  })),
  'visible cast': atCall(
    isOp('linear', 'matmulT', 'matmul', 'conv2d', 'gelu', 'silu', 'tanh', 'layerNorm'),
    () => ({ cast: 'fp16' }),
  ),
  'NaN made': atCall(inner, (_site, random) => {
    const at = random.below(4)
    return { wrong: t => like(t, i => (i === at ? Number.NaN : t.data[i])) }
  }),
  'Inf made': atCall(isOp('linear', 'matmulT', 'scale', 'gelu', 'mul', 'conv2d'), () => ({
    wrong: t => like(t, i => (i === 1 ? Number.POSITIVE_INFINITY : t.data[i])),
  })),
  'overwritten unseen': between(inner, () => ({
    overwrite: t => like(t, i => Math.fround(t.data[i] * (i % 2 === 0 ? 1.05 : 1))),
  })),
  'overwritten in view': between(inner, () => ({
    insert: {
      api: 'Tensor.mul_',
      change: t => like(t, i => Math.fround(t.data[i] * (i % 2 === 0 ? 1.2 : 1))),
    },
  })),
  'call missing': atCall(
    isOp('relu', 'gelu', 'silu', 'tanh', 'scale', 'masked', 'layerNorm', 'rmsNorm'),
    () => ({ skip: true }),
  ),
  'call twice': atCall(isOp('gelu', 'silu', 'tanh', 'scale', 'layerNorm', 'rmsNorm', 'batchNorm'), () => ({
    twice: true,
  })),
  'extra call': between(inner, () => ({
    insert: {
      api: 'Functional.hardtanh',
      change: t => {
        const top = 0.6 * Math.max(...t.data.map(Math.abs))
        return like(t, i => Math.max(-top, Math.min(top, t.data[i])))
      },
    },
  })),
  'layer more': {
    place: (sites, _random, depth) => {
      if (sites.some(site => site.path.startsWith('net'))) return null
      const root =
        ['model.layers', 'gpt.blocks', 'reg.cells'].find(at =>
          sites.some(site => site.path.startsWith(at)),
        ) ?? ''
      return { fault: { layers: depth + 1 }, sites: [], modules: [`${root}.${depth}`] }
    },
  },
  'other random mask': atCall(isOp('masked'), () => ({
    attrs: { mask: Float64Array.from({ length: 128 }, (_, i) => ((i * 7) % 9 === 0 ? 0 : 1 / 0.875)) },
  })),
  'residual rewired': {
    place(sites, random) {
      const adds = sites.map((site, i) => ({ site, i })).filter(({ site, i }) => site.op === 'add' && i > 6)
      const chosen = pick(adds, random)
      if (!chosen) return null
      const same = sites
        .slice(0, chosen.i - 1)
        .filter(
          at =>
            ['layerNorm', 'rmsNorm', 'batchNorm', 'add', 'tanh'].includes(at.op) &&
            sameOutput(at, chosen.site),
        )
        .map(siteId)
      const from = pick(same.slice(-3), random)
      if (from === null) return null
      const made: Change = { rewire: [0, from] }
      return {
        fault: { call: at => (siteId(at) === siteId(chosen.site) ? made : null) },
        sites: [siteId(chosen.site)],
        modules: [],
      }
    },
  },
  'heads permuted': {
    place(sites, random) {
      const places = sites
        .map((site, i) => ({ site, i }))
        .filter(({ site }) => site.op === 'permute' && (site.attrs.order as readonly number[])[3] === 1)
      const chosen = pick(places, random)
      if (!chosen) return null
      const made: Change = {
        wrong: t => {
          const half = t.data.length / 2
          return like(t, i => t.data[(i + half) % t.data.length])
        },
      }
      return {
        fault: { call: at => (siteId(at) === siteId(chosen.site) ? made : null) },
        sites: [siteId(chosen.site)],
        modules: [],
        readers: true,
      }
    },
  },
  'gradient wrong': atCall(
    site =>
      isOp(
        'linear',
        'matmulT',
        'matmul',
        'conv2d',
        'gelu',
        'silu',
        'tanh',
        'softmax',
        'layerNorm',
        'rmsNorm',
        'batchNorm',
      )(site) && !/stem|enc$|conv1$/.test(site.path),
    () => ({ gradient: { of: 0, change: scaleBy(1.5) } }),
    { backward: true },
  ),
  'weight gradient wrong': atCall(
    isOp('linear', 'matmulT', 'conv2d'),
    () => ({ gradient: { of: 1, change: scaleBy(1.7) } }),
    { backward: true },
  ),
  'gradient zero': atCall(
    site => isOp('gelu', 'silu', 'tanh', 'matmul', 'layerNorm', 'rmsNorm')(site),
    () => ({ gradient: { of: 0, change: t => like(t, i => (i % 2 === 0 ? 0 : t.data[i])) } }),
    { backward: true },
  ),
  'gradient hook': {
    backward: true,
    place(sites, random) {
      const usable = sites
        .map((site, i) => ({ site, i }))
        .filter(
          ({ site, i }) =>
            isOp('linear', 'matmulT', 'conv2d', 'gelu', 'silu', 'layerNorm', 'rmsNorm', 'batchNorm')(site) &&
            i + 2 < sites.length,
        )
      const chosen = pick(usable, random)
      if (!chosen) return null
      const made: Change = { hook: scaleBy(2) }
      return {
        fault: { call: at => (siteId(at) === siteId(chosen.site) ? made : null) },
        sites: [siteId(chosen.site)],
        modules: [],
        readers: true,
      }
    },
  },
  'branch detached': {
    backward: true,
    place(sites, random) {
      const usable = sites
        .map((site, i) => ({ site, i }))
        .filter(({ site, i }) => isOp('add', 'mul')(site) && i > 3)
      const chosen = pick(usable, random)
      if (!chosen) return null
      const made: Change = { detach: 0 }
      // What comes before the branch never runs backward: the last op of the branch is as right as the add.
      return {
        fault: { call: at => (siteId(at) === siteId(chosen.site) ? made : null) },
        sites: [siteId(chosen.site), ...sites.slice(Math.max(0, chosen.i - 6), chosen.i).map(siteId)],
        modules: [],
      }
    },
  },
  'two faults': {
    place(sites, random) {
      const usable = sites.filter(inner)
      const [a, b] = [
        usable[random.below(Math.floor(usable.length / 2))],
        usable[Math.floor(usable.length / 2) + random.below(Math.floor(usable.length / 2))],
      ]
      const made: Change = { wrong: t => like(t, i => (i % 3 === 0 ? t.data[i] * 1.4 : t.data[i])) }
      return {
        fault: { call: at => (siteId(at) === siteId(a) || siteId(at) === siteId(b) ? made : null) },
        sites: [siteId(a)],
        modules: [],
      }
    },
  },
}

const outputShape = (site: Site): string =>
  (site.op === 'linear' ? [...site.shapes[0].slice(0, -1), site.shapes[1][0]] : site.shapes[0]).join(',')
const sameOutput = (a: Site, b: Site): boolean => outputShape(a) === b.shapes[0].join(',')

export const faultKinds: readonly FaultKind[] = Object.entries(table).map(([name, kind]) => ({
  ...kind,
  name,
}))
export const kindNamed = (name: string): FaultKind => {
  const found = faultKinds.find(kind => kind.name === name)
  if (!found) throw new Error(`no fault ${name}`)
  return found
}

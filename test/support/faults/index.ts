// Makes pairs of dumps with one known fault, or with none, and knows which nodes are right answers.
import { dumpFiles, type Level, type Task } from './dump.ts'
import { kindNamed, type Placed } from './kinds.ts'
import { Machine, type Fault } from './machine.ts'
import { runModel, type ModelName } from './models.ts'
import type { Style } from './names.ts'
import { plainDevice, Random, seedOf, type Device } from './numbers.ts'

export type NoiseName =
  'none' | 'one side' | 'both sides' | 'order' | 'bf16' | 'fp16' | 'bf16 wide' | 'mixed' | 'tf32'

/**
 * Devices of both sides. `order`: another order of summation and nothing else; `mixed`: bfloat16 against
 * float32.
 */
const noises: Readonly<Record<NoiseName, readonly [Partial<Device>, Partial<Device>]>> = {
  none: [{}, {}],
  'one side': [{ noise: 1e-6, seed: 11 }, {}],
  'both sides': [
    { noise: 1e-6, seed: 11, blocked: true, everywhere: true },
    { noise: 1e-6, seed: 12, everywhere: true },
  ],
  order: [{ blocked: true }, {}],
  bf16: [
    { precision: 'bf16', noise: 2 ** -9, seed: 11 },
    { precision: 'bf16', noise: 2 ** -9, seed: 12, blocked: true },
  ],
  fp16: [
    { precision: 'fp16', noise: 2 ** -12, seed: 11, everywhere: true },
    { precision: 'fp16', noise: 2 ** -12, seed: 12 },
  ],
  'bf16 wide': [
    { precision: 'bf16', noise: 2 ** -9, seed: 11, wide: true },
    { precision: 'bf16', noise: 2 ** -9, seed: 12, wide: true },
  ],
  tf32: [
    { reduced: true, noise: 1e-7, seed: 11 },
    { noise: 1e-7, seed: 12 },
  ],
  mixed: [{ precision: 'bf16', noise: 0, seed: 11, wide: true }, {}],
}
export const noiseNames = Object.keys(noises) as NoiseName[]

export interface CaseOf {
  /** null: only noise. */
  readonly kind: string | null
  readonly model: ModelName
  readonly task: Task
  readonly level: Level
  readonly debug: Style
  readonly bench: Style
  readonly noise: NoiseName
  readonly seed: number
}

export interface Pair {
  readonly of: CaseOf
  readonly debug: Readonly<Record<string, string | Uint8Array>>
  readonly bench: Readonly<Record<string, string | Uint8Array>>
  /** For the reader of a miss: where the fault is. */
  readonly wanted: readonly string[]
  /**
   * Whether a node of either side is a right answer; `chain` is the node and what construct.json puts around
   * it.
   */
  right(chain: readonly string[], findingKind: string): boolean
}

const depth = 2

/** null where the model has no place for the fault. */
export function makePair(of: CaseOf): Pair | null {
  const random = new Random(seedOf(`${of.kind} ${of.model} ${of.seed}`))
  const plan = run(of, 'bench', {}, depth)
  const placed: Placed | null =
    of.kind === null
      ? { fault: {}, sites: [], modules: [] }
      : kindNamed(of.kind).place(sitesFor(of, plan), random, depth)
  if (!placed) return null
  const bench = plan
  const debug = run(of, 'debug', placed.fault, placed.fault.layers ?? depth)
  if (of.kind !== null && (!matters(of, placed) || castsToItsOwn(of, plan, placed))) return null
  const keys = new Set<string>()
  const sites = placed.readers
    ? placed.sites.flatMap(id => [id, ...(bench.readers.get(id) ?? [])])
    : placed.sites
  for (const m of [debug, bench])
    for (const id of sites)
      for (const key of m.keys.get(id) ?? []) keys.add(key).add(key.replace(/forward$/, 'backward'))
  const owners = [...new Set(placed.sites.map(id => id.split('/')[0]))]
  const around = [...new Set(sites.map(id => id.split('/')[0]))]
  const leaves = around.filter(owner => !plan.sites.some(site => site.path.startsWith(`${owner}.`)))
  return {
    of,
    debug: dumpFiles(debug, of.task, of.level),
    bench: dumpFiles(bench, of.task, of.level),
    wanted: [...placed.modules, ...placed.sites, ...keys],
    right(chain, findingKind) {
      if (placed.kinds?.includes(findingKind)) return true
      if (chain.some(name => keys.has(name))) return true
      const inside = (owner: string, name: string): boolean =>
        owner !== '' && new RegExp(`^(?:Cell|Module)\\.${owner.replaceAll('.', '\\.')}\\.`).test(name)
      if ([...placed.modules, ...leaves].some(owner => chain.some(name => inside(owner, name)))) return true
      // Modules alone: the innermost module around the site; with calls its own entry, but nothing else below
      // it.
      if (of.level === 'L0') return owners.some(owner => chain.some(name => inside(owner, name)))
      if (
        owners.some(owner =>
          new RegExp(
            `^(?:Cell|Module)\\.${owner.replaceAll('.', '\\.')}\\.\\w+\\.(?:forward|backward)\\.\\d+$`,
          ).test(chain[0] ?? ''),
        )
      )
        return true
      return (
        of.level === 'L1' &&
        placed.modules.length > 0 &&
        [debug, bench].some(m =>
          placed.modules.some(owner =>
            m.sites.some(
              site =>
                (site.path === owner || site.path.startsWith(`${owner}.`)) &&
                (m.keys.get(`${site.path}/${site.op}/${site.nth}`) ?? []).some(
                  key => chain.includes(key) || chain.includes(key.replace(/forward$/, 'backward')),
                ),
            ),
          ),
        )
      )
    },
  }
}

/**
 * A fault that changes nothing (a rewired input that is the same tensor, a mask that hides nothing) is none.
 */
function matters(of: CaseOf, placed: Placed): boolean {
  const plain: CaseOf = { ...of, noise: 'none', bench: of.debug, level: 'mix', task: 'md5' }
  const text = (fault: Fault, layers: number): string =>
    String(dumpFiles(run(plain, 'bench', fault, layers), 'md5', 'mix')['dump.json'])
  return text(placed.fault, placed.fault.layers ?? depth) !== text({}, depth)
}

/** Where everything is computed in a half precision already, rounding one call to it is no fault. */
function castsToItsOwn(of: CaseOf, plan: Machine, placed: Placed): boolean {
  const own = noises[of.noise][0].precision ?? 'fp32'
  return plan.sites.some(site => {
    const change = placed.fault.call?.(site)
    return (change?.silent !== undefined && own === 'bf16') || change?.silent === own || change?.cast === own
  })
}

/** Across frameworks a fault is put where both dialects have the call. */
function sitesFor(of: CaseOf, plan: Machine): Machine['sites'] {
  if (of.debug === of.bench) return plan.sites
  const other = run(of, 'debug', {}, depth)
  return other.sites.filter(site =>
    plan.sites.some(at => at.path === site.path && at.op === site.op && at.nth === site.nth),
  )
}

function run(of: CaseOf, side: 'debug' | 'bench', fault: Fault, layers: number): Machine {
  const device = { ...plainDevice, ...noises[of.noise][side === 'debug' ? 0 : 1] }
  const m = new Machine({
    style: of[side],
    device: { ...device, seed: device.seed * 7919 + of.seed },
    fault,
    garbage: side === 'debug' ? 5 : 6,
    withApis: of.level !== 'L0',
    withModules: of.level !== 'L1',
  })
  runModel(of.model, m, layers)
  return m
}

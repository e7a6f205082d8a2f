// Which call of a dump a value over steps is of: names of probes and monitors are those of parameters and modules.
import { Direction, type Dump, opName } from '../../model/index.ts'

/** The calls of a module that lead to it, as far as they were dumped. */
interface Module {
  gradients?: string
  backward?: string
  forward?: string
}

/** A wrapper around the model, of which the other name says nothing, and its number among several. */
const mostAround = 2

/** Null where nothing of that name was dumped, or where several things could be meant. */
export function moduleCallOf(dump: Dump, target: string): string | null {
  const modules = modulesOf(dump)
  const segments = segmentsOf(target)
  const owner = modules.find(segments.slice(0, -1))
  if (owner) return callIn(owner, speaksOf(segments.at(-1) ?? ''))
  const whole = modules.find(segments)
  return whole && callIn(whole, ['forward', 'backward', 'gradients'])
}

/** Without the stage of a pipeline before the name, and the micro batch behind it. */
const segmentsOf = (target: string): readonly string[] =>
  target.replace(/^\d+:/, '').replace(/:\d+$/, '').split('.')

/** What stands behind the name of a module, and the calls that it speaks of, the nearest first. */
const speaksOf = (part: string): readonly (keyof Module)[] => {
  if (/^(?:input|output)s?(?:_?\d+)?$/.test(part)) return ['forward']
  return /^(?:input|output).*grad/.test(part) ? ['backward', 'forward'] : ['gradients', 'backward', 'forward']
}

const callIn = (module: Module, wanted: readonly (keyof Module)[]): string | null =>
  wanted.map(call => module[call]).find(call => call !== undefined) ?? null

/** Modules by their paths, and by the ends of their paths. */
class Modules {
  readonly #known = new Map<string, Module>()
  /** null: several end so. */
  readonly #ends = new Map<string, Module | null>()

  /** One that is called so, with a wrapper more or less around it. */
  find(path: readonly string[]): Module | null {
    for (let around = 0; around <= mostAround && around < path.length; around++) {
      const found = this.#known.get(path.slice(around).join('.'))
      if (found) return found
    }
    return path.length === 0 ? null : (this.#ends.get(path.join('.')) ?? null)
  }

  /** The module of that path, known from now on. */
  at(path: readonly string[]): Module {
    const key = path.join('.')
    const known = this.#known.get(key)
    if (known) return known
    const made: Module = {}
    this.#known.set(key, made)
    for (let around = 1; around <= mostAround && around < path.length; around++) {
      const end = path.slice(around).join('.')
      this.#ends.set(end, this.#ends.has(end) ? null : made)
    }
    return made
  }
}

const ofDumps = new WeakMap<Dump, Modules>()

function modulesOf(dump: Dump): Modules {
  const known = ofDumps.get(dump)
  if (known) return known
  const made = new Modules()
  for (let op = 0; op < dump.ops.length; op++) {
    const name = opName(dump, op)
    const { form, path, ofModule, direction } = dump.names.parse(name)
    if (!ofModule) continue
    // The last part is the class.
    const module = made.at(path.split('.').slice(0, -1))
    if (form === 'gradients') module.gradients ??= name
    else if (direction === Direction.backward) module.backward ??= name
    else module.forward ??= name
  }
  ofDumps.set(dump, made)
  return made
}

// Other runs that tell the noise of a pair: two healthy ones, or a profile that was saved of such.
import { Shared } from '../../formats/index.ts'
import { absolute, baseOf, dirOf, type Files } from '../../io/index.ts'
import { type Plan, planOf, type UnitRef } from '../../layout/index.ts'
import {
  type CompareOptions,
  type Dump,
  type NoiseProfile,
  problem,
  type Problem,
  Refusal,
} from '../../model/index.ts'
import { profileOf, readProfile, whyNoTwins } from '../../noise/index.ts'
import { noHandMatches } from '../../pair/index.ts'
import type { Job } from '../../work/index.ts'
import { openSources, type SourcePorts } from '../sources.ts'
import { pairUp } from './compare.ts'
import { settingsOf } from './settings.ts'

/** The pair whose noise is asked for. */
interface NoisyPair {
  readonly debug: Dump
  readonly bench: Dump
  readonly place: UnitRef
}

export interface NoiseKnown {
  readonly profile: NoiseProfile | null
  /** Why what was given tells nothing. */
  readonly refused: Problem | null
}

export type NoiseReader = (options: CompareOptions, pair: NoisyPair, job: Job) => Promise<NoiseKnown>

/** A profile is small: some numbers for each kind of call. */
const longestProfile = 16 << 20

export function noiseReader(ports: NoisePorts): NoiseReader {
  return async (options, pair, job) => {
    if (options.noise.length === 0) return { profile: null, refused: null }
    try {
      return { profile: await noiseOf(options, pair, ports, job), refused: null }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { profile: null, refused: error.problem }
    }
  }
}

type NoisePorts = Omit<SourcePorts, 'shared' | 'partial'>

async function noiseOf(
  options: CompareOptions,
  pair: NoisyPair,
  ports: NoisePorts,
  job: Job,
): Promise<NoiseProfile> {
  return (
    savedProfile(options.noise, ports.files) ??
    (await twinsProfile(options, { ...ports, pair, unitOf: plan => unitFor(plan, pair.place) }, job))
  )
}

/** What twins tell by themselves, or what was saved of them. */
export async function profileAt(
  paths: readonly string[],
  options: CompareOptions,
  ports: NoisePorts,
  job: Job,
): Promise<NoiseProfile> {
  const asked = { ...options, noise: paths }
  const unitOf = ({ units, debug }: Plan): UnitRef => {
    const [first] = units
    if (!first?.places.bench) throw new Refusal(problem('noise-not-twins', debug))
    return first
  }
  return (
    savedProfile(paths, ports.files) ?? (await twinsProfile(asked, { ...ports, pair: null, unitOf }, job))
  )
}

interface TwinPorts extends NoisePorts {
  /** Whose noise they are to tell; null: nobody's in particular. */
  readonly pair: NoisyPair | null
  unitOf(plan: Plan): UnitRef
}

async function twinsProfile(options: CompareOptions, ports: TwinPorts, job: Job): Promise<NoiseProfile> {
  const asked = { ...ports, rules: options.rules, shared: new Shared(), partial: false }
  const plan = await planOf(options.noise, { stacks: false, ordered: true }, asked, job)
  const opening = openSources({ ...plan, units: [ports.unitOf(plan)] }, asked)
  try {
    const [source] = opening.units
    const dumps = await source.read(options.rules, job, () => {})
    const { debug, bench } = dumps
    if (!bench || dumps.given) throw new Refusal(problem('noise-not-twins', plan.debug))
    const paired = await pairUp(debug, bench, settingsOf(source.place, dumps, options, noHandMatches), job)
    const measured = paired.tensors && (await ports.measure(paired.tensors.pairs, job))
    const { debugItem, benchItem } = paired.pairing
    const pairOf = paired.tensors?.pairOf ?? null
    const twins = { debug, bench, length: debugItem.length, debugItem, benchItem, measured, pairOf }
    const why = whyNoTwins(twins, ports.pair)
    if (why) throw new Refusal(why)
    return profileOf(twins, namesOf(plan))
  } finally {
    opening.close()
  }
}

/** Folders as the user knows them; a profile that is shared says nothing of the rest of the disk. */
function namesOf({ debug, bench }: Plan): { readonly debug: string; readonly bench: string } {
  const [mine, theirs] = [baseOf(debug), baseOf(bench)]
  return mine === theirs
    ? { debug: `${baseOf(dirOf(debug))}/${mine}`, bench: `${baseOf(dirOf(bench))}/${theirs}` }
    : { debug: mine, bench: theirs }
}

/** Null where dumps were given. */
function savedProfile([path, ...more]: readonly string[], files: Files): NoiseProfile | null {
  const is = more.length === 0 && path?.endsWith('.json') && baseOf(path) !== 'dump.json'
  return is ? readProfile(profileTextAt(files, absolute(path)), absolute(path)) : null
}

/** The unit of the same step and rank; one alone stands for all. */
function unitFor({ units, debug, bench }: Plan, { step, rank }: UnitRef): UnitRef {
  const found = units.length === 1 ? units[0] : units.find(unit => unit.step === step && unit.rank === rank)
  if (!found || found.places.bench === null)
    throw new Refusal(
      found || units.length === 0 || bench === ''
        ? problem('noise-not-twins', debug)
        : problem('noise-no-unit', debug, { step: String(step ?? '-'), rank: String(rank ?? '-') }),
    )
  return found
}

function profileTextAt(files: Files, path: string): string {
  files.allow(dirOf(path))
  if (!files.stat(path)) throw new Refusal(problem('not-found', path))
  return new TextDecoder().decode(files.readAll(path, longestProfile))
}

/** What a folder of a healthy run is called beside the pair. */
const ofTwin = /twin|healthy|again|before|noise|孪生/i
const isFile = /\.(?:csv|json|xlsx|npy|npz|pt|vis|db|ya?ml)$/i

/**
 * Four folders that were given at once are a pair and its twins, those that are named so or else the last; with a third
 * that is named so the bench was run once more.
 */
export function pairAndTwins(
  paths: readonly string[],
  may: boolean,
): { readonly pair: readonly string[]; readonly twins: readonly string[] } {
  const none = { pair: paths, twins: [] }
  const count = paths.length - 2
  if (!may || count < 1 || count > 2 || paths.some(path => isFile.test(path))) return none
  const named = paths.filter(path => ofTwin.test(baseOf(path)))
  if (named.length !== count && count === 1) return none
  const twins = named.length === count ? named : paths.slice(2)
  const pair = paths.filter(path => !twins.includes(path))
  return { pair, twins: count === 1 ? [pair[1], ...twins] : twins }
}

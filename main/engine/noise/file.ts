// A profile as a file: what was learned from the twins of one model, for the pairs of others.
import { type NoiseProfile, type Percentiles, problem, Refusal } from '../model/index.ts'

const format = 'plumbline noise profile'
const version = 1

/** Without the tensors of the model that it was taken from. */
export const profileText = (profile: NoiseProfile): string =>
  `${JSON.stringify({ format, version, ...profile, items: undefined }, null, 1)}\n`

/** Refuses what is no profile. */
export function readProfile(text: string, path: string): NoiseProfile {
  const told = parsed(text, path)
  if (!isRecord(told) || told['format'] !== format) throw new Refusal(problem('noise-not-a-profile', path))
  if (told['version'] !== version)
    throw new Refusal(problem('noise-version', path, { version: versionOf(told), known: version }))
  const broken = (field: string): never => {
    throw new Refusal(problem('noise-broken', path, { field }))
  }
  const words = (of: Fields, field: string): string => {
    const value = of[field]
    return typeof value === 'string' ? value : broken(field)
  }
  const number = (of: Fields, field: string): number => {
    const value = of[field]
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : broken(field)
  }
  const percentiles = (of: Fields, field: string): Percentiles => {
    const value = of[field]
    if (!isRecord(value)) return broken(field)
    return {
      half: number(value, 'half'),
      ninety: number(value, 'ninety'),
      most: number(value, 'most'),
      largest: number(value, 'largest'),
    }
  }
  const classes = told['classes']
  if (!Array.isArray(classes)) return broken('classes')
  return {
    debug: words(told, 'debug'),
    bench: words(told, 'bench'),
    framework: words(told, 'framework'),
    level: words(told, 'level'),
    calls: number(told, 'calls'),
    alike: number(told, 'alike'),
    margin: number(told, 'margin'),
    classes: classes.map((one: unknown) => {
      if (!isRecord(one)) return broken('classes')
      return {
        op: words(one, 'op'),
        backward: one['backward'] === true,
        dtype: words(one, 'dtype'),
        length: number(one, 'length'),
        calls: number(one, 'calls'),
        made: percentiles(one, 'made'),
        gain: one['gain'] === null ? null : percentiles(one, 'gain'),
      }
    }),
    items: null,
  }
}

type Fields = Readonly<Record<string, unknown>>
/** As it stands there, in a few characters. */
const versionOf = ({ version: told }: Fields): string => (JSON.stringify(told) ?? '?').slice(0, 40)
const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(problem('noise-not-a-profile', path))
  }
}

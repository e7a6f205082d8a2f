// What Polygraphy saves: arrays as base64 of whole .npy files inside JSON, read where they stand. Runners in one file are
// sides to be compared.
import type { Files } from '../../io/index.ts'
import { type Dump, problem, Refusal } from '../../model/index.ts'
import type { Bundle, BundleTensor } from '../bundle/bundle.ts'
import { bundleDump, meetByNames } from '../bundle/dump.ts'
import { type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { fillStatistics } from '../tensorflow/statistics.ts'
import { layoutOf } from '../tensors/tensor-file.ts'
import { openRef } from '../tensors/through.ts'
import { headOf, isTold, jsonOf } from './told.ts'

const mark = 'polygraphy_class'

export const runResults: FormatOf<'dump'> = {
  id: 'run-results',
  holds: 'dump',
  find: at =>
    at.kind !== 'folder' && /\.json$/i.test(at.name) && isResults(at.files, at.path)
      ? placeAt(at.path)
      : null,
  sides: ({ path }, files) =>
    runsIn(files, path).map(({ iterations }, runner) =>
      iterations.map((_, iteration) => ({
        ...placeAt(path, iterations.length > 1 ? iteration : null),
        part: `${runner} ${iteration}`,
      })),
    ),
  open: ({ path, part = '0 0' }, { files }, job) =>
    growing(async () => {
      const dump = dumpOf(files, path, part)
      await fillStatistics(dump, files.roots(), job)
      return dump
    }),
  ofTensors: () => true,
  meet: meetByNames,
}

/** The mark stands behind the first array, which may be long: then the shape of the beginning has to do. */
function isResults(files: Files, path: string): boolean {
  const head = headOf(files, path, 1 << 16)
  return (
    head.includes(mark) ||
    (/^\s*\{\s*"lst"\s*:/.test(head) && head.includes('"outputs"')) ||
    arrayFirst.test(head)
  )
}
const arrayFirst = /^\s*\[\s*\{\s*"[^"]*"\s*:\s*\{\s*"array"\s*:\s*"k05VTVBZ/

interface Run {
  readonly runner: string
  readonly iterations: readonly (readonly Held[])[]
}

interface Held {
  readonly name: string
  readonly from: number
  readonly to: number
}

function runsIn(files: Files, path: string): readonly Run[] {
  const { text, value } = jsonOf(files, path)
  const places = arraysIn(text)
  const bad = (): Refusal => new Refusal(problem('foreign-broken', path))
  let next = 0
  const held = (name: string, told: unknown): readonly Held[] => {
    const holder: unknown = isTold(told) ? (told['values'] ?? told) : null
    const array: unknown = isTold(holder) ? holder['array'] : null
    if (typeof array !== 'string') return []
    const place = places[next++]
    if (!place || place.to - place.from !== array.length) throw bad()
    return [{ name, ...place }]
  }
  const tensors = (told: unknown): readonly Held[] =>
    isTold(told) ? Object.entries(told).flatMap(([name, one]) => held(name, one)) : []
  if (Array.isArray(value)) return [{ runner: '', iterations: value.map(tensors) }]
  const list: unknown = isTold(value) ? value['lst'] : null
  if (!Array.isArray(list)) throw bad()
  return list.map((entry: unknown) => {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !Array.isArray(entry[1])) throw bad()
    const iterations: readonly unknown[] = entry[1]
    return {
      runner: entry[0],
      iterations: iterations.map(one => (isTold(one) ? tensors(one['outputs']) : [])),
    }
  })
}

/** Where the texts of arrays stand, as bytes: names in front of them may be of any letters. */
function arraysIn(text: string): readonly Pick<Held, 'from' | 'to'>[] {
  const encoder = new TextEncoder()
  const found: Pick<Held, 'from' | 'to'>[] = []
  let [byte, at] = [0, 0]
  for (const { 0: whole, 1: key, index } of text.matchAll(/("array"\s*:\s*")[A-Za-z0-9+/=]*"/g)) {
    byte += encoder.encode(text.slice(at, index)).length
    found.push({ from: byte + key.length, to: byte + whole.length - 1 })
    byte += whole.length
    at = index + whole.length
  }
  return found
}

function dumpOf(files: Files, path: string, part: string): Dump {
  const [runner, iteration] = part.split(' ').map(Number)
  const held = runsIn(files, path)[runner]?.iterations[iteration]
  if (!held) throw new Refusal(problem('foreign-broken', path))
  const bundle: Bundle = { path, tensors: held.map(one => tensorOf(files, path, one)), problems: [] }
  return bundleDump(bundle)
}

function tensorOf(files: Files, path: string, { name, from, to }: Held): BundleTensor {
  const ref = { file: path, through: { kind: 'base64', from, to } } as const
  const handle = openRef({ open: file => files.open(file) }, ref)
  if (!handle) return { name, dtype: '', shape: [], ref: null, problem: problem('not-found', path) }
  try {
    const { dtype, shape } = layoutOf(handle, ref)
    return { name, dtype: dtype.name, shape, ref, problem: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { name, dtype: '', shape: [], ref: null, problem: error.problem }
  } finally {
    handle.close()
  }
}

// Broken and hostile tensor files: whatever the bytes, only a Problem may come out, soon and without much
// memory.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { tensorReader, type TensorLayout } from '../../main/engine/formats/tensors/tensor.ts'
import { tensorLayout } from '../../main/engine/formats/tensors/tensor-file.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { seedsOf } from '../support/fuzz.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { random } from '../support/random.ts'
import {
  f32,
  joined,
  npyBytes,
  ptBytes,
  sourceOf,
  tensorPickle,
  pickleFile,
  safetensorsBytes,
  zipBytes,
} from '../support/tensor-files.ts'

const rounds = 600

const data = f32(...Array.from({ length: 64 }, (_, i) => i / 7))
const pt = { storage: 'FloatStorage', shape: [8, 8], strides: [8, 1], elements: 64, data }
/** A tensor of 2 × 3 floats as torch wrote files before they were archives. */
const oldPt =
  'gAKKCmz8nEb5IGqoUBkugAJN6QMugAJ9cQAoWBAAAABwcm90b2NvbF92ZXJzaW9ucQFN6QNYDQAAAGxpdHRsZV9lbmRpYW5xAohYCgAAAHR5cG' +
  'Vfc2l6ZXNxA31xBChYBQAAAHNob3J0cQVLAlgDAAAAaW50cQZLBFgEAAAAbG9uZ3EHSwR1dS6AAmN0b3JjaC5fdXRpbHMKX3JlYnVpbGRfdGVu' +
  'c29yX3YyCnEAKChYBwAAAHN0b3JhZ2VxAWN0b3JjaApGbG9hdFN0b3JhZ2UKcQJYDgAAADkzOTg1NjE1MjMyMDgwcQNYAwAAAGNwdXEESwZOdH' +
  'EFUUsASwJLA4ZxBksDSwGGcQeJY2NvbGxlY3Rpb25zCk9yZGVyZWREaWN0CnEIKVJxCXRxClJxCy6AAl1xAFgOAAAAOTM5ODU2MTUyMzIwODBx' +
  'AWEuBgAAAAAAAAAAAAAAAACAPwAAAEAAAEBAAACAQAAAoEA='
const seeds: Readonly<Record<string, Uint8Array>> = {
  npy: npyBytes({ descr: '<f4', shape: [8, 8], data }),
  'Fortran npy': npyBytes({ descr: '>f4', shape: [4, 4, 4], fortran: true, version: 2, data }),
  pt: ptBytes(pt),
  'pt without an archive': new Uint8Array(Buffer.from(oldPt, 'base64')),
  'transposed parameter': ptBytes({ ...pt, strides: [1, 8], parameter: true, deflate: true }),
  npz: zipBytes([{ name: 'a.npy', data: npyBytes({ descr: '<f4', shape: [64], data }), deflate: true }]),
  safetensors: safetensorsBytes(
    {
      a: { dtype: 'F32', shape: [4, 8], data_offsets: [0, 128] },
      'b.c': { dtype: 'BF16', shape: [64], data_offsets: [128, 256] },
    },
    data,
  ),
  'list of tensors': zipBytes([
    {
      name: 'x/data.pkl',
      data: pickleFile(
        joined([new Uint8Array([0x5d, 0x28]), tensorPickle(pt), tensorPickle(pt), new Uint8Array([0x65])]),
      ),
    },
    { name: 'x/data/0', data },
  ]),
}

/** Cuts, flips, swells and swaps; numbers that lie are what files are broken with on purpose. */
function mutated(bytes: Uint8Array, next: () => number): Uint8Array {
  let out: Uint8Array = bytes.slice()
  for (let i = 0; i < 1 + next() * 4; i++) {
    const at = Math.floor(next() * out.length)
    const kinds = [
      () => {
        out = out.slice(0, at)
      },
      () => {
        out[at] ^= 1 << Math.floor(next() * 8)
      },
      () => {
        out[at] = [0, 0xff, 0x7f, 0x80, 0x28, 0x52, 0x2e][Math.floor(next() * 7)]
      },
      () => {
        out = joined([out.subarray(0, at), out.subarray(at, at + Math.floor(next() * 40)), out.subarray(at)])
      },
      () => {
        out = joined([out.subarray(0, at), out.subarray(at + Math.floor(next() * 40))])
      },
      () => {
        if (at + 4 < out.length)
          new DataView(out.buffer, out.byteOffset).setUint32(
            at,
            [0xffffffff, 0x7fffffff, 0x80000000, 1 << 30, 0][Math.floor(next() * 5)],
            true,
          )
      },
      () => {
        out.set(
          new TextEncoder()
            .encode(['99999999999', '-1', '1e9', "'|O'", 'True'][Math.floor(next() * 5)])
            .subarray(0, Math.max(0, out.length - at)),
          at,
        )
      },
    ]
    if (out.length) kinds[Math.floor(next() * kinds.length)]()
  }
  return out
}

/** The only tensor of a file, or the first of several. */
function layoutOfAny(source: ReturnType<typeof sourceOf>): TensorLayout {
  try {
    return tensorLayout(source, 'file')
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.code !== 'several-tensors') throw error
    const [first] = String(error.problem.facts['names']).split(', ')
    return tensorLayout(source, 'file', '', first)
  }
}

/** Opens and reads as everything does; answers the code of the refusal. */
function tried(bytes: Uint8Array): string {
  const source = sourceOf(bytes)
  try {
    const layout = layoutOfAny(source)
    const reader = tensorReader(source, layout, 'file')
    const into = new Uint8Array(1 << 12)
    for (let first = 0, reads = 0; first < layout.size && reads < 50; reads++)
      first += reader.read(first, into)
    return 'read'
  } catch (error) {
    if (error instanceof Refusal) return error.problem.code
    throw error
  }
}

describe.each(Object.entries(seeds))('a broken %s file', (name, seed) => {
  it('is read or refused', () => {
    expect(tried(seed)).toBe('read')
    const seen = new Set<string>()
    for (const round of seedsOf(rounds)) {
      const next = random(round * 31 + name.length)
      try {
        seen.add(tried(mutated(seed, next)))
      } catch (error) {
        throw new Error(`seed ${round * 31 + name.length}`, { cause: error })
      }
    }
    expect(seen.size).toBeGreaterThan(2)
  })
})

describe('real files', () => {
  it('are read or refused when broken', () => {
    const folder = path.join(fixturesRoot(), 'dumps')
    const some = ['pt_misc_none_tensor_L1', 'ms_misc_none_tensor_L1'].flatMap(dump => {
      const tensors = path.join(folder, dump, 'step0', 'rank', 'dump_tensor_data')
      return readdirSync(tensors)
        .slice(0, 20)
        .map(name => readFileSync(path.join(tensors, name)))
    })
    some.forEach((bytes, i) => {
      expect(tried(bytes)).toBe('read')
      for (const round of seedsOf(rounds / 20)) tried(mutated(bytes, random(i * 1000 + round)))
    })
  })
})

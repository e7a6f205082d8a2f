// safetensors and their index: what is read, and what a lying file is refused for.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openBundle } from '../../../main/engine/formats/bundle/bundle.ts'
import { openTensorFile } from '../../../main/engine/formats/tensors/tensor-file.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { f32, safetensorsBytes, sourceOf } from '../../support/tensor-files.ts'

const header = (tensors: object): object => ({ __metadata__: { format: 'pt' }, ...tensors })
const one = { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] }
const data = f32(1, 2, 3, 4)

function refused(act: () => unknown): string {
  try {
    act()
    return 'read'
  } catch (error) {
    if (error instanceof Refusal) {
      const facts: Readonly<Record<string, unknown>> = error.problem.facts
      return `${error.problem.code} ${String(facts['reason'] ?? '')}`.trim()
    }
    throw error
  }
}
const opened = (bytes: Uint8Array) => (): unknown => openTensorFile(sourceOf(bytes), 'a.safetensors')

describe('safetensors', () => {
  it('are named, typed and placed by their header', () => {
    const held = openTensorFile(sourceOf(safetensorsBytes(header({ 'a.b': one }), data)), 'a.safetensors')
    expect(held.names).toEqual(['a.b'])
    expect(held.layout('a.b')).toMatchObject({ shape: [2, 2], size: 4, packed: null })
  })

  it.each([
    ['an overlap', { a: one, b: one }, data, 'safetensors-invalid overlap: b'],
    ['a hole', { a: { ...one, data_offsets: [4, 20] } }, f32(0, 1, 2, 3, 4), 'safetensors-invalid hole: a'],
    ['bytes behind the end', { a: one }, f32(1, 2, 3, 4, 5), 'safetensors-invalid hole: end'],
    ['another size', { a: { ...one, shape: [3] } }, data, 'safetensors-invalid size: a'],
    ['a cut', { a: one }, f32(1, 2), 'npy-truncated'],
    ['no shape', { a: { ...one, shape: 'x' } }, data, 'safetensors-invalid header: a'],
    ['a shape beyond all memory', { a: { ...one, shape: [2 ** 40, 2 ** 40] } }, data, 'shape-absurd'],
  ])('are refused for %s', (_, tensors, bytes, reason) => {
    expect(refused(opened(safetensorsBytes(header(tensors), bytes)))).toBe(reason)
  })

  it('are refused for a header of 4 GB, and for one that is no JSON', () => {
    const bytes = safetensorsBytes(header({ a: one }), data)
    new DataView(bytes.buffer).setBigUint64(0, 0xffff_ffffn, true)
    expect(refused(opened(bytes))).toBe('safetensors-invalid header-size')
    const broken = safetensorsBytes(header({ a: one }), data)
    broken[9] = 0x7b
    expect(refused(opened(broken))).toBe('safetensors-invalid header')
  })

  it('lack only the tensors of types that nobody reads', () => {
    const held = openTensorFile(
      sourceOf(
        safetensorsBytes(
          { a: one, b: { dtype: 'F4', shape: [4], data_offsets: [16, 18] } },
          f32(1, 2, 3, 4, 5).subarray(0, 18),
        ),
      ),
      'a.safetensors',
    )
    expect(held.names).toEqual(['a', 'b'])
    expect(refused(() => held.layout('b'))).toBe('dtype-unsupported')
  })
})

describe('an index of shards', () => {
  it('joins what it names, and says which shards and tensors are missing', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-shards-'))
    writeFileSync(path.join(folder, 'model-1.safetensors'), safetensorsBytes({ a: one }, data))
    const weights = {
      a: 'model-1.safetensors',
      b: 'model-1.safetensors',
      c: 'model-2.safetensors',
      d: '../out.safetensors',
    }
    const index = path.join(folder, 'model.safetensors.index.json')
    writeFileSync(index, JSON.stringify({ metadata: {}, weight_map: weights }))
    const files = diskFiles()
    files.allow(folder)
    for (const given of [index, folder]) {
      const { tensors, problems } = openBundle(files, given)
      expect(tensors.map(tensor => [tensor.name, tensor.problem?.code ?? null])).toEqual([
        ['a', null],
        ['b', 'bundle-missing'],
        ['c', 'bundle-shard'],
        ['d', 'outside-root'],
      ])
      expect(problems.map(problem => problem.code)).toEqual([
        'bundle-missing',
        'bundle-shard',
        'outside-root',
      ])
    }
  })

  it('is refused without a map', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-shards-'))
    const index = path.join(folder, 'model.safetensors.index.json')
    writeFileSync(index, '{"weight_map": {"a": 1}}')
    const files = diskFiles()
    files.allow(folder)
    expect(refused(() => openBundle(files, index))).toBe('bundle-index')
  })
})

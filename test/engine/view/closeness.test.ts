// Two files by hand.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { job } from '../../../main/engine/work/job.ts'
import { tasks } from '../../../main/engine/threads/index.ts'
import { closeness } from '../../../main/engine/view/closeness.ts'
import { inlinePool } from '../../../main/engine/work/inline.ts'
import { f32, folderOf, npyBytes, put } from '../../support/tensor-files.ts'

const pool = inlinePool(tasks)
const folder = folderOf()
const files = diskFiles()
files.allow(folder)
afterAll(() => rmSync(folder, { recursive: true }))

let last = 0
/** A file of float32 values, or of the bytes given. */
function npy(
  shape: readonly number[],
  data: readonly number[] | Uint8Array,
  descr = '<f4',
  fortran = false,
): { file: string } {
  return {
    file: put(
      folder,
      `t${last++}.npy`,
      npyBytes({ descr, shape, fortran, data: data instanceof Uint8Array ? data : f32(...data) }),
    ),
  }
}

describe('two files by hand', () => {
  const compare = (a: { file: string }, b: { file: string }, atol: number, rtol: number) =>
    closeness(pool, files, { debug: a, bench: b, atol, rtol }, job())

  it('are close within atol + rtol · |b|', async () => {
    const [a, b] = [npy([4], [1, 2, 3, 0]), npy([4], [1, 2.5, 3.25, 0.125])]
    expect(await compare(a, b, 0.125, 0)).toMatchObject({
      elements: 4,
      apart: 2,
      maxAbs: 0.5,
      dtypes: ['float32', 'float32'],
    })
    expect(await compare(a, b, 0.125, 0.1)).toMatchObject({ apart: 1 })
    expect(await compare(a, b, 1, 0)).toMatchObject({ apart: 0 })
    expect((await compare(a, b, 0, 0)).worst[0]).toEqual({ index: [1], debug: 2, bench: 2.5, error: 0.5 })
  })

  it('are never close at NaN, and at infinities only when they are the same', async () => {
    const [a, b] = [npy([4], [NaN, Infinity, Infinity, 1]), npy([4], [NaN, Infinity, -Infinity, Infinity])]
    expect(await compare(a, b, 1, 1)).toMatchObject({ apart: 3 })
  })

  it('are all apart when the shapes differ', async () => {
    expect(await compare(npy([2], [1, 2]), npy([2, 1], [1, 2]), 1, 1)).toMatchObject({
      elements: 2,
      apart: 2,
      maxAbs: NaN,
      shapes: [[2], [2, 1]],
    })
  })

  it('are refused when one cannot be read or a tolerance is no number', async () => {
    const one = npy([1], [1])
    await expect(compare(one, { file: path.join(folder, 'none.npy') }, 0, 0)).rejects.toMatchObject({
      problem: { code: 'not-found' },
    })
    await expect(compare(one, one, -1, 0)).rejects.toMatchObject({ problem: { code: 'tolerance-invalid' } })
  })
})

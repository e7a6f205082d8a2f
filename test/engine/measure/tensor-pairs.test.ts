// Many pairs of tensor files: what each of them says, alike in threads and inline.
import { type Measured, Note, Outcome, type TensorPair } from '../../../main/engine/model/measured.ts'
import type { TensorRef } from '../../../main/engine/model/tensor-store.ts'
import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toHalf } from '../../../main/engine/formats/tensors/dtype.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { Cancelled, job, type Progress } from '../../../main/engine/work/job.ts'
import { chunkBytes } from '../../../main/engine/measure/chunks.ts'
import { metrics } from '../../../main/engine/measure/metrics.ts'
import { measurePairs } from '../../../main/engine/measure/tensor-pairs.ts'
import { tasks } from '../../../main/engine/threads/index.ts'
import { inlinePool } from '../../../main/engine/work/inline.ts'
import { threadPool } from '../../../main/engine/work/pool.ts'
import type { Pool } from '../../../main/engine/work/task.ts'
import { random } from '../../support/random.ts'
import { f32, folderOf, i32, npyBytes, ptBytes, put, zipBytes } from '../../support/tensor-files.ts'
import { builtScript } from '../../support/worker.ts'

const folder = folderOf()
afterAll(() => rmSync(folder, { recursive: true }))
let last = 0
const file = (bytes: Uint8Array, end = 'npy'): string =>
  put(folder, `side${last % 2}/tensor.${last++}.${end}`, bytes)
const npy = (
  shape: readonly number[],
  data: readonly number[] | Uint8Array,
  descr = '<f4',
  fortran = false,
): string => file(npyBytes({ descr, shape, fortran, data: data instanceof Uint8Array ? data : f32(...data) }))
const raw = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

const count = (chunkBytes / 4) * 3 + 77
const next = random(8)
const many = Float32Array.from({ length: count }, () => (next() - 0.5) * 10)
const near = many.map(x => x * 1.0005)
const spoiled = near.slice()
spoiled[count - 5] = NaN

/** A file that is one tensor may be given by its name, none by ''. */
interface Given {
  readonly debug: string | TensorRef
  readonly bench: string | TensorRef
  readonly bytes?: number
  readonly squeezed?: boolean
}
const refOf = (side: string | TensorRef): TensorRef | null =>
  typeof side !== 'string' ? side : side === '' ? null : { file: side }
const asPair = ({ debug, bench, ...more }: Given): TensorPair => ({
  debug: refOf(debug),
  bench: refOf(bench),
  ...more,
})

const kinds: readonly [string, () => Promise<Pool>][] = [
  ['inline', async () => inlinePool(tasks)],
  ['in threads', async () => threadPool(await builtScript('main/engine/threads/worker.ts'), 2)],
]

describe.each(kinds)('pairs measured %s', (_, make) => {
  let pool: Pool
  beforeAll(async () => {
    pool = await make()
  })
  afterAll(async () => {
    await pool.close()
  })

  const measure = (
    pairs: readonly Given[],
    work = job(),
    grown?: (so: Measured) => void,
  ): Promise<Measured> => {
    const files = diskFiles()
    files.allow(folder)
    return measurePairs(pool, files, pairs.map(asPair), work, grown)
  }
  const one = async (debug: Given['debug'], bench: Given['debug']) => {
    const so = await measure([{ debug, bench }])
    return {
      outcome: so.outcome[0],
      notes: so.notes[0],
      cosine: so.cosine[0],
      maxAbs: so.maxAbs[0],
      maxRel: so.maxRel[0],
      thousandth: so.thousandth[0],
      euclid: so.euclid[0],
      problems: (so.problems ?? []).map(p => p.code),
      so,
    }
  }

  it("say why there is no number, in the reference's order of checks", async () => {
    const plain = npy([2], [1, 2])
    const missing = path.join(folder, 'none.npy')
    expect(await one(missing, missing)).toMatchObject({ outcome: Outcome.debugMissing, problems: [] })
    expect(await one('', plain)).toMatchObject({ outcome: Outcome.debugMissing })
    expect(await one(plain, '')).toMatchObject({ outcome: Outcome.benchMissing })
    expect(await one(plain, npy([3], [1]))).toMatchObject({ outcome: Outcome.shapesDiffer })
    expect(
      await one(file(npyBytes({ descr: '<f4', shape: [3], data: f32(1) })), npy([3], [1, 2, 3])),
    ).toMatchObject({ outcome: Outcome.corrupt, problems: ['npy-truncated'] })
    expect(await one(npy([0], []), npy([2], [1, 2]))).toMatchObject({ outcome: Outcome.empty })
    expect(await one(plain, npy([2], new Uint8Array(64), '<U8'))).toMatchObject({
      outcome: Outcome.unreadable,
      problems: ['dtype-unsupported'],
    })
    expect(await one(npy([2], [NaN, 1]), npy([2], [1, NaN]))).toMatchObject({ outcome: Outcome.nanPositions })
    expect(await one(npy([], [2]), npy([], [3]))).toMatchObject({ outcome: Outcome.scalar, maxAbs: 1 })
    expect(await one(npy([], [2]), plain)).toMatchObject({ outcome: Outcome.shapesDiffer })
    expect(await one(folder, plain)).toMatchObject({ outcome: Outcome.corrupt })
    expect(await one(file(new Uint8Array(), 'npy'), plain)).toMatchObject({
      outcome: Outcome.corrupt,
      problems: ['npy-invalid'],
    })
  })

  it('may leave out axes of one element, one pair of them and not the next', async () => {
    const flat = { debug: npy([2], [1, 2]), bench: npy([1, 2], [1, 4]) }
    const single = { debug: npy([], [NaN]), bench: npy([1], [1.5]) }
    const other = { debug: npy([2, 1], [1, 2]), bench: npy([1, 3], [1, 2, 3]) }
    const squeezed = (pair: Given): Given => ({ ...pair, squeezed: true })
    const so = await measure([squeezed(flat), flat, squeezed(single), single, squeezed(other)])
    const unlike = Outcome.shapesDiffer
    expect([...so.outcome]).toEqual([Outcome.measured, unlike, Outcome.scalar, unlike, unlike])
    expect([so.maxAbs[0], so.maxAbs[2]]).toEqual([2, NaN])
  })

  it('cost nothing but themselves when broken', async () => {
    const good = { debug: npy([3], [1, 2, 3]), bench: npy([3], [1, 2, 3]) }
    const bad = { debug: file(new Uint8Array(500)), bench: good.bench }
    const so = await measure([good, bad, good, bad, bad, good])
    expect([...so.outcome]).toEqual([1, 4, 1, 4, 4, 1])
  })

  it('stay within the opened folders', async () => {
    const link = path.join(folder, 'link.npy')
    symlinkSync('/etc/hostname', link)
    const good = npy([1], [1])
    expect(await one(link, good)).toMatchObject({ outcome: Outcome.corrupt, problems: ['outside-root'] })
    expect(await one('/etc/hostname', good)).toMatchObject({
      outcome: Outcome.corrupt,
      problems: ['outside-root'],
    })
    const within = path.join(folder, 'within.npy')
    symlinkSync(good, within)
    expect(await one(within, good)).toMatchObject({ outcome: Outcome.measured })
    for (const made of [link, within]) rmSync(made)
  })

  it('may come from files of any two kinds', async () => {
    const data = [1, 2, 3, 4, 5, 6]
    const plain = npy([2, 3], data)
    const brains = raw(Uint16Array.from(data, x => new Uint32Array(Float32Array.of(x).buffer)[0] >>> 16))
    const others = [
      ptFile(f32(...data), 'FloatStorage'),
      npy([2, 3], [1, 4, 2, 5, 3, 6], '<f4', true),
      file(
        zipBytes([
          {
            name: 'x.npy',
            data: npyBytes({ descr: '<f4', shape: [2, 3], data: f32(...data) }),
            deflate: true,
          },
        ]),
        'npz',
      ),
      ptFile(brains, 'BFloat16Storage'),
      npy([2, 3], raw(Uint16Array.from(data, toHalf)), '<f2'),
      npy([2, 3], i32(...data), '<i4'),
    ]
    for (const other of others) {
      expect(await one(plain, other), other).toMatchObject({
        outcome: Outcome.measured,
        maxAbs: 0,
        thousandth: 1,
      })
      expect(await one(other, plain), other).toMatchObject({
        outcome: Outcome.measured,
        maxAbs: 0,
        thousandth: 1,
      })
    }
    expect(await one({ file: npy([2, 3], brains, '<u2'), dtype: 'BFloat16' }, plain)).toMatchObject({
      maxAbs: 0,
      notes: 0,
    })
    expect((await one(plain, others[4])).notes & Note.dtypesDiffer).toBe(Note.dtypesDiffer)
    expect((await one(plain, others[3])).notes & Note.dtypesDiffer).toBe(0)
  })

  it('may be parts of files that hold several', async () => {
    const [a, b] = [f32(1, 2, 3, 4), i32(1, 2, 3, 5)]
    const plain = npy([2, 2], a)
    const zip = file(
      zipBytes([
        { name: 'a.npy', data: npyBytes({ descr: '<f4', shape: [2, 2], data: a }), deflate: true },
        { name: 'ünder/b.npy', data: npyBytes({ descr: '<i4', shape: [2, 2], data: b }), deflate: false },
      ]),
      'npz',
    )
    expect(await one({ file: zip, part: 'a' }, plain)).toMatchObject({ outcome: Outcome.measured, maxAbs: 0 })
    expect(await one(plain, { file: zip, part: 'ünder/b' })).toMatchObject({ maxAbs: 1 })
    expect(await one(zip, plain)).toMatchObject({ problems: ['several-tensors'] })

    // Inputs and outputs behind a header, in a folder of their own, as devices write them.
    const head = new Uint8Array(5)
    const large = raw(many)
    const dump = put(folder, 'Build/0/Add.add.3.17', Buffer.concat([head, a, b, large]))
    const part = (from: number, dtype: string, shape: readonly number[]): TensorRef => ({
      file: dump,
      part: { from, dtype, shape },
    })
    const [input, other, output] = [
      part(5, 'float32', [2, 2]),
      part(21, 'int32', [2, 2]),
      part(37, 'float32', [count]),
    ]
    expect(await one(input, plain)).toMatchObject({ outcome: Outcome.measured, maxAbs: 0 })
    expect(await one(input, other)).toMatchObject({ outcome: Outcome.measured, maxAbs: 1 })
    expect(await one(npy([count], raw(near)), output)).toMatchObject({ outcome: Outcome.measured })
    expect((await one(npy([count], large), output)).notes & Note.equalBytes).toBe(Note.equalBytes)
    expect(await one(part(38, 'float32', [count]), plain)).toMatchObject({ problems: ['npy-truncated'] })
    expect(await one(part(5, 'float7', [2]), plain)).toMatchObject({ outcome: Outcome.unreadable })
  })

  it('of many chunks add up, headers of different length or not', async () => {
    const debug = npy([count], raw(many))
    const bench = file(
      npyBytes({
        descr: '<f4',
        shape: [count],
        data: raw(near),
        header: `{'descr': '<f4', 'fortran_order': False, 'shape': (${count},), }${' '.repeat(300)}`,
      }),
    )
    const so = await one(debug, bench)
    let [squares, largest] = [0, 0]
    many.forEach((x, i) => {
      squares += (x - near[i]) ** 2
      largest = Math.max(largest, Math.abs(x - near[i]))
    })
    expect(so).toMatchObject({ outcome: Outcome.measured, notes: 0, thousandth: 1, maxAbs: largest })
    expect(so.euclid).toBeCloseTo(Math.sqrt(squares), 9)
    expect(so.cosine).toBeCloseTo(1, 12)
    expect(await one(debug, npy([count], raw(spoiled)))).toMatchObject({ outcome: Outcome.nanPositions })
  })

  it('of which the beginning is equal give the same numbers as any other', async () => {
    for (const from of [count - 3, (chunkBytes / 4) * 2 + 9, chunkBytes / 4 + 40, 5]) {
      const other = many.map((x, i) => (i < from ? x : x + (i % 3)))
      let [aa, bb, ab] = [0, 0, 0]
      many.forEach((x, i) => {
        aa += x * x
        bb += other[i] * other[i]
        ab += x * other[i]
      })
      const so = await one(npy([count], raw(many)), npy([count], raw(other)))
      expect(so.cosine).toBeCloseTo(ab / Math.sqrt(aa * bb), 12)
      expect(so.notes).toBe(0)
    }
    expect(await one(npy([count], raw(many)), npy([count], raw(many)))).toMatchObject({
      cosine: 1,
      maxAbs: 0,
      maxRel: 0,
      thousandth: 1,
      notes: Note.equalBytes,
    })
    const halves = raw(Uint16Array.from(many, toHalf))
    expect(await one(npy([count], halves, '<f2'), npy([count], halves, '<f2'))).toMatchObject({
      maxAbs: 0,
      thousandth: 1,
    })
    const huge = raw(new Float64Array(100_000).fill(1e300))
    expect((await one(npy([100_000], huge, '<f8'), npy([100_000], huge, '<f8'))).notes & Note.cosineNan).toBe(
      Note.cosineNan,
    )
  })

  it('hash the elements, alike in any format and wherever the chunks end', async () => {
    const a = npy([count], raw(many))
    const b = file(
      npyBytes({
        descr: '<f4',
        shape: [count],
        data: raw(many),
        version: 3,
        header: `{'descr': '<f4', 'fortran_order': False, 'shape': (${count},), }${' '.repeat(1000)}`,
      }),
    )
    const c = file(
      ptBytes({ storage: 'FloatStorage', shape: [count], strides: [1], elements: count, data: raw(many) }),
      'pt',
    )
    const d = npy([count], raw(spoiled))
    const { so } = await one(a, b)
    const other = (await one(c, d)).so
    expect([...so.debugHash]).toEqual([...so.benchHash])
    expect([...other.debugHash]).toEqual([...so.debugHash])
    expect([...other.benchHash]).not.toEqual([...so.debugHash])
    expect(so.debugHash[0]).not.toBe(0)
    expect((await one(a, b)).notes & Note.equalBytes).toBe(Note.equalBytes)
    expect((await one(a, d)).notes & Note.equalBytes).toBe(0)
  })

  it('report progress by bytes when sizes are known, by pairs when not, and tell of growth', async () => {
    const pair = { debug: npy([count], raw(many)), bench: npy([count], raw(near)) }
    for (const [bytes, countedIn] of [
      [count * 4, 'bytes'],
      [undefined, 'items'],
    ] as const) {
      const seen: Progress[] = []
      let grown = 0
      const pairs = Array.from({ length: 5 }, () => ({ ...pair, ...(bytes ? { bytes } : {}) }))
      const so = await measure(
        pairs,
        job(undefined, progress => seen.push(progress)),
        some => {
          grown++
          expect(some.length).toBe(5)
        },
      )
      expect(seen.at(-1)).toMatchObject({ countedIn, total: countedIn === 'items' ? 5 : count * 40 })
      expect(seen.at(-1)!.done).toBeGreaterThan(seen.at(-1)!.total * 0.99)
      expect(grown).toBeGreaterThan(0)
      expect([...so.outcome]).toEqual([1, 1, 1, 1, 1])
    }
  })

  it('take large ones first and still answer in the order asked for', async () => {
    const small = { debug: npy([1], [1]), bench: npy([1], [2]), bytes: 4 }
    const large = { debug: npy([count], raw(many)), bench: npy([count], raw(near)), bytes: count * 4 }
    const so = await measure([small, small, large, small, large])
    expect([...so.maxAbs.slice(0, 2), so.maxAbs[3]]).toEqual([1, 1, 1])
    expect(so.maxAbs[2]).toBe(so.maxAbs[4])
  })

  it('survive names beyond ASCII and many folders', async () => {
    const data = npyBytes({ descr: '<f4', shape: [2], data: f32(1, 2) })
    const pairs = ['层', 'ünder', 'plain', '😀'].map((name, i) => ({
      debug: put(folder, `${i}/${name}.npy`, data),
      bench: put(folder, `b${i}/${name}${name}.npy`, data),
    }))
    expect([...(await measure(pairs)).outcome]).toEqual([1, 1, 1, 1])
    expect((await measure([])).length).toBe(0)
  })

  it('stop when cancelled', async () => {
    const pair = { debug: npy([count], raw(many)), bench: npy([count], raw(near)) }
    const stop = new AbortController()
    const asked = measure(
      Array.from({ length: 3000 }, () => pair),
      job(stop.signal),
      () => stop.abort(),
    )
    await expect(asked).rejects.toBeInstanceOf(Cancelled)
    expect((await measure([pair])).outcome[0]).toBe(1)
  })

  const ptFile = (data: Uint8Array, storage: string): string =>
    file(ptBytes({ storage, shape: [2, 3], strides: [3, 1], elements: 6, data }), 'pt')
})

describe('threads and inline', () => {
  it('print the same numbers', async () => {
    const pairs = Array.from({ length: 40 }, (_, i) => {
      const length = 1 + Math.floor(next() * 3000)
      const x = Array.from({ length }, () => next() - 0.5)
      return {
        debug: npy([length], x),
        bench: npy(
          [length],
          x.map(value => value * (1 + i / 1000)),
        ),
      }
    })
    const files = diskFiles()
    files.allow(folder)
    const threads = threadPool(await builtScript('main/engine/threads/worker.ts'), 2)
    const [one, two] = [
      await measurePairs(inlinePool(tasks), files, pairs.map(asPair), job()),
      await measurePairs(threads, files, pairs.map(asPair), job()),
    ]
    await threads.close()
    const ids = metrics.map(metric => metric.id)
    for (const key of ['outcome', 'notes', ...ids, 'debugHash', 'benchHash'] as const)
      expect([...two[key]], key).toEqual([...one[key]])
  })
})

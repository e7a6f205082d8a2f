// Raw NPU dumps as msaccucmp converts them: every array, every byte of buffers, and where we know better.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tensorReader } from '../../main/engine/formats/tensors/tensor.ts'
import { tensorLayout } from '../../main/engine/formats/tensors/tensor-file.ts'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { rawFile } from '../support/raw-files.ts'
import { sourceOf } from '../support/tensor-files.ts'

const root = path.join(fixturesRoot(), 'tf')
const expected = path.join(root, 'expected')
const rawFiles = new Map(
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/expected|broken/.test(entry.parentPath))
    .map(entry => [entry.name, path.join(entry.parentPath, entry.name)]),
)
const rawOf = (name: string): string => name.replace(/^(.+)\.(?:input|output|l1buffer|space)\.\d+\..*$/, '$1')

async function parse(raw: string, ...options: readonly string[]) {
  const folder = temporaryFolder()
  const ran = await cli(['parse', '-d', rawFiles.get(raw) ?? raw, '-o', folder, '--json', ...options])
  const answer = JSON.parse(ran.out) as {
    files: { tensors: { io: string; index: number; status: string; dtype: string }[] }[]
    problems: string[]
  }
  return { ...ran, answer, folder, names: readdirSync(folder) }
}

function array(file: string): { shape: readonly number[]; dtype: string; bytes: Uint8Array } {
  const source = sourceOf(new Uint8Array(readFileSync(file)))
  const layout = tensorLayout(source, file)
  const bytes = new Uint8Array(layout.size * layout.dtype.bytes)
  tensorReader(source, layout).read(0, bytes)
  return { shape: layout.shape, dtype: layout.dtype.name, bytes }
}
const doubles = ({ dtype, bytes }: { dtype: string; bytes: Uint8Array }): number[] =>
  dtype === 'float64'
    ? [...new Float64Array(bytes.slice().buffer)]
    : [...new Float32Array(bytes.slice().buffer)]

/** Where msaccucmp is wrong, or writes doubles for what floats hold. */
const eightBit: Readonly<Record<string, readonly number[]>> = {
  'Cast.extra_low.33.5.1620612694001300.output.3.npy': [1, -1, 0, 0.5],
}

const goldens = (folder: string): readonly string[] => readdirSync(path.join(expected, folder))

describe('decoded as they lie', () => {
  it.each([...new Set(goldens('decode').map(rawOf))])('%s', async raw => {
    const { code, folder, names } = await parse(raw)
    expect(code).toBe(0)
    const wanted = goldens('decode').filter(name => rawOf(name) === raw)
    expect([...names].sort()).toEqual([...wanted].sort())
    for (const name of wanted) {
      const golden = path.join(expected, 'decode', name)
      if (name.endsWith('.bin')) {
        expect(readFileSync(path.join(folder, name))).toEqual(readFileSync(golden))
        continue
      }
      const mine = array(path.join(folder, name))
      const theirs = array(golden)
      // One element without axes is an array of one there.
      expect(String(mine.shape) || '1').toBe(String(theirs.shape))
      if (theirs.dtype === 'float64') expect(doubles(mine)).toEqual(eightBit[name] ?? doubles(theirs))
      else expect([mine.dtype, mine.bytes]).toEqual([theirs.dtype, theirs.bytes])
    }
  })

  it.each(goldens('decode_bin'))('as bytes: %s', async name => {
    const { folder } = await parse(rawOf(name), '-t', 'bin')
    expect(readFileSync(path.join(folder, name))).toEqual(
      readFileSync(path.join(expected, 'decode_bin', name)),
    )
  })

  it.each(goldens('overflow').filter(name => name !== 'overflow_summary.txt'))(
    'of overflows: %s',
    async name => {
      const { folder } = await parse(rawOf(name))
      const read = (file: string): unknown =>
        name.endsWith('.json') ? JSON.parse(readFileSync(file, 'utf8')) : array(file)
      expect(read(path.join(folder, name))).toEqual(read(path.join(expected, 'overflow', name)))
    },
  )
})

describe('converted', () => {
  const formatOf = (name: string): string => {
    if (name.startsWith('MatMul')) return 'ND'
    if (name.startsWith('Conv3D')) return name.includes('.output.0.') ? 'NCDHW' : 'NCHW'
    return name.includes('.input.1.') ? 'HWCN' : 'NHWC'
  }
  it.each(goldens('convert'))('%s', async name => {
    const { code, folder } = await parse(rawOf(name), '-f', formatOf(name))
    expect(code).toBe(0)
    expect(array(path.join(folder, name))).toEqual(array(path.join(expected, 'convert', name)))
  })

  it('to another order than the original shape has, where the tool cuts wrongly and says nothing', async () => {
    const [trap] = goldens('convert_trap')
    const { folder, names } = await parse(rawOf(trap), '-f', 'NCHW')
    expect(names).not.toContain(trap)
    const mine = array(path.join(folder, trap.replace('2x3x3x3', '2x5x3x3')))
    const nhwc = array(path.join(expected, 'convert', trap.replace('2x3x3x3', '2x3x3x5')))
    const [n, c, h, w] = mine.shape
    const halves = new Uint16Array(nhwc.bytes.buffer)
    const turned = Uint16Array.from({ length: n * c * h * w }, (_, i) => {
      const [x, y, channel, image] = [
        i % w,
        Math.floor(i / w) % h,
        Math.floor(i / (w * h)) % c,
        Math.floor(i / (w * h * c)),
      ]
      return halves[((image * h + y) * w + x) * c + channel]
    })
    expect(new Uint16Array(mine.bytes.buffer)).toEqual(turned)
  })

  it('one tensor alone, with the shape that is given', async () => {
    const raw = 'MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500'
    expect((await parse(raw, '-f', 'ND', '-i', '0')).names).toEqual([`${raw}.input.0.2x45.npy`])
    expect((await parse(raw, '-f', 'ND', '-o', '0')).names).toEqual([`${raw}.output.0.2x20.npy`])
    expect((await parse(raw, '-f', 'ND', '-o', '0', '-s', '2,18')).names).toEqual([
      `${raw}.output.0.2x18.npy`,
    ])
  })
})

describe('what the tool refuses', () => {
  const rejected = JSON.parse(readFileSync(path.join(expected, 'rejected.json'), 'utf8')) as Record<
    string,
    { file: string }
  >
  it('four-bit integers are decoded', async () => {
    const { folder, names } = await parse(rejected['Quant'].file)
    const { bytes, dtype } = array(path.join(folder, names[0]))
    expect(dtype).toBe('int8')
    expect([...new Int8Array(bytes.buffer)]).toEqual([1, -1, 7, -8, 0, 2, -3, 5])
  })

  it('a file that is cut is an error, and what is whole is there', async () => {
    const { code, names, answer } = await parse(path.join(root, 'raw', 'broken', rejected['broken'].file))
    expect(code).toBe(2)
    expect(answer.problems).toHaveLength(1)
    expect(names).toHaveLength(4)
    expect(answer.files[0].tensors.map(({ io, status }) => `${io} ${status}`)).toEqual([
      'input decoded',
      'input decoded',
      'output decoded',
      'l1buffer bytes',
      'space truncated',
    ])
  })
})

it('a type that nobody knows costs its tensor only, and is said with its number', async () => {
  const numbers = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer)
  const [good, strange, words] = [1, 77, 13].map(dtype => ({ dtype, shape: [4], data: numbers }))
  const file = path.join(temporaryFolder(), 'Add.scope_add.3.5.1620612694000300')
  writeFileSync(file, rawFile({ inputs: [good, strange], outputs: [words, good] }))
  const { code, names, answer } = await parse(file)
  expect(code).toBe(0)
  expect(answer.files[0].tensors.map(({ io, status }) => `${io} ${status}`)).toEqual([
    'input decoded',
    'input unsupported',
    'output bytes',
    'output decoded',
  ])
  expect(names.map(name => name.slice(path.basename(file).length + 1))).toEqual([
    'input.0.npy',
    'input.1.bin',
    'output.0.bin',
    'output.1.npy',
  ])
  expect(JSON.stringify(answer.problems)).toContain('TYPE_77')
})

it('a file whose name was too long is known by the list beside it', async () => {
  const folder = temporaryFolder()
  const name = 'Add.extra_bf16.32.5.1620612694001200'
  copyFileSync(path.join(root, 'raw', name), path.join(folder, '12345'))
  writeFileSync(path.join(folder, 'mapping.csv'), `12345,${name}\n`)
  const { names } = await parse(path.join(folder, '12345'))
  expect(names.length).toBeGreaterThan(0)
  expect(names.every(one => one.startsWith(name))).toBe(true)
})

describe('a folder', () => {
  let ran: Awaited<ReturnType<typeof parse>>
  beforeAll(async () => {
    ran = await parse(root, '-t', 'msnpy')
  })

  it('keeps its folders, and lists what failed', () => {
    expect(ran.code).toBe(2)
    expect(ran.answer.files).toHaveLength(13)
    const list = readFileSync(path.join(ran.folder, 'convert_failed_file_list.txt'), 'utf8')
    expect(list.trim().split('\n')).toEqual([
      path.join(root, 'raw', 'broken', 'Add.extra_bf16.32.5.1620612694001200'),
    ])
    expect(existsSync(path.join(ran.folder, 'raw'))).toBe(true)
  })

  it('names files by the last part of the operation in msnpy', () => {
    const names = readdirSync(path.join(ran.folder, 'raw'))
    expect(names).toContain('Add.bf16.32.5.1620612694001200.input.0.ND.npy')
  })
})

it.each([
  [['-d', root, '-i', '0']],
  [['-d', root, '-f', 'NOPE']],
  [['-d', path.join(root, 'missing')]],
  [['-d', path.join(root, 'README.md')]],
  [['-d', path.join(expected, 'convert')]],
  [['-d', root, '-s', 'a,b', '-f', 'NHWC']],
  [[]],
])('%j is refused in one sentence', async words => {
  const { code, err } = await cli(['parse', ...words, '-o', temporaryFolder()])
  expect(code).toBe(2)
  expect(err.trim()).not.toBe('')
})

it('writes nothing into the folder that it reads', async () => {
  const { code, err } = await cli(['parse', '-d', root, '-o', path.join(root, 'decoded')])
  expect(code).toBe(2)
  expect(err).toContain('never written to')
  expect(existsSync(path.join(root, 'decoded'))).toBe(false)
})

// Actions of parse: two trees of npy files, two tensors, values, old lists, and the folders of a batch conversion.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { f32, npyBytes } from '../../support/tensor-files.ts'

const float = (...values: readonly number[]): Uint8Array =>
  npyBytes({ descr: '<f4', shape: [values.length], data: f32(...values) })
const bytes = (descr: string, ...values: readonly number[]): Uint8Array =>
  npyBytes({ descr, shape: [values.length], data: Uint8Array.from(values) })

function treeOf(files: Readonly<Record<string, Uint8Array | string>>): string {
  const root = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return root
}

interface Batch {
  file: string
  compared: number
  equal: number
  notComparable: number
  rows: { left: string; right: string; reason: string | null; maxAbs: number | string | null }[]
}

async function batch(left: string, right: string) {
  const output = temporaryFolder()
  const ran = await cli(['parse', 'vc', '-m', left, '-g', right, '-out', output, '--json'])
  if (ran.out === '') throw new Error(ran.err)
  const answer = JSON.parse(ran.out) as Batch
  return { ...ran, answer, lines: readFileSync(answer.file, 'utf8').split('\r\n').slice(0, -1) }
}

const head = 'NPU File Name,Bench File Name,Mean,Bench Mean,Md5 Consistency,Max Abs Error,Max Relative Error'
const row = (name: string, bench: string, ...cells: readonly string[]): string =>
  [name, bench, ...cells].join()

describe('vc of two trees of npy files', () => {
  it('pairs times and files in their order, and measures in doubles', async () => {
    const left = treeOf({
      'conv1/100/C.conv1.1.1.100.input.0.npy': float(1, 2, 3),
      'conv1/100/C.conv1.1.1.100.output.0.npy': float(1, 0.5),
      'conv1/90/C.conv1.1.1.90.input.0.npy': float(4),
    })
    const right = treeOf({
      'conv1/300/C.conv1.9.1.300.input.0.npy': float(1, 2, 3),
      'conv1/300/C.conv1.9.1.300.output.0.npy': float(2, 0),
      'conv1/400/C.conv1.9.1.400.input.0.npy': float(8),
    })
    const { code, lines, answer } = await batch(left, right)
    expect(code).toBe(0)
    expect(path.basename(answer.file)).toMatch(/^batch_compare_\d{10}\.csv$/)
    expect(answer).toMatchObject({ compared: 3, equal: 1, notComparable: 0 })
    expect(lines).toEqual([
      head,
      row('C.conv1.1.1.100.input.0.npy', 'C.conv1.9.1.300.input.0.npy', '2.0,2.0,True,0.0,0.0'),
      // A zero of the reference stands for the step behind 1 of its type.
      row('C.conv1.1.1.100.output.0.npy', 'C.conv1.9.1.300.output.0.npy', '0.75,1.0,False,1.0,4194304.0'),
      row('C.conv1.1.1.90.input.0.npy', 'C.conv1.9.1.400.input.0.npy', '4.0,8.0,False,4.0,0.5'),
    ])
  })

  it('gives whatever does not match one row, and goes on', async () => {
    const left = treeOf({
      'a/1/x.npy': float(1),
      'b/1/x.npy': float(1),
      'c/1/x.npy': float(1),
      'c/2/x.npy': float(1),
      'd/1/x.npy': float(1, 2),
      'd/1/y.npy': float(1),
      'd/1/z.npy': bytes('|u1', 1, 0),
      'e/1/x.npy': 'no array',
    })
    const right = treeOf({
      'b/1/x.npy': float(1),
      'b/1/y.npy': float(1),
      'c/1/x.npy': float(1),
      'd/1/x.npy': float(1),
      'd/1/y.npy': bytes('|b1', 1),
      'd/1/z.npy': bytes('|u1', 2, 255),
      'e/1/x.npy': float(1),
      'f/1/x.npy': float(1),
    })
    const { code, lines, answer } = await batch(left, right)
    expect(code).toBe(0)
    expect(answer.rows.map(({ reason }) => reason)).toEqual([
      'alone',
      'files',
      'folders',
      'shape',
      'dtype',
      null,
      'unreadable',
      'alone',
    ])
    const apart = 'N/A,N/A,not comparable,N/A,N/A'
    expect(lines.slice(1)).toEqual([
      row('a', 'N/A', apart),
      row(path.join('b', '1'), path.join('b', '1'), apart),
      row('c', 'c', apart),
      row('x.npy', 'x.npy', apart),
      row('y.npy', 'y.npy', apart),
      // Without wrapping: numpy has 255 and 1 here.
      row('z.npy', 'z.npy', '0.5,128.5,False,255.0,1.0'),
      row('x.npy', 'x.npy', apart),
      row('N/A', 'f', apart),
    ])
  })

  it('lets NaN spread, and says in words what cannot be compared', async () => {
    const left = treeOf({ 'a/1/x.npy': float(NaN, 1), 'b/1/x.npy': float(1) })
    const right = treeOf({ 'a/1/x.npy': float(1, 5) })
    expect((await batch(left, right)).lines[1]).toBe('x.npy,x.npy,nan,3.0,False,nan,nan')
    const { out } = await cli(['parse', 'vc', '-m', left, '-g', right, '-out', temporaryFolder()])
    expect(out).toContain('compared: 1, with the same bytes: 0, not comparable: 1')
    expect(out).toContain('only on one side')
  })

  it('refuses trees that hold nothing, and files', async () => {
    const empty = temporaryFolder()
    expect(await cli(['parse', 'vc', '-m', empty, '-g', temporaryFolder()])).toMatchObject({ code: 2 })
    const tree = treeOf({ 'x.npy': float(1) })
    expect(await cli(['parse', 'vc', '-m', path.join(tree, 'x.npy'), '-g', tree])).toMatchObject({ code: 2 })
    expect(await cli(['parse', 'vc', '-m', tree, '-g', path.join(tree, 'none')])).toMatchObject({ code: 2 })
  })
})

const raws = path.resolve('test/fixtures/tf/net/precision_data/npu/debug_0/dump')

describe('cad', () => {
  it('sorts arrays by operation and time, so that vc compares them', async () => {
    const output = temporaryFolder()
    const { code } = await cli(['parse', 'cad', '-m', raws, '-out', output])
    expect(code).toBe(0)
    const below = path.join(output, 'LeNet_fc_MatMul', '1620612694000500')
    expect(readdirSync(below)).toContain('MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500.output.0.npy')
    const { answer } = await batch(output, output)
    const arrays = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.npy'),
    )
    expect(arrays.length).toBeGreaterThan(0)
    expect(answer).toMatchObject({ compared: arrays.length, equal: arrays.length, notComparable: 0 })
  })

  it('loses none of two dumps of one name', async () => {
    const name = 'MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500'
    const file =
      readdirSync(raws, { recursive: true, encoding: 'utf8' }).find(one => one.endsWith(name)) ?? ''
    const dump = readFileSync(path.join(raws, file))
    const output = temporaryFolder()
    const both = treeOf({ [`0/${name}`]: dump, [`1/${name}`]: dump })
    expect((await cli(['parse', 'cad', '-m', both, '-out', output])).code).toBe(0)
    const arrays = readdirSync(output, { recursive: true, encoding: 'utf8' })
    expect(arrays.filter(one => one.endsWith(`${name}.output.0.npy`))).toHaveLength(2)
  })

  it('is not needed for raw dumps: vc meets them by operation', async () => {
    const output = temporaryFolder()
    const ran = await cli(['parse', 'vc', '-m', raws, '-g', raws, '-out', output, '--json'])
    expect(ran.code).toBe(0)
    const { results } = JSON.parse(ran.out) as { results: { measured: number; errors: string[] }[] }
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ errors: [] })
    expect(readdirSync(output)[0]).toMatch(/^result_\d+\.csv$/)
  })
})

describe('cn, pt and dc do what tf does', () => {
  const folder = treeOf({ 'l.npy': float(1, 2, 3), 'r.npy': float(1, 2.5, 3) })
  const [l, r] = [path.join(folder, 'l.npy'), path.join(folder, 'r.npy')]

  it('cn compares, and writes texts only when asked', async () => {
    const output = temporaryFolder()
    const { out } = await cli(['parse', 'cn', '-m', l, '-g', r, '-s', output, '--json'])
    expect(JSON.parse(out)).toMatchObject({
      NumCnt: 3,
      ErrorCnt: 1,
      AllClose: false,
      errors: [[1, 2, 2.5, 0.5]],
    })
    expect(readFileSync(path.join(output, 'right', 'r.npy.txt'), 'utf8')).toBe('1 2.5 3\n')
    expect(
      JSON.parse((await cli(['parse', 'cn', '-m', l, '-g', r, '-al', '1', '--json'])).out),
    ).toMatchObject({ AllClose: true })
    expect((await cli(['parse', 'cn', '-m', l, '-g', `${r}x`])).code).toBe(2)
  })

  it('pt shows values and writes them, but not beside the file', async () => {
    const output = temporaryFolder()
    const { out } = await cli(['parse', 'pt', '-n', r, '-out', output])
    expect(out).toContain('Max: 3')
    expect(readdirSync(output)).toEqual(['r.npy.txt'])
    expect(existsSync(`${r}.txt`)).toBe(false)
  })

  it('dc decodes as parse does', async () => {
    const name = 'MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500'
    const file =
      readdirSync(raws, { recursive: true, encoding: 'utf8' }).find(one => one.endsWith(name)) ?? ''
    const output = temporaryFolder()
    const { code } = await cli(['parse', 'dc', '-n', path.join(raws, file), '-f', 'ND', '-out', output])
    expect(code).toBe(0)
    expect(readdirSync(output)).toContain(`${name}.output.0.2x20.npy`)
  })
})

describe('pk', () => {
  const file = path.join(
    treeOf({
      'old.pkl': [
        '["Tensor_add_1_forward_input.0", 1, [], "torch.float32", [2, 3], [3.5, -1.0, NaN]]',
        '["Tensor_add_1_stack_info", ["File inner.py, line 1", "File outer.py, line 9"]]',
        '["Tensor_mul_2_forward_input.0", 1, [], "torch.float16", [4], [1.0, 0.0, 0.5]]',
        '["Tensor_add_1_forw',
      ].join('\n'),
      'other.txt': 'a\nb\n',
    }),
    'old.pkl',
  )

  it('prints lines of the call, the outermost frame first', async () => {
    const { code, out } = await cli(['parse', 'pk', '-f', file, '-n', 'Tensor_add_1'])
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n')).toEqual([
      'Tensor_add_1_forward_input.0  [Dtype: torch.float32]  [Shape: [2, 3]]  [Max: 3.5]  [Min: -1.0]  [Mean: nan]',
      'called at (Tensor_add_1_stack_info):',
      '  File outer.py, line 9',
      '  File inner.py, line 1',
    ])
  })

  it('says when there is no such call, and refuses what is no list', async () => {
    expect(await cli(['parse', 'pk', '-f', file, '-n', 'none'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('none') as string,
    })
    const other = path.join(path.dirname(file), 'other.txt')
    expect(await cli(['parse', 'pk', '-f', other, '-n', 'a'])).toMatchObject({ code: 2 })
  })
})

describe('words behind parse', () => {
  it('takes the first word as the action, and leaves options to parse itself', async () => {
    expect((await cli(['parse', 'xy', '-m', 'a'])).err).toContain('cad, cn, dc, pk, pt, vc')
    expect((await cli(['parse', '-d', path.join(raws, 'none'), '-t', 'npy'])).err).toContain('none')
    expect((await cli(['parse', '--lang', 'zh', 'cn', '-m', 'a'])).err).toContain('-g')
  })
})

// From kernels of the graph mode to lines of source: scopes, call stacks, the backward pass, names of files.
import { afterEach, describe, expect, it } from 'vitest'
import { mapCode, type MappedCode } from '../../../../main/engine/formats/mindspore-ir/index.ts'
import { lineRoom } from '../../../../main/engine/formats/mindspore-ir/lines.ts'
import { irRoom } from '../../../../main/engine/formats/mindspore-ir/read.ts'
import { job } from '../../../../main/engine/work/job.ts'
import { irText, type IrNode } from '../../../support/ir-text.ts'
import { memoryFiles } from '../../../support/memory-files.ts'

const usual = { line: lineRoom.bytes, text: irRoom.textBytes }
afterEach(() => {
  lineRoom.bytes = usual.line
  irRoom.textBytes = usual.text
})

const forward: IrNode = {
  op: 'PrimFunc_MatMul',
  scope: 'Default/network-Net/fc1-Dense',
  lines: ['In file /m/layer.py:10/  y = matmul(x, w)', 'In file /m/net.py:20/  x = self.fc1(x)'],
  id: '7',
}
const bias: IrNode = {
  op: 'BiasAdd',
  scope: 'Default/network-Net/fc1-Dense',
  lines: ['In file /m/layer.py:12/  y = bias(y)'],
}
const gradient: IrNode = {
  op: 'MatMul',
  scope: 'Gradients/Default/network-Net/fc1-Dense/Grad_MatMul',
  lines: [],
  forward: '7',
}
const whole: IrNode = { op: 'call @net', scope: 'Default', lines: ['In file /m/net.py:1'] }

const npy = (kernel: string, slot = 0): string => `MatMul.${kernel}.1.0.99.output.${slot}.DefaultFormat.npy`

async function map(ir: string, kernels: readonly string[]): Promise<MappedCode> {
  const dump = Object.fromEntries(kernels.map(name => [`/dump/${npy(name)}`, '']))
  return mapCode(memoryFiles({ '/net.ir': ir, ...dump }), '/net.ir', '/dump', job())
}
const codeOf = async (ir: string, kernel: string): Promise<MappedCode['code'][number]> =>
  (await map(ir, [kernel])).code[0] ?? null
const problemsOf = (mapped: MappedCode): string[] => mapped.problems.map(({ code }) => code)
const refused = async (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => 'not refused',
    (error: { problem?: { code: string } }) => error.problem?.code ?? String(error),
  )

describe('the scope in a name', () => {
  const ir = irText([whole, forward, bias, { ...bias, op: 'Add', scope: 'Default/network-Net' }])

  it('is the longest one, not every one', async () => {
    expect((await codeOf(ir, 'Default_network-Net_fc1-Dense_MatMul-op1'))?.scope).toBe(
      'Default/network-Net/fc1-Dense',
    )
  })

  it('ends where a word ends: fc1 does not answer for fc10', async () => {
    expect((await codeOf(ir, 'Default_network-Net_fc1-Dense0_MatMul-op1'))?.scope).toBe('Default/network-Net')
  })

  it('may stand behind something else', async () => {
    expect((await codeOf(ir, 'kernel_Default_network-Net_fc1-Dense_BiasAdd-op2'))?.stacks).toEqual([
      bias.lines,
    ])
  })

  it('names the stacks of the same operator, or of all where there is none', async () => {
    expect((await codeOf(ir, 'Default_network-Net_fc1-Dense_MatMul-op1'))?.stacks).toEqual([forward.lines])
    expect((await codeOf(ir, 'Default_network-Net_fc1-Dense_Cast-op1'))?.stacks).toEqual([
      forward.lines,
      bias.lines,
    ])
  })

  it('is told of a node without lines of source, too', async () => {
    const bare = { op: 'MakeTuple', scope: 'Default/MakeTuple-op0', lines: [] }
    const found = await codeOf(irText([forward, bare]), 'Default_MakeTuple-op0')
    expect(found).toEqual({ scope: 'Default/MakeTuple-op0', stacks: [] })
  })

  it('has lines of source without the slashes that stand around them', async () => {
    const slashed = { ...bias, lines: ['In file /m/layer.py:790, 12~39/        x = bias(x)/'] }
    const found = await codeOf(irText([slashed]), 'Default_network-Net_fc1-Dense_BiasAdd-op1')
    expect(found?.stacks).toEqual([['In file /m/layer.py:790, 12~39/        x = bias(x)']])
  })

  it('is not there in a kernel of another network, which is said', async () => {
    const mapped = await map(irText([forward]), ['Default_other_MatMul-op1'])
    expect(mapped.code).toEqual([null])
    expect(problemsOf(mapped)).toEqual(['ir-nothing-met'])
  })

  it('at the top alone does not make IR and dump one run', async () => {
    const mapped = await map(ir, ['Default_other_MatMul-op1'])
    expect(mapped.code[0]?.scope).toBe('Default')
    expect(problemsOf(mapped)).toEqual(['ir-nothing-met'])
    expect(problemsOf(await map(irText([whole]), ['Default_MatMul-op1']))).toEqual([])
  })
})

describe('an IR text', () => {
  it.each([
    ['# scope', '\n'],
    ['# Fullname with scope', '\n'],
    [': full_name_with_scope', '\r\n'],
  ])('may say %s, with any line ends', async (mark, end) => {
    const ir = irText([forward, bias], mark, end)
    expect((await codeOf(ir, 'Default_network-Net_fc1-Dense_MatMul-op1'))?.stacks).toEqual([forward.lines])
  })

  it('gives the backward pass the code of the forward pass, whichever comes first', async () => {
    for (const nodes of [
      [forward, gradient],
      [gradient, forward],
    ]) {
      const found = await codeOf(
        irText(nodes),
        'Gradients_Default_network-Net_fc1-Dense_Grad_MatMul_MatMul-op9',
      )
      expect(found).toEqual({ scope: gradient.scope, stacks: [forward.lines] })
    }
  })

  it('reads attributes of the node only where they are its primal ones', async () => {
    // Every node of `irText` has a unique_id among its primitive attributes.
    const stranger = { ...gradient, forward: 'none' }
    const found = await codeOf(
      irText([forward, stranger]),
      'Gradients_Default_network-Net_fc1-Dense_Grad_MatMul-op9',
    )
    expect(found?.scope).toBe(forward.scope)
  })

  it('keeps the lines of Return out of the last node', async () => {
    const { code } = await map(irText([forward]), ['Default_network-Net_fc1-Dense_MatMul-op1'])
    expect(JSON.stringify(code)).not.toContain(':99')
  })

  it('that ends early keeps the nodes before, and that is said', async () => {
    const ir = irText([forward, bias])
    const mapped = await map(ir.slice(0, ir.indexOf('BiasAdd') + 30), [
      'Default_network-Net_fc1-Dense_MatMul-op1',
    ])
    expect(mapped.code[0]?.stacks).toEqual([forward.lines])
    expect(problemsOf(mapped)).toEqual(['ir-truncated'])
  })

  it('with an endless line keeps what else there is', async () => {
    lineRoom.bytes = 512
    const long = { ...bias, op: `Const${'x'.repeat(5000)}`, scope: 'Default/long' }
    const mapped = await map(irText([forward, long]), ['Default_network-Net_fc1-Dense_MatMul-op1'])
    expect(mapped.code[0]?.stacks).toEqual([forward.lines])
    expect(problemsOf(mapped)).toEqual(['ir-cut'])
  })

  it('with more texts than there is room for keeps the first', async () => {
    irRoom.textBytes = 400
    const more = Array.from({ length: 20 }, (_, i) => ({ ...bias, scope: `Default/network-Net/more${i}` }))
    const mapped = await map(irText([forward, ...more]), ['Default_network-Net_fc1-Dense_MatMul-op1'])
    expect(mapped.code[0]?.stacks).toEqual([forward.lines])
    expect(problemsOf(mapped)).toEqual(['ir-dropped'])
  })

  it.each([
    ['hello', 'ir-invalid'],
    ['', 'ir-invalid'],
    [irText([{ op: 'Add', scope: 'Default/a' }]), 'ir-no-code'],
  ])('without nodes or source is refused', async (ir, code) => {
    expect(await refused(map(ir, ['Default_a_Add-op1']))).toBe(code)
  })
})

describe('a dump', () => {
  const ir = irText([forward, bias])
  const kernel = 'Default_network-Net_fc1-Dense_MatMul-op1'
  const at = async (content: Readonly<Record<string, string>>, dump = '/dump'): Promise<MappedCode> =>
    mapCode(memoryFiles({ '/net.ir': ir, ...content }), '/net.ir', dump, job())

  it('names numbered files in mapping.csv, folder by folder', async () => {
    const mapped = await at({
      '/dump/0/1.npy': '',
      '/dump/0/mapping.csv': `1.npy,${npy(kernel)}\n`,
      '/dump/1/1.npy': '',
      '/dump/1/2.npy': '',
      '/dump/1/mapping.csv': `1.npy,${npy('Default_network-Net_fc1-Dense_BiasAdd-op2')}\n`,
    })
    expect(mapped.path).toEqual(['/dump/0/1.npy', '/dump/1/1.npy', '/dump/1/2.npy'])
    expect(mapped.name.map(name => mapped.code[name]?.stacks)).toEqual([
      [forward.lines],
      [bias.lines],
      undefined,
    ])
  })

  const statistics = (title: string): string =>
    `Op Type,${title},Task ID,Shape\nMatMul,${kernel},1,"(2,3)"\nMatMul,${kernel},1,"(3,)"\nCast,other,2,"()"\n`

  it('of statistics has a row per kernel of each file', async () => {
    const mapped = await at({
      '/dump/0/statistic.csv': statistics('Op Name'),
      '/dump/1/statistic.csv': `\ufeff${statistics('Op Name').replaceAll('\n', '\r\n')}`,
    })
    expect(mapped.kind).toBe('statistics')
    expect(mapped.path.map((path, row) => [path, mapped.names.get(mapped.name[row])])).toEqual([
      ['/dump/0/statistic.csv', kernel],
      ['/dump/0/statistic.csv', 'other'],
      ['/dump/1/statistic.csv', kernel],
      ['/dump/1/statistic.csv', 'other'],
    ])
    expect(mapped.code.map(found => found?.stacks ?? null)).toEqual([[forward.lines], null])
  })

  it('is statistics only where no npy file is', async () => {
    const content = { '/dump/0/statistic.csv': statistics('Op Name'), [`/dump/1/${npy(kernel)}`]: '' }
    expect((await at(content)).kind).toBe('tensors')
  })

  it('may be one file', async () => {
    expect((await at({ [`/dump/${npy(kernel)}`]: '' }, `/dump/${npy(kernel)}`)).path.length).toBe(1)
    expect((await at({ '/d/statistic.csv': statistics('Op Name') }, '/d/statistic.csv')).path.length).toBe(2)
  })

  it.each([
    [{}, 'not-found'],
    [{ '/dump/a.txt': '' }, 'kernel-none'],
    [{ '/dump/statistic.csv': statistics('Name') }, 'kernel-no-names'],
    [{ '/dump/statistic.csv': '' }, 'kernel-no-names'],
    [{ '/dump/1/2/3/4/5/6/7/8/9/10/11/a.npy': '' }, 'too-deep'],
  ])('%j that cannot be used is refused', async (content, code) => {
    expect(await refused(at(content))).toBe(code)
  })
})

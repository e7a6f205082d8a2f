// A run of TensorFlow on an NPU, opened whole: what meets what, what differs, and where that begins.
import path from 'node:path'
import { expect, test } from 'vitest'
import { cli } from '../support/cli.ts'
import { temporaryFolder } from '../support/temporary.ts'

const run = path.join(import.meta.dirname, '../fixtures/tf/net/precision_data')
const graph = 'npu/debug_0/graph/ge_proto_00000012_Build.txt'

interface Compared {
  readonly counts: Readonly<Record<string, number>>
  readonly first: { readonly node: string } | null
  readonly findings: readonly { readonly kind: string; readonly node: string }[]
  readonly units: readonly { readonly debug: string; readonly bench: string }[]
}

const compared = async (...paths: readonly string[]): Promise<Compared> => {
  const { code, out, err } = await cli(['compare', ...paths, '-o', temporaryFolder(), '--json'])
  expect([code, err.includes('error')]).toEqual([0, false])
  return JSON.parse(out) as Compared
}

test('the first failing node is where msaccucmp finds the first error, and carries on by the edges of the graph', async () => {
  const { counts, first, findings, units } = await compared(run)
  // Of 21 tensors 9 were dumped; the fused convolution's inner tensor is the script's alone.
  expect(counts).toMatchObject({ rows: 21, equal: 1, noise: 5, differs: 3, incomparable: 12 })
  expect(counts).toMatchObject({ unmatchedDebug: 0, unmatchedBench: 1 })
  expect(first?.node).toBe('LeNet/fc/MatMul.output.0')
  expect(findings[0]).toMatchObject({ kind: 'origin', node: 'LeNet/fc/MatMul' })
  expect(units).toMatchObject([{ debug: path.join(run, graph), bench: path.join(run, 'tf/dump') }])
})

test('each tensor meets the one of the script that it stands for, through what the compiler put in', async () => {
  const folder = temporaryFolder()
  const { out } = await cli(['compare', run, '-o', folder, '--format', 'csv', '--raw-csv', '--json'])
  const { units } = JSON.parse(out) as { units: readonly { files: readonly string[] }[] }
  const { readFileSync } = await import('node:fs')
  const [table] = units[0].files.filter(file => file.endsWith('.csv'))
  // Messages have lines of their own.
  const rows = readFileSync(table, 'utf8')
    .split(/\r?\n/)
    .filter(line => /^[\w/]+\.(?:in|out)put\.\d+,/.test(line))
  expect(rows.map(row => row.split(',').slice(0, 2).join(' = '))).toEqual([
    'input.output.0 = input.output.0',
    'LeNet/conv1/weights.output.0 = LeNet/conv1/weights.output.0',
    'trans_Cast_0.input.0 = input.output.0',
    'trans_Cast_0.output.0 = input.output.0',
    'trans_TransData_1.input.0 = input.output.0',
    'trans_TransData_1.output.0 = input.output.0',
    'LeNet/conv1/Conv2DLeNet/conv1/Relu.input.0 = LeNet/conv1/Relu.input.0',
    'LeNet/conv1/Conv2DLeNet/conv1/Relu.input.1 = LeNet/conv1/Relu.input.1',
    'LeNet/conv1/Conv2DLeNet/conv1/Relu.output.0 = LeNet/conv1/Relu.output.0',
    'trans_TransData_3.input.0 = LeNet/conv1/Relu.output.0',
    'trans_TransData_3.output.0 = LeNet/conv1/Relu.output.0',
    'LeNet/fc/weights.output.0 = LeNet/fc/weights.output.0',
    'LeNet/fc/MatMul.input.0 = LeNet/fc/MatMul.input.0',
    'LeNet/fc/MatMul.input.1 = LeNet/fc/MatMul.input.1',
    'LeNet/fc/MatMul.output.0 = LeNet/fc/MatMul.output.0',
    'LeNet/Softmax.input.0 = LeNet/Softmax.input.0',
    'LeNet/Softmax.output.0 = LeNet/Softmax.output.0',
    'LeNet/ToInt.input.0 = LeNet/ToInt.input.0',
    'LeNet/ToInt.output.0 = LeNet/ToInt.output.0',
    'Node_Output.input.0 = Node_Output.input.0',
    'Node_Output.input.1 = Node_Output.input.1',
  ])
})

test('folders of dumps without their graph are compared by what their headers say', async () => {
  const { counts, first } = await compared(path.join(run, 'npu/debug_0/dump'), path.join(run, 'tf/dump'))
  expect(counts).toMatchObject({ rows: 9, differs: 2 })
  expect(first?.node).toBe('LeNet/fc/MatMul.output.0')
})

test('a run against itself is equal wherever it was dumped', async () => {
  const { counts, findings } = await compared(path.join(run, 'npu'), path.join(run, 'npu/debug_0'))
  expect(counts).toMatchObject({ rows: 21, equal: 9, differs: 0, unmatchedDebug: 0, unmatchedBench: 0 })
  expect(findings.filter(({ kind }) => kind === 'origin')).toEqual([])
})

// A dump that no reader of ours made: device files that hold all inputs and outputs of an op, in nested folders,
// with a graph of its own. What stands behind the formats takes it as it is.
import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { compareDumps } from '../../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../../main/engine/rules/thresholds.ts'
import { DumpColumns, noneCell } from '../../../main/engine/formats/dump-columns.ts'
import { rawJson, rawText } from '../../../main/engine/formats/raw.ts'
import { EdgeBy } from '../../../main/engine/flow/classes.ts'
import { inferFlow } from '../../../main/engine/flow/flow.ts'
import { Looks } from '../../../main/engine/inspect/index.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { measurePairs } from '../../../main/engine/measure/tensor-pairs.ts'
import { TextPool } from '../../../main/engine/model/columns.ts'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { emptyDump } from '../../../main/engine/model/empty.ts'
import { State } from '../../../main/engine/model/names.ts'
import type { TensorRef } from '../../../main/engine/model/tensor-store.ts'
import { msprobeNames } from '../../../main/engine/names/msprobe.ts'
import { tasks } from '../../../main/engine/threads/index.ts'
import { inlinePool } from '../../../main/engine/work/inline.ts'
import { job } from '../../../main/engine/work/job.ts'
import { f32, folderOf, put } from '../../support/tensor-files.ts'

const folder = folderOf()
afterAll(() => rmSync(folder, { recursive: true }))

interface Op {
  readonly name: string
  readonly input: readonly (readonly number[])[]
  readonly output: readonly (readonly number[])[]
}

/** A file per op: a header, then the inputs, then the outputs, without anything between. */
function made(side: string, ops: readonly Op[]): Dump {
  const texts = new TextPool()
  const columns = new DumpColumns()
  const refs: TensorRef[] = []
  const dtype = texts.add('Float32')
  const graph = ops.map(({ name }) => `node { name: "${name}" }\n`)
  let from = 0
  for (const [at, { name, input, output }] of ops.entries()) {
    const tensors = [...input, ...output]
    const header = new Uint8Array(13)
    const file = put(
      folder,
      `${side}/Build_1/0/${name}.7.16`,
      Buffer.concat([header, ...tensors.map(values => f32(...values))]),
    )
    let byte = header.length
    for (const [i, values] of tensors.entries()) {
      const part = i < input.length ? `input.${i}` : `output.${i - input.length}`
      refs.push({ file, dtype: 'Float32', part: { from: byte, dtype: 'float32', shape: [values.length] } })
      byte += values.length * 4
      columns.addItem({
        name: texts.add(`${name}.${part}`),
        state: i < input.length ? State.input : State.output,
        type: -1,
        dtype,
        shape: texts.add(`[${values.length}]`),
        stats: [noneCell, noneCell, noneCell, noneCell],
        md5: -1,
        dataName: texts.add(`${name}.7.16 ${part}`),
        requiresGrad: 2,
        tensor: 1,
      })
    }
    columns.addOp(texts.add(name), from, (from += graph[at].length))
  }
  const file = put(folder, `${side}/graph.txt`, new TextEncoder().encode(graph.join('')))
  return {
    ...emptyDump({
      header: { task: 'tensor', level: '', framework: '', hasMd5: false },
      names: msprobeNames,
    }),
    dir: `${folder}/${side}`,
    file,
    texts,
    ...columns.tables(),
    raw: { file, form: 'text' },
    // The second op reads what the first wrote.
    edges: { producer: Int32Array.of(-1, -1, -1, 2, -1) },
    tensors: { place: `${folder}/${side}/Build_1/0`, ref: item => refs[item] ?? null },
  }
}

test('values, edges and texts of any format reach the table, the viewer and the dataflow', async () => {
  const ops = (last: number): Op[] => [
    { name: 'Primitive.add.0.forward', input: [[1, 2, 3], [4]], output: [[5, 6, 7]] },
    { name: 'Primitive.mul.0.forward', input: [[0, 0, 0]], output: [[5, 12, last]] },
  ]
  const [debug, bench] = [made('npu', ops(21)), made('cpu', ops(22))]
  const files = diskFiles()
  files.allow(folder)
  const pool = inlinePool(tasks)

  const table = await compareDumps(
    debug,
    bench,
    {
      rules: 'plumbline',
      engine: 'mindspore',
      fuzzy: false,
      mapping: {},
      stack: 'auto',
      thresholds: defaultThresholds,
    },
    { job: job(), measure: (pairs, work) => measurePairs(pool, files, pairs, work) },
  )
  expect(table.length).toBe(5)
  expect([...(table.measured?.maxAbs ?? [])]).toEqual([0, 0, 0, 0, 1])
  const column = table.columns.findIndex(({ id }) => id === 'dataName')
  expect(table.text(4, column)).toBe('Primitive.mul.0.forward.7.16 output.0')

  const looks = new Looks(pool, files)
  const at = { debug: debug.tensors.ref(4), bench: bench.tensors.ref(4), align: null }
  const part = { rowAxis: -1, colAxis: -1, at: [0], rows: 1, cols: 3, wrap: 3 }
  const view = await looks.numbers(at, part, job())
  expect([[...view.debug!.values], [...view.bench!.values]]).toEqual([
    [5, 12, 21],
    [5, 12, 22],
  ])

  const flow = await inferFlow(debug)
  expect([[...flow.producer], flow.by[3]]).toEqual([[-1, -1, -1, 2, -1], EdgeBy.graph])
  expect(flow.view[3]).toBe(flow.view[2])

  expect(rawText(files, debug, 1)).toBe('node { name: "Primitive.mul.0.forward" }\n')
  expect(rawJson(files, debug, 1)).toBe(null)
  expect(rawText(files, debug, -1)).toBe('')
})

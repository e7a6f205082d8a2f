// A batch of sends and receives in graph files: msprobe 26 has one item per element, as 26.2 writes it;
// by the older ones its tensor alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readVisDb } from '../../../main/engine/formats/graph-file/vis-db.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { job } from '../../../main/engine/work/job.ts'
import type { Rules } from '../../../main/engine/model/names.ts'
import { graphsWritten } from '../../support/graphs-written.ts'
import { temporaryFolder } from '../../support/temporary.ts'

type Items = Readonly<Record<string, Readonly<Record<string, string>>>>

const tensor = (more: object): object => ({
  type: 'torch.Tensor',
  dtype: 'torch.float32',
  shape: [2],
  Max: 1.5,
  Min: -1,
  Mean: 0.1,
  Norm: 2,
  ...more,
})
const element = (op: string, of: object | null): object => ({
  class_type: 'torch.distributed.P2POp',
  op,
  tensor: of,
  peer: 1,
  tag: 0,
  group_id: 'g0',
})

async function inputsOf(call: string, rules: Rules, format: 'vis' | 'vis.db'): Promise<Items> {
  const dir = temporaryFolder()
  const data = {
    [call]: {
      input_args: [
        [
          element('isend', tensor({ requires_grad: false })),
          element('irecv', tensor({})),
          element('isend', null),
        ],
        tensor({}),
      ],
      input_kwargs: {},
      output: [],
    },
  }
  mkdirSync(path.join(dir, 'dump'))
  writeFileSync(
    path.join(dir, 'dump/dump.json'),
    JSON.stringify({ task: 'statistics', level: 'mix', framework: 'pytorch', dump_data_dir: null, data }),
  )
  writeFileSync(path.join(dir, 'dump/construct.json'), JSON.stringify({ [call]: null }))
  writeFileSync(path.join(dir, 'dump/stack.json'), '{}')
  const files = diskFiles()
  files.allow(dir)
  const {
    files: [file = ''],
  } = await graphsWritten({
    debug: path.join(dir, 'dump'),
    bench: '',
    output: path.join(dir, 'out'),
    rules,
    fuzzy: false,
    fullStacks: false,
    overflow: false,
    layerMapping: null,
    format,
  })
  if (format === 'vis')
    return (JSON.parse(readFileSync(file, 'utf8')) as { node: Record<string, { input_data: Items }> }).node[
      call
    ]!.input_data
  const database = await readVisDb(files, file, job())
  const side = database.units[0]!.debug
  const row = Array.from(side.name, code => side.texts.get(code)).indexOf(call)
  const items = JSON.parse(new TextDecoder().decode(side.items(row)[0])) as Items
  database.close()
  return items
}

test.each(['vis', 'vis.db'] as const)('one item per element in a %s of msprobe 26', async format => {
  const items = await inputsOf('Distributed.batch_isend_irecv.0.forward', 'msprobe-26', format)
  const name = 'Distributed.batch_isend_irecv.0.forward.input'
  expect(Object.keys(items)).toEqual([`${name}.0.0`, `${name}.0.1`, `${name}.0.2`, `${name}.1`])
  expect(Object.entries(items[`${name}.0.0`]!).slice(-3)).toEqual([
    ['requires_grad', 'False'],
    ['data_name', '-1'],
    ['class_type', 'torch.distributed.P2POp'],
  ])
  expect(Object.entries(items[`${name}.0.1`]!).slice(-3)).toEqual([
    ['data_name', '-1'],
    ['requires_grad', 'null'],
    ['class_type', 'torch.distributed.P2POp'],
  ])
  expect(items[`${name}.0.2`]).toEqual({ value: 'null' })
  expect(items[`${name}.1`]).not.toHaveProperty('class_type')
})

test('any other call says what goes where, too', async () => {
  const items = await inputsOf('Distributed.exchange.0.forward', 'msprobe-26', 'vis.db')
  expect(items['Distributed.exchange.0.forward.input.0.0']).toMatchObject({
    class_type: 'torch.distributed.P2POp',
    op: 'isend',
    peer: '1',
    tag: '0',
    group_id: 'g0',
  })
})

test('older rules show the tensors', async () => {
  const items = await inputsOf('Distributed.batch_isend_irecv.0.forward', 'msprobe-1.2.2', 'vis')
  expect(Object.keys(items)[0]).toBe('Distributed.batch_isend_irecv.0.forward.input.0.0.tensor')
  expect(JSON.stringify(items)).not.toContain('class_type')
})

// Two checkpoints: one kind of study whatever files they lie in, and renames that can be edited.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { f32, npyBytes, safetensorsBytes } from '../../support/tensor-files.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { never, watchedEngine } from '../../support/watched.ts'

const bundle = (names: Readonly<Record<string, readonly number[]>>): Uint8Array => {
  let at = 0
  const header = Object.fromEntries(
    Object.entries(names).map(([name, values]) => {
      const from = at
      at += values.length * 4
      return [name, { dtype: 'F32', shape: [values.length], data_offsets: [from, at] }]
    }),
  )
  return safetensorsBytes(header, f32(...Object.values(names).flat()))
}

const train = {
  'module.decoder.layers.0.mlp.linear_fc1.weight': [1, 2, 3],
  'module.decoder.layers.0.mlp.linear_fc2.weight': [4, 5],
  'module.decoder.layers.0.odd_norm.weight': [6, 7, 8, 9],
  bias: [10],
}
const infer = {
  'model.layers.0.mlp.gate_up_proj.weight': [1, 2, 3],
  'model.layers.0.mlp.down_proj.weight': [4, 5.5],
  'model.layers.0.strange_norm.weight': [6, 7, 8, 9],
  bias: [10],
}

async function opened(left = bundle(train), right = bundle(infer), names = ['a', 'b']) {
  const root = temporaryFolder()
  const paths = names.map(name => path.join(root, `${name}.safetensors`))
  writeFileSync(paths[0]!, left)
  writeFileSync(paths[1]!, right)
  const watched = watchedEngine()
  const { session } = await watched.open(paths)
  await watched.until(session, ({ units }) => units[0]!.state === 'done')
  return { watched, session, at: { session, unit: 0 } }
}

describe('two checkpoints', () => {
  test('have a hierarchy, rows and a mapping; two single tensors have their values only', async () => {
    const { watched, session } = await opened()
    const { panes, units } = await watched.engine.session({ session }, never)
    expect(panes).toEqual(['advisor', 'mapping', 'nodes', 'overflow', 'graph', 'grid', 'inspector'])
    expect(units[0]).toMatchObject({ rows: 4, equal: 2, differs: 1 })
    const one = await opened(bundle({ w: [1] }), bundle({ w: [2] }))
    expect((await one.watched.engine.session(one, never)).panes).toEqual(['values'])
    const mixed = await opened(bundle({ bias: [1] }), bundle(infer))
    expect((await mixed.watched.engine.session(mixed, never)).panes).toContain('grid')
  })

  test('begin a mapping with the renames that hold, and follow what is changed in it', async () => {
    const { watched, session, at } = await opened()
    const text = await watched.engine.mappingStart({ ...at, kind: 'data' }, never)
    expect(text.trim().split('\n')).toEqual([
      'module.decoder.layers.0.mlp.linear_fc1.weight.output.0: model.layers.0.mlp.gate_up_proj.weight.output.0',
      'module.decoder.layers.0.mlp.linear_fc2.weight.output.0: model.layers.0.mlp.down_proj.weight.output.0',
    ])
    const [proposal] = await watched.engine.mappingPropose({ ...at, kind: 'data', text, limit: 9 }, never)
    expect(proposal!.changes).toEqual([
      {
        kind: 'data',
        from: 'module.decoder.layers.0.odd_norm.weight.output.0',
        to: 'model.layers.0.strange_norm.weight.output.0',
      },
    ])
    const changed = await watched.engine.mappingEdit(
      { kind: 'data', text, set: proposal!.changes, remove: [] },
      never,
    )
    if (!changed.ok) throw new Error(changed.problem.code)
    const inForce = async (data: string) => {
      const { options } = await watched.engine.session({ session }, never)
      await watched.engine.setOptions({ session, options: { ...options, mapping: { data } } }, never)
      const { units } = await watched.until(
        session,
        ({ units: [unit] }) => unit!.state === 'done' && unit!.rows > 0,
      )
      return units[0]
    }
    expect(await inForce(changed.value)).toMatchObject({ rows: 4, equal: 3, differs: 1 })
    // Only equal names are left where nothing is listed.
    expect(await inForce('{}')).toMatchObject({ equal: 1, differs: 0 })
  })

  test('a single tensor of another file is none of them', async () => {
    const root = temporaryFolder()
    const paths = [path.join(root, 'a.npy'), path.join(root, 'b.npy')]
    for (const file of paths) writeFileSync(file, npyBytes({ descr: '<f4', shape: [2], data: f32(1, 2) }))
    const watched = watchedEngine()
    const { session } = await watched.open(paths)
    expect((await watched.engine.session({ session }, never)).panes).toEqual(['values'])
  })
})

// pt and the names of tensors: npy files and raw dumps alike, by a path, a name or the beginning of one.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = path.resolve('test/fixtures/tf/net')
const raw = 'MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500'

const shown = async (name: string, ...more: readonly string[]): Promise<Record<string, unknown>> => {
  const { out, err } = await cli(['tf', folder, 'pt', name, '-o', temporaryFolder(), '--json', ...more])
  if (out === '') throw new Error(err)
  return JSON.parse(out) as Record<string, unknown>
}

describe('pt', () => {
  it('shows values, statistics and a text of an npy file', async () => {
    const output = temporaryFolder()
    const { code, out } = await cli(['tf', folder, 'pt', 'LeNet/fc/MatMul', '-o', output])
    expect(code).toBe(0)
    const lines = out.split('\n')
    expect(lines[1]?.split(/\s+/).filter(Boolean).slice(0, 3)).toEqual(['8', '10.1855', '0.279297'])
    expect(out).toContain('Shape: (2, 20)\nDtype: float32\nMax: 10.1855\nMin: -6.48633\nMean: 1.5689\n')
    const [file = ''] = readdirSync(output)
    expect(file).toBe('LeNet_fc_MatMul.0.1620612600000000.npy.txt')
    const text = readFileSync(path.join(output, file), 'utf8')
    expect(text.trimEnd().split('\n')).toHaveLength(2)
    expect(text).toMatch(/^-2\.08008 -6\.48633 .* 4\.06641\n/)
  })

  it('reads a tensor of a raw dump as if it had been decoded, in its original layout', async () => {
    const tensor = await shown(`${raw}.output.0.npy`)
    expect(tensor).toMatchObject({ shape: [2, 20], dtype: 'float16', layout: 'ND', max: 10.1875 })
    expect(await shown(`${raw}.output.0.npy`, '-f', 'device')).toMatchObject({ layout: 'FRACTAL_NZ' })
    const file = readdirSync(path.join(folder, 'precision_data/npu/debug_0/dump'), {
      recursive: true,
      encoding: 'utf8',
    }).find(name => name.endsWith(`Data.input.1.5.1620612694000100`))
    const at = path.join(folder, 'precision_data/npu/debug_0/dump', file ?? '')
    expect(await shown(at)).toMatchObject({ path: at, name: 'Data.input.1.5.1620612694000100.output.0.npy' })
  })

  it('asks which one is meant, and says when there is none', async () => {
    const several = await cli(['tf', folder, 'pt', 'MatMulV2'])
    expect([several.code, several.err]).toEqual([2, expect.stringContaining(`${raw}.input.1.npy`)])
    const none = await cli(['tf', folder, 'pt', '-n', 'nothing'])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('nothing')])
    expect((await cli(['tf', folder, 'pt', `${raw}.output.7.npy`])).code).toBe(2)
  })

  it('has names that cp takes too, of raw tensors as of npy files', async () => {
    const { out } = await cli(['tf', folder, 'cp', `${raw}.output.0.npy`, 'LeNet_fc_MatMul', '--json'])
    expect(JSON.parse(out)).toMatchObject({ NumCnt: 40, ErrorCnt: 16, AllClose: false })
  })
})

describe('dc', () => {
  it.each([
    ['an operator', 'LeNet/fc/MatMul'],
    ['a raw dump', raw],
  ])('decodes %s', async (_, name) => {
    const output = temporaryFolder()
    const { code, out } = await cli(['tf', folder, 'dc', '-n', name, '-f', 'ND', '-o', output, '--json'])
    expect(code).toBe(0)
    expect(readdirSync(output)).toContain(`${raw}.output.0.2x20.npy`)
    const { files } = JSON.parse(out) as { files: { tensors: { status: string }[] }[] }
    expect(files[0]?.tensors.map(({ status }) => status)).toEqual(['decoded', 'decoded', 'decoded'])
  })

  it('says what is no raw dump', async () => {
    const { code, err } = await cli(['tf', folder, 'dc', 'nothing'])
    expect([code, err]).toEqual([2, expect.stringContaining('nothing is no raw dump')])
  })
})

describe('snippets', () => {
  it('hold the paths of the folder, as JSON and as text', async () => {
    const { out } = await cli(['tf', folder, 'snippets', '--json', '--step', '0|5'])
    const { snippets } = JSON.parse(out) as { snippets: { id: string; language: string; text: string }[] }
    const dump = path.join(folder, 'precision_data/npu/debug_0/dump')
    const of = (id: string): string => snippets.find(one => one.id === id)?.text ?? ''
    expect(of('session.own')).toContain(`tf.compat.as_bytes(${JSON.stringify(dump)})`)
    expect(of('estimator.own')).toContain('dump_step="0|5"')
    expect(of('config.file')).toContain('TF_DUMP_STEP = "0|5"')
    for (const { language, text } of snippets)
      if (language === 'json') expect(() => JSON.parse(text)).not.toThrow()
    expect(new Set(snippets.map(({ id }) => id)).size).toBe(snippets.length)
  })

  it('can be had before there is a folder, in either layout and language', async () => {
    const nowhere = path.join(temporaryFolder(), "it's mine")
    const { code, out, err } = await cli([
      'tf',
      nowhere,
      'snippets',
      'graph',
      '--layout',
      'r0',
      '--lang',
      'zh',
    ])
    expect(code).toBe(0)
    expect(out).toContain(`export DUMP_GRAPH_PATH='${nowhere.replace("'", "'\\''")}/graph/all'`)
    expect(err).toContain('环境变量')
    expect((await cli(['tf', nowhere, 'snippets', 'nonsense'])).code).toBe(2)
  })
})

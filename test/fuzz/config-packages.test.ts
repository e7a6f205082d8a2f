// Damaged packages of configuration, scripts and yaml: whatever they hold, an answer or a Refusal comes out.
import { expect, test } from 'vitest'
import { compareConfigs } from '../../main/engine/config/compare.ts'
import { ConfigPackage, membersOf } from '../../main/engine/config/package.ts'
import { shellSettings, shellSettingsRead, yamlSettings } from '../../main/engine/config/scripts.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { seedsOf } from '../support/fuzz.ts'
import { mutate } from '../support/mutate.ts'
import { sourceOf, zipBytes } from '../support/tensor-files.ts'

const rounds = 300
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const stats =
  '{"w": {"max": 1, "min": -1.5, "mean": NaN, "norm": 0}, "v": {"max": 1, "min": 0, "mean": 2, "norm": 3}}'
const members: Readonly<Record<string, string>> = {
  env: '{"HCCL_ALGO": "ring", "ASCEND_LAUNCH_BLOCKING": "1", "A_TOKEN": "x"}',
  pip: 'torch=2.1.0\nnumpy==1.2\n',
  'weights/step0/rank0/weight.json': stats,
  'dataset/step0/rank1/dataset.json': `{"args": ${stats}, "kwargs": {}}`,
  'hyperparameters/hyperparameters_static.json': '{"lr": "1e-4", "betas": [0.9, 0.95], "x": null}',
  'random/rank0.json': '{"torch.rand": [{"count": 2, "stack": ["File /a/b.py, line 1, in f, x = rand()"]}]}',
}

const packageOf = (texts: Readonly<Record<string, Uint8Array>>): ConfigPackage =>
  opened(zipBytes(Object.entries(texts).map(([name, data]) => ({ name, data, deflate: true }))))

const opened = (zip: Uint8Array): ConfigPackage =>
  new ConfigPackage('/a.zip', membersOf({ ...sourceOf(zip), close() {} }, '/a.zip'))

const bytes = Object.fromEntries(Object.entries(members).map(([name, text]) => [name, bytesOf(text)]))

/** True where the act refused. */
function refuses(act: () => void): boolean {
  try {
    act()
    return false
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return true
  }
}

test.each(Object.keys(members))('%s', name => {
  const whole = packageOf(bytes)
  let answered = 0
  for (const seed of seedsOf(rounds)) {
    const broken = packageOf({ ...bytes, [name]: mutate(bytes[name], seed).bytes })
    for (const rules of ['plumbline', 'msprobe-26'] as const)
      refuses(() => {
        const { parts, findings } = compareConfigs({ bench: whole, debug: broken, rules, tell() {} })
        for (const { sheet } of parts)
          for (let row = 0; row < sheet.length; row++)
            for (let column = 0; column < sheet.columns.length; column++) sheet.text(row, column)
        answered += findings.length + 1
      })
  }
  expect(answered).toBeGreaterThan(0)
})

test('the zip itself', () => {
  const zip = zipBytes(Object.entries(bytes).map(([name, data]) => ({ name, data, deflate: true })))
  let refused = 0
  for (const seed of seedsOf(rounds)) {
    const broken = mutate(zip, seed).bytes
    if (
      refuses(() => {
        const side = opened(broken)
        compareConfigs({ bench: packageOf(bytes), debug: side, rules: 'plumbline', tell() {} })
      })
    )
      refused++
  }
  expect(refused).toBeGreaterThan(0)
})

test.each(['../env', 'a/../../env', '/env', 'C:\\env', '..\\env'])('a member %s', name => {
  expect(refuses(() => void packageOf({ ...bytes, [name]: bytesOf('{}') }))).toBe(true)
})

test('scripts and yaml', () => {
  const shell = bytesOf('A_ARGS="--x 1 --y $B"\nB=${C:-3}\ntorchrun --n 8 a.py $A_ARGS --z | tee log\n')
  const yaml = bytesOf('a: &x {b: [1, 0x2, .5], c: 1:30}\nd: *x\ne:\n  <<: *x\n  f: "q"\n')
  const decoder = new TextDecoder()
  for (const seed of seedsOf(rounds)) {
    const script = decoder.decode(mutate(shell, seed).bytes)
    expect(shellSettings(script).size + shellSettingsRead(script).size).toBeGreaterThanOrEqual(0)
    const read = yamlSettings(decoder.decode(mutate(yaml, seed).bytes))
    expect(read === null || read.size >= 0).toBe(true)
  }
})

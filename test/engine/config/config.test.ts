// Settings compared by what they mean: likeness of texts, names, yaml as Python reads it, scripts, secrets.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allNamesOf, matchBest, matchInOrder, namesOf } from '../../../main/engine/config/matching.ts'
import { pythonYaml } from '../../../main/engine/config/python-yaml.ts'
import { ratio } from '../../../main/engine/config/ratio.ts'
import { shellSettings, shellSettingsRead, yamlSettings } from '../../../main/engine/config/scripts.ts'
import { isSecret } from '../../../main/engine/config/secrets.ts'
import { pyEqual, sameMeaning } from '../../../main/engine/config/values.ts'
import { type Json, JsonNumber } from '../../../main/engine/json/index.ts'

const int = (text: string): JsonNumber => new JsonNumber(text, false)
const float = (text: string): JsonNumber => new JsonNumber(text, true)

test.each([
  ['num_layers', 'num_layer', (2 * 9) / 19],
  ['', '', 1],
  ['abc', '', 0],
  ['abcd', 'bcde', 0.75],
  ['x = torch.rand(3)', 'y = torch.rand(3, device=d)', 32 / 44],
])('likeness of %j and %j', (a, b, expected) => expect(ratio(a, b)).toBeCloseTo(expected, 12))

test('in a long text a character that stands everywhere begins no match', () => {
  expect(ratio('cb'.repeat(20), 'xb'.repeat(150))).toBe(0)
  expect(ratio('cb'.repeat(20), 'xb'.repeat(90))).toBeCloseTo(0.18181818181818182, 12)
})

test('likeness lies between 0 and 1, and is 1 for equal texts only', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }), (a, b) => {
      const likeness = ratio(a, b)
      expect(likeness).toBeGreaterThanOrEqual(0)
      expect(likeness === 1).toBe(a === b)
    }),
  )
})

test.each<[Json, Json, boolean, boolean]>([
  [int('1'), float('1.0'), true, true],
  [int('1'), true, true, true],
  ['32', int('32'), false, true],
  ['1e-4', float('0.0001'), false, true],
  ['True', true, false, true],
  ['none', null, false, true],
  [float('NaN'), float('NaN'), false, true],
  [int('9007199254740993'), int('9007199254740992'), false, false],
  [[int('1'), '2'], [int('1'), int('2')], false, true],
  ['a', 'b', false, false],
])('%j and %j: equal to Python %s, the same to us %s', (a, b, equal, same) => {
  expect([pyEqual(a, b), sameMeaning(a, b)]).toEqual([equal, same])
})

test('names meet once, the surest way first; in order as msprobe has it', () => {
  const mine = ['a.lr', 'lr', 'num-layers', 'wd']
  const theirs = ['lr', 'num_layer', 'weight_decay', 'b.learning_rate']
  const told = (
    found: ReadonlyMap<{ full: string }, { other: { full: string }; unsure: boolean }>,
  ): string[] =>
    [...found].map(([{ full }, { other, unsure }]) => `${full}=${other.full}${unsure ? '?' : ''}`).toSorted()
  expect(told(matchBest(allNamesOf(mine), allNamesOf(theirs)))).toEqual([
    'a.lr=b.learning_rate',
    'lr=lr',
    'num-layers=num_layer?',
    'wd=weight_decay',
  ])
  expect(told(matchInOrder(namesOf(mine), namesOf(theirs)))).toEqual([
    'lr=lr',
    'num-layers=num_layer?',
    'wd=weight_decay',
  ])
})

test.each<[string, unknown]>([
  ['1e-5', '1e-5'],
  ['1.0e-5', float('0.00001')],
  ['1.0e5', '1.0e5'],
  ['0x1F', int('31')],
  ['010', int('8')],
  ['08', '08'],
  ['1_000', int('1000')],
  ['yes', true],
  ['Y', 'Y'],
  ['~', null],
  ['2020-01-01', undefined],
  ['"5"', '5'],
  ['1:30', int('90')],
  ['-.inf', float('-Infinity')],
])('yaml %s', (text, value) => {
  const read = pythonYaml(text)?.value
  if (value instanceof JsonNumber && read instanceof JsonNumber)
    expect([read.value, read.float]).toEqual([value.value, value.float])
  else expect(read).toEqual(value)
})

test('yaml that refers to itself or is none is nothing', () => {
  expect(pythonYaml('a: [1')).toBe(null)
  expect(pythonYaml('&a [*a]')).toBe(null)
  expect(yamlSettings('a: &x [1, 2]\nb: *x')?.get('b')).toEqual([int('1'), int('2')])
  // Too deep for the parser.
  expect(yamlSettings(Array.from({ length: 5000 }, (_, at) => `${' '.repeat(at)}a:\n`).join(''))).toBeNull()
})

test('a switch before an option is a switch to us, and takes its name as a value in msprobe', () => {
  const script = 'A="b c"\ntorchrun --flag --save /out --name "$A" --list 1 2 train.py | tee x'
  expect(shellSettings(script).get('flag')).toBe('--save')
  expect(Object.fromEntries(shellSettingsRead(script))).toEqual({
    flag: true,
    save: '/out',
    name: 'b c',
    list: ['1', '2'],
  })
  expect(shellSettingsRead('echo nothing').size).toBe(0)
})

test('variables that hold each other end', () => {
  expect(shellSettingsRead('A=$B\nB=$A$A\ntorchrun --x $A').get('x')).toMatch(/^\$/)
})

test.each(['HF_TOKEN', 'wandb_api_key', 'MY_SECRET', 'PASSWORD', 'aws-access-key', 'HUGGINGFACE_TOKEN'])(
  '%s is a secret',
  name => expect(isSecret(name)).toBe(true),
)
test.each([
  'pad_token_id',
  'max_tokens',
  'num_key_value_heads',
  'KEYBOARD',
  'tokenizer',
  'HCCL_ALGO',
  'eos_token',
])('%s is none', name => expect(isSecret(name)).toBe(false))

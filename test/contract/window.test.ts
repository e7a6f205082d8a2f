// What one types into the filter row, and what it means.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { typedPattern } from '../../main/engine/names/index.ts'
import { isTypedPattern } from '../../renderer/state/typed-pattern.ts'
import { readCondition, writeCondition } from '../../renderer/panels/grid/condition.ts'
import { markNumber, shortNumber, shortText } from '../../renderer/state/format.ts'
import { chordOf, showKey } from '../../renderer/state/keys.ts'
import { crumb, nameParts, nodeOfItem } from '../../renderer/state/names.ts'
import { across, anchorsOf } from '../../renderer/panels/graph/align.ts'
import { svgOf } from '../../renderer/panels/graph/picture.ts'
import { isComing } from '../../renderer/state/study.ts'
import type { Box, SessionInfo, UnitState } from '../../preload/contract/engine.ts'

describe('conditions of the filter row', () => {
  test.each([
    ['> 0.1', { is: 'number', op: '>', value: 0.1 }],
    ['<=3', { is: 'number', op: '<=', value: 3 }],
    ['0..1', { is: 'number', op: 'between', value: 0, to: 1 }],
    ['5', { is: 'number', op: '=', value: 5 }],
    ['!= 0', { is: 'number', op: '!=', value: 0 }],
    ['> -1e-3', { is: 'number', op: '>', value: -0.001 }],
    ['< inf', { is: 'number', op: '<', value: Infinity }],
    ['N/A', { is: 'set', values: ['N/A'] }],
  ])('number %s', (text, means) => {
    expect(readCondition('cosine', true, text)).toEqual({ column: 'cosine', ...means })
  })

  test('percentages are typed as they are shown', () => {
    expect(readCondition('maxRelative', true, '> 50 %')).toMatchObject({ op: '>', value: 0.5 })
    expect(readCondition('maxRelative', true, '> 50')).toMatchObject({ op: '>', value: 0.5 })
    expect(writeCondition({ column: 'maxRelative', is: 'number', op: '>', value: 0.07 })).toBe('> 7%')
  })

  test('what passes as a pattern where it is typed is one to the engine', async () => {
    const pieces = fc.constantFrom(
      'a',
      '.',
      '\\d',
      '\\w+',
      '\\.',
      '[a-z]',
      '[^(]',
      '(?=a)',
      '(?!a)',
      '(?<=a)',
      '(?<!a)',
      '(?<n>a)',
      '(?:a|b)',
      '(a)',
      '\\1',
      '\\k<n>',
      '[(?=]',
      '\\(?=',
      '*',
      '+?',
      '{2}',
      '{2,}',
      '{1001}',
      '(',
      ')',
      '[',
      ']',
      '|',
      '^',
      '$',
      '\\',
      'x{0,1}',
      '\\b',
    )
    const pattern = fc.array(pieces, { minLength: 1, maxLength: 6 }).map(parts => parts.join(''))
    await fc.assert(
      fc.asyncProperty(pattern, async text => {
        if (isTypedPattern(text)) expect(await typedPattern(text), text).not.toBeNull()
      }),
      { numRuns: 2000 },
    )
    for (const text of ['a(?=b)', '(?<!a)b', String.raw`(a)\1`, 'a{2000}', '(', 'a**'])
      expect([isTypedPattern(text), await typedPattern(text)], text).toEqual([false, null])
    for (const text of [
      '[(?=]',
      String.raw`\(\?=`,
      String.raw`conv\d+\.(weight|bias)$`,
      String.raw`\x41\u4e2d`,
    ])
      expect(isTypedPattern(text), text).toBe(true)
  })

  test.each([
    ['Mint', { op: 'contains', text: 'Mint' }],
    ['^Mint', { op: 'startsWith', text: 'Mint' }],
    ['bias$', { op: 'endsWith', text: 'bias' }],
    ['=Float32', { op: 'equals', text: 'Float32' }],
    ['!bias', { op: 'notContains', text: 'bias' }],
    ['/conv\\d/', { op: 'regex', text: 'conv\\d' }],
  ])('text %s', (text, means) => {
    const condition = readCondition('debugName', false, text)
    expect(condition).toEqual({ column: 'debugName', is: 'text', ...means })
    expect(writeCondition(condition === 'invalid' ? undefined : (condition ?? undefined))).toBe(text)
  })

  test('nothing is no condition, nonsense is said to be none', () => {
    expect(readCondition('cosine', true, '  ')).toBeNull()
    for (const text of ['>>', '> x1', '1..', '<']) expect(readCondition('cosine', true, text)).toBe('invalid')
    expect(readCondition('debugName', false, '/(/')).toBe('invalid')
  })
})

describe('numbers for people', () => {
  test.each([
    [0.982771234, '0.982771'],
    [1, '1'],
    [0, '0'],
    [-0.1134024, '-0.113402'],
    [7.257e-5, '7.257e-5'],
    [12345.678, '12345.68'],
    [1e12, '1.000e+12'],
    [NaN, 'NaN'],
    [Infinity, '+Inf'],
    [-Infinity, '-Inf'],
  ])('%d', (value, text) => {
    expect(shortNumber(value)).toBe(text)
  })

  test.each([
    [0.5, '0.5'],
    [-1.25, '-1.25'],
    [0.30000000000000004, '0.3'],
    [0, '0'],
    [5000, '5000'],
    [2e6, '2e6'],
    [2.5e-7, '2.5e-7'],
  ])('%d beside an axis', (value, text) => {
    expect(markNumber(value)).toBe(text)
  })

  test('cells that are numbers or percentages become short, others stay', () => {
    expect(shortText('788.5414999999999%')).toBe('788.5415%')
    expect(shortText('N/A')).toBe('N/A')
    expect(shortText('nan\t')).toBe('nan')
  })
})

test('names: the telling end, the direction, the node of an item', () => {
  expect(nameParts('Cell.model.layers.1.attention.qkv_proj.Dense.forward.0')).toMatchObject({
    short: 'qkv_proj.Dense',
    long: 'layers.1.attention.qkv_proj',
    backward: false,
    call: 'forward.0',
  })
  // A number says nothing without the name of its list.
  expect(nameParts('Module.module.layers.1.TransformerLayer.backward.0').short).toBe(
    'layers.1.TransformerLayer',
  )
  expect(crumb('Module.module.layers.1.TransformerLayer.forward.0')).toBe('layers.1.TransformerLayer')
  expect(nameParts('Mint.add.3.backward')).toMatchObject({ short: 'Mint.add.3', backward: true })
  expect(nodeOfItem('Module.conv1.Conv2d.forward.0.input.0')).toBe('Module.conv1.Conv2d.forward.0')
  expect(nodeOfItem('Module.conv1.Conv2d.parameters_grad.weight')).toBe('Module.conv1.Conv2d.parameters_grad')
})

test('keys: one name for each press, whatever the keyboard', () => {
  const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
    chordOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })
  expect(press('k', { ctrlKey: true })).toBe('Mod+K')
  expect(press('P', { metaKey: true, shiftKey: true })).toBe('Mod+Shift+P')
  expect(press('?', { shiftKey: true })).toBe('?')
  expect(press('!', { shiftKey: true, code: 'Digit1' })).toBe('Shift+1')
  expect(press('ArrowLeft', { altKey: true })).toBe('Alt+Left')
  expect(showKey('Mod+Shift+P', false)).toBe('Ctrl Shift P')
  expect(showKey('Mod++', true)).toBe('⌘+')
})

const box = (id: string, y: number, partner: string): Box => ({
  overflow: null,
  id,
  y,
  partner,
  label: id,
  shape: 'module',
  x: 0,
  w: 100,
  h: 24,
  from: 0,
  to: 0,
  depth: 1,
  open: false,
  children: 0,
  backward: false,
  bucket: 0,
  differing: 0,
  own: { rows: 0, differs: 0, level: NaN },
  made: null,
  origin: 'none',
  dim: false,
})

test('a picture has the flag where the error enters, or on the closed box that holds that', () => {
  const plain = { fill: '#fff', text: '#000', line: '#ccc' }
  const tokens = { pane: '#fff', bg: '#fff', line: '#ccc', lineStrong: '#ccc', text: '#111', dim: '#555' }
  const legend = [{ bucket: 1, text: '< 5%', n: 3 }]
  const picture = (boxes: readonly Box[], noted: readonly string[] = []): string =>
    svgOf(
      boxes,
      100,
      100,
      { ...tokens, accent: '#00f', flag: '#f00', overflow: '#fa0', font: 'serif', bucket: () => plain },
      { title: '', legend, noted: new Set(noted) },
    ).svg
  const flags = (boxes: readonly Box[]): number => picture(boxes).split('class="origin"').length - 1
  const here: Box = { ...box('a', 30, ''), origin: 'here', differing: 2, shape: 'api' }
  const around: Box = { ...box('b', 0, ''), origin: 'inside' }
  expect(flags([{ ...around, open: true }, here])).toBe(1)
  expect(flags([around])).toBe(1)
  expect(flags([box('c', 0, '')])).toBe(0)
  // Thick, and with its count although a pill has no room for it.
  expect(picture([here])).toMatch(/stroke="#111" stroke-width="3"/)
  expect(picture([here])).toMatch(/>2<\/text>/)
  // What its colours stand for.
  expect(picture([here])).toContain('>&lt; 5%</text>')
  // Somebody noted something of one of them.
  expect(picture([here, around], ['b']).split('class="noted"')).toHaveLength(2)
  expect(picture([here])).not.toContain('class="noted"')
  // What has no partner is hatched.
  const pattern = /<pattern id="([^"]+)"/.exec(picture([here]))?.[1] ?? ''
  expect(picture([{ ...around, bucket: -2 }])).toContain(`fill="url(#${pattern})"`)
  expect(picture([around])).not.toContain(`fill="url(#${pattern})"`)
})

test('one side follows the other from partner to partner', () => {
  const debug = [box('a', 0, 'A'), box('extra', 30, ''), box('b', 60, 'B')]
  const bench = new Map([box('A', 0, 'a'), box('B', 30, 'b')].map(b => [b.id, b]))
  const anchors = anchorsOf(debug, bench)
  expect(across(anchors, 12)).toBe(12)
  expect(across(anchors, 42)).toBe(27)
  expect(across(anchors, 172)).toBe(142)
  expect(across([], 5)).toBeNull()
})

test.each([
  ['waiting', true],
  ['reading', true],
  ['comparing', true],
  ['done', false],
  ['failed', false],
] as const satisfies readonly (readonly [UnitState, boolean])[])(
  'of a unit that is %s more is to come: %s',
  (state, more) => {
    const other = { unit: 0, state: 'done' }
    const session = { unit: 1, units: [other, { unit: 1, state }] } as unknown as SessionInfo
    expect(isComing(session)).toBe(more)
    expect(isComing(null)).toBe(false)
  },
)

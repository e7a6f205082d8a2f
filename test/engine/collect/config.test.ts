// config.json while it is edited: bad texts, keys of other versions, edits that keep the rest, presets, the form.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkConfig,
  configValue,
  editConfig,
  fieldsOf,
  presetText,
  snippetsOf,
} from '../../../main/engine/collect/index.ts'
import { type PresetId, presetIds } from '../../../main/engine/model/index.ts'
import { collectModes, type CollectTarget, toolVersions } from '../../../main/engine/model/index.ts'

const torch26: CollectTarget = { version: '26', mode: 'pytorch' }
const torch12: CollectTarget = { version: '1.2', mode: 'pytorch' }
const targets = toolVersions.flatMap(version => collectModes.map(mode => ({ version, mode })))
const codes = (text: string, target = torch12): readonly string[] =>
  checkConfig(text, target).diagnostics.map(one => `${one.severity} ${one.code}`)

const base = (more: string): string => `{"task":"statistics","dump_path":"./d","level":"L1"${more}}`

describe('texts that Python does not read', () => {
  it.each([
    [`// a note\n${base('')}`, 'error comment'],
    [base(',"step":[0,]'), 'error trailing-comma'],
    [base(','), 'error trailing-comma'],
    ['', 'error empty'],
    ['\ufeff{}', 'error bom'],
    ['[]', 'error no-object'],
    ['{"task": "statistics", "dump_p', 'error cut'],
    ["{'task': 1}", 'error single-quotes'],
    [base(',"rank":None'), 'error python-word'],
    [base(',"rank":[] # all'), 'error comment'],
    [base(',"x":"C:\\data"'), 'error backslash'],
    [base(',"x":"a\tb"'), 'error open-text'],
    [base(' "x":1'), 'error separator-missing'],
    [base('') + base(''), 'error after-end'],
    [base(',"step":[01]'), 'error separator-missing'],
    [base(',"step":[+1]'), 'error syntax'],
    [base(',"x":"\ufffd\ufffd"'), 'error not-utf8'],
    [`\ufffd\ufffd${[...base('')].join('\0')}`, 'error not-utf8'],
    [`{"a":${'['.repeat(300)}${']'.repeat(300)}}`, 'error too-deep'],
    // Here what lays out edits fails.
    [`{"a":${'['.repeat(60)}${']'.repeat(60)}}`, 'error too-deep'],
    [`{"a":"${'x'.repeat(2 << 20)}"}`, 'error too-long'],
  ])('%.30s', (text, code) => {
    expect(codes(text)).toContain(code)
    expect(checkConfig(text, torch12).effect).toBeNull()
  })

  it('says nothing of what it lacks where it is not read to its end', () => {
    expect(codes("{'task': 'statistics'}")).toEqual(['error single-quotes'])
  })

  it('is told as of another tool before what it lacks', () => {
    expect(codes('{"npu_path":"a","bench_path":"b"}')[0]).toBe('warning other-tool')
  })

  it('is quoted in short, and not twice', () => {
    const { diagnostics } = checkConfig(
      base(`,"step":[${'9'.repeat(5000)}],"statistics":{"list":[1]}`),
      torch12,
    )
    expect(diagnostics.map(one => one.code)).toEqual(['out-of-range', 'not-text-list'])
    expect(JSON.stringify(diagnostics[0].facts).length).toBeLessThan(250)
  })

  it.each([
    [base(',"rank":None'), base(',"rank":null')],
    [base(",'rank':[]"), base(',"rank":[]')],
    [base(',"rank":[] # all\n'), base(',"rank":[] \n')],
  ])('mends %s by what it offers', (text, mended) => {
    const [edit] = checkConfig(text, torch12).diagnostics[0].fixes[0].edits
    expect(text.slice(0, edit.from) + edit.text + text.slice(edit.to)).toBe(mended)
  })

  it('mends comments and commas by what it offers', () => {
    const text = `{ // why\n"task":"statistics","dump_path":"./d","level":"L1",}`
    const { diagnostics } = checkConfig(text, torch12)
    const edits = diagnostics.flatMap(one => one.fixes[0]?.edits ?? []).toSorted((a, b) => b.from - a.from)
    const mended = edits.reduce(
      (out, { from, to, text: by }) => out.slice(0, from) + by + out.slice(to),
      text,
    )
    expect(checkConfig(mended, torch12).effect).toMatchObject({ task: 'statistics', level: 'L1' })
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...targets), (text, target) => {
        checkConfig(text, target)
        fieldsOf(text, target)
        editConfig(text, [{ path: 'level', value: 'L0' }])
      }),
    )
  })

  it('never throws, whatever the values', () => {
    const keys = [
      'task',
      'level',
      'step',
      'statistics',
      'tensor',
      'load',
      'scope',
      'list',
      'data_mode',
      'slice',
    ]
    const value = fc.jsonValue({ maxDepth: 3 })
    const section = fc.dictionary(fc.constantFrom(...keys), value)
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), fc.oneof(value, section)), object => {
        for (const target of targets) {
          const text = JSON.stringify({ dump_path: './d', ...object })
          const { effect, diagnostics } = checkConfig(text, target)
          expect(effect === null).toBe(diagnostics.some(one => one.severity === 'error'))
        }
      }),
    )
  })
})

describe('keys', () => {
  it('of another version are named with it', () => {
    expect(checkConfig(base(',"risk_level":"ALL"'), torch12).diagnostics).toMatchObject([
      { severity: 'warning', code: 'foreign-key', facts: { key: 'risk_level', versions: '26' } },
    ])
    expect(codes(base(',"enable_dataloader":false,"risk_level":"ALL"'), torch26)).toEqual([
      'warning foreign-key',
    ])
  })
  it('that are a slip are told so', () => {
    expect(checkConfig(base(',"steps":[1]'), torch12).diagnostics).toMatchObject([
      { code: 'unknown-key-like', facts: { like: 'step' } },
    ])
  })
  it('in the wrong section are sent to theirs', () => {
    expect(codes(base(',"data_mode":["all"]'))).toEqual(['warning key-of-other-task'])
  })
  it('that do nothing here are not passed over', () => {
    expect(codes(base(',"statistics":{"file_format":"npy"}'))).toEqual(['warning no-effect'])
  })
  it('of another tool are taken for what they are', () => {
    expect(codes('{"npu_path":"a","bench_path":"b"}')).toContain('warning other-tool')
    expect(codes('{"task":"statistics","level":"L1","dump_data_dir":"x","data":{}}')).toContain(
      'warning is-dump',
    )
  })
})

describe('edits', () => {
  const text = '{\n    // kept\n    "task": "statistics",\n    "level": "L1", "statistics": {"list": []}\n}\n'
  it('change a value and nothing else', () => {
    expect(editConfig(text, [{ path: 'level', value: 'mix' }])).toBe(text.replace('L1', 'mix'))
  })
  it('put a key into a section, and make the section', () => {
    const once = editConfig(text, [{ path: 'statistics/data_mode', value: ['forward', 'input'] }])
    expect(once).toContain('["forward", "input"]')
    expect(once).toContain('// kept')
    const twice = editConfig(once, [{ path: 'tensor/list', value: ['a'] }])
    expect(configValue(twice, 'tensor/list')).toEqual(['a'])
  })
  it.each([
    [
      '{"a": 1,\n  "s": {"x": [ ],"y": [1,  2]}\n}\n',
      '{"a": 1,\n  "s": {"x": [ ],"y": [1,  2]},\n  "on": true\n}\n',
    ],
    ['{\r\n\t"s": {"x": [1]}\r\n}', '{\r\n\t"s": {"x": [1]},\r\n\t"on": true\r\n}'],
    ['{"a":1,"s":{}}', '{"a":1,"s":{}, "on": true}'],
    ['{\n  "a": 1, // last\n}', '{\n  "a": 1,\n  "on": true, // last\n}'],
    ['{}', '{\n    "on": true\n}'],
  ])('put a key behind the last one of %j and touch nothing else', (before, after) => {
    expect(editConfig(before, [{ path: 'on', value: true }])).toBe(after)
  })
  it('lay a new section out as the file is', () => {
    expect(editConfig('{\n  "task": "tensor"\n}', [{ path: 'tensor/list', value: ['a'] }])).toBe(
      '{\n  "task": "tensor",\n  "tensor": {\n    "list": ["a"]\n  }\n}',
    )
    expect(editConfig('{\n  "tensor": {\n  }\n}', [{ path: 'tensor/list', value: [] }])).toBe(
      '{\n  "tensor": {\n    "list": []\n  }\n}',
    )
    expect(editConfig('{"tensor": 5}', [{ path: 'tensor/list', value: [] }])).toBe('{"tensor": {"list": []}}')
  })
  it('take a key out and touch nothing else', () => {
    const before = '{\n  "a": [1,  2],\n  "b": {"c": [ ]},\n  "d": 3\n}'
    expect(editConfig(before, [{ path: 'd' }])).toBe('{\n  "a": [1,  2],\n  "b": {"c": [ ]}\n}')
    expect(editConfig(before, [{ path: 'b' }])).toBe('{\n  "a": [1,  2],\n  "d": 3\n}')
  })
  it('take a key out', () => {
    expect(configValue(editConfig(text, [{ path: 'level' }]), 'level')).toBeUndefined()
  })
  it('write what is read again', () => {
    const value = fc.jsonValue({ maxDepth: 2 }).filter(one => JSON.stringify(one) !== undefined)
    fc.assert(
      fc.property(value, one => {
        const plain = JSON.parse(JSON.stringify(one)) as never
        expect(
          configValue(editConfig(text, [{ path: 'statistics/x', value: plain }]), 'statistics/x'),
        ).toEqual(plain)
      }),
    )
  })
})

describe('presets', () => {
  const made = targets.flatMap(target =>
    presetIds.flatMap(id => {
      const text = presetText(id, target, { list: ['Functional.linear.0.forward'] })
      return text === null ? [] : [{ id, target, text }]
    }),
  )
  it.each(made)('$id for $target.version $target.mode is taken by the tool', ({ text, target }) => {
    const { diagnostics, ignored, effect } = checkConfig(text, target)
    expect(diagnostics.filter(one => one.severity === 'error')).toEqual([])
    expect(ignored).toEqual([])
    expect(effect).not.toBeNull()
  })
  it('come with one piece of code that fits', () => {
    for (const { text, target } of made) {
      const pieces = snippetsOf(target, checkConfig(text, target).effect)
      expect(pieces.filter(one => one.language === 'python' && one.fits)).toHaveLength(1)
    }
  })
})

describe('code of a version', () => {
  const codeOf = (target: CollectTarget, id: string, preset: PresetId = 'graph'): string | undefined =>
    snippetsOf(target, checkConfig(presetText(preset, target) ?? '', target).effect).find(
      one => one.id === id,
    )?.text

  it('gives the model where that version takes it', () => {
    const first = codeOf({ version: '1.0', mode: 'pytorch' }, 'torch-loop')
    expect(first).toContain('PrecisionDebugger(config_path="./config.json", model=model)')
    expect(first).toContain('debugger.start()')
    for (const target of [torch12, torch26])
      for (const id of ['torch-loop', 'torch-block', 'torch-group'])
        expect(codeOf(target, id), id).toContain('debugger.start(model)')
    expect(codeOf(torch12, 'torch-group', 'statistics')).toContain('debugger.start()')
  })
  it('asks of the first version only what it has', () => {
    expect(codeOf({ version: '1.0', mode: 'pytorch' }, 'torch-group')).toBeUndefined()
    for (const id of ['ms-loop', 'ms-model', 'ms-kernel', 'ms-gradients'])
      expect(codeOf({ version: '1.0', mode: 'pynative' }, id), id).not.toContain('seed_all')
    expect(codeOf({ version: '1.0', mode: 'pynative' }, 'ms-loop')).toContain('ms.set_seed(1234)')
    expect(codeOf({ version: '1.2', mode: 'pynative' }, 'ms-loop')).toContain(
      'import PrecisionDebugger, seed_all',
    )
  })
})

describe('the form', () => {
  it('hides what this version lacks and explains what is impossible', () => {
    const fields = fieldsOf(base(''), torch26)
    const task = fields.find(one => one.path === 'task')
    expect(task?.choices.map(one => one.value)).toEqual([
      'statistics',
      'tensor',
      'structure',
      'nan_check',
      'diff_check',
    ])
    const level = fields.find(one => one.path === 'level')
    expect(level?.choices.find(one => one.value === 'L2')?.refused?.code).toMatch(/^l2-/)
    expect(level?.choices.find(one => one.value === 'mix')?.refused).toBeNull()
    expect(fields.some(one => one.path === 'risk_level')).toBe(true)
    expect(fieldsOf(base(''), torch12).some(one => one.path === 'risk_level')).toBe(false)
  })
  it('says beside a line what is wrong with it', () => {
    const fields = fieldsOf(base(',"step":["5-1"]'), torch12)
    expect(fields.find(one => one.path === 'step')?.says.map(one => one.code)).toEqual(['range-backwards'])
  })
})

describe('version 1.0', () => {
  const codes = (config: object, section: object = {}): readonly string[] =>
    checkConfig(
      JSON.stringify({ task: 'tensor', dump_path: './d', level: 'L1', ...config, tensor: section }),
      { version: '1.0', mode: 'pytorch' },
    )
      .diagnostics.filter(({ severity }) => severity !== 'note')
      .map(({ code }) => code)
  it('knows its own keys, and no ranges', () => {
    expect(codes({ seed: 7, is_deterministic: true, step: [3] })).toEqual([])
    expect(codes({ step: ['3-5'] })).toEqual(['not-range'])
    expect(codes({ seed: 'x' })).toEqual(['not-int'])
  })
  it('names the API of a kernel dump in its scope', () => {
    expect(codes({ level: 'L2' }, { list: ['Functional.relu.0.forward'] })).toContain('l2-scope-one')
    expect(codes({ level: 'L2' }, { scope: ['Functional.relu.0.forward'] })).toEqual([])
    expect(codes({ level: 'L2' }, { scope: ['Functional.relu.0.backward'] })).toEqual(['needed'])
  })
})

// Mapping texts: every diagnostic at its exact place with its fix, texts read line by line and by the yaml
// library alike, and what no mapping is.
import { decodeMapping, firstForeign } from '../../../main/engine/io/text-file.ts'
import { parseDocument } from 'yaml'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { job } from '../../../main/engine/work/job.ts'
import { kindOf, parseMapping } from '../../../main/engine/mapping/document.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { editMapping, savedText } from '../../../main/engine/mapping/edit.ts'
import { MappingDesk } from '../../../main/engine/mapping/desk.ts'
import { applied, plainGroups, plainPairs } from '../../../main/engine/pair/plain-yaml.ts'
import { readYaml } from '../../../main/engine/pair/yaml.ts'
import type { MappingKind } from '../../../preload/contract/engine.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { random } from '../../support/random.ts'

async function desk(model: string, level: string): Promise<MappingDesk> {
  const files = diskFiles()
  files.allow(fixturesRoot())
  const [debug, bench] = await Promise.all(
    ['ms', 'pt'].map(side =>
      readDump(
        files,
        dumpFilesOf(
          files,
          path.join(fixturesRoot(), 'dumps', `${side}_${model}_none_statistics_${level}`, 'step0', 'rank'),
        ),
        job(),
      ),
    ),
  )
  return new MappingDesk(debug, bench, { rules: 'plumbline', engine: 'mindspore', fuzzy: false, mapping: {} })
}

const tr = desk('tr', 'mix')
const lenet = desk('lenet', 'L0')

interface Case {
  readonly says: string
  readonly kind: MappingKind
  readonly text: string
  /** `code at what is underlined`, in order. */
  readonly found: readonly string[]
  /** The text after all first fixes, where there are any. */
  readonly fixed?: string
}

const split = '- ms_api: Functional.split\n  pt_api: Torch.split\n'

const cases: readonly Case[] = [
  {
    says: 'an unknown debug name',
    kind: 'cell',
    text: 'network.fc1.Dens: network.fc1.Linear\n',
    found: ['unknown-name at network.fc1.Dens'],
    fixed: 'network.fc1.Dense: network.fc1.Linear\n',
  },
  {
    says: 'an unknown bench name',
    kind: 'cell',
    text: 'network.fc1.Dense: network.fc1.Linaer # x\n',
    found: ['unknown-bench-name at network.fc1.Linaer'],
    fixed: 'network.fc1.Dense: network.fc1.Linear # x\n',
  },
  {
    says: 'an unknown class',
    kind: 'layer',
    text: 'ParallelAtention:\n  qkv_proj: query_key_value\n',
    found: ['unknown-name at ParallelAtention'],
    fixed: 'ParallelAttention:\n  qkv_proj: query_key_value\n',
  },
  {
    says: 'an unknown child',
    kind: 'layer',
    text: 'Cell:\n  modle: module\n',
    found: ['unknown-name at modle'],
    fixed: 'Cell:\n  model: module\n',
  },
  {
    says: 'a child that the other side does not have',
    kind: 'layer',
    text: 'Cell:\n  model: modul\n',
    found: ['unknown-bench-name at modul'],
    fixed: 'Cell:\n  model: module\n',
  },
  {
    says: 'an unknown item',
    kind: 'data',
    text: 'Functional.split.0.forward.input.9: Torch.split.0.forward.input.0\n',
    found: ['unknown-name at Functional.split.0.forward.input.9'],
  },
  { says: 'another form than pairs', kind: 'cell', text: '- a\n- b\n', found: ['wrong-form at - a'] },
  {
    says: 'a class without children',
    kind: 'layer',
    text: 'Cell: module\n',
    found: ['wrong-form at module'],
  },
  {
    says: 'a list where a name belongs',
    kind: 'cell',
    text: 'network.fc1.Dense:\n  - a\n',
    found: ['wrong-form at - a'],
  },
  {
    says: 'lists of different length',
    kind: 'api',
    text: `${split}  ms_args: [0, 1, axis]\n  pt_args: [0]\n`,
    found: ['uneven-lists at 1, axis'],
    fixed: `${split}  ms_args: [0]\n  pt_args: [0]\n`,
  },
  {
    says: 'lists of different length, one per line',
    kind: 'api',
    text: `${split}  ms_output:\n  - 0\n  pt_output:\n  - 0\n  - 1\n`,
    found: ['uneven-lists at 1'],
    fixed: `${split}  ms_output:\n  - 0\n  pt_output:\n  - 0\n`,
  },
  {
    says: 'an index that the API does not have',
    kind: 'api',
    text: `${split}  ms_args: [0, 9]\n  pt_args: [0, 1]\n`,
    found: ['unknown-index at 9'],
  },
  {
    says: 'an index twice',
    kind: 'api',
    text: `${split}  ms_args: [0, 0]\n  pt_args: [0, 1]\n`,
    found: ['repeated-index at 0'],
    fixed: `${split}  ms_args: [0]\n  pt_args: [0]\n`,
  },
  {
    says: 'a key twice',
    kind: 'cell',
    text: '# one\nnetwork.fc2.Dense: network.fc1.Linear\n# two\nnetwork.fc2.Dense: network.fc2.Linear\n',
    found: ['repeated-key at network.fc2.Dense'],
    fixed: '# one\n# two\nnetwork.fc2.Dense: network.fc2.Linear\n',
  },
  {
    says: 'a class twice, of which the first is lost',
    kind: 'layer',
    text: 'ParallelAttention:\n  out_proj: dense\nCell:\n  model: module\nParallelAttention:\n  qkv_proj: query_key_value\nParallelTransformerLayer:\n  attention: self_attention\n',
    found: ['hidden at out_proj'],
    fixed:
      'Cell:\n  model: module\nParallelAttention:\n  qkv_proj: query_key_value\nParallelTransformerLayer:\n  attention: self_attention\n',
  },
  {
    says: 'the top under both of its names',
    kind: 'layer',
    text: 'TopLayer:\n  model: a\nCell:\n  model: module\n',
    found: ['hidden at model'],
    fixed: 'Cell:\n  model: module\n',
  },
  {
    says: 'an API twice',
    kind: 'api',
    text: `${split}${split}`,
    found: [
      'hidden at Functional.split',
      'matches-nothing at ms_api: Functional.split\n  pt_api: Torch.split',
    ],
  },
  {
    says: 'an entry that pairs nothing',
    kind: 'api',
    text: `# kept\n${split}`,
    found: ['matches-nothing at ms_api: Functional.split\n  pt_api: Torch.split'],
    fixed: '# kept\n',
  },
  {
    says: 'what the built-in table says',
    kind: 'api',
    text: '- ms_api: Functional.cross_entropy\n  pt_api: Functional.cross_entropy\n',
    found: ['matches-nothing at ms_api: Functional.cross_entropy\n  pt_api: Functional.cross_entropy'],
  },
  {
    says: 'another API than the built-in table',
    kind: 'api',
    text: '- ms_api: Mint.permute\n  pt_api: Tensor.permute\n  ms_args: [0]\n  pt_args: [0]\n',
    found: ['overrides-built-in at Mint.permute'],
  },
  {
    says: 'a key that no entry has',
    kind: 'api',
    text: `${split}  ms_arg: [0]\n`,
    found: ['matches-nothing at ms_api: Functional.split\n  pt_api: Torch.split', 'unknown-key at ms_arg'],
  },
  {
    says: 'an entry without its other half',
    kind: 'api',
    text: '- ms_api: Functional.split\n  ms_args: [0]\n',
    found: ['missing-key at ms_api: Functional.split'],
  },
  {
    says: 'a number as a key',
    kind: 'layer',
    text: 'layers:\n  5: 0\n',
    found: ['number-key at 5', 'unknown-name at 5'],
  },
  {
    says: 'a tab before a key',
    kind: 'layer',
    text: 'Cell:\n\tmodel: module\n',
    found: ['tab at \t'],
    fixed: 'Cell:\n  model: module\n',
  },
  {
    says: 'a tab before a value',
    kind: 'cell',
    text: 'network.fc1.Dense:\tnetwork.fc1.Linear\n',
    found: ['tab at \t'],
    fixed: 'network.fc1.Dense: network.fc1.Linear\n',
  },
  { says: 'what is no yaml', kind: 'cell', text: 'a: [b\n', found: ['syntax at '] },
  {
    says: 'characters that were lost',
    kind: 'cell',
    text: 'network.fc1.Dense: network.fc1.Linear # \uFFFD\n',
    found: ['encoding at \uFFFD'],
  },
]

it('entries for the last group of a text stay in it when others found a new one', () => {
  const layer = (scope: string, from: string, to: string) => ({ kind: 'layer', scope, from, to }) as const
  expect(
    editMapping(
      'layer',
      'Attention:\n  qkv: in_proj\n',
      [layer('FeedForward', 'up', 'fc1'), layer('Attention', 'proj', 'merge')],
      [],
    ),
  ).toBe('Attention:\n  qkv: in_proj\n  proj: merge\nFeedForward:\n  up: fc1\n')
})

describe('diagnostics', () => {
  for (const { says, kind, text, found, fixed } of cases) {
    it(`find ${says}`, async () => {
      const at = await (kind === 'cell' ? lenet : tr)
      const { diagnostics } = at.check(kind, text)
      expect(
        diagnostics.map(
          one => `${one.code} at ${text.slice(one.from, one.to).trimEnd() || text.slice(one.from, one.to)}`,
        ),
      ).toEqual(found)
      if (fixed !== undefined)
        expect(
          applied(
            text,
            diagnostics.flatMap(one => one.fixes[0]?.edits ?? []),
          ),
        ).toBe(fixed)
    })
  }

  it('of a text that cannot be read are its one mistake, and what was in force counts', async () => {
    const at = await tr
    const good = [
      'ParallelAttention:',
      '  qkv_proj: query_key_value',
      '  out_proj: dense',
      'Cell:',
      '  model: module',
      '',
    ].join('\n')
    const broken = good.replace('out_proj: dense', 'out_proj: [dense')
    const before = at.check('layer', good)
    const after = at.check('layer', broken, Infinity, good)
    expect(before.readable).toBe(true)
    expect(before.coverage.debug.matched).toBeGreaterThan(0)
    expect(after).toMatchObject({ readable: false, errors: 1, warnings: 0, coverage: before.coverage })
    expect(after.diagnostics.map(one => one.code)).toEqual(['syntax'])
  })

  it('note what the built-in table says already, with all its indexes', async () => {
    const at = await desk('misc', 'L1')
    const list = (indexes: Iterable<string> = []): string =>
      `[${[...indexes].map(index => `'${index}'`).join(', ')}]`
    const abs = at
      .builtIn('')
      .find(
        one =>
          at.bench.apis.has(one.to) &&
          list(at.bench.apis.get(one.to)?.inputs.keys()) === list(at.debug.apis.get(one.from)?.inputs.keys()),
      )
    const mine = at.debug.apis.get(abs?.from ?? '')
    if (!abs || !mine) throw new Error('no built-in api with the same arguments on both sides')
    const same = `- ms_api: ${abs.from}\n  pt_api: ${abs.to}\n  ms_args: ${list(mine.inputs.keys())}\n  pt_args: ${list(mine.inputs.keys())}\n  ms_output: ${list(mine.outputs.keys())}\n  pt_output: ${list(mine.outputs.keys())}\n`
    const found = at.check('api', same).diagnostics
    expect(found.map(one => `${one.severity} ${one.code} ${same.slice(one.from, one.to)}`)).toEqual([
      `note same-as-built-in ${abs.from}`,
    ])
    expect(applied(same, found[0]?.fixes[0]?.edits ?? [])).toBe('')
  })

  it('of very many keep the gravest, count all, and look for near names only for a while', async () => {
    const at = await lenet
    const text = Array.from(
      { length: 50_000 },
      (_, i) => `network.block${i}.fc1.Dense: network.block${i}.fc1.Linear`,
    ).join('\n')
    const { diagnostics, warnings, errors } = at.check('cell', text, 500)
    expect({ errors, warnings }).toEqual({ errors: 0, warnings: 100_000 })
    expect(diagnostics).toHaveLength(501)
    expect(diagnostics.at(-1)).toMatchObject({ code: 'more', facts: { count: 99_500 } })
  })
})

describe('a text read line by line', () => {
  const words = [
    'model',
    'layers',
    "'5'",
    '"a b"',
    'N/A',
    'x.y-z',
    '7',
    'true',
    'no',
    '08',
    '1e3',
    'a: b',
    '[x]',
    '&a',
    '*a',
    '{}',
    '# c',
    '',
    "'it''s'",
    'Cell',
    'a #b',
    '- q',
    '\t',
    '0',
    '?',
    '|',
    'größe',
    '~',
    '<<',
  ]
  const any = (next: () => number): string => words[Math.floor(next() * words.length)]

  it('is what the yaml library reads, or is left to it', () => {
    const next = random(8)
    let plain = 0
    for (let i = 0; i < 20_000; i++) {
      const text = Array.from({ length: 1 + Math.floor(next() * 5) }, () => {
        const indent = next() < 0.4 ? '  ' : ''
        return `${indent}${any(next)}:${next() < 0.25 ? '' : ` ${any(next)}`}${next() < 0.1 ? ' # note' : ''}`
      }).join('\n')
      const pairs = plainPairs(text)
      const groups = plainGroups(text)
      if (!pairs && !groups) continue
      plain++
      const { errors } = parseDocument(text, { version: '1.1', schema: 'yaml-1.1', uniqueKeys: false })
      expect({ text, errors }).toEqual({ text, errors: [] })
      const whole = readYaml(text, 'x')
      const texts = (map: unknown): unknown =>
        map instanceof Map
          ? [...map].map(([key, value]) => [String(key), value instanceof Map ? texts(value) : String(value)])
          : []
      if (pairs)
        expect({ text, read: [...new Map(pairs.map(one => [one.key, one.value]))] }).toEqual({
          text,
          read: texts(whole),
        })
      for (const { keyAt, key } of pairs ?? [])
        expect(text.slice(keyAt.from, keyAt.to).replace(/^['"]|['"]$/g, '')).toBe(key)
      for (const { valueAt, value } of pairs ?? [])
        expect(text.slice(valueAt.from, valueAt.to).replace(/^['"]|['"]$/g, '')).toBe(value)
    }
    expect(plain).toBeGreaterThan(100)
  })

  it('keeps every other character when it is edited', () => {
    const text = "# mine\nCell:   # top\n    model:   \"module\"  # a\n\nlayers:\n    '5': '0'"
    const set = [
      { kind: 'layer', scope: 'Cell', from: 'model', to: 'net' },
      { kind: 'layer', scope: 'layers', from: '6', to: '1' },
      { kind: 'layer', scope: 'MLP', from: 'a.b', to: 'c' },
    ] as const
    expect(editMapping('layer', text, set, [])).toBe(
      "# mine\nCell:   # top\n    model:   net  # a\n\nlayers:\n    '5': '0'\n    '6': '1'\nMLP:\n  a.b: c\n",
    )
    expect(editMapping('layer', text, [], [{ kind: 'layer', scope: 'Cell', from: 'model', to: '' }])).toBe(
      "# mine\n\nlayers:\n    '5': '0'\n",
    )
  })

  it.each([
    ['nested too deep', 'a: ' + '['.repeat(3000)],
    ['with a name that nothing has', 'a: *b\n- c'],
    ['cut in a quote', '"a: b'],
  ])('refuses to edit a text %s', (_, text) => {
    const set = [{ kind: 'cell', from: 'x', to: 'y' }] as const
    expect(() => editMapping('cell', text, set, [])).toThrow(Refusal)
  })

  it('says the same after an edit as the entries that were set', () => {
    const next = random(5)
    const names = Array.from({ length: 12 }, (_, i) => (i % 4 === 0 ? String(i) : `a.b${i}`))
    let text = '# kept\n'
    const held = new Map<string, string>()
    for (let i = 0; i < 400; i++) {
      const from = names[Math.floor(next() * names.length)]
      const to = next() < 0.1 ? 'yes' : `x.${i}`
      if (next() < 0.3) {
        held.delete(from)
        text = editMapping('data', text, [], [{ kind: 'data', from, to: '' }])
      } else {
        held.set(from, to)
        text = editMapping('data', text, [{ kind: 'data', from, to }], [])
      }
      expect(
        new Map(parseMapping('data', text).entries.map(({ change }) => [change.from, change.to])),
      ).toEqual(held)
      expect(text).toContain('# kept')
    }
  })
})

describe('what is no mapping', () => {
  it('is read in the encoding that it has, whole', () => {
    const text = 'größer: a\n'
    for (const [bytes, encoding, foreign] of [
      [Buffer.from(text), 'utf-8', -1],
      [Buffer.from(`\uFEFF${text}`), 'utf-8', -1],
      [Buffer.from(`\uFEFF${text}`, 'utf16le'), 'utf-16', 0],
      [Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), 'utf-16', 0],
      [Buffer.from(text, 'utf16le'), 'utf-16', 0],
      [Buffer.from(text, 'latin1'), 'latin-1', 2],
    ] as const) {
      const read = decodeMapping(new Uint8Array(bytes))
      expect(read).toEqual({ text, encoding })
      expect(firstForeign(read)).toBe(foreign)
    }
  })

  it('ends soon and says why: bombs of aliases, depth, length', () => {
    const bomb = `a: &a [x, x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [${Array.from({ length: 10 }, () => `*${i === 0 ? 'a' : `b${i - 1}`}`).join(', ')}]\n`).join('')}`
    expect(
      parseMapping('cell', bomb)
        .diagnostics.filter(one => one.code === 'alias')
        .map(one => one.severity),
    ).toEqual(['note', 'error'])
    expect(parseMapping('cell', '['.repeat(100_000)).diagnostics.some(one => one.severity === 'error')).toBe(
      true,
    )
    expect(parseMapping('cell', `#${' '.repeat(17 << 20)}`).diagnostics.map(one => one.code)).toEqual([
      'too-long',
    ])
  })

  it('is nothing wrong where it is empty, and is saved as yaml', async () => {
    for (const kind of ['layer', 'cell', 'api', 'data'] as const) {
      for (const text of ['', '\n', '# only this\n', '---\n'])
        expect((await tr).check(kind, text).diagnostics).toEqual([])
      const saved = savedText(kind, '# only this')
      expect(saved).toBe(`# only this\n${kind === 'api' ? '[]' : '{}'}\n`)
      expect((await tr).check(kind, saved).diagnostics).toEqual([])
    }
    expect(editMapping('cell', savedText('cell', ''), [{ kind: 'cell', from: 'a.B', to: 'c.D' }], [])).toBe(
      'a.B: c.D\n',
    )
  })

  it('shows its kind by its form', () => {
    expect(kindOf('- ms_api: a.b\n')).toBe('api')
    expect(kindOf('ms_api: a.b\npt_api: [\n')).toBe('api')
    expect(kindOf('Cell:\n  a: b\n')).toBe('layer')
    expect(kindOf('model.output.Dense: model.output.Linear\n')).toBe('cell')
    expect(kindOf('Cell.model.output.Dense.forward.0.input.0: N/A\n')).toBe('data')
    expect(kindOf('')).toBe('layer')
  })
})

describe('names of both sides', () => {
  it('are a tree of layers that opens, filters and tells what pairing writes', async () => {
    const at = await tr
    const question = {
      kind: 'layer',
      text: 'Cell:\n  model: module\n',
      side: 'debug',
      find: '',
      show: 'all',
      open: [] as string[],
    } as const
    const [model, ...rest] = at.listed(question)
    expect(model).toMatchObject({
      name: 'model',
      detail: 'TransformerModel',
      scope: 'TopLayer',
      depth: 0,
      open: false,
      partner: 'module',
      state: 'ambiguous',
    })
    expect(rest.every(name => name.depth === 0)).toBe(true)
    expect(
      at
        .listed({ ...question, open: ['model'] })
        .filter(name => name.depth === 1)
        .map(name => name.name),
    ).toContain('model.layers')
    const hits = at.listed({ ...question, find: 'qkv_proj' })
    expect(hits.filter(name => name.name.endsWith('qkv_proj'))).toHaveLength(2)
    expect(hits.every(name => name.name.split('.').length === name.depth + 1)).toBe(true)
    expect(at.listed({ ...question, show: 'unmatched' }).some(name => name.state === 'unmatched')).toBe(true)

    expect(
      at.meeting('layer', question.text, 'model.layers.0.attention', 'module.layers.0.self_attention').change,
    ).toEqual({ kind: 'layer', scope: 'ParallelTransformerLayer', from: 'attention', to: 'self_attention' })
    expect(
      at.meeting('layer', question.text, 'model.embedding.word_table', 'module.word_embeddings').change,
    ).toEqual({
      kind: 'layer',
      scope: 'TransformerModel',
      from: 'embedding.word_table',
      to: 'word_embeddings',
    })
    const { entry, bench } = at.meeting('layer', question.text, 'model', '')
    expect(entry?.change).toEqual({ kind: 'layer', scope: 'Cell', from: 'model', to: 'module' })
    expect(bench?.name).toBe('module')
  })

  it('are completed with what tells them apart, also the indexes of an API', async () => {
    const at = await tr
    const text = `${split}  ms_args: [0, `
    expect(at.complete('api', text, text.length)?.options.map(one => one.text)).toEqual(
      expect.arrayContaining(['0', '1', 'axis']),
    )
    const cell = 'network.fc1.Dense: network.fc1.L'
    expect((await lenet).complete('cell', cell, cell.length)?.options[0]).toMatchObject({
      text: 'network.fc1.Linear',
      detail: expect.stringContaining('['),
    })
  })
})

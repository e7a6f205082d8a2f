// Dumps that are cut, malformed or strange: everything that can be read is read, and what was wrong is said
// with its place.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { opName, type Dump } from '../../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { rawText } from '../../../main/engine/formats/raw.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { Cancelled, job } from '../../../main/engine/work/job.ts'
import { Kind } from '../../../main/engine/model/names.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { carefulDump, linesOf } from '../../support/careful-dump.ts'
import { memoryFiles } from '../../support/memory-files.ts'

type Content = Readonly<Record<string, string | Uint8Array>>
const encoder = new TextEncoder()

function read(dump: string | Uint8Array, more: Content = {}): Promise<Dump> {
  const files = memoryFiles({
    '/d/dump.json': dump,
    ...Object.fromEntries(Object.entries(more).map(([name, content]) => [`/d/${name}`, content])),
  })
  return readDump(files, dumpFilesOf(files, '/d'), job())
}

const names = (dump: Dump): string[] => Array.from({ length: dump.ops.length }, (_, op) => opName(dump, op))
const items = (dump: Dump): string[] =>
  Array.from({ length: dump.items.length }, (_, i) => dump.texts.get(dump.items.name[i]!))
const codes = (dump: Dump): string[] => dump.problems.map(p => p.code)
const leaf =
  '{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "Max": 1.5, "Min": -1.0, "Mean": 0.5, "Norm": 2.0}'
const entry = (part = 'output'): string => `{"${part}": [${leaf}]}`
const wrap = (data: string): string =>
  `{"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": null, "data": {${data}}}`

describe('cut and malformed', () => {
  const whole = wrap(`"Torch.a.0.forward": ${entry()}, "Torch.b.0.forward": ${entry()}`)

  test('a cut at any byte keeps every whole entry and says where the file ends', async () => {
    const a = whole.indexOf('"Torch.b') - 2
    for (let cut = whole.indexOf('"data"') + 9; cut < whole.length; cut += 3) {
      const dump = await read(whole.slice(0, cut))
      expect(codes(dump)).toContain('json-truncated')
      expect(dump.partial).toBe(true)
      expect(names(dump)).toEqual(
        ['Torch.a.0.forward', 'Torch.b.0.forward'].slice(0, cut <= a ? 0 : cut < whole.length - 2 ? 1 : 2),
      )
      expect(dump.problems.find(p => p.code === 'json-truncated')?.facts).toEqual({
        byte: cut,
        line: 1,
        column: cut + 1,
      })
    }
  })

  test('a malformed entry ends the reading there, with line, column and byte', async () => {
    const text = whole
      .replace('"Torch.b', '\n  "Torch.b')
      .replace(/"Norm": 2.0\}\]\}\}\}$/, '"Norm": oops}]}}}')
    const dump = await read(text)
    expect(names(dump)).toEqual(['Torch.a.0.forward'])
    const byte = text.indexOf('oops')
    expect(dump.problems).toEqual([
      {
        code: 'json-broken',
        severity: 'error',
        path: '/d/dump.json',
        facts: { byte, line: 2, column: byte - text.indexOf('\n') },
      },
    ])
  })

  test.each([
    ['trailing comma', wrap(`"a.0.forward": ${entry()},`)],
    ['two commas', wrap(`"a.0.forward": ${entry()},, "b.0.forward": ${entry()}`)],
    ['no colon', wrap(`"a.0.forward" ${entry()}`)],
    ['control character in a text', wrap(`"a\u0001.0.forward": ${entry()}`)],
    ['bad escape', wrap(`"a\\x.0.forward": ${entry()}`)],
    ['single quotes', wrap(`'a.0.forward': ${entry()}`)],
    ['comment', wrap(`/* no */ "a.0.forward": ${entry()}`)],
    ['more after the end', `${wrap('')} {}`],
    ['bare word', wrap('"a.0.forward": {"output": [nul]}')],
    ['comma in a list', wrap('"a.0.forward": {"output": [null,]}')],
    ['missing bracket', wrap('"a.0.forward": {"output": [null}}')],
    ['vertical tab', wrap(`\u000b"a.0.forward": ${entry()}`)],
  ])('%s is not JSON', async (_, text) => {
    const dump = await read(text)
    expect(codes(dump)).toContain('json-broken')
    expect(dump.partial).toBe(true)
    expect(carefulDump(encoder.encode(text)).stop?.why).toBe('broken')
    expect(() => JSON.parse(text)).toThrow()
  })

  test.each(['', ' ', '[]', '1', '"x"', 'null', '{}', '{"task": "statistics"}', '{"data": []}'])(
    '%j is no dump',
    async text => {
      const reading = read(text)
      if (text === '' || text === ' ') expect(codes(await reading)).toContain('json-truncated')
      else if (text.startsWith('{')) await expect(reading).rejects.toThrow(Refusal)
      else expect(codes(await reading)).toContain('json-broken')
    },
  )

  test('stack.json and construct.json may be broken by themselves', async () => {
    const good = wrap(`"Torch.a.0.forward": ${entry()}`)
    const dump = await read(good, {
      'stack.json': '{"Torch.a.0.forward": ["File a"], "x": [',
      'construct.json': '{"Torch.a.0.forward": "Module.m", "x": nope}',
    })
    expect(dump.problems.map(p => `${p.code} ${p.path}`)).toEqual([
      'json-truncated /d/stack.json',
      'json-broken /d/construct.json',
    ])
    expect(dump.stacks.frames(dump.stacks.of(dump.texts.find('Torch.a.0.forward')))).toEqual(['File a'])
    expect(dump.construct.length).toBe(1)
    expect(dump.partial).toBe(true)
  })
})

describe('what a dump can do without', () => {
  test.each(['stack.json', 'construct.json'])('%s that is no file costs a warning only', async name => {
    const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-optional-'))
    writeFileSync(
      path.join(folder, 'dump.json'),
      `{"task": "statistics", "data": {"Torch.add.0.forward": ${entry()}}}`,
    )
    const files = diskFiles()
    files.allow(folder)
    const again = async (): Promise<string[]> => {
      const dump = await readDump(files, dumpFilesOf(files, folder), job())
      expect(names(dump)).toEqual(['Torch.add.0.forward'])
      return dump.problems
        .filter(found => found.path.endsWith(name))
        .map(found => `${found.severity} ${found.code}`)
    }
    mkdirSync(path.join(folder, name))
    expect(await again()).toEqual(['warning not-a-file'])
    rmSync(path.join(folder, name), { recursive: true })
    symlinkSync(import.meta.filename, path.join(folder, name))
    expect(await again()).toEqual(['warning outside-root'])
  })
})

describe('strange but readable', () => {
  test('an empty dump is one with a warning', async () => {
    const dump = await read(wrap(''))
    expect(codes(dump)).toEqual(['empty-dump'])
    expect(dump.ops.length).toBe(0)
  })

  test('header fields may come after the data', async () => {
    const dump = await read(
      `{"data": {"Torch.a.0.forward": ${entry()}}, "task": "tensor", "framework": "mindtorch", "level": "L1"}`,
    )
    expect(dump.header).toEqual({ task: 'tensor', level: 'L1', framework: 'mindtorch', hasMd5: false })
    expect(dump.problems).toEqual([])
  })

  test('a single-point save has no parts, wherever its level stands', async () => {
    const data = `"data": {"x.0": ${leaf}, "y_grad.1": [${leaf}, {"k": null}]}`
    for (const text of [`{"level": "debug", ${data}}`, `{${data}, "level": "debug"}`]) {
      const dump = await read(text)
      expect(items(dump)).toEqual(['x.0', 'y_grad.1.0', 'y_grad.1.1.k'])
    }
  })

  test('a byte order mark, tabs and carriage returns are white space', async () => {
    const text = `\ufeff${wrap(`\r\n\t"Torch.a.0.forward"\t:\r\n${entry()}\r\n`)}\r\n`
    const dump = await read(text)
    expect(dump.problems).toEqual([])
    const files = memoryFiles({ '/d/dump.json': text })
    expect(rawText(files, dump, 0)).toBe(entry())
  })

  test('an op given twice counts once, at its first place with its last value, and is noted', async () => {
    const dump = await read(
      wrap(
        `"a.0.forward": {"output": [null]}, "b.0.forward": ${entry()}, "a.0.forward": ${entry()}, "c.0.forward": {"output": []}`,
      ),
    )
    expect(names(dump)).toEqual(['a.0.forward', 'b.0.forward', 'c.0.forward'])
    expect(Array.from(dump.items.max.kind)).toEqual([Kind.float, Kind.float])
    expect(Array.from(dump.items.op)).toEqual([0, 1])
    expect(Array.from(dump.ops.first)).toEqual([0, 1, 2, 2])
    expect(codes(dump)).toEqual(['duplicate-key'])
  })

  test('a key given twice inside an entry counts once', async () => {
    const dump = await read(
      wrap(
        `"a.0.forward": {"input_kwargs": {"x": null, "x": ${leaf}}}, "b.0.forward": {"output": [${leaf.replace('"Min"', '"Max": 7.0, "Min"')}]}`,
      ),
    )
    expect(items(dump)).toEqual(['a.0.forward.input.x', 'b.0.forward.output.0'])
    expect(dump.items.max.value[1]).toBe(7)
    expect(codes(dump)).toEqual(['duplicate-key', 'duplicate-key'])
  })

  test('bytes that are no UTF-8 are replaced and noted', async () => {
    const text = encoder.encode(wrap(`"a?.0.forward": ${entry()}, "b.0.forward": ${entry()}`))
    text[text.indexOf(0x3f)] = 0xff
    const dump = await read(text)
    expect(names(dump)).toEqual(['a\ufffd.0.forward', 'b.0.forward'])
    expect(codes(dump)).toEqual(['invalid-utf8'])
  })

  test('texts with escapes and any script are read', async () => {
    const dump = await read(
      wrap(
        `"\\u0054orch.\\"q\\"\\n.0.forward": ${entry()}, "层.0.forward": ${entry()}, "\\ud83d\\ude00.0.forward": ${entry()}`,
      ),
    )
    expect(names(dump)).toEqual(['Torch."q"\n.0.forward', '层.0.forward', '😀.0.forward'])
  })

  test('nesting beyond what msprobe walks is left out and noted; beyond all reason it ends the reading', async () => {
    const deep = (n: number): string => `${'['.repeat(n)}null${']'.repeat(n)}`
    const dump = await read(
      wrap(`"a.0.forward": {"output": ${deep(10)}}, "b.0.forward": {"output": ${deep(11)}}`),
    )
    expect(items(dump)).toEqual(['a.0.forward.output' + '.0'.repeat(10)])
    expect(codes(dump)).toEqual(['json-deep'])
    const deeper = await read(
      wrap(
        `"a.0.forward": ${entry()}, "b.0.forward": {"output": ${deep(100_000)}}, "c.0.forward": ${entry()}`,
      ),
    )
    expect(names(deeper)).toEqual(['a.0.forward'])
    expect(codes(deeper)).toEqual(['json-deep'])
    expect(deeper.partial).toBe(true)
  })

  test.each([
    ['shape-absurd', leaf.replace('[2]', '[1152921504606846976]')],
    ['shape-absurd', leaf.replace('[2]', '[65536, 65536, 65536, 65536]')],
    ['shape-absurd', leaf.replace('[2]', '[-1]')],
    ['bad-value', leaf.replace('[2]', '"2"')],
    ['bad-value', leaf.replace('"shape": [2], ', '')],
    ['bad-value', leaf.replace('"Norm"', '"requires_grad": 1, "Norm"')],
    ['suspicious-text', leaf.replace('torch.float32', '=cmd()')],
    ['suspicious-text', '{"type": "str", "value": "a;@b"}'],
    ['suspicious-text', '{"type": "str", "value": "＋1"}'],
  ])('%s: %s', async (code, strange) => {
    const dump = await read(wrap(`"a.0.forward": {"output": [${strange}]}, "b.0.forward": ${entry()}`))
    expect(codes(dump)).toEqual([code])
    expect(dump.items.length).toBe(2)
    expect(dump.partial).toBe(false)
  })

  test('many problems are listed up to a number that a person can read', async () => {
    const dump = await read(wrap(Array.from({ length: 500 }, (_, i) => `"=a.${i}.forward": {}`).join(', ')))
    expect(dump.ops.length).toBe(500)
    expect(dump.problems.length).toBe(201)
    expect(dump.problems.at(-1)).toMatchObject({ code: 'too-many-problems', facts: { shown: 200 } })
  })
})

describe('sizes', () => {
  test('an entry larger than the window is read whole', async () => {
    const many = Array.from({ length: 60_000 }, () => leaf).join(', ')
    const dump = await read(
      wrap(`"a.0.forward": ${entry()}, "b.0.forward": {"output": [${many}]}, "c.0.forward": ${entry()}`),
    )
    expect(dump.problems).toEqual([])
    expect(dump.items.length).toBe(60_002)
    expect(dump.texts.get(dump.items.name[60_000]!)).toBe('b.0.forward.output.59999')
  })

  test('entries at every place of the window border are read the same', async () => {
    const pad = (n: number): string =>
      `"pad.0.forward": {"input_args": [{"type": "str", "value": "${'x'.repeat(n)}"}]}`
    const tail = `"Torch.a.0.forward": ${entry('input_args')}, "Module.m.parameters_grad": {"weight": [${leaf}]}, "Torch.b.0.forward": {"input_kwargs": {"p": {"type": "float", "value": 1e-05}, "q": [{"type": "torch.Size", "value": [1, 2]}]}}`
    // Positions differ with the padding; everything else must not.
    const said = (lines: string[]): string[] => lines.slice(2).map(line => line.replace(/ \d+ \d+$/, ''))
    const expected = said(linesOf(carefulDump(encoder.encode(wrap(`${pad(1)}, ${tail}`)))))
    for (let shift = 0; shift < tail.length + 60; shift += 17) {
      const dump = await read(encoder.encode(wrap(`${pad((4 << 20) - 400 - tail.length + shift)}, ${tail}`)))
      expect(dump.problems).toEqual([])
      expect(said(linesOf(dump))).toEqual(expected)
    }
  })

  test('a name that would be copied a million times is refused before it is', async () => {
    const long = 'n'.repeat(3000)
    const reading = read(wrap(`"\\n${long}.0.forward": {"output": [${'null,'.repeat(100_000)}null]}`))
    await expect(reading).rejects.toMatchObject({ problem: { code: 'too-large' } })
  })
})

describe('while it is read', () => {
  const large = wrap(
    Array.from({ length: 40_000 }, (_, i) => `"Torch.a.${i}.forward": ${entry()}`).join(',\n'),
  )
  const files = memoryFiles({ '/d/dump.json': encoder.encode(large) })
  const where = dumpFilesOf(files, '/d')

  test('progress is told in bytes, and what is there so far can be looked at', async () => {
    const done: number[] = []
    let looks = 0
    const dump = await readDump(
      files,
      where,
      job(undefined, p => {
        done.push(p.done)
        expect(p.total).toBe(large.length)
      }),
      soFar => {
        looks++
        expect(soFar.items.length).toBe(soFar.ops.first[soFar.ops.length])
        expect(opName(soFar, soFar.ops.length - 1)).toBe(`Torch.a.${soFar.ops.length - 1}.forward`)
      },
    )
    expect(dump.ops.length).toBe(40_000)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
    expect(done.at(-1)).toBeGreaterThan(large.length - 10)
    expect(looks).toBeGreaterThanOrEqual(0)
  })

  test('a cancelled reading stops at the next breath', async () => {
    const stop = new AbortController()
    const reading = readDump(
      files,
      where,
      job(stop.signal, () => stop.abort()),
    )
    await expect(reading).rejects.toThrow(Cancelled)
  })

  test('a reading that failed leaves nothing behind for the next one', async () => {
    const first = linesOf(await readDump(files, where, job()))
    await expect(read('{"data": []}')).rejects.toThrow(Refusal)
    expect(linesOf(await readDump(files, where, job()))).toEqual(first)
  })
})

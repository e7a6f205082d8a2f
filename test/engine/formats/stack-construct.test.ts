// stack.json in both layouts and construct.json, beside a dump of two ops.
import { describe, expect, test } from 'vitest'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { job } from '../../../main/engine/work/job.ts'
import { memoryFiles } from '../../support/memory-files.ts'

const dumpJson =
  '{"data": {"Torch.a.0.forward": {"output": [null]}, "Torch.b.0.forward": {"output": [null]}}}'

function read(more: Readonly<Record<string, unknown>>): Promise<Dump> {
  const files = memoryFiles({
    '/d/dump.json': dumpJson,
    ...Object.fromEntries(
      Object.entries(more).map(([name, value]) => [
        `/d/${name}`,
        typeof value === 'string' ? value : JSON.stringify(value, null, 1),
      ]),
    ),
  })
  return readDump(files, dumpFilesOf(files, '/d'), job())
}
const framesOf = (dump: Dump, key: string): readonly string[] =>
  dump.stacks.frames(dump.stacks.of(dump.texts.find(key)))
const codes = (dump: Dump): string[] => dump.problems.map(p => p.code)

describe('stack.json', () => {
  test('one list per op: equal ones are stored once, keys without an op are kept', async () => {
    const dump = await read({
      'stack.json': {
        'Torch.a.0.forward': ['File x, line 1', 'File y "q", line 2\n code'],
        'Torch.b.0.forward': ['File x, line 1', 'File y "q", line 2\n code'],
        'Torch.c.0.forward': [],
      },
    })
    expect(dump.stacks.length).toBe(2)
    expect(dump.stacks.newLayout).toBe(false)
    expect(framesOf(dump, 'Torch.b.0.forward')).toEqual(['File x, line 1', 'File y "q", line 2\n code'])
    expect(dump.stacks.of(dump.texts.find('Torch.a.0.forward'))).toBe(
      dump.stacks.of(dump.texts.find('Torch.b.0.forward')),
    )
    expect(framesOf(dump, 'Torch.c.0.forward')).toEqual([])
    expect(dump.stacks.of(dump.texts.find('no such op'))).toBe(-1)
  })

  test('one entry per stack, with the ops that share it', async () => {
    const dump = await read({
      'stack.json': {
        0: [['Torch.a.0.forward', 'Torch.c.0.forward'], ['File x']],
        1: [['Torch.b.0.forward'], ['File y', 'File x']],
      },
    })
    expect(dump.stacks.newLayout).toBe(true)
    expect(['a', 'b', 'c'].map(op => framesOf(dump, `Torch.${op}.0.forward`))).toEqual([
      ['File x'],
      ['File y', 'File x'],
      ['File x'],
    ])
    expect(dump.problems).toEqual([])
  })

  test('a stack that very many ops share', async () => {
    const ops = Array.from({ length: 70_000 }, (_, i) => `Torch.x.${i}.forward`)
    const dump = await read({
      'stack.json': {
        0: [['Torch.a.0.forward'], ['File x']],
        1: [ops, ['File y']],
        2: [['Torch.b.0.forward'], ['File z']],
      },
    })
    expect(framesOf(dump, 'Torch.x.69999.forward')).toEqual(['File y'])
    expect(framesOf(dump, 'Torch.b.0.forward')).toEqual(['File z'])
  })

  test('very many stacks', async () => {
    const dump = await read({
      'stack.json': Object.fromEntries(
        Array.from({ length: 20_000 }, (_, i) => [`Torch.x.${i}.forward`, [`File f, line ${i}`]]),
      ),
    })
    expect(dump.stacks.length).toBe(20_000)
    for (const i of [0, 8191, 8192, 8193, 19_999])
      expect(framesOf(dump, `Torch.x.${i}.forward`)).toEqual([`File f, line ${i}`])
  })

  test('entries that are no lists are left out and noted; an op given twice has its last stack', async () => {
    const dump = await read({
      'stack.json':
        '{"a": 1, "b": "File", "Torch.a.0.forward": ["old"], "Torch.a.0.forward": ["new"], "c": [["x"]], "d": [["x"], "y"], "Torch.b.0.forward": [1, null, "File"]}',
    })
    expect(framesOf(dump, 'Torch.a.0.forward')).toEqual(['new'])
    expect(framesOf(dump, 'Torch.b.0.forward')).toEqual(['1', 'None', 'File'])
    expect(codes(dump)).toEqual(['bad-value', 'bad-value', 'bad-value', 'bad-value'])
  })

  test('lines that spreadsheets would run are noted once per stack', async () => {
    const dump = await read({
      'stack.json': { 'Torch.a.0.forward': ['=cmd()'], 'Torch.b.0.forward': ['=cmd()'] },
    })
    expect(codes(dump)).toEqual(['suspicious-text'])
  })

  test('no file: no stacks', async () => {
    const dump = await read({})
    expect([dump.stacks.length, dump.stacks.of(0), dump.construct.length, dump.construct.find(0)]).toEqual([
      0, -1, 0, -1,
    ])
  })
})

describe('construct.json', () => {
  const rows = (dump: Dump): unknown[] =>
    Array.from({ length: dump.construct.length }, (_, i) => {
      const { child, parent, micro, find } = dump.construct
      expect(find(child[i]!)).toBe(i)
      return [dump.texts.get(child[i]!), parent[i]! < 0 ? null : dump.texts.get(parent[i]!), micro[i]]
    })

  test('parents in the order of the file; null and "" are none', async () => {
    const dump = await read({
      'construct.json': {
        'Torch.b.0.forward': 'Module.m.forward.0',
        optimizer: null,
        'Torch.a.0.forward': '',
        'Module.m.forward.0': null,
      },
    })
    expect(rows(dump)).toEqual([
      ['Torch.b.0.forward', 'Module.m.forward.0', -1],
      ['optimizer', null, -1],
      ['Torch.a.0.forward', null, -1],
      ['Module.m.forward.0', null, -1],
    ])
    expect(dump.construct.microSteps).toBe(0)
    expect(dump.construct.parent[0]).toBe(dump.construct.child[3])
  })

  test('micro steps beside the parent', async () => {
    const dump = await read({
      'construct.json': {
        'Torch.a.0.forward': ['Module.m.forward.0', 3],
        'Module.m.forward.0': [null, 0],
        'Torch.b.0.forward': 'Module.m.forward.0',
        megatron_micro_step_number: 3,
      },
    })
    expect(rows(dump)).toEqual([
      ['Torch.a.0.forward', 'Module.m.forward.0', 3],
      ['Module.m.forward.0', null, 0],
      ['Torch.b.0.forward', 'Module.m.forward.0', -1],
    ])
    expect(dump.construct.microSteps).toBe(4)
  })

  test('the last word counts; values of another kind are left out and noted', async () => {
    const dump = await read({
      'construct.json':
        '{"a": "x", "b": 1, "c": {"d": null}, "a": "y", "\\u0065": "f\\n", "g": [1, 2], "h": ["i", -1], "j": []}',
    })
    expect(rows(dump)).toEqual([
      ['a', 'y', -1],
      ['e', 'f\n', -1],
      ['h', 'i', -1],
    ])
    expect(codes(dump)).toEqual(['bad-value', 'bad-value', 'bad-value', 'bad-value'])
  })
})

// Folders of ranks and steps, ranks that fail, and who talked to whom.
import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { batchOf } from '../../../main/engine/graph/batch.ts'
import { graphCommand, readGraphInput, type GraphReport, type GraphRequest } from '../../../main/engine/graph/command.ts'
import { peerOn, peersOf, type RankDump } from '../../../main/engine/graph/peer-of.ts'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { openOutput } from '../../../main/engine/io/output.ts'
import { job } from '../../../main/engine/job.ts'
import { emptyMeasured } from '../../../main/engine/metrics/remembered.ts'
import type { Rules } from '../../../main/engine/model.ts'
import { Refusal } from '../../../main/engine/problem.ts'
import { graphWriters } from '../../../main/engine/report/graph-files.ts'
import { scalar, tensor } from '../../support/dump-text.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const leaf = tensor('torch.float32', [2], ['1.0', '1.0', '1.0', '1.0'])
interface Op { readonly args?: readonly string[]; readonly kwargs?: Readonly<Record<string, string>>; readonly output?: readonly string[] }

/** Writes a rank folder with these calls at the top of the run. */
function rank(dir: string, ops: Readonly<Record<string, Op>>): void {
  mkdirSync(dir, { recursive: true })
  const entries = Object.entries(ops).map(([name, { args = [leaf], kwargs = {}, output = [leaf] }]) =>
    `${JSON.stringify(name)}: {"input_args": [${args.join(', ')}], "input_kwargs": {${Object.entries(kwargs).map(([key, value]) => `"${key}": ${value}`).join(', ')}}, "output": [${output.join(', ')}]}`)
  writeFileSync(path.join(dir, 'dump.json'), `{"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": null, "data": {${entries.join(', ')}}}`)
  writeFileSync(path.join(dir, 'construct.json'), JSON.stringify(Object.fromEntries(Object.keys(ops).map(name => [name, null]))))
  writeFileSync(path.join(dir, 'stack.json'), '{}')
}

const folder = temporaryFolder
const group = (ranks: readonly number[], id = '0'): string => `{"type": "torch.ProcessGroup", "group_ranks": ${JSON.stringify(ranks)}, "group_id": "${id}"}`
const int = (value: number): string => scalar('int', String(value))

async function run(debug: string, bench: string, more: Partial<GraphRequest> = {}): Promise<GraphReport> {
  const files = diskFiles()
  return graphCommand(
    { debug, bench, output: path.join(folder(), 'out'), rules: 'plumbline', fuzzy: false, fullStacks: false, overflow: false, layerMapping: null, format: 'vis', ...more }, job(),
    { files, measure: pairs => Promise.resolve(emptyMeasured(pairs.length)), writers: graphWriters(files), openOutput: (dir, dumps) => openOutput(dir, dumps), stamp: '20260102030405' },
  )
}

interface Peers { readonly communications_type: string; readonly nodes_info: Readonly<Record<string, readonly [string, string]>> }
const peersIn = (file: string): Record<string, Peers | Peers[]> => {
  const json = JSON.parse(readFileSync(file, 'utf8')) as { node: Record<string, { matched_distributed?: Peers | Peers[] }> }
  return Object.fromEntries(Object.entries(json.node).flatMap(([id, node]) => (node.matched_distributed ? [[id, node.matched_distributed]] : [])))
}

async function talk(ranks: readonly Readonly<Record<string, Op>>[], rules: Rules = 'plumbline'): Promise<Record<string, Peers | Peers[]>[]> {
  const dir = folder()
  ranks.forEach((ops, i) => rank(path.join(dir, `rank${i}`), ops))
  const report = await run(dir, '', { rules })
  const all = [...report.paths].sort().map(peersIn)
  if (rules === 'plumbline') expect(await oneByOne(dir, ranks.length)).toEqual(all.map(flat))
  return all
}

type Flat = Readonly<Record<string, readonly string[]>>
const flat = (peers: Record<string, Peers | Peers[]>): Flat => Object.fromEntries(Object.entries(peers).map(([id, found]) =>
  [id, [found].flat().flatMap(one => Object.entries(one.nodes_info).map(([to, [, name]]) => `${one.communications_type} ${to} ${name}`)).sort()]))

/** The same, each call asked alone as the window asks. */
async function oneByOne(dir: string, count: number): Promise<Flat[]> {
  const files = diskFiles()
  files.allow(dir)
  const dumps = await Promise.all(Array.from({ length: count }, async (_, i): Promise<RankDump> => ({ rank: i, dump: await readDump(files, dumpFilesOf(files, path.join(dir, `rank${i}`)), job()) })))
  const reading = { rules: 'plumbline' as const, files }
  return dumps.map(mine => Object.fromEntries(Array.from(mine.dump.ops.name, (code, op): [string, string[]] => [mine.dump.texts.get(code), peersOf(mine, op, reading).flatMap(({ type, ranks }) =>
    (ranks ?? dumps.map(({ rank }) => rank)).flatMap(to => {
      const theirs = dumps[to]
      const there = theirs && to !== mine.rank ? peerOn(mine, op, theirs, reading) : -1
      return theirs && there >= 0 ? [`${type} ${to} ${theirs.dump.texts.get(theirs.dump.ops.name[there]!)}`] : []
    })).sort()]).filter(([, found]) => found.length > 0)))
}

describe('peers', () => {
  test('sends meet receives, in order', async () => {
    const [a, b] = await talk([
      { 'Distributed.isend.0.forward': { kwargs: { dst: int(1) } }, 'Distributed.isend.1.forward': { kwargs: { dst: int(1) } } },
      { 'Distributed.irecv.0.forward': { kwargs: { src: int(0) } }, 'Distributed.irecv.1.forward': { kwargs: { src: int(0) } } },
    ])
    expect(a!['Distributed.isend.1.forward']).toEqual({ communications_type: 'send', nodes_info: { 1: ['Nan', 'Distributed.irecv.1.forward'] } })
    expect(b!['Distributed.irecv.0.forward']).toEqual({ communications_type: 'receive', nodes_info: { 0: ['Nan', 'Distributed.isend.0.forward'] } })
  })

  test('msprobe 1.2.2 wants both ends to carry the same tensor', async () => {
    const other = tensor('torch.float32', [2], ['2.0', '1.0', '1.0', '1.0'])
    const ops = [{ 'Distributed.send.0.forward': { kwargs: { dst: int(1) } } }, { 'Distributed.recv.0.forward': { kwargs: { src: int(0) }, output: [other] } }]
    expect(Object.keys((await talk(ops))[0]!)).toHaveLength(1)
    expect(await talk(ops, 'msprobe-1.2.2')).toEqual([{}, {}])
  })

  test('collectives meet within their group; roots send', async () => {
    const of = (root: boolean): Record<string, Op> => ({
      'Distributed.all_reduce.0.forward': { kwargs: { group: group([0, 1]) } }, 'Distributed.broadcast.0.forward': { args: [leaf, int(root ? 0 : 0)], kwargs: { group: group([0, 1]) } },
    })
    const [a, b, c] = await talk([of(true), of(false), { 'Distributed.all_reduce.0.forward': { kwargs: { group: group([2], '7') } } }])
    expect(a!['Distributed.all_reduce.0.forward']).toEqual({ communications_type: 'send_receive', nodes_info: { 1: ['Nan', 'Distributed.all_reduce.0.forward'] } })
    expect(a!['Distributed.broadcast.0.forward']).toMatchObject({ communications_type: 'send' })
    expect(b!['Distributed.broadcast.0.forward']).toEqual({ communications_type: 'receive', nodes_info: { 0: ['Nan', 'Distributed.broadcast.0.forward'] } })
    expect(c).toEqual({})
  })

  test('no group means all ranks, but not to msprobe', async () => {
    const ops = [{ 'Distributed.all_reduce.0.forward': {} }, { 'Distributed.all_reduce.0.forward': {} }]
    expect(Object.keys((await talk(ops))[1]!)).toEqual(['Distributed.all_reduce.0.forward'])
    expect(await talk(ops, 'msprobe-1.2.2')).toEqual([{}, {}])
  })

  test('each element of a batch has its own peer', async () => {
    const element = (op: string, peer: number): string => `{"class_type": "torch.distributed.P2POp", "op": "${op}", "peer": ${peer}, "tag": 0, "group_id": "0", "tensor": ${leaf}}`
    const [a, b] = await talk([
      { 'Distributed.batch_isend_irecv.0.forward': { output: [`[${element('isend', 1)}, ${element('irecv', 1)}]`] } },
      { 'Distributed.batch_isend_irecv.0.forward': { output: [`[${element('irecv', 0)}, ${element('isend', 0)}]`] } },
    ])
    expect(a!['Distributed.batch_isend_irecv.0.forward']).toEqual([
      { communications_type: 'send', nodes_info: { 1: ['Nan', 'Distributed.batch_isend_irecv.0.forward'] } }, { communications_type: 'receive', nodes_info: { 1: ['Nan', 'Distributed.batch_isend_irecv.0.forward'] } },
    ])
    expect(b!['Distributed.batch_isend_irecv.0.forward']).toHaveLength(2)
  })
})

describe('folders', () => {
  const ops = { 'Tensor.add.0.forward': {} }
  const made = (...dirs: readonly string[]): string => {
    const dir = folder()
    for (const name of dirs) rank(path.join(dir, name), ops)
    return dir
  }
  const units = (debug: string, bench: string, rules: Rules = 'plumbline'): readonly string[] => batchOf(diskFiles(), debug, bench, rules).units.map(unit => unit.label)

  test('one rank, ranks, steps', () => {
    expect(units(made('.'), '')).toEqual([''])
    expect(units(made('rank'), '')).toEqual(['rank'])
    expect(units(made('proc1234'), '')).toEqual(['proc1234'])
    expect(units(made('step0/rank0', 'step1/rank0'), '')).toEqual(['step0_rank0', 'step1_rank0'])
    expect(units(path.join(made('.'), 'dump.json'), '')).toEqual([''])
  })

  test('ranks in order of their numbers; msprobe sorts texts', () => {
    const dir = made('rank0', 'rank2', 'rank10')
    expect(units(dir, '')).toEqual(['rank0', 'rank2', 'rank10'])
    expect(units(dir, '', 'msprobe-1.2.2')).toEqual(['rank0', 'rank10', 'rank2'])
  })

  test('strays are noted, and end it for msprobe', () => {
    const dir = made('rank0', 'rank1')
    writeFileSync(path.join(dir, 'readme.txt'), 'x')
    expect(batchOf(diskFiles(), dir, '', 'plumbline').problems).toMatchObject([{ code: 'stray-entry', severity: 'note' }])
    expect(() => units(dir, '', 'msprobe-1.2.2')).toThrow(Refusal)
  })

  test('ranks that only one side has are left out and named', () => {
    const [debug, bench] = [made('rank0', 'rank1', 'rank2'), made('rank1', 'rank2', 'rank3')]
    expect(units(debug, bench)).toEqual(['rank1', 'rank2'])
    expect(batchOf(diskFiles(), debug, bench, 'plumbline').problems.map(found => found.facts)).toEqual([{ step: 0, rank: 'rank0' }, { step: 0, rank: 'rank3' }])
    expect(() => units(debug, bench, 'msprobe-1.2.2')).toThrow(Refusal)
    expect(() => units(made('rank0', 'rank1'), made('rank7', 'rank8'))).toThrow(Refusal)
  })

  test('different classes, empty folders, missing ones', () => {
    expect(() => units(made('rank0', 'rank1'), made('step0/rank0'))).toThrow(Refusal)
    expect(() => units(folder(), '')).toThrow(Refusal)
    expect(() => units(path.join(folder(), 'nowhere'), '')).toThrow(Refusal)
    expect(() => units(made('what', 'ever'), '')).toThrow(Refusal)
  })
})

describe('command', () => {
  const ops = { 'Tensor.add.0.forward': {} }

  test('one bad rank does not stop the others', async () => {
    const dir = folder()
    for (const name of ['rank0', 'rank1', 'rank2']) rank(path.join(dir, name), ops)
    writeFileSync(path.join(dir, 'rank1', 'dump.json'), 'what is this')
    const report = await run(dir, '')
    expect(report.paths.map(file => path.basename(file))).toEqual(['build_rank0_20260102030405.vis', 'build_rank2_20260102030405.vis'])
    expect([report.units, report.failed]).toEqual([3, 1])
    expect(report.problems.map(found => found.code)).toContain('rank-failed')
  })

  test('nothing is left behind when the only rank fails', async () => {
    const dir = folder()
    rank(dir, ops)
    writeFileSync(path.join(dir, 'dump.json'), '[]')
    const output = path.join(folder(), 'out')
    await expect(run(dir, '', { output })).rejects.toThrow(Refusal)
    await expect(run(dir, dir, { output, format: 'vis.db', rules: 'msprobe-26' })).rejects.toThrow(Refusal)
    expect(existsSync(output) ? readdirSync(output) : []).toEqual([])
  })

  test('a missing stack.json costs the stacks only; a missing construct.json ends it', async () => {
    const dir = folder()
    rank(path.join(dir, 'a'), ops)
    unlinkSync(path.join(dir, 'a', 'stack.json'))
    expect((await run(path.join(dir, 'a'), '')).problems.map(found => found.code)).toEqual(['stacks-missing'])
    await expect(run(path.join(dir, 'a'), '', { rules: 'msprobe-1.2.2' })).rejects.toThrow(Refusal)
    unlinkSync(path.join(dir, 'a', 'construct.json'))
    await expect(run(path.join(dir, 'a'), '')).rejects.toThrow(Refusal)
  })

  test('compare.json', () => {
    const dir = folder()
    const put = (text: string): string => {
      writeFileSync(path.join(dir, 'compare.json'), text)
      return path.join(dir, 'compare.json')
    }
    expect(readGraphInput(diskFiles(), put('{"npu_path": "./a", "bench_path": "/b", "is_print_compare_log": false}'))).toEqual({ debug: path.join(dir, 'a'), bench: '/b' })
    expect(readGraphInput(diskFiles(), put('{"npu_path": "a"}'))).toMatchObject({ bench: '' })
    for (const text of ['{"bench_path": "b"}', '{', '[]', '{"npu_path": "a", "is_print_compare_log": "true"}']) expect(() => readGraphInput(diskFiles(), put(text)), text).toThrow(Refusal)
  })
})

// Folders of ranks and steps, ranks that fail, and who talked to whom.
import type { GraphRequest } from '../../../main/engine/graph/request.ts'
import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { graphPlan } from '../../../main/engine/layout/index.ts'
import { peerOn, peersOf, type RankDump } from '../../../main/engine/graph/peer-of.ts'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { job } from '../../../main/engine/work/job.ts'
import type { Rules } from '../../../main/engine/model/names.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { graphsWritten, type GraphsWritten } from '../../support/graphs-written.ts'
import { scalar, tensor } from '../../support/dump-text.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const leaf = tensor('torch.float32', [2], ['1.0', '1.0', '1.0', '1.0'])
interface Op {
  readonly args?: readonly string[]
  readonly kwargs?: Readonly<Record<string, string>>
  readonly output?: readonly string[]
}

/** Writes a rank folder with these calls at the top of the run. */
function rank(dir: string, ops: Readonly<Record<string, Op>>): void {
  mkdirSync(dir, { recursive: true })
  const entries = Object.entries(ops).map(
    ([name, { args = [leaf], kwargs = {}, output = [leaf] }]) =>
      `${JSON.stringify(name)}: {"input_args": [${args.join(', ')}], "input_kwargs": {${Object.entries(kwargs)
        .map(([key, value]) => `"${key}": ${value}`)
        .join(', ')}}, "output": [${output.join(', ')}]}`,
  )
  writeFileSync(
    path.join(dir, 'dump.json'),
    `{"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": null, "data": {${entries.join(', ')}}}`,
  )
  writeFileSync(
    path.join(dir, 'construct.json'),
    JSON.stringify(Object.fromEntries(Object.keys(ops).map(name => [name, null]))),
  )
  writeFileSync(path.join(dir, 'stack.json'), '{}')
}

const folder = temporaryFolder
const group = (ranks: readonly number[], id = '0'): string =>
  `{"type": "torch.ProcessGroup", "group_ranks": ${JSON.stringify(ranks)}, "group_id": "${id}"}`
const int = (value: number): string => scalar('int', String(value))

const run = (debug: string, bench: string, more: Partial<GraphRequest> = {}): Promise<GraphsWritten> =>
  graphsWritten({
    debug,
    bench,
    output: path.join(folder(), 'out'),
    rules: 'plumbline',
    fuzzy: false,
    fullStacks: false,
    overflow: false,
    layerMapping: null,
    format: 'vis',
    ...more,
  })

interface Peers {
  readonly communications_type: string
  readonly nodes_info: Readonly<Record<string, readonly [string, string]>>
}
const peersIn = (file: string): Record<string, Peers | Peers[]> => {
  const json = JSON.parse(readFileSync(file, 'utf8')) as {
    node: Record<string, { matched_distributed?: Peers | Peers[] }>
  }
  return Object.fromEntries(
    Object.entries(json.node).flatMap(([id, node]) =>
      node.matched_distributed ? [[id, node.matched_distributed]] : [],
    ),
  )
}

async function talk(
  ranks: readonly Readonly<Record<string, Op>>[],
  rules: Rules = 'plumbline',
): Promise<Record<string, Peers | Peers[]>[]> {
  const dir = folder()
  ranks.forEach((ops, i) => rank(path.join(dir, `rank${i}`), ops))
  const report = await run(dir, '', { rules })
  const all = [...report.files].sort().map(peersIn)
  if (rules === 'plumbline') expect(await oneByOne(dir, ranks.length)).toEqual(all.map(flat))
  return all
}

type Flat = Readonly<Record<string, readonly string[]>>
const flat = (peers: Record<string, Peers | Peers[]>): Flat =>
  Object.fromEntries(
    Object.entries(peers).map(([id, found]) => [
      id,
      [found]
        .flat()
        .flatMap(one =>
          Object.entries(one.nodes_info).map(([to, [, name]]) => `${one.communications_type} ${to} ${name}`),
        )
        .sort(),
    ]),
  )

/** The same, each call asked alone as the window asks. */
async function oneByOne(dir: string, count: number): Promise<Flat[]> {
  const files = diskFiles()
  files.allow(dir)
  const dumps = await Promise.all(
    Array.from({ length: count }, async (_, i): Promise<RankDump> => ({
      rank: i,
      dump: await readDump(files, dumpFilesOf(files, path.join(dir, `rank${i}`)), job()),
    })),
  )
  const reading = { rules: 'plumbline' as const, files }
  return dumps.map(mine =>
    Object.fromEntries(
      Array.from(mine.dump.ops.name, (code, op): [string, string[]] => [
        mine.dump.texts.get(code),
        peersOf(mine, op, reading)
          .flatMap(({ type, ranks }) =>
            (ranks ?? dumps.map(({ rank }) => rank)).flatMap(to => {
              const theirs = dumps[to]
              const there = theirs && to !== mine.rank ? peerOn(mine, op, theirs, reading) : -1
              return theirs && there >= 0
                ? [`${type} ${to} ${theirs.dump.texts.get(theirs.dump.ops.name[there]!)}`]
                : []
            }),
          )
          .sort(),
      ]).filter(([, found]) => found.length > 0),
    ),
  )
}

describe('peers', () => {
  test('sends meet receives, in order', async () => {
    const [a, b] = await talk([
      {
        'Distributed.isend.0.forward': { kwargs: { dst: int(1) } },
        'Distributed.isend.1.forward': { kwargs: { dst: int(1) } },
      },
      {
        'Distributed.irecv.0.forward': { kwargs: { src: int(0) } },
        'Distributed.irecv.1.forward': { kwargs: { src: int(0) } },
      },
    ])
    expect(a!['Distributed.isend.1.forward']).toEqual({
      communications_type: 'send',
      nodes_info: { 1: ['Nan', 'Distributed.irecv.1.forward'] },
    })
    expect(b!['Distributed.irecv.0.forward']).toEqual({
      communications_type: 'receive',
      nodes_info: { 0: ['Nan', 'Distributed.isend.0.forward'] },
    })
  })

  test('msprobe 1.2.2 wants both ends to carry the same tensor', async () => {
    const other = tensor('torch.float32', [2], ['2.0', '1.0', '1.0', '1.0'])
    const ops = [
      { 'Distributed.send.0.forward': { kwargs: { dst: int(1) } } },
      { 'Distributed.recv.0.forward': { kwargs: { src: int(0) }, output: [other] } },
    ]
    expect(Object.keys((await talk(ops))[0]!)).toHaveLength(1)
    expect(await talk(ops, 'msprobe-1.2.2')).toEqual([{}, {}])
  })

  test('collectives meet within their group; roots send', async () => {
    const of = (root: boolean): Record<string, Op> => ({
      'Distributed.all_reduce.0.forward': { kwargs: { group: group([0, 1]) } },
      'Distributed.broadcast.0.forward': {
        args: [leaf, int(root ? 0 : 0)],
        kwargs: { group: group([0, 1]) },
      },
    })
    const [a, b, c] = await talk([
      of(true),
      of(false),
      { 'Distributed.all_reduce.0.forward': { kwargs: { group: group([2], '7') } } },
    ])
    expect(a!['Distributed.all_reduce.0.forward']).toEqual({
      communications_type: 'send_receive',
      nodes_info: { 1: ['Nan', 'Distributed.all_reduce.0.forward'] },
    })
    expect(a!['Distributed.broadcast.0.forward']).toMatchObject({ communications_type: 'send' })
    expect(b!['Distributed.broadcast.0.forward']).toEqual({
      communications_type: 'receive',
      nodes_info: { 0: ['Nan', 'Distributed.broadcast.0.forward'] },
    })
    expect(c).toEqual({})
  })

  test('no group means all ranks, but not to msprobe', async () => {
    const ops = [{ 'Distributed.all_reduce.0.forward': {} }, { 'Distributed.all_reduce.0.forward': {} }]
    expect(Object.keys((await talk(ops))[1]!)).toEqual(['Distributed.all_reduce.0.forward'])
    expect(await talk(ops, 'msprobe-1.2.2')).toEqual([{}, {}])
  })

  test('each element of a batch has its own peer', async () => {
    const element = (op: string, peer: number): string =>
      `{"class_type": "torch.distributed.P2POp", "op": "${op}", "peer": ${peer}, "tag": 0, "group_id": "0", "tensor": ${leaf}}`
    const [a, b] = await talk([
      {
        'Distributed.batch_isend_irecv.0.forward': {
          output: [`[${element('isend', 1)}, ${element('irecv', 1)}]`],
        },
      },
      {
        'Distributed.batch_isend_irecv.0.forward': {
          output: [`[${element('irecv', 0)}, ${element('isend', 0)}]`],
        },
      },
    ])
    expect(a!['Distributed.batch_isend_irecv.0.forward']).toEqual([
      { communications_type: 'send', nodes_info: { 1: ['Nan', 'Distributed.batch_isend_irecv.0.forward'] } },
      {
        communications_type: 'receive',
        nodes_info: { 1: ['Nan', 'Distributed.batch_isend_irecv.0.forward'] },
      },
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
  const plan = (debug: string, bench: string, rules: Rules = 'plumbline'): ReturnType<typeof graphPlan> =>
    graphPlan(diskFiles(), debug, bench, rules, job())
  const units = async (debug: string, bench: string, rules?: Rules): Promise<readonly string[]> =>
    (await plan(debug, bench, rules)).units.map(unit => unit.label)

  test('one rank, ranks, steps', async () => {
    expect(await units(made('.'), '')).toEqual([''])
    expect(await units(made('rank'), '')).toEqual(['rank'])
    expect(await units(made('proc1234'), '')).toEqual(['proc1234'])
    expect(await units(made('step0/rank0', 'step1/rank0'), '')).toEqual(['step0_rank0', 'step1_rank0'])
    expect(await units(path.join(made('.'), 'dump.json'), '')).toEqual([''])
  })

  test('ranks in order of their numbers; msprobe sorts texts', async () => {
    const dir = made('rank0', 'rank2', 'rank10')
    expect(await units(dir, '')).toEqual(['rank0', 'rank2', 'rank10'])
    expect(await units(dir, '', 'msprobe-1.2.2')).toEqual(['rank0', 'rank10', 'rank2'])
  })

  test('strays are noted, and end it for msprobe', async () => {
    const dir = made('rank0', 'rank1')
    writeFileSync(path.join(dir, 'readme.txt'), 'x')
    expect((await plan(dir, '')).problems).toMatchObject([{ code: 'stray-entry', severity: 'note' }])
    await expect(units(dir, '', 'msprobe-1.2.2')).rejects.toThrow(Refusal)
  })

  test('ranks that only one side has are left out and named', async () => {
    const [debug, bench] = [made('rank0', 'rank1', 'rank2'), made('rank1', 'rank2', 'rank3')]
    expect(await units(debug, bench)).toEqual(['rank1', 'rank2'])
    expect((await plan(debug, bench)).problems.map(found => found.facts)).toEqual([
      { step: '', rank: 0 },
      { step: '', rank: 3 },
    ])
    await expect(units(debug, bench, 'msprobe-1.2.2')).rejects.toThrow(Refusal)
    await expect(units(made('rank0', 'rank1'), made('rank7', 'rank8'))).rejects.toThrow(Refusal)
  })

  test('different classes, empty folders, missing ones', async () => {
    await expect(units(made('rank0', 'rank1'), made('step0/rank0'))).rejects.toThrow(Refusal)
    await expect(units(folder(), '')).rejects.toThrow(Refusal)
    await expect(units(path.join(folder(), 'nowhere'), '')).rejects.toThrow(Refusal)
    await expect(units(made('what', 'ever'), '')).rejects.toThrow(Refusal)
  })
})

describe('command', () => {
  const ops = { 'Tensor.add.0.forward': {} }

  test('one bad rank does not stop the others', async () => {
    const dir = folder()
    for (const name of ['rank0', 'rank1', 'rank2']) rank(path.join(dir, name), ops)
    writeFileSync(path.join(dir, 'rank1', 'dump.json'), 'what is this')
    const report = await run(dir, '')
    expect(report.files.map(file => path.basename(file).replace(/\d{14}/, 'TIME'))).toEqual([
      'build_rank0_TIME.vis',
      'build_rank2_TIME.vis',
    ])
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
})

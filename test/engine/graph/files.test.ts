// Graph files read back: what was written, files that are cut, broken, odd or old.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { readVisDb } from '../../../main/engine/formats/graph-file/vis-db.ts'
import { lastLink } from '../../../main/engine/formats/graph-file/graph-file.ts'
import { readVis } from '../../../main/engine/formats/graph-file/vis.ts'
import { findNode, nodeName, type Graph } from '../../../main/engine/graph/graph.ts'
import { GraphView } from '../../../main/engine/graph/view.ts'
import { openGraphFile, type OpenedGraph } from '../../../main/engine/graph/opened.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { createSqlite, openSqlite } from '../../../main/engine/io/sqlite.ts'
import { job } from '../../../main/engine/work/job.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { goldenFiles, graphCases, runGraph } from '../../support/golden-graph.ts'
import { memoryFiles } from '../../support/memory-files.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const open = async (text: string): Promise<OpenedGraph> =>
  openGraphFile(await readVis(memoryFiles({ '/a.vis': text }), '/a.vis', job()), job())
const shape = (graph: Graph): string[] =>
  Array.from(
    graph.order,
    node => `${'  '.repeat(graph.depth[node]!)}${nodeName(graph, node)} ${graph.kind[node]}`,
  )

const root = fixturesRoot()
const files = diskFiles()
files.allow(root)
let stat = ''
beforeAll(() => {
  stat = readFileSync(
    goldenFiles(graphCases(root, /^graph_pt_w_conv2_stat$/)[0]!, 'golden').get('compare.vis')!,
    'utf8',
  )
})

interface Golden {
  readonly NPU: {
    readonly node: Readonly<
      Record<
        string,
        {
          readonly upnode: string
          readonly subnodes: readonly string[]
          readonly matched_node_link: readonly string[]
          readonly data: { readonly precision_index?: number }
          readonly input_data: Readonly<Record<string, Readonly<Record<string, string>>>>
          readonly stack_info: readonly string[]
        }
      >
    >
  }
}

describe('.vis', () => {
  test('everything that msprobe wrote is there again', async () => {
    const opened = await open(stat)
    const golden = JSON.parse(stat) as Golden
    expect([opened.mode, opened.rules, opened.file.partial]).toEqual(['statistics', 'msprobe-1.2.2', false])
    expect(opened.debug.length).toBe(Object.keys(golden.NPU.node).length)
    for (const [id, node] of Object.entries(golden.NPU.node)) {
      const at = findNode(opened.debug, id)
      const parent = opened.debug.parent[at]!
      expect(parent < 0 ? 'None' : nodeName(opened.debug, parent)).toBe(node.upnode)
      expect(
        Array.from(
          opened.debug.children.subarray(opened.debug.firstChild[at]!, opened.debug.firstChild[at + 1]!),
          child => nodeName(opened.debug, child),
        ),
      ).toEqual(node.subnodes)
      const met = opened.source.toBench![at]!
      expect(met < 0 ? undefined : nodeName(opened.bench!, met)).toBe(node.matched_node_link.at(-1))
      expect(opened.source.index[at]).toBe(node.data.precision_index ?? NaN)
      const stack = opened.debugDump.stacks.of(opened.debug.name[at]!)
      expect(stack < 0 ? [] : opened.debugDump.stacks.frames(stack)).toEqual(node.stack_info)
    }
  })

  test('forward calls stand in the order of the dump, each module behind what it calls', async () => {
    const { debugDump } = await open(stat)
    const calls = (dump: Dump): string[] =>
      Array.from(dump.ops.name, code => dump.texts.get(code)).filter(name => name.includes('.forward'))
    const dumped = await readDump(
      files,
      dumpFilesOf(files, path.join(root, 'dumps/pt_lenet_w_conv2_statistics_mix/step0/rank')),
      job(),
    )
    expect(calls(debugDump)).toEqual(calls(dumped))
  })

  test('items become columns, and the stored numbers stay as they are', async () => {
    const { debugDump: dump, stored, benchItem } = await open(stat)
    const item = dump.items.name.findIndex(
      code => dump.texts.get(code) === 'Module.network.LeNet.forward.0.output.0',
    )
    expect(dump.items.max.value[item]).toBe(3.326282)
    expect(dump.texts.get(dump.items.shape[item]!)).toBe('[2, 10]')
    expect(stored(item)).toContainEqual({ key: 'MaxRelativeErr', text: '0.000158%' })
    expect(benchItem[item]).toBeGreaterThanOrEqual(0)
    expect(dump.header).toMatchObject({ task: 'statistics', framework: 'pytorch' })
  })

  test('the window draws it like a comparison', async () => {
    const opened = await open(stat)
    const view = new GraphView(opened.source)
    expect(view.legend()).toMatchObject({
      measure: 'relative',
      buckets: [
        { bucket: 0 },
        { bucket: 1, to: 0.2 },
        { bucket: 2 },
        { bucket: 3 },
        { bucket: 4 },
        { bucket: 5, to: 1 },
      ],
    })
    expect(view.walk(null, 'first', false)?.at.debug).toMatch(/backward/)
  })

  test('tensor metrics come from the file', async () => {
    const text = readFileSync(
      goldenFiles(graphCases(root, /^graph_pt_w_conv2_tensor$/)[0]!, 'golden').get('compare.vis')!,
      'utf8',
    )
    const { debugDump: dump, measure } = await open(text)
    const item = dump.items.name.findIndex(
      code => dump.texts.get(code) === 'Module.network.conv2.Conv2d.forward.0.output.0',
    )
    const measured = await measure([
      { debug: null, bench: null, item },
      { debug: null, bench: null },
    ])
    expect([measured.outcome[0], measured.outcome[1]]).toEqual([1, 2])
    expect(measured.thousandth[0]).toBe(0)
  })

  test.each([0.02, 0.25, 0.49, 0.5, 0.51, 0.75, 0.99])('cut at %f of its length', async part => {
    const opened = await open(stat.slice(0, Math.floor(stat.length * part)))
    expect(opened.file.partial).toBe(true)
    expect(opened.file.problems.map(found => found.code)).toContain('vis-truncated')
    expect(opened.debug.length).toBeGreaterThan(1)
    expect(opened.debug.end[0]).toBe(opened.debug.length)
    expect(
      new GraphView(opened.source).scene({ debug: { open: [], top: 0, bottom: 500 }, bench: null }).debug
        .boxes.length,
    ).toBeGreaterThan(0)
  })

  test.each([
    ['', 'nothing'],
    ['[]', 'a list'],
    ['{"a": 1}', 'another object'],
    ['{"NPU": {"node": {}}}', 'no nodes'],
    ['\u0000\u0001', 'no JSON'],
    ['{"NPU": 3}', 'a number'],
  ])('%j is refused (%s)', async text => {
    await expect(open(text)).rejects.toThrow(Refusal)
  })

  const node = (id: string, up: string, sub: readonly string[], more: object = {}): object => ({
    id,
    node_type: 0,
    output_data: {},
    input_data: {},
    upnode: up,
    subnodes: sub,
    matched_node_link: [],
    stack_info: [],
    data: {},
    ...more,
  })
  const single = (nodes: readonly { readonly id?: string }[]): string =>
    JSON.stringify({ root: 'R', node: Object.fromEntries(nodes.map(one => [one.id, one])), MicroSteps: 1 })

  test('missing children, rings and lost nodes', async () => {
    const opened = await open(
      single([
        node('R', 'None', ['A', 'gone']),
        node('A', 'R', ['B']),
        node('B', 'A', ['A']),
        node('C', 'D', ['D']),
        node('D', 'C', ['C']),
        node('E', 'A', []),
      ]),
    )
    expect(shape(opened.debug)).toEqual(['R 0', '  A 0', '    B 0', '    E 0', '  C 0', '    D 0'])
    expect(opened.file.problems).toMatchObject([{ code: 'vis-tree', facts: { missing: 1, strays: 2 } }])
  })

  test('numbers as texts, other kinds, old links', async () => {
    const opened = await open(
      single([
        node('R', 'None', ['A']),
        node('A', 'R', [], { node_type: '1', data: { precision_index: '0.5' } }),
      ]),
    )
    expect([opened.debug.kind[1], opened.source.index[1], opened.rules]).toEqual([1, 0.5, 'plumbline'])
    expect([lastLink(['None', 'x']), lastLink(['a', 'B___b']), lastLink([]), lastLink(['None'])]).toEqual([
      'x',
      'b',
      '',
      '',
    ])
  })
})

describe('.vis.db', () => {
  const database = async (): Promise<string> => {
    const { written } = await runGraph(graphCases(root, /^new_graph_pt_4ranks$/)[0]!, 'msprobe-26')
    const file = written.get('compare.vis.db')!
    files.allow(path.dirname(file))
    return file
  }

  test('a graph per rank, items when asked for', async () => {
    const read = await readVisDb(files, await database(), job())
    expect(read.units.map(unit => [unit.step, unit.rank])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [0, 3],
    ])
    const opened = await openGraphFile(read.units[2]!, job())
    expect([opened.rules, opened.mode]).toEqual(['msprobe-26', 'statistics'])
    expect(nodeName(opened.debug, 0)).toBe('DefaultModel')
    expect(opened.debugDump.items.length).toBeGreaterThan(100)
    expect(new GraphView(opened.source).legend().measure).toBe('grade')
    read.close()
  })

  test('SQLite finds no fault in what is written', async () => {
    const writer = createSqlite()
    writer.exec('CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER, r REAL)')
    const insert = writer.inserter('t', 3)
    const long = 'x'.repeat(20_000)
    for (let i = 0; i < 3000; i++)
      insert([i % 100 === 0 ? `${i}${long}` : `${i}`, i * 1e9 * (i % 2 ? 1 : -1), i / 3])
    insert(['null', null, null])
    const pieces: Uint8Array[] = []
    writer.finish({
      path: '',
      size: 0,
      write: bytes => {
        pieces.push(bytes.slice())
      },
      close() {},
    })
    const table = openSqlite(memoryFiles({ '/t.db': Buffer.concat(pieces) }), '/t.db').tables.get('t')!
    expect(table.columns).toEqual(['id', 'n', 'r'])
    const rows = [...table.rows()]
    expect(rows).toHaveLength(3001)
    expect(rows[200]!.text(0)).toBe(`200${long}`)
    expect([rows[7]!.number(1), rows[8]!.number(1), rows[7]!.number(2)]).toEqual([7e9, -8e9, 7 / 3])
    expect([rows[3000]!.isNull(1), rows[3000]!.number(2)]).toEqual([true, NaN])
    expect(table.row(rows[1234]!.rowid)?.text(0)).toBe('1234')
    expect(table.row(999_999)).toBeNull()
  })

  test('a list or a record that claims more than it may is refused', async () => {
    const columns =
      'graph_id, node_order, node_name, node_type, up_node, sub_nodes, precision_index, matched_node_link, input_data, output_data'
    const databaseWith = (children: string): Buffer => {
      const writer = createSqlite()
      writer.exec(`CREATE TABLE tb_nodes (${columns})`)
      writer.inserter('tb_nodes', 10)(['NPU_0_0', 0, 'DefaultModel', '0', '', children, 1, '[]', '{}', '{}'])
      const pieces: Uint8Array[] = []
      writer.finish({ path: '', size: 0, write: bytes => void pieces.push(bytes.slice()), close() {} })
      return Buffer.concat(pieces)
    }
    const readBack = async (bytes: Uint8Array): Promise<number> =>
      (await readVisDb(memoryFiles({ '/a.vis.db': bytes }), '/a.vis.db', job())).units.length
    expect(await readBack(databaseWith('["a"]'))).toBe(1)
    await expect(readBack(databaseWith(`[${'"a",'.repeat(1 << 22)}"a"]`))).rejects.toThrow(Refusal)
    const lying = databaseWith(`["${'a'.repeat(20_000)}"]`)
    // The row's record begins with its size as two bytes and more: 20,0xx bytes become 250 million.
    const root = lying.lastIndexOf('NPU_0_0')
    expect(root).toBeGreaterThan(0)
    for (let at = root - 40; at < root; at++) {
      const mutated = Buffer.from(lying)
      mutated.fill(0xff, at, at + 3)
      await readBack(mutated).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
    }
  })

  test('no room for a new database is said', () => {
    vi.stubEnv('TMPDIR', '/nowhere/at/all')
    expect(() => createSqlite()).toThrow(Refusal)
    vi.unstubAllEnvs()
  })

  test('no database, another database, a cut one', async () => {
    const whole = readFileSync(await database())
    const folder = temporaryFolder()
    files.allow(folder)
    const put = (name: string, bytes: Uint8Array): string => {
      writeFileSync(path.join(folder, name), bytes)
      return path.join(folder, name)
    }
    const other = createSqlite()
    other.exec('CREATE TABLE something (a TEXT)')
    const pieces: Uint8Array[] = []
    other.finish({
      path: '',
      size: 0,
      write: bytes => {
        pieces.push(bytes.slice())
      },
      close() {},
    })
    for (const file of [
      put(
        'a.vis.db',
        Buffer.from(
          'no database at all, but long enough to be one if anybody asked for a hundred bytes of it, which SQLite does',
        ),
      ),
      put('b.vis.db', Buffer.alloc(0)),
      put('c.vis.db', Buffer.concat(pieces)),
      put('d.vis.db', whole.subarray(0, whole.length >> 1)),
    ]) {
      await expect(readVisDb(files, file, job()), file).rejects.toThrow(Refusal)
    }
  })
})

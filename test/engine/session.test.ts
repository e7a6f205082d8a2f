// A session from dropped folders to rows, with real dumps.
import { tableFromIPC } from 'apache-arrow'
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEngine } from '../../main/engine/doors/window/index.ts'
import { sentences } from '../../main/sentences.ts'
import type { EngineApi, EngineEvent, SessionInfo, UnitInfo } from '../../preload/contract/engine.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { settled } from '../support/settled.ts'

const root = fixturesRoot()
const never = new AbortController().signal

async function openPair(
  debug: string,
  bench: string,
): Promise<{ engine: EngineApi; info: SessionInfo; events: EngineEvent[] }> {
  const events: EngineEvent[] = []
  const engine = openEngine({ cacheDir: '', words: sentences, emit: event => events.push(event) })
  const opened = await engine.open(
    { paths: [debug, bench].filter(name => name !== '').map(name => path.join(root, 'dumps', name)) },
    never,
  )
  if (!opened.ok) throw new Error(JSON.stringify(opened.problem))
  return { engine, info: opened.value, events }
}

describe('a session', () => {
  it('shows rows, findings and nodes of two dropped folders', async () => {
    const { engine, info, events } = await openPair(
      'pt_lenet_w_conv2_statistics_mix',
      'pt_lenet_none_statistics_mix',
    )
    const at = { session: info.session, unit: 0 }
    await settled(engine, at)
    const view = await engine.order({ ...at, filter: { show: [], quick: '', columns: [] }, sort: [] }, never)
    expect(view.rows).toBeGreaterThan(200)
    const table = tableFromIPC(
      await engine.rows(
        { view: view.view, first: 0, count: 3, columns: ['row', 'debugName', 'benchName', 'maxDiff'] },
        never,
      ),
    )
    expect(table.numRows).toBe(3)
    expect(table.getChild('debugName')?.get(0)).toBe(table.getChild('benchName')?.get(0))
    const done = await engine.session({ session: info.session }, never)
    expect(done.units[0]).toMatchObject({ state: 'done', rows: view.rows })
    expect(done.sides[0]?.framework).toBe('pytorch')
    const node = await engine.node({ ...at, at: { debug: 'Functional.conv2d.1.forward' } }, never)
    expect(node.at.bench).toBe('Functional.conv2d.1.forward')
    expect(node.items.map(item => item.part)).toContain('output')
    expect(node.path.debug.length).toBeGreaterThan(1)
    const flow = await engine.flow(
      { ...at, side: 'debug', node: 'Functional.conv2d.1.forward', hops: 1, most: 50 },
      never,
    )
    expect(flow.nodes.find(one => one.inside)?.id).toBe('Functional.conv2d.1.forward')
    expect(
      flow.edges.some(edge => edge.to === 'Functional.conv2d.1.forward' && edge.shape.startsWith('[')),
    ).toBe(true)
    const advice = await engine.findings(at, never)
    expect(advice.findings[0]?.node).toMatch(/conv2d\.1|conv2/)
    expect(events.some(event => event.is === 'job' && event.job.finished)).toBe(true)
  })

  it('measures tensors and judges again without reading', async () => {
    const { engine, info } = await openPair('pt_lenet_w_conv2_tensor_mix', 'pt_lenet_none_tensor_mix')
    const at = { session: info.session, unit: 0 }
    await settled(engine, at)
    const view = await engine.order(
      { ...at, filter: { show: ['differs'], quick: '', columns: [] }, sort: [] },
      never,
    )
    expect(view.counts.differs).toBe(view.rows)
    expect(view.rows).toBeGreaterThan(0)
    const changed = await engine.setOptions({ session: info.session, options: { fuzzy: true } }, never)
    expect(changed.ok && changed.value.options.fuzzy).toBe(true)
  })

  it('draws in other colours without judging again', async () => {
    const { engine, info, events } = await openPair(
      'ms_lenet_nan_statistics_mix',
      'ms_lenet_none_statistics_mix',
    )
    const at = { session: info.session, unit: 0 }
    await settled(engine, at)
    const before = await engine.legend(at, never)
    const advice = await engine.findings(at, never)
    // Steps that follow the findings are told of as well.
    for (let told = -1, quiet = 0; quiet < 20; quiet = told === events.length ? quiet + 1 : 0) {
      told = events.length
      await new Promise(resolve => setImmediate(resolve))
    }
    const versions = (await engine.session(at, never)).units[0]?.versions
    events.length = 0
    await engine.setOptions({ session: info.session, options: { colours: 'overflow' } }, never)
    expect((await engine.legend(at, never)).measure).toBe('overflow')
    expect(await engine.findings(at, never)).toBe(advice)
    const coloured = (await engine.session(at, never)).units[0]?.versions
    expect({ ...coloured, graph: 0 }).toEqual({ ...versions, graph: 0 })
    expect(coloured?.graph).not.toBe(versions?.graph)
    expect(events.filter(event => event.is === 'job')).toEqual([])
    await engine.setOptions({ session: info.session, options: { colours: 'error' } }, never)
    expect(await engine.legend(at, never)).toEqual(before)
  })

  it.each([
    'pt_lenet_none_statistics_mix',
    'pt_lenet_none_md5_mix',
    'pt_lenet_none_tensor_mix',
    'ms_lenet_none_tensor_mix',
  ])('opens %s alone', async name => {
    const { engine, info } = await openPair(name, '')
    expect(info.kind).toBe('single')
    await settled(engine, { session: info.session, unit: 0 })
    const { problems, units } = await engine.session({ session: info.session }, never)
    expect([problems.filter(({ severity }) => severity === 'error'), units[0]?.state]).toEqual([[], 'done'])
    const view = await engine.order(
      { session: info.session, unit: 0, filter: { show: [], quick: '', columns: [] }, sort: [] },
      never,
    )
    expect(view.rows).toBeGreaterThan(200)
    expect(view.counts.unpaired).toBe(view.rows)
  })

  it('writes every kind of report', async () => {
    const { engine, info } = await openPair('ms_tr_w_qkv1_statistics_mix', 'ms_tr_none_statistics_mix')
    const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-reports-'))
    for (const format of [
      'xlsx',
      'csv',
      'arrow',
      'parquet',
      'json',
      'advisor',
      'vis',
      'vis.db',
      'html',
    ] as const) {
      const written = await engine.write(
        {
          session: info.session,
          unit: 0,
          format,
          folder,
          language: 'zh',
          pictures: [{ name: 'debug', svg: '<svg/>' }],
        },
        never,
      )
      expect([format, written.ok]).toEqual([format, true])
    }
    const files = readdirSync(folder)
    expect(files).toHaveLength(9)
    const page = readFileSync(path.join(folder, files.find(name => name.endsWith('.html')) ?? ''), 'utf8')
    expect(page).toContain('qkv_proj')
    expect(page).not.toMatch(/<script|https?:|\{\w+\}/)
    const marked = [...page.matchAll(/<tr class="(?:\w+ )?origin">.*?<\/tr>/g)].map(([row]) => row)
    expect(marked.length).toBeGreaterThan(0)
    expect(marked.filter(row => !row.includes('qkv_proj') && !row.includes('MatMul'))).toEqual([])
    const advisor = readFileSync(
      path.join(folder, files.find(name => name.endsWith('.txt')) ?? ''),
      'utf8',
    ).split('\n')
    expect(advisor[0]).toMatch(/^Line: (?:\d+|NA)$/)
    expect(advisor.length).toBeGreaterThan(4)
  })

  it('says what is wrong with what it cannot open', async () => {
    const engine = openEngine({ cacheDir: '', words: sentences, emit: () => {} })
    const opened = await engine.open({ paths: [path.join(root, 'nowhere')] }, never)
    expect(opened.ok === false && opened.problem.code).toBe('not-found')
  })

  it('opens a finished workbook, csv, graph file, database, kernels and loose tensors the same way', async () => {
    const engine = openEngine({ cacheDir: '', words: sentences, emit: () => {} })
    const cases = path.join(root, 'cases')
    const found = (folder: string, ending: RegExp): string => {
      const name = readdirSync(path.join(cases, folder, 'golden')).find(file => ending.test(file))
      if (name === undefined) throw new Error(`${folder} has no ${ending}`)
      return path.join(cases, folder, 'golden', name)
    }
    const tensors = path.join(root, 'dumps/ms_lenet_none_tensor_mix/step0/rank/dump_tensor_data')
    const [first = '', second = ''] = readdirSync(tensors)
      .filter(name => name.endsWith('.npy'))
      .map(name => path.join(tensors, name))
    const opened: Readonly<Record<string, readonly string[]>> = {
      csv: [found('cmp_pt_w_conv2_stat', /\.csv$/)],
      'tensor csv': [found('cmp_ms_w_conv2_tensor', /\.csv$/)],
      vis: [found('graph_ms_w_conv2_stat', /\.vis$/)],
      kernels: [path.join(cases, 'kernel_npy/compare.json')],
      tensors: [first, second],
      'one tensor': [first],
    }
    for (const [what, paths] of Object.entries(opened)) {
      const answer = await engine.open({ paths }, never)
      if (!answer.ok) throw new Error(`${what}: ${JSON.stringify(answer.problem)}`)
      const view = await engine.order(
        { session: answer.value.session, unit: 0, filter: { show: [], quick: '', columns: [] }, sort: [] },
        never,
      )
      expect([what, view.rows > 0]).toEqual([what, true])
      expect([what, (await engine.session({ session: answer.value.session }, never)).problems]).toEqual([
        what,
        [],
      ])
      const findings = engine.findings({ session: answer.value.session, unit: 0 }, never)
      if (answer.value.can.compare) await findings
      else await expect(findings).rejects.toThrow('option-unsupported')
      const scene = await engine.scene(
        { session: answer.value.session, unit: 0, debug: { open: [], top: 0, bottom: 2000 }, bench: null },
        never,
      )
      expect([what, scene.debug.boxes.length > 0]).toEqual([what, what === 'vis'])
    }
  })

  it('finds the rank where a difference begins', async () => {
    const { engine, info } = await openPair('pt_tp_4ranks_rank2_w', 'pt_tp_4ranks_none')
    const found = await engine.across({ session: info.session }, never)
    expect([found.finding?.node, found.finding?.rank, info.units[found.first ?? -1]?.rank]).toEqual([
      'Functional.linear.2.forward',
      2,
      2,
    ])
    expect(await engine.overall({ session: info.session }, never)).toEqual(found)
    expect([found.differ, found.coming]).toEqual([[...info.units.keys()], []])
    await expect(engine.across({ session: info.session }, AbortSignal.abort())).rejects.toThrow('cancelled')
  })

  it('judges the tensor metrics that a finished result holds as they stand there', async () => {
    const engine = openEngine({ cacheDir: '', words: sentences, emit: () => {} })
    const golden = (folder: string): string => {
      const inside = path.join(root, 'cases', folder, 'golden')
      return path.join(inside, readdirSync(inside).find(file => file.endsWith('.csv')) ?? '')
    }
    const counted = async (file: string): Promise<readonly number[]> => {
      const opened = await engine.open({ paths: [file] }, never)
      if (!opened.ok) throw new Error(JSON.stringify(opened.problem))
      await settled(engine, { session: opened.value.session, unit: 0 })
      const { counts } = await engine.order(
        { session: opened.value.session, unit: 0, filter: { show: [], quick: '', columns: [] }, sort: [] },
        never,
      )
      return [counts.equal + counts.noise, counts.differs]
    }
    const table = golden('cmp_ms_w_conv2_tensor')
    const answers = [...readFileSync(table, 'utf8').matchAll(/,(Yes|No),/g)].map(([, answer]) => answer)
    const [alike = 0, differing] = await counted(table)
    // What msprobe lets pass may differ all the same.
    expect(differing).toBeGreaterThanOrEqual(answers.filter(answer => answer === 'No').length)
    expect(alike).toBeGreaterThan(0)
    const [same = 0, other] = await counted(path.join(root, 'cases/kernel_npy/compare.json'))
    expect([same > 20, other]).toEqual([true, 0])
  })

  it('shows the first level of a large graph file before its items have been read', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'plumbline-graph-')), 'compare.vis')
    const ids = Array.from({ length: 6000 }, (_, i) => `Module.block${i}.Layer.forward.0`)
    const side = (scale: number): object => ({
      root: 'DefaultModel',
      dump_data_dir: null,
      node: Object.fromEntries([
        [
          'DefaultModel',
          {
            id: 'DefaultModel',
            node_type: 0,
            output_data: {},
            input_data: {},
            upnode: 'None',
            subnodes: ids,
            matched_node_link: ['DefaultModel'],
            suggestions: {},
            stack_info: [],
            data: {},
          },
        ],
        ...ids.map(id => [
          id,
          {
            id,
            node_type: 0,
            output_data: {
              [`${id}.output.0`]: {
                type: 'torch.Tensor',
                dtype: 'torch.float32',
                shape: '[2]',
                Max: String(scale),
                Min: '0.0',
                Mean: '0.5',
                Norm: '1.0',
                data_name: '-1',
                md5: '00000000',
              },
            },
            input_data: {},
            upnode: 'DefaultModel',
            subnodes: [],
            matched_node_link: ['DefaultModel', id],
            suggestions: {},
            stack_info: [],
            data: { precision_index: 0.1 },
          },
        ]),
      ]),
    })
    writeFileSync(
      file,
      JSON.stringify({
        NPU: side(1.5),
        Bench: side(1),
        MicroSteps: 1,
        task: 'summary',
        OverflowCheck: false,
      }),
    )
    const told: UnitInfo[] = []
    let [first, last] = [(): void => {}, (): void => {}]
    const shown = new Promise<void>(resolve => {
      first = resolve
    })
    const read = new Promise<void>(resolve => {
      last = resolve
    })
    const engine = openEngine({
      cacheDir: '',
      words: sentences,
      emit: event => {
        if (event.is !== 'units') return
        told.push(...event.units)
        const info = event.units[0]
        if (info?.state === 'done') last()
        else if (info && info.rows > 0) first()
      },
    })
    const opened = await engine.open({ paths: [file], options: { colours: 'msprobe' } }, never)
    if (!opened.ok) throw new Error(JSON.stringify(opened.problem))
    const at = { session: opened.value.session, unit: 0 }
    await shown
    const scene = await engine.scene(
      { ...at, debug: { open: [], top: 0, bottom: 600 }, bench: { open: [], top: 0, bottom: 600 } },
      never,
    )
    expect(scene.debug.boxes.slice(1, 4).map(({ id, partner, bucket }) => [id, partner, bucket])).toEqual(
      [0, 1, 2].map(i => [ids[i], ids[i], 1]),
    )
    expect(
      (await engine.order({ ...at, filter: { show: [], quick: '', columns: [] }, sort: [] }, never)).rows,
    ).toBeGreaterThan(0)
    await read
    expect(told.find(info => info.rows > 0)?.rows).toBeLessThan(6000)
    await engine.findings(at, never)
    expect(
      (await engine.order({ ...at, filter: { show: [], quick: '', columns: [] }, sort: [] }, never)).rows,
    ).toBe(6000)
  })

  it('follows a dump that is still being written', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-live-'))
    const source = path.join(root, 'dumps/pt_lenet_none_statistics_mix/step0/rank')
    cpSync(source, path.join(folder, 'rank'), { recursive: true })
    const whole = readFileSync(path.join(source, 'dump.json'))
    writeFileSync(path.join(folder, 'rank/dump.json'), whole.subarray(0, whole.length / 2))
    let tell = (): void => {}
    const grown = new Promise<void>(resolve => {
      tell = resolve
    })
    const rows = new Set<number>()
    const engine = openEngine({
      cacheDir: '',
      words: sentences,
      emit: event => {
        if (event.is !== 'units' || event.units[0]?.state !== 'done') return
        rows.add(event.units[0].rows)
        if (rows.size === 2) tell()
      },
    })
    const opened = await engine.open({ paths: [path.join(folder, 'rank'), source] }, never)
    if (!opened.ok) throw new Error(opened.problem.code)
    const at = {
      session: opened.value.session,
      unit: 0,
      filter: { show: [], quick: '', columns: [] },
      sort: [],
    }
    const before = await engine.order(at, never)
    expect((await engine.session({ session: opened.value.session }, never)).units[0]?.partial).toBe(true)
    writeFileSync(path.join(folder, 'rank/dump.json'), whole)
    await grown
    expect((await engine.order(at, never)).rows).toBeGreaterThan(before.rows)
    expect((await engine.session({ session: opened.value.session }, never)).units[0]?.partial).toBe(false)
    await engine.close({ session: opened.value.session }, never)
  })

  it('notices that a dump on screen was taken again', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-again-'))
    const source = path.join(root, 'dumps/pt_lenet_none_statistics_mix/step0/rank')
    cpSync(source, path.join(folder, 'rank'), { recursive: true })
    let tell = (): void => {}
    const noticed = new Promise<void>(resolve => {
      tell = resolve
    })
    const engine = openEngine({
      cacheDir: '',
      words: sentences,
      emit: event => {
        if (event.is === 'units' && event.units[0]?.outdated) tell()
      },
    })
    const opened = await engine.open({ paths: [path.join(folder, 'rank'), source] }, never)
    if (!opened.ok) throw new Error(opened.problem.code)
    const at = { session: opened.value.session, unit: 0 }
    await settled(engine, at)
    expect((await engine.session(at, never)).units[0]?.outdated).toBe(false)
    writeFileSync(
      path.join(folder, 'rank/dump.json'),
      `${readFileSync(path.join(source, 'dump.json'), 'utf8')}\n`,
    )
    await noticed
    await engine.close(at, never)
  })

  it('matches by hand pair the rows anew, are undone, saved, read back, and come back with the pair', async () => {
    const { engine, info } = await openPair('pt_tr_extra_layer_statistics_mix', 'pt_tr_none_statistics_mix')
    const at = { session: info.session, unit: 0 }
    const shown = async (): Promise<{ unpaired: number; all: number }> =>
      (await engine.order({ ...at, filter: { show: [], quick: '', columns: [] }, sort: [] }, never)).counts
    const partners = async (debug: string): Promise<unknown[]> => {
      const view = await engine.order(
        { ...at, filter: { show: [], quick: '', columns: [], node: { debug } }, sort: [] },
        never,
      )
      const table = tableFromIPC(
        await engine.rows({ view: view.view, first: 0, count: view.rows, columns: ['benchOp'] }, never),
      )
      return [...(table.getChild('benchOp') ?? [])]
    }
    const before = await shown()
    const [lone] = (await engine.list({ ...at, list: 'unmatched-debug', first: 0, count: 500 }, never)).nodes
      .flatMap(node => node.at.debug ?? [])
      .filter(name => /Functional\.linear\.\d+\.forward/.test(name))
    const taken = 'Functional.linear.0.forward'
    if (lone === undefined) throw new Error('every call has a partner')
    expect(new Set(await partners(lone))).toEqual(new Set(['']))

    expect(await engine.match({ ...at, debug: lone, bench: taken, descendants: false }, never)).toEqual({
      ok: true,
      value: null,
    })
    expect(new Set(await partners(lone))).toEqual(new Set([taken]))
    expect(new Set(await partners(taken))).toEqual(new Set(['']))
    expect(
      (await engine.node({ ...at, at: { debug: lone } }, never)).items.every(item => item.bench !== null),
    ).toBe(true)
    const text = await engine.matchesText(at, never)
    expect(JSON.parse(text)).toMatchObject({ [lone]: taken })

    const file = path.join(mkdtempSync(path.join(tmpdir(), 'plumbline-matches-')), 'compare.vis.config')
    writeFileSync(file, text)

    await engine.match({ ...at, debug: lone, bench: '', descendants: false }, never)
    expect(new Set(await partners(lone))).toEqual(new Set(['']))
    expect(await shown()).toEqual(before)
    const read = await engine.applyMatches({ ...at, path: file }, never)
    expect(read.ok && read.value.failed).toEqual([])
    expect(new Set(await partners(lone))).toEqual(new Set([taken]))

    const pairs = await engine.matches(at, never)
    const again = await engine.open(
      {
        paths: info.sides.map(side => side.root),
        matches: [{ step: info.units[0]?.step ?? null, rank: info.units[0]?.rank ?? null, pairs }],
      },
      never,
    )
    if (!again.ok) throw new Error(again.problem.code)
    expect(
      (await engine.node({ session: again.value.session, unit: 0, at: { debug: lone } }, never)).at.bench,
    ).toBe(taken)
  })
})

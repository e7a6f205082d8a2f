// What the window asks of graphs: scenes, strips, lists, ways and search.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { noPartner } from '../../../main/engine/graph/colors.ts'
import { opsOfBuckets } from '../../../main/engine/graph/colour-nodes.ts'
import { findNode, nodeName } from '../../../main/engine/graph/graph.ts'
import { cutFront, labelOf, textWidth } from '../../../main/engine/graph/labels.ts'
import { marksOf, rowsOfNodes, singleSource, sourceOf } from '../../../main/engine/graph/marks.ts'
import { NameSearch } from '../../../main/engine/graph/search.ts'
import { GraphView } from '../../../main/engine/graph/view.ts'
import type { GraphPair } from '../../../main/engine/graph/pair.ts'
import { walkRows } from '../../../main/engine/graph/walk.ts'
import type { Origin } from '../../../main/engine/graph/marks.ts'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { type Box, type NodeRef, RowState } from '../../../preload/contract/engine.ts'
import type { Ops } from '../../support/dump-text.ts'
import { built, compared, dumpOf, layered, small, paired } from '../../support/graphs.ts'

const everything = { top: -Infinity, bottom: Infinity }
const at = (view: GraphView, open: readonly string[], part = everything): readonly Box[] =>
  view.scene({ debug: { open, ...part }, bench: null }).debug.boxes
const inside = (a: Box, b: Box): boolean =>
  a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w + 0.01 && a.y + a.h <= b.y + b.h + 0.01

let pair: GraphPair
let view: GraphView
const layer = (n: number): string => `Module.m.layers.${n}.Layer.forward.0`
const root = 'Module.m.Net.forward.0'

beforeAll(async () => {
  const construct = layered(6, 7)
  const bad: Ops = {
    'Tensor.add.10.forward': { input_args: `[${small()}]`, output: `[${small('1.03')}]` },
    'Tensor.add.30.forward': { input_args: `[${small()}]`, output: `[${small('9.0')}]` },
  }
  const debug = await dumpOf({ ...construct, 'Functional.extra.0.forward': null }, bad)
  const windows = await paired(debug, await dumpOf({ ...construct, 'Module.late.Late.forward.0': null }))
  pair = windows.pair
  const rows = rowsOfNodes(pair.debug, windows.comparison)
  view = new GraphView(sourceOf(pair), { rows, origin: null }, windows.why)
})

describe('layout', () => {
  test('only what is open is drawn, each box inside the one around it, in order and apart', () => {
    const boxes = at(view, [root, layer(1)])
    expect(boxes.map(box => box.id)).toEqual(
      expect.arrayContaining(['DefaultModel', root, layer(0), layer(1), 'Tensor.add.7.forward']),
    )
    expect(boxes.map(box => box.id)).not.toContain('Tensor.add.0.forward')
    const byId = new Map(boxes.map(box => [box.id, box]))
    for (const box of boxes) {
      const node = findNode(pair.debug, box.id)
      if (node === 0) continue
      const around = byId.get(nodeName(pair.debug, pair.debug.parent[node]!))!
      expect(inside(box, around), box.id).toBe(true)
      // Its title is 26 pixels high, and the ring around a selected box takes 4.
      expect(box.y - around.y, box.id).toBeGreaterThanOrEqual(26 + 4)
    }
    const column = boxes.filter(box => box.depth === 2).toSorted((a, b) => a.from - b.from)
    column
      .slice(1)
      .forEach((box, i) => expect(box.y - (column[i]!.y + column[i]!.h)).toBeGreaterThanOrEqual(6))
  })

  test('opening a node moves nothing above it and nothing sideways', () => {
    fc.assert(
      fc.property(fc.subarray([0, 1, 2, 3, 4, 5]), fc.integer({ min: 0, max: 5 }), (open, more) => {
        const before = at(view, [root, ...open.map(layer)])
        const after = new Map(
          at(
            view,
            [root, ...new Set([...open, more])].map(one => (typeof one === 'number' ? layer(one) : one)),
          ).map(box => [box.id, box]),
        )
        const opened = before.find(box => box.id === layer(more))!
        for (const box of before) {
          if (box.id === opened.id) continue
          const now = after.get(box.id)!
          expect(now.x).toBe(box.x)
          if (box.y <= opened.y) expect(now.y).toBe(box.y)
        }
        expect(after.get(opened.id)!.y).toBe(opened.y)
      }),
    )
  })

  test('a part of the drawing is that part of the whole, with what is around it', () => {
    const open = [root, layer(0), layer(3)]
    const all = at(view, open)
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 700 }), fc.integer({ min: 0, max: 300 }), (top, height) => {
        const part = at(view, open, { top, bottom: top + height })
        for (const box of part) expect(all).toContainEqual(box)
        const missing = all.filter(
          box => box.y + box.h >= top && box.y <= top + height && !part.some(one => one.id === box.id),
        )
        expect(missing.map(box => box.id)).toEqual([])
      }),
    )
  })

  test('where a box is can be asked without drawing', () => {
    const open = [root, layer(2)]
    for (const box of at(view, open))
      expect(view.locate('debug', open, box.id)).toEqual({ x: box.x, y: box.y, w: box.w, h: box.h })
    expect(view.locate('debug', open, 'Tensor.add.0.forward')).toBeNull()
  })

  test('10,000 children: a screen of them', async () => {
    const construct: Record<string, string | null> = { 'Module.m.Net.forward.0': null }
    for (let i = 0; i < 10_000; i++) construct[`Module.m.l${i}.Layer.forward.0`] = 'Module.m.Net.forward.0'
    const dump = await dumpOf(construct)
    const wide = new GraphView(singleSource('plumbline', await built(dump), dump))
    const boxes = at(wide, ['Module.m.Net.forward.0'], { top: 150_000, bottom: 150_900 })
    expect(boxes.length).toBeGreaterThan(25)
    expect(boxes.length).toBeLessThan(40)
    expect(boxes[2]!.from).toBeCloseTo(0.5, 1)
  })

  test('names of 500 characters and 60 levels stay inside their boxes', async () => {
    const construct: Record<string, string | null> = {}
    let parent: string | null = null
    for (let level = 0; level < 60; level++) {
      const name = `Module.${'模型x'.repeat(level === 59 ? 170 : 1)}${'.m'.repeat(level)}.K.forward.0`
      construct[name] = parent
      parent = name
    }
    const dump = await dumpOf(construct)
    const deep = new GraphView(singleSource('plumbline', await built(dump), dump))
    const boxes = at(deep, Object.keys(construct))
    expect(boxes).toHaveLength(61)
    const [outer] = boxes
    for (const box of boxes) {
      expect(inside(box, outer!)).toBe(true)
      expect(textWidth(box.label)).toBeLessThanOrEqual(box.w)
    }
  })
})

describe('boxes', () => {
  test('say what arrived and what was made there', () => {
    const { source } = view.marks
    const [made, arrived] = [0, 1].map(() => new Float64Array(source.debug.length).fill(Number.NaN))
    const told = findNode(source.debug, 'Tensor.add.10.forward')
    made[told] = 0.02
    const graphs = new GraphView(source, { rows: null, origin: null, made, arrived })
    const boxes = new Map(at(graphs, [root, layer(1)]).map(box => [box.id, box.made]))
    expect(boxes.get('Tensor.add.10.forward')).toEqual({ arrived: 0, made: 0.02 })
    expect(boxes.get(layer(4))).toBeNull()
  })

  test('say what they are, how bad, and who their partner is', () => {
    const boxes = new Map(at(view, [root, layer(1)]).map(box => [box.id, box]))
    expect(boxes.get('Tensor.add.10.forward')).toMatchObject({
      shape: 'api',
      bucket: 3,
      differing: 1,
      own: { rows: 2, differs: 1, level: expect.closeTo(0.03) },
      backward: false,
      partner: 'Tensor.add.10.forward',
      label: 'add.10',
    })
    expect(boxes.get(layer(1))).toMatchObject({
      shape: 'module',
      open: true,
      differing: 1,
      children: 7,
      label: 'layers.1.Layer',
    })
    expect(boxes.get(layer(4))).toMatchObject({ open: false, differing: 1 })
    expect(boxes.get('Functional.extra.0.forward')).toMatchObject({
      bucket: -2,
      partner: '',
      label: 'Functional.extra.0',
    })
    const bench = view.scene({
      debug: { open: [], ...everything },
      bench: { open: [], ...everything },
    }).bench!
    expect(bench.boxes.find(box => box.id === 'Module.late.Late.forward.0')).toMatchObject({ bucket: -2 })
    expect(bench.boxes.find(box => box.id === root)).toMatchObject({ bucket: -1, differing: 2 })
  })

  test('what the grid leaves out is dimmed', () => {
    const kept = {
      debug: new Uint8Array(pair.debugDump.ops.length),
      bench: new Uint8Array(pair.benchDump.ops.length),
    }
    kept.debug[pair.debug.op[findNode(pair.debug, 'Tensor.add.10.forward')]!] = 1
    const boxes = view.scene({ debug: { open: [root, layer(1)], ...everything }, bench: null }, kept).debug
      .boxes
    expect(boxes.filter(box => !box.dim).map(box => box.id)).toEqual([
      'DefaultModel',
      root,
      layer(1),
      'Tensor.add.10.forward',
    ])
  })
})

describe('ways', () => {
  test('first, next and previous node that differs', () => {
    const first = view.walk(null, 'first', false)
    expect(first?.at).toEqual({ debug: 'Tensor.add.10.forward', bench: 'Tensor.add.10.forward' })
    const next = view.walk(first!.at, 'next', true)
    expect(next).toMatchObject({ at: { debug: 'Tensor.add.30.forward' } })
    expect(view.walk(next!.at, 'next', true)).toBeNull()
    expect(view.walk({ debug: 'Tensor.add.30.forward' }, 'previous', true)).toEqual(first)
    expect(view.walk({ bench: 'Module.late.Late.forward.0' }, 'previous', false)).toMatchObject({
      at: { debug: 'Tensor.add.30.forward' },
    })
  })

  test('parent, child, above, below', () => {
    expect(view.stroll({ debug: layer(2) }, 'parent')).toMatchObject({ debug: root })
    expect(view.stroll({ debug: layer(2) }, 'child')).toMatchObject({ debug: 'Tensor.add.14.forward' })
    expect(view.stroll({ debug: layer(2) }, 'above')).toMatchObject({ debug: layer(1) })
    expect(view.stroll({ debug: layer(2) }, 'below')).toMatchObject({ debug: layer(3) })
    expect(view.stroll({ debug: layer(0) }, 'above')).toBeNull()
    expect(view.stroll({ debug: 'DefaultModel' }, 'parent')).toBeNull()
  })

  test('what has to be open', () => {
    expect(view.reveal({ debug: 'Tensor.add.10.forward' })).toMatchObject({
      debug: ['DefaultModel', root, layer(1)],
      bench: ['DefaultModel', root, layer(1)],
    })
    expect(view.reveal({ bench: 'Module.late.Late.forward.0' })).toMatchObject({
      at: { bench: 'Module.late.Late.forward.0' },
      debug: ['DefaultModel'],
      bench: ['DefaultModel'],
    })
    expect(view.reveal({ debug: 'nobody' })).toEqual({ at: { debug: 'nobody' }, debug: [], bench: [] })
  })

  test('opening by depth, all, and the ways to what fails', () => {
    expect(view.expand(null, 1).debug).toEqual(['DefaultModel'])
    expect(view.expand(null, 2).debug).toEqual(['DefaultModel', root])
    expect(view.expand({ debug: root }, 'all').debug).toHaveLength(7)
    expect(view.expand(null, 'differing').debug).toEqual(['DefaultModel', root, layer(1), layer(4)])
    expect(view.expand(null, 'differing').bench).toEqual(['DefaultModel', root, layer(1), layer(4)])
  })

  test('lists of lone nodes say why', () => {
    expect(view.list('unmatched-debug', 0, 10)).toMatchObject({
      total: 1,
      nodes: [{ at: { debug: 'Functional.extra.0.forward' } }],
    })
    const bench = view.list('unmatched-bench', 0, 10)
    expect(bench.nodes[0]!.why.map(found => found.code)).toContain('unmatched-no-such-id')
    expect(view.list('differing', 1, 5)).toMatchObject({
      total: 2,
      nodes: [{ at: { debug: 'Tensor.add.30.forward' }, bucket: 5, differing: 1, origin: false }],
    })
  })

  test('places in the run', () => {
    expect(view.nodeAt('debug', 0)).toMatchObject({ debug: 'DefaultModel' })
    expect(view.nodeAt('debug', 1)).toEqual({ debug: 'Functional.extra.0.forward' })
    const { debug } = view.strip(pair.debug.length)
    expect(debug.bucket[pair.debug.place[findNode(pair.debug, 'Tensor.add.30.forward')]!]).toBe(5)
    expect(Math.max(...view.strip(4).debug.bucket)).toBe(5)
    const added = 'Tensor.add.30.forward'
    const { noted } = view.strip(4, [{ debug: added }, { bench: 'Functional.no.0.forward' }]).debug
    expect([...noted]).toEqual([pair.debug.place[findNode(pair.debug, added)]! / pair.debug.length])
    expect(view.legend()).toMatchObject({ measure: 'error', unmatchedDebug: 1, unmatchedBench: 1 })
    expect(view.legend().buckets.map(bucket => bucket.count)).toEqual([47, 0, 0, 1, 0, 1])
  })

  test('calls of a colour: those of its nodes, and no others', () => {
    const { debug, bench } = view.marks
    const named = (side: typeof debug, buckets: readonly number[]): string[] =>
      Array.from(opsOfBuckets(side, buckets)).flatMap((is, op) =>
        is ? [side.dump.texts.get(side.dump.ops.name[op]!)] : [],
      )
    expect(named(debug, [5])).toEqual(['Tensor.add.30.forward'])
    expect(named(debug, [noPartner])).toEqual(['Functional.extra.0.forward'])
    expect(named(debug, [3, 5])).toEqual(['Tensor.add.10.forward', 'Tensor.add.30.forward'])
    expect(bench && named(bench, [5])).toEqual([])
  })

  test('gradients of a module lead to its backward call', async () => {
    const dump = await dumpOf({
      'Module.a.A.forward.0': null,
      'Module.a.A.backward.0': null,
      'Module.a.A.backward.1': null,
    })
    const single = new GraphView(singleSource('plumbline', await built(dump), dump))
    expect(single.path('debug', 'Module.a.A.parameters_grad')).toEqual([
      'DefaultModel',
      'Module.a.A.backward.1',
    ])
  })
})

describe('what differs', () => {
  const model = 'Module.m.Net.forward.0'
  const inner = 'Module.m.in.Block.forward.0'
  const ops: Ops = {
    [model]: { input_args: `[${small()}]`, output: `[${small('1.5')}]` },
    [inner]: { input_args: `[${small()}]`, output: `[${small('1.5')}]` },
    'Tensor.add.0.forward': { input_args: `[${small()}, ${small('2.0')}]`, output: `[${small('1.5')}]` },
    'Tensor.add.1.forward': { input_args: `[${small('1.0005')}]`, output: `[${small()}]` },
  }
  const same: Ops = {
    ...ops,
    [model]: { input_args: `[${small()}]`, output: `[${small()}]` },
    [inner]: { input_args: `[${small()}]`, output: `[${small()}]` },
    'Tensor.add.0.forward': { input_args: `[${small()}, ${small('1.0')}]`, output: `[${small()}]` },
    'Tensor.add.1.forward': { input_args: `[${small()}]`, output: `[${small()}]` },
  }
  const construct = {
    [model]: null,
    [inner]: model,
    'Tensor.add.0.forward': inner,
    'Tensor.add.1.forward': inner,
  }
  const opened = async (origin: Origin | null = null): Promise<GraphView> => {
    const made = await paired(await dumpOf(construct, ops), await dumpOf(construct, same))
    const rows = rowsOfNodes(made.pair.debug, made.comparison)
    return new GraphView(sourceOf(made.pair), { rows, origin }, made.why)
  }
  const rowOf = (graphs: GraphView, at: NodeRef, been: boolean): readonly [string | undefined, number] => {
    const found = graphs.walk(at, 'next', been)
    return [found?.at.debug, found?.row ?? -1]
  }

  test('calls are walked before the modules around them, and to the row that differs', async () => {
    const graphs = await opened()
    const names = graphs.list('differing', 0, 9).nodes.map(({ at }) => at.debug)
    expect(names).toEqual(['Tensor.add.0.forward', 'Tensor.add.1.forward', inner, model])
    const first = graphs.walk(null, 'first', false)
    // Its first input agrees.
    expect(first).toMatchObject({ at: { debug: 'Tensor.add.0.forward' } })
    const rows = graphs.marks.debug.rows
    expect(first?.row).toBe(rows.first[findNode(graphs.marks.debug.graph, 'Tensor.add.0.forward')])
    expect(first?.row).toBeGreaterThan(0)
    expect(rowOf(graphs, { debug: 'Tensor.add.1.forward' }, true)[0]).toBe(inner)
    expect(graphs.walk({ debug: model }, 'next', true)).toBeNull()
  })

  test('a module that was selected by hand is entered first', async () => {
    const graphs = await opened()
    expect(rowOf(graphs, { debug: model }, false)[0]).toBe('Tensor.add.0.forward')
    expect(rowOf(graphs, { debug: 'DefaultModel' }, false)[0]).toBe('Tensor.add.0.forward')
    expect(rowOf(graphs, { debug: inner }, true)[0]).toBe(model)
    expect(graphs.walk({ debug: inner }, 'previous', false)).toBeNull()
  })

  test('views and hooks can be left out: the rest closes up, and counts as before', async () => {
    const names = ['view.0', 'linear.0', 'view.1', 'reshape.0', 'relu.0', 'transpose.0', 'embedding.0']
    const calls = names.map(name => `Functional.${name}.forward`)
    const construct = Object.fromEntries([[root, null], ...calls.map(call => [call, root])])
    const one = await paired(await dumpOf(construct), await dumpOf(construct))
    const graphs = new GraphView(sourceOf(one.pair), {
      rows: rowsOfNodes(one.pair.debug, one.comparison),
      origin: { side: 'debug', node: 'Functional.view.1.forward', row: -1 },
    })
    const drawn = (plumbing: boolean): readonly Box[] =>
      graphs.scene({ debug: { open: [root], ...everything }, bench: null, plumbing }).debug.boxes
    const left = ['linear.0', 'view.1', 'relu.0', 'embedding.0'].map(name => `Functional.${name}.forward`)
    expect(drawn(true).map(({ id }) => id)).toEqual(['DefaultModel', root, ...calls])
    expect(drawn(false).map(({ id }) => id)).toEqual(['DefaultModel', root, ...left])
    expect(drawn(false)[1]!.h).toBeLessThan(drawn(true)[1]!.h)
    expect(drawn(false)[1]).toMatchObject({ children: calls.length, own: drawn(true)[1]!.own })
    for (const { id, x, y } of drawn(false))
      expect(graphs.locate('debug', [root], id, false)).toMatchObject({ x, y })
    expect(graphs.locate('debug', [root], calls[0]!, false)).toBeNull()
  })

  test('by error level each call has a colour and a count, by the index of msprobe not', async () => {
    const graphs = await opened()
    const open = ['DefaultModel', model, inner]
    const boxes = (of: GraphView): ReadonlyMap<string, Box> => new Map(at(of, open).map(box => [box.id, box]))
    const byError = boxes(graphs)
    expect(byError.get('Tensor.add.0.forward')).toMatchObject({ bucket: 5, differing: 2 })
    expect(byError.get('Tensor.add.1.forward')).toMatchObject({ bucket: 1, differing: 1, own: { rows: 2 } })
    expect(byError.get(model)).toMatchObject({ bucket: 5, differing: 5, own: { differs: 1 } })
    const { source, debug } = graphs.marks
    const index = new GraphView(source, { rows: debug.rows, origin: null }, undefined, 'msprobe')
    expect(index.legend()).toMatchObject({ colours: 'msprobe', measure: 'relative' })
    // Only outputs count there; the number of rows that differ is the same by every measure.
    expect(boxes(index).get('Tensor.add.1.forward')).toMatchObject({ bucket: 0, differing: 1 })
  })

  test('the origin is marked on both sides, on what holds it, and is where a walk begins', async () => {
    const graphs = await opened({ side: 'bench', node: 'Tensor.add.1.forward', row: 7 })
    const boxes = graphs.scene({
      debug: { open: ['DefaultModel', model], ...everything },
      bench: { open: ['DefaultModel', model, inner], ...everything },
    })
    const marks = (side: readonly Box[]): readonly string[] =>
      side.map(({ id, origin }) => `${id}: ${origin}`)
    expect(marks(boxes.debug.boxes)).toContain(`${inner}: inside`)
    expect(marks(boxes.bench!.boxes)).toEqual(
      expect.arrayContaining([
        'Tensor.add.1.forward: here',
        'Tensor.add.0.forward: none',
        `${model}: inside`,
      ]),
    )
    expect(graphs.walk(null, 'first', false)).toEqual({
      at: { debug: 'Tensor.add.1.forward', bench: 'Tensor.add.1.forward' },
      row: 7,
    })
    const { debug, bench } = graphs.strip(10)
    expect([debug.origin, bench?.origin]).toEqual([0.8, 0.8])
    expect(graphs.search('add.1', 9).map(hit => hit.origin)).toEqual([true, true])
    expect(graphs.list('differing', 0, 9).nodes.map(node => node.origin)).toEqual([false, true, false, false])
  })

  test('gradients of parameters count where their module goes backward', async () => {
    const back = 'Module.a.Linear.backward.0'
    const grads = 'Module.a.Linear.parameters_grad'
    const shape = { [back]: null }
    const with_ = (max: string): Promise<Dump> => dumpOf(shape, { [grads]: { weight: `[${small(max)}]` } })
    const made = await paired(await with_('1.5'), await with_('1.0'))
    const rows = rowsOfNodes(made.pair.debug, made.comparison)
    const graphs = new GraphView(sourceOf(made.pair), { rows, origin: null }, made.why)
    expect(at(graphs, [])).toContainEqual(
      expect.objectContaining({
        id: back,
        differing: 1,
        bucket: 5,
        own: { rows: 3, differs: 1, level: 0.5 },
      }),
    )
  })

  test('without a hierarchy a walk goes from row to row', async () => {
    const made = await paired(await dumpOf(construct, ops), await dumpOf(construct, same))
    const next = (from: string, to: 'next' | 'previous'): string | undefined =>
      walkRows(made.comparison, null, { at: { debug: from }, row: null }, to)?.node
    const nowhere = { at: null, row: null }
    const start = walkRows(made.comparison, null, nowhere, 'first')!
    expect(made.comparison.state[start.row]).toBe(RowState.differs)
    expect(next(start.node, 'previous')).toBeUndefined()
    expect(next(next(start.node, 'next')!, 'previous')).toBe(start.node)
    // Calls that share a name are told apart by the row.
    const last = walkRows(made.comparison, null, { at: { debug: start.node }, row: 1e9 }, 'previous')!
    const behind = { at: { debug: start.node }, row: last.row }
    expect(walkRows(made.comparison, null, behind, 'next')).toBeNull()
    expect(walkRows(made.comparison, null, behind, 'previous')?.row).toBeLessThan(last.row)
    const origin: Origin = { side: 'debug', node: inner, row: 3 }
    expect(walkRows(made.comparison, origin, nowhere, 'first')).toBe(origin)
  })
})

describe('search', () => {
  test('names, ops, dtypes and shapes of both sides', () => {
    expect(view.search('LAYERS.3', 10).map(hit => [hit.side, hit.node, hit.what])).toEqual([
      ['debug', layer(3), 'name'],
      ['bench', layer(3), 'name'],
    ])
    expect(view.search('extra', 10)).toMatchObject([{ what: 'op', bucket: -2 }])
    expect(view.search('[2, 3]', 3)).toHaveLength(3)
    expect(view.search('float32', 5)[0]).toMatchObject({ what: 'dtype', text: 'torch.float32' })
    expect(view.search('  ', 5)).toEqual([])
    expect(view.search('no such thing', 5)).toEqual([])
  })

  test('stack lines', async () => {
    const dump = await dumpOf(
      { 'Tensor.add.0.forward': null },
      {},
      {
        stack: {
          'Tensor.add.0.forward': [
            'File a.py, line 1, in f, \n x',
            'File model.py, line 7, in Attention, \n y',
          ],
        },
      },
    )
    const single = new GraphView(singleSource('plumbline', await built(dump), dump))
    expect(single.search('attention', 5)).toMatchObject([
      { what: 'stack', node: 'Tensor.add.0.forward', text: 'File model.py, line 7, in Attention, \n y' },
    ])
  })

  test('finds everything while it is only partly prepared', () => {
    const search = new NameSearch(marksOf(sourceOf(pair)))
    const whole = view.search('forward', 400).map(hit => hit.node)
    expect(whole.length).toBeGreaterThan(0)
    expect(search.prepare()).toBe(true)
    expect(search.find('forward', 400).map(hit => hit.node)).toEqual(whole)
    expect(search.prepare()).toBe(false)
  })

  test('finds what a plain search finds', () => {
    const names = Array.from(pair.debug.order, node => nodeName(pair.debug, node))
    fc.assert(
      fc.property(fc.constantFrom('add', 'a', '.1', 'forward', 'net', 'LAYERS.2', 'r.f', '0'), wanted => {
        const expected = names.filter(name => name.toLowerCase().includes(wanted.toLowerCase()))
        expect(
          view
            .search(wanted, 400)
            .filter(hit => hit.side === 'debug' && (hit.what === 'name' || hit.what === 'op'))
            .map(hit => hit.node),
        ).toEqual(expected)
      }),
    )
  })
})

describe('labels', () => {
  test.each([
    [
      'Module.net.layers.1.attention.Attention.forward.0',
      'Module.net.layers.1.Layer.forward.0',
      'attention.Attention',
    ],
    [
      'Module.net.layers.1.attention.Attention.forward.2',
      'Module.net.layers.1.Layer.forward.0',
      'attention.Attention #2',
    ],
    ['Functional.linear.3.backward', 'Module.net.Net.forward.0', 'linear.3'],
    ['Primitive.conv2d.Conv2D.0.forward', 'Module.net.Net.forward.0', 'conv2d.Conv2D.0'],
    ['Module.a.A.forward.0', 'Module.b.B.forward.0', 'a.A'],
  ])('%s below %s', async (id, parent, label) => {
    const graph = await built(await dumpOf({ [parent]: null, [id]: parent }))
    expect(labelOf(graph, findNode(graph, id))).toBe(label)
  })

  test('cut at the front', () => {
    expect(cutFront('short', 100)).toBe('short')
    expect(cutFront('a.very.long.module.name.that.ends.in.Attention', 80)).toMatch(/^….*Attention$/)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 20, max: 300 }), (text, room) => {
        expect(textWidth(cutFront(text, room))).toBeLessThanOrEqual(room)
      }),
    )
  })

  test('marks of a single graph have no partners', async () => {
    const dump = await dumpOf({ 'Tensor.add.0.forward': null })
    expect([...marksOf(singleSource('plumbline', await built(dump), dump)).debug.bucket]).toEqual([-1, -1])
  })
})

describe('colours by overflow', () => {
  const nan = (input: string, output: string): Ops[string] => ({
    input_args: `[${small(input)}]`,
    output: `[${small(output)}]`,
  })
  const names = [
    'Tensor.add.0.forward',
    'Tensor.add.1.forward',
    'Tensor.add.2.forward',
    'Tensor.add.3.forward',
  ]

  test('levels of either side take the place of the index', async () => {
    const construct = layered(1, 4)
    const debug = await dumpOf(construct, {
      [names[0]!]: nan('1.0', 'NaN'),
      [names[1]!]: nan('NaN', 'Infinity'),
      [names[2]!]: nan('Infinity', '1.0'),
    })
    const made = sourceOf(
      await compared(debug, await dumpOf(construct, { [names[3]!]: nan('1.0', 'NaN') }), { overflow: true }),
    )
    const coloured = new GraphView(made, undefined, undefined, 'overflow')
    const buckets = (side: 'debug' | 'bench'): number[] =>
      names.map(name => coloured.marks[side]!.bucket[findNode(made[side]!, name)]!)
    expect(buckets('debug')).toEqual([5, 4, 2, 0])
    expect(buckets('bench')).toEqual([0, 0, 0, 5])
    expect(coloured.legend()).toMatchObject({ colours: 'overflow', measure: 'overflow' })
    expect(
      coloured
        .legend()
        .buckets.map(bucket => bucket.count)
        .slice(1),
    ).toEqual([1, 1, 1])
    expect(new GraphView(made).legend().choices).toEqual([
      { colours: 'msprobe', measure: 'relative' },
      { colours: 'overflow', measure: 'overflow' },
    ])
  })

  test('a single graph has them too, and where there are none it says so', async () => {
    const dump = await dumpOf(layered(1, 4), { [names[1]!]: nan('1.0', 'NaN') })
    expect(
      new GraphView(
        singleSource('plumbline', await built(dump), dump),
        undefined,
        undefined,
        'overflow',
      ).legend(),
    ).toMatchObject({ measure: 'overflow' })
    const clean = await dumpOf(layered(1, 4))
    expect(
      new GraphView(
        singleSource('plumbline', await built(clean), clean),
        undefined,
        undefined,
        'overflow',
      ).legend(),
    ).toMatchObject({ colours: 'msprobe', measure: 'none' })
  })
})

describe('modules that are called otherwise', () => {
  const around = 'Module.a.A.forward.0'
  const twin = 'Module.b.B.forward.0'
  const below = (parent: string, count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`Tensor.add.${i}.forward`, parent]))
  const partnerOf = ({ pair: { debug, bench, matching } }: Awaited<ReturnType<typeof paired>>): string => {
    const there = matching.toBench[findNode(debug, around) ?? -1] ?? -1
    return there < 0 ? '' : nodeName(bench, there)
  }
  const noCalls = (construct: Record<string, string | null>): Promise<Dump> =>
    dumpOf(
      Object.fromEntries(Object.entries(construct).filter(([name]) => !name.startsWith('Module'))),
      {},
      { construct },
    )

  test('meet where most of what they hold meets', async () => {
    const debug = await noCalls({ [around]: null, ...below(around, 3) })
    expect(partnerOf(await paired(debug, await noCalls({ [twin]: null, ...below(twin, 3) })))).toBe(twin)
  })

  test('are not marked as alone while all that they hold has a partner', async () => {
    const other = 'Module.c.C.forward.0'
    const debug = await noCalls({ [around]: null, ...below(around, 2) })
    const apart = { [twin]: null, [other]: null, 'Tensor.add.0.forward': twin, 'Tensor.add.1.forward': other }
    const { pair } = await paired(debug, await noCalls(apart))
    const marks = marksOf(sourceOf(pair))
    expect(marks.debug.bucket[findNode(pair.debug, around) ?? -1]).not.toBe(noPartner)
    const more = await noCalls({ ...apart, 'Tensor.mul.0.forward': other })
    const unlike = await paired(debug, more)
    const bucket = marksOf(sourceOf(unlike.pair)).bench?.bucket
    expect(bucket?.[findNode(unlike.pair.bench, twin) ?? -1]).not.toBe(noPartner)
    expect(bucket?.[findNode(unlike.pair.bench, other) ?? -1]).toBe(noPartner)
  })

  test('meet nobody where what they hold is scattered, or the other is a call', async () => {
    const debug = await noCalls({ [around]: null, ...below(around, 2) })
    const apart = { 'Tensor.add.0.forward': twin, 'Tensor.add.1.forward': 'Module.c.C.forward.0' }
    const scattered = await noCalls({ [twin]: null, 'Module.c.C.forward.0': null, ...apart })
    expect(partnerOf(await paired(debug, scattered))).toBe('')
    const call = await dumpOf({ [twin]: null, ...below(twin, 2) })
    expect(partnerOf(await paired(debug, call))).toBe('')
  })
})

// What the window asks of graphs: scenes, strips, lists, ways and search.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { findNode, nodeName } from '../../../main/engine/graph/graph.ts'
import { cutFront, labelOf, textWidth } from '../../../main/engine/graph/labels.ts'
import { marksOf, singleSource, sourceOf } from '../../../main/engine/graph/marks.ts'
import { NameSearch } from '../../../main/engine/graph/search.ts'
import { GraphView } from '../../../main/engine/graph/view.ts'
import { whyUnmatched } from '../../../main/engine/graph/why.ts'
import type { GraphPair } from '../../../main/engine/graph/pair.ts'
import type { Box } from '../../../preload/contract/engine.ts'
import type { Ops } from '../../support/dump-text.ts'
import { built, compared, dumpOf, layered, small } from '../../support/graphs.ts'

const everything = { top: -Infinity, bottom: Infinity }
const at = (view: GraphView, open: readonly string[], part = everything): readonly Box[] => view.scene({ debug: { open, ...part }, bench: null }).debug.boxes
const inside = (a: Box, b: Box): boolean => a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w + 0.01 && a.y + a.h <= b.y + b.h + 0.01

let pair: GraphPair
let view: GraphView
const layer = (n: number): string => `Module.m.layers.${n}.Layer.forward.0`
const root = 'Module.m.Net.forward.0'

beforeAll(async () => {
  const construct = layered(6, 7)
  const bad: Ops = { 'Tensor.add.10.forward': { input_args: `[${small()}]`, output: `[${small('1.5')}]` }, 'Tensor.add.30.forward': { input_args: `[${small()}]`, output: `[${small('9.0')}]` } }
  const debug = await dumpOf({ ...construct, 'Functional.extra.0.forward': null }, bad)
  pair = await compared(debug, await dumpOf({ ...construct, 'Module.late.Late.forward.0': null }))
  const failing = new Int32Array(debug.ops.length)
  failing[debug.ops.name.indexOf(debug.texts.find('Tensor.add.10.forward'))] = 2
  failing[debug.ops.name.indexOf(debug.texts.find('Tensor.add.30.forward'))] = 1
  view = new GraphView(sourceOf(pair, failing), whyUnmatched(pair, 'place'))
})

describe('layout', () => {
  test('only what is open is drawn, each box inside the one around it, in order and apart', () => {
    const boxes = at(view, [root, layer(1)])
    expect(boxes.map(box => box.id)).toEqual(expect.arrayContaining(['DefaultModel', root, layer(0), layer(1), 'Tensor.add.7.forward']))
    expect(boxes.map(box => box.id)).not.toContain('Tensor.add.0.forward')
    const byId = new Map(boxes.map(box => [box.id, box]))
    for (const box of boxes) {
      const node = findNode(pair.debug, box.id)
      if (node > 0) expect(inside(box, byId.get(nodeName(pair.debug, pair.debug.parent[node]!))!), box.id).toBe(true)
    }
    const column = boxes.filter(box => box.depth === 2).toSorted((a, b) => a.from - b.from)
    column.slice(1).forEach((box, i) => expect(box.y - (column[i]!.y + column[i]!.h)).toBeGreaterThanOrEqual(6))
  })

  test('opening a node moves nothing above it and nothing sideways', () => {
    fc.assert(fc.property(fc.subarray([0, 1, 2, 3, 4, 5]), fc.integer({ min: 0, max: 5 }), (open, more) => {
      const before = at(view, [root, ...open.map(layer)])
      const after = new Map(at(view, [root, ...new Set([...open, more])].map(one => (typeof one === 'number' ? layer(one) : one))).map(box => [box.id, box]))
      const opened = before.find(box => box.id === layer(more))!
      for (const box of before) {
        if (box.id === opened.id) continue
        const now = after.get(box.id)!
        expect(now.x).toBe(box.x)
        if (box.y <= opened.y) expect(now.y).toBe(box.y)
      }
      expect(after.get(opened.id)!.y).toBe(opened.y)
    }))
  })

  test('a part of the drawing is that part of the whole, with what is around it', () => {
    const open = [root, layer(0), layer(3)]
    const all = at(view, open)
    fc.assert(fc.property(fc.integer({ min: -50, max: 700 }), fc.integer({ min: 0, max: 300 }), (top, height) => {
      const part = at(view, open, { top, bottom: top + height })
      for (const box of part) expect(all).toContainEqual(box)
      const missing = all.filter(box => box.y + box.h >= top && box.y <= top + height && !part.some(one => one.id === box.id))
      expect(missing.map(box => box.id)).toEqual([])
    }))
  })

  test('where a box is can be asked without drawing', () => {
    const open = [root, layer(2)]
    for (const box of at(view, open)) expect(view.locate('debug', open, box.id)).toEqual({ x: box.x, y: box.y, w: box.w, h: box.h })
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
  test('say what they are, how bad, and who their partner is', () => {
    const boxes = new Map(at(view, [root, layer(1)]).map(box => [box.id, box]))
    expect(boxes.get('Tensor.add.10.forward')).toMatchObject({ shape: 'api', bucket: 3, failing: 2, backward: false, partner: 'Tensor.add.10.forward', label: 'add.10' })
    expect(boxes.get(layer(1))).toMatchObject({ shape: 'module', open: true, failing: 2, children: 7, label: 'layers.1.Layer' })
    expect(boxes.get(layer(4))).toMatchObject({ open: false, failing: 1 })
    expect(boxes.get('Functional.extra.0.forward')).toMatchObject({ bucket: -2, partner: '', label: 'Functional.extra.0' })
    const bench = view.scene({ debug: { open: [], ...everything }, bench: { open: [], ...everything } }).bench!
    expect(bench.boxes.find(box => box.id === 'Module.late.Late.forward.0')).toMatchObject({ bucket: -2 })
    expect(bench.boxes.find(box => box.id === root)).toMatchObject({ bucket: -1, failing: 3 })
  })

  test('what the grid leaves out is dimmed', () => {
    const kept = { debug: new Uint8Array(pair.debugDump.ops.length), bench: new Uint8Array(pair.benchDump.ops.length) }
    kept.debug[pair.debug.op[findNode(pair.debug, 'Tensor.add.10.forward')]!] = 1
    const boxes = view.scene({ debug: { open: [root, layer(1)], ...everything }, bench: null }, kept).debug.boxes
    expect(boxes.filter(box => !box.dim).map(box => box.id)).toEqual(['DefaultModel', root, layer(1), 'Tensor.add.10.forward'])
  })
})

describe('ways', () => {
  test('first, next and previous suspicious node', () => {
    const first = view.walk(null, 'first')
    expect(first).toEqual({ debug: 'Tensor.add.10.forward', bench: 'Tensor.add.10.forward' })
    expect(view.walk(first, 'next')).toMatchObject({ debug: 'Tensor.add.30.forward' })
    expect(view.walk(view.walk(first, 'next'), 'next')).toBeNull()
    expect(view.walk({ debug: 'Tensor.add.30.forward' }, 'previous')).toEqual(first)
    expect(view.walk({ bench: 'Module.late.Late.forward.0' }, 'previous')).toMatchObject({ debug: 'Tensor.add.30.forward' })
  })

  test('parent, child, above, below', () => {
    expect(view.walk({ debug: layer(2) }, 'parent')).toMatchObject({ debug: root })
    expect(view.walk({ debug: layer(2) }, 'child')).toMatchObject({ debug: 'Tensor.add.14.forward' })
    expect(view.walk({ debug: layer(2) }, 'above')).toMatchObject({ debug: layer(1) })
    expect(view.walk({ debug: layer(2) }, 'below')).toMatchObject({ debug: layer(3) })
    expect(view.walk({ debug: layer(0) }, 'above')).toBeNull()
    expect(view.walk({ debug: 'DefaultModel' }, 'parent')).toBeNull()
  })

  test('what has to be open', () => {
    expect(view.reveal({ debug: 'Tensor.add.10.forward' })).toMatchObject({ debug: ['DefaultModel', root, layer(1)], bench: ['DefaultModel', root, layer(1)] })
    expect(view.reveal({ bench: 'Module.late.Late.forward.0' })).toMatchObject({ at: { bench: 'Module.late.Late.forward.0' }, debug: ['DefaultModel'], bench: ['DefaultModel'] })
    expect(view.reveal({ debug: 'nobody' })).toEqual({ at: { debug: 'nobody' }, debug: [], bench: [] })
  })

  test('opening by depth, all, and the ways to what fails', () => {
    expect(view.expand(null, 1).debug).toEqual(['DefaultModel'])
    expect(view.expand(null, 2).debug).toEqual(['DefaultModel', root])
    expect(view.expand({ debug: root }, 'all').debug).toHaveLength(7)
    expect(view.expand(null, 'failing').debug).toEqual(['DefaultModel', root, layer(1), layer(4)])
    expect(view.expand(null, 'failing').bench).toEqual(['DefaultModel', root, layer(1), layer(4)])
  })

  test('lists of lone nodes say why', () => {
    expect(view.list('unmatched-debug', 0, 10)).toMatchObject({ total: 1, nodes: [{ at: { debug: 'Functional.extra.0.forward' } }] })
    const bench = view.list('unmatched-bench', 0, 10)
    expect(bench.nodes[0]!.why.map(found => found.code)).toContain('unmatched-no-such-id')
    expect(view.list('suspicious', 1, 5)).toMatchObject({ total: 2, nodes: [{ at: { debug: 'Tensor.add.30.forward' }, bucket: 5, failing: 1 }] })
  })

  test('places in the run', () => {
    expect(view.nodeAt('debug', 0)).toMatchObject({ debug: 'DefaultModel' })
    expect(view.nodeAt('debug', 1)).toEqual({ debug: 'Functional.extra.0.forward' })
    const { debug } = view.strip(pair.debug.length)
    expect(debug.bucket[pair.debug.place[findNode(pair.debug, 'Tensor.add.30.forward')]!]).toBe(5)
    expect(Math.max(...view.strip(4).debug.bucket)).toBe(5)
    expect(view.legend()).toMatchObject({ measure: 'relative', unmatchedDebug: 1, unmatchedBench: 1 })
    expect(view.legend().buckets.map(bucket => bucket.count)).toEqual([47, 0, 0, 1, 0, 1])
  })

  test('gradients of a module lead to its backward call', async () => {
    const dump = await dumpOf({ 'Module.a.A.forward.0': null, 'Module.a.A.backward.0': null, 'Module.a.A.backward.1': null })
    const single = new GraphView(singleSource('plumbline', await built(dump), dump))
    expect(single.path('debug', 'Module.a.A.parameters_grad')).toEqual(['DefaultModel', 'Module.a.A.backward.1'])
  })
})

describe('search', () => {
  test('names, ops, dtypes and shapes of both sides', () => {
    expect(view.search('LAYERS.3', 10).map(hit => [hit.side, hit.node, hit.what])).toEqual([['debug', layer(3), 'name'], ['bench', layer(3), 'name']])
    expect(view.search('extra', 10)).toMatchObject([{ what: 'op', bucket: -2 }])
    expect(view.search('[2, 3]', 3)).toHaveLength(3)
    expect(view.search('float32', 5)[0]).toMatchObject({ what: 'dtype', text: 'torch.float32' })
    expect(view.search('  ', 5)).toEqual([])
    expect(view.search('no such thing', 5)).toEqual([])
  })

  test('stack lines', async () => {
    const dump = await dumpOf({ 'Tensor.add.0.forward': null }, {}, { stack: { 'Tensor.add.0.forward': ['File a.py, line 1, in f, \n x', 'File model.py, line 7, in Attention, \n y'] } })
    const single = new GraphView(singleSource('plumbline', await built(dump), dump))
    expect(single.search('attention', 5)).toMatchObject([{ what: 'stack', node: 'Tensor.add.0.forward', text: 'File model.py, line 7, in Attention, \n y' }])
  })

  test('finds everything while it is only partly prepared', () => {
    const search = new NameSearch(marksOf(sourceOf(pair, null)))
    const whole = view.search('forward', 400).map(hit => hit.node)
    expect(whole.length).toBeGreaterThan(0)
    expect(search.prepare()).toBe(true)
    expect(search.find('forward', 400).map(hit => hit.node)).toEqual(whole)
    expect(search.prepare()).toBe(false)
  })

  test('finds what a plain search finds', () => {
    const names = Array.from(pair.debug.order, node => nodeName(pair.debug, node))
    fc.assert(fc.property(fc.constantFrom('add', 'a', '.1', 'forward', 'net', 'LAYERS.2', 'r.f', '0'), wanted => {
      const expected = names.filter(name => name.toLowerCase().includes(wanted.toLowerCase()))
      expect(view.search(wanted, 400).filter(hit => hit.side === 'debug' && (hit.what === 'name' || hit.what === 'op')).map(hit => hit.node)).toEqual(expected)
    }))
  })
})

describe('labels', () => {
  test.each([
    ['Module.net.layers.1.attention.Attention.forward.0', 'Module.net.layers.1.Layer.forward.0', 'attention.Attention'],
    ['Module.net.layers.1.attention.Attention.forward.2', 'Module.net.layers.1.Layer.forward.0', 'attention.Attention #2'],
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
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 20, max: 300 }), (text, room) => { expect(textWidth(cutFront(text, room))).toBeLessThanOrEqual(room) }))
  })

  test('marks of a single graph have no partners', async () => {
    const dump = await dumpOf({ 'Tensor.add.0.forward': null })
    expect([...marksOf(singleSource('plumbline', await built(dump), dump)).debug.bucket]).toEqual([-1, -1])
  })
})

describe('colours by overflow', () => {
  const nan = (input: string, output: string): Ops[string] => ({ input_args: `[${small(input)}]`, output: `[${small(output)}]` })
  const names = ['Tensor.add.0.forward', 'Tensor.add.1.forward', 'Tensor.add.2.forward', 'Tensor.add.3.forward']

  test('levels of either side take the place of the index', async () => {
    const construct = layered(1, 4)
    const debug = await dumpOf(construct, { [names[0]!]: nan('1.0', 'NaN'), [names[1]!]: nan('NaN', 'Infinity'), [names[2]!]: nan('Infinity', '1.0') })
    const made = sourceOf(await compared(debug, await dumpOf(construct, { [names[3]!]: nan('1.0', 'NaN') }), { overflow: true }), null)
    const coloured = new GraphView(made, undefined, 'overflow')
    const buckets = (side: 'debug' | 'bench'): number[] => names.map(name => coloured.marks[side]!.bucket[findNode(made[side]!, name)]!)
    expect(buckets('debug')).toEqual([5, 4, 2, 0])
    expect(buckets('bench')).toEqual([0, 0, 0, 5])
    expect(coloured.legend()).toMatchObject({ measure: 'overflow', overflow: true })
    expect(coloured.legend().buckets.map(bucket => bucket.count).slice(1)).toEqual([1, 1, 1])
    expect(new GraphView(made).legend()).toMatchObject({ measure: 'relative', overflow: true })
  })

  test('a single graph has them too, and where there are none it says so', async () => {
    const dump = await dumpOf(layered(1, 4), { [names[1]!]: nan('1.0', 'NaN') })
    expect(new GraphView(singleSource('plumbline', await built(dump), dump), undefined, 'overflow').legend()).toMatchObject({ measure: 'overflow', overflow: true })
    const clean = await dumpOf(layered(1, 4))
    expect(new GraphView(singleSource('plumbline', await built(clean), clean)).legend().overflow).toBe(false)
  })
})

// Runs of several graphs, steps and devices, with sub-graphs: their units, their hierarchy, and where errors enter.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionId } from '../../../../preload/contract/engine.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { type DrawnRun, drawRun } from '../../../support/tensorflow-tree.ts'
import { allDone, never, watchedEngine, type Watched } from '../../../support/watched.ts'

const fixture = path.join(import.meta.dirname, '../../../fixtures/tf/net/precision_data')
const large: DrawnRun = {
  graphs: ['ge_default_1', 'ge_default_2'],
  blocks: 15,
  steps: [0, 5],
  devices: [0, 1],
  wrong: { op: 'ge_default_2/block7/BiasAdd', step: 5, device: 1 },
}

const opened = async (...paths: readonly string[]): Promise<{ watched: Watched; session: SessionId }> => {
  const watched = watchedEngine()
  const { session } = await watched.open(paths)
  await watched.until(session, allDone)
  return { watched, session }
}

describe('search', () => {
  const hits = async (text: string): Promise<readonly string[]> => {
    const { watched, session } = await opened(fixture)
    const found = await watched.engine.search({ session, unit: 0, text, limit: 50 }, never)
    await watched.engine.close({ session }, never)
    return found.filter(({ side }) => side === 'debug').map(hit => `${hit.what} ${hit.node} ${hit.text}`)
  }

  it('finds ops by what the graph says of them, and tells what was matched', async () => {
    expect(await hits('matmulv2')).toEqual(['type LeNet/fc/MatMul MatMulV2'])
    expect(await hits('PASSX')).toEqual([])
  })

  it('looks only there where it is told so', async () => {
    expect(await hits('type: matmul')).toEqual(['type LeNet/fc/MatMul MatMulV2'])
    expect(await hits('kernel:matmulv2')).toEqual([])
    expect(await hits('pass:tbeconv')).toEqual([expect.stringMatching(/^pass .* TbeConvReluFusionPass$/)])
    expect(await hits('kernel:te_conv')).toEqual([
      expect.stringMatching(/^kernel .* te_conv2d_relu_1a2b__kernel0$/),
    ])
    // No such word: a text like any other.
    expect(await hits('fc:matmul')).toEqual([])
  })
})

describe('two graphs of 60 ops, on two devices, in two steps', () => {
  const folder = drawRun(temporaryFolder(), large)

  it('are a unit each, called after their graph where step and device do not tell them apart', async () => {
    const { watched, session } = await opened(folder)
    const { units, sides } = await watched.engine.session({ session }, never)
    expect(units.map(({ name, step, rank }) => [name, rank, step])).toEqual(
      [0, 1].flatMap(rank =>
        large.graphs.flatMap(name => large.steps.map(step => [name, rank, step] as const)),
      ),
    )
    expect(sides.map(({ name }) => name)).toEqual(['debug_0', 'tf'])
    // Per block two inputs are compared and two are handed on; only one unit goes wrong.
    const wrong = units.filter(({ differs }) => differs > 0)
    expect(wrong.map(({ name, step, rank, headline }) => [name, step, rank, headline])).toEqual([
      ['ge_default_2', 5, 1, 'ge_default_2/block7/BiasAdd'],
    ])
    expect(
      new Set(units.map(({ unmatchedDebug, unmatchedBench }) => unmatchedDebug + unmatchedBench)),
    ).toEqual(new Set([0]))
    await watched.engine.close({ session }, never)
  })

  it('have bodies of calls below the calls, and edges through them', async () => {
    const { watched, session } = await opened(folder)
    const here = { session, unit: 0 }
    const node = (debug: string) => watched.engine.node({ ...here, at: { debug } }, never)
    const softmax = await node('ge_default_1/head/Softmax')
    expect(softmax.path.debug).toEqual([
      'DefaultModel',
      'ge_default_1/',
      'ge_default_1/call//',
      'ge_default_1/call//ge_default_1/',
      'ge_default_1/call//ge_default_1/head/',
      'ge_default_1/head/Softmax',
    ])
    const links = (of: typeof softmax, part: string): readonly string[] =>
      of.items.filter(item => item.part === part).flatMap(item => item.links.map(({ item: name }) => name))
    expect(links(softmax, 'input')).toEqual(['ge_default_1/head/arg.output.0'])
    expect(links(await node('ge_default_1/head/arg'), 'input')).toEqual([
      'ge_default_1/block14/Relu.output.0',
    ])
    expect(links(await node('ge_default_1/after'), 'input')).toEqual(['ge_default_1/head/Softmax.output.0'])
    // What has no scope in its name stands with the op that reads it.
    expect((await node('trans_Cast_ge_default_1_3')).path.debug.at(-2)).toBe('ge_default_1/block3/')
    await watched.engine.close({ session }, never)
  })
})

describe('edges along which no tensor goes', () => {
  const run: DrawnRun = { ...large, graphs: ['net'], blocks: 3, steps: [0], devices: [0], waits: true }
  const here = async (drawn: Partial<DrawnRun>) => {
    const { watched, session } = await opened(drawRun(temporaryFolder(), { ...run, ...drawn }))
    return { watched, at: { session, unit: 0 } }
  }
  const relus = [0, 1, 2].map(block => `net/block${block}/Relu`)

  it('are listed apart, and drawn as what they are', async () => {
    const { watched, at } = await here({})
    const node = (debug: string) => watched.engine.node({ ...at, at: { debug } }, never)
    const done = await node('net/done')
    expect(done.items).toEqual([])
    expect(done.waits.debug).toEqual({
      after: { names: relus, total: 3 },
      before: { names: ['net/after'], total: 1 },
    })
    const after = await node('net/after')
    expect(after.items.flatMap(({ links }) => links.map(link => link.node))).toEqual(['net/head/Softmax'])
    expect(after.waits.debug.after.names).toEqual(['net/done'])
    const flow = await watched.engine.flow(
      { ...at, side: 'debug', node: 'net/done', hops: 1, most: 50 },
      never,
    )
    expect(flow.known).toBe('graph')
    const waits = flow.edges.filter(({ by }) => by === 'control')
    expect(waits.map(({ from, to }) => `${from} ${to}`)).toEqual([
      ...relus.map(name => `${name} net/done`),
      'net/done net/after',
    ])
    await watched.engine.close(at, never)
  })

  it('carry no error: what waits for a call that goes wrong is not reached by it', async () => {
    const wrong = { op: 'net/block2/Relu', step: 0, device: 0 }
    const [with_, without] = await Promise.all([here({ wrong }), here({ wrong, waits: false })])
    const findings = async ({ watched, at }: typeof with_) => {
      const { findings: found } = await watched.engine.findings(at, never)
      await watched.engine.close(at, never)
      // There are more ops with those that wait.
      return found.map(finding => ({ ...finding, of: 0 }))
    }
    expect(await findings(with_)).toEqual(await findings(without))
  })

  it('leave no room for what reads, where not all can be drawn', async () => {
    const { watched, at } = await here({})
    const ask = { ...at, side: 'debug' as const, node: 'net/block2/Relu', hops: 1, most: 3 }
    const { nodes, cut } = await watched.engine.flow(ask, never)
    expect(cut).toBe(true)
    expect(nodes.map(({ id }) => id)).toEqual(['net/block2/BiasAdd', 'net/block2/Relu', 'net/head/arg'])
    await watched.engine.close(at, never)
  })
})

describe('records of overflow', () => {
  it('stand at the op and at what holds it, and are gone to in their order', async () => {
    const overflowed = ['net/block1/Relu', 'net/block0/MatMul', 'net/block0/MatMul', 'other/op']
    const run: DrawnRun = { ...large, graphs: ['net'], blocks: 2, steps: [0], devices: [0], overflowed }
    const { watched, session } = await opened(drawRun(temporaryFolder(), run))
    const at = { session, unit: 0 }
    const open = ['DefaultModel', 'net/', 'net/block1/']
    const { debug, bench } = await watched.engine.scene(
      { ...at, debug: { open, top: 0, bottom: 1e6 }, bench: { open, top: 0, bottom: 1e6 } },
      never,
    )
    const marked = debug.boxes.filter(({ overflow }) => overflow)
    expect(marked.map(({ id, overflow }) => [id, overflow?.records])).toEqual([
      ['DefaultModel', 3],
      ['net/', 3],
      ['net/block0/', 2],
      ['net/block1/', 1],
      ['net/block1/Relu', 1],
    ])
    expect(marked.at(-1)?.overflow?.meanings).toEqual([{ code: 'float', bit: 5 }])
    expect(bench?.boxes.filter(({ overflow }) => overflow)).toEqual([])
    expect((await watched.engine.legend(at, never)).overflowed).toBe(2)
    const listed = await watched.engine.list({ ...at, list: 'overflowed', first: 0, count: 9 }, never)
    expect(listed.nodes.map(node => node.at.debug)).toEqual(['net/block1/Relu', 'net/block0/MatMul'])
    expect(listed.reasons).toEqual([])
    await watched.engine.close(at, never)
  })
})

describe('two NPU runs', () => {
  const small: DrawnRun = { ...large, graphs: ['net'], blocks: 3, steps: [0], devices: [0], alone: true }

  it('of one folder are a pair by the names of their ops', async () => {
    const folder = temporaryFolder()
    drawRun(folder, small)
    const root = drawRun(folder, {
      ...small,
      side: 'debug_1',
      wrong: { op: 'net/block1/MatMul', step: 0, device: 0 },
    })
    const { watched, session } = await opened(root)
    const { units, sides } = await watched.engine.session({ session }, never)
    expect(sides.map(({ name, framework }) => [name, framework])).toEqual([
      ['debug_0', 'cann'],
      ['debug_1', 'cann'],
    ])
    expect(units).toMatchObject([{ headline: 'net/block1/MatMul', unmatchedDebug: 0, unmatchedBench: 0 }])
    await watched.engine.close({ session }, never)
  })

  it('of one folder stand behind the comparison with the script, the newest execution first', async () => {
    const folder = temporaryFolder()
    const times = ['20210510101133', '20210601000000']
    drawRun(folder, { ...small, alone: false, times })
    const root = drawRun(folder, { ...small, side: 'debug_1' })
    const { watched, session } = await opened(root)
    const { units, unit } = await watched.engine.session({ session }, never)
    expect(unit).toBe(0)
    expect(units.map(({ name }) => name)).toEqual([
      'debug_0 – TensorFlow · 20210601000000',
      'debug_0 – TensorFlow · 20210510101133',
      'debug_1 – TensorFlow',
      'debug_0 – debug_1 · 20210601000000',
      'debug_0 – debug_1 · 20210510101133',
    ])
    expect(units.map(({ sideNames }) => sideNames.join(' '))).toEqual([
      'debug_0 TensorFlow',
      'debug_0 TensorFlow',
      'debug_1 TensorFlow',
      'debug_0 debug_1',
      'debug_0 debug_1',
    ])
    await watched.engine.close({ session }, never)
  })

  it('of which only what ops give was dumped are read by who made what', async () => {
    const folder = temporaryFolder()
    const wrong = { op: 'net/block1/MatMul', step: 0, device: 0 }
    const root = drawRun(folder, { ...small, alone: false, outputsOnly: true, wrong })
    const { watched, session } = await opened(root)
    const { findings } = await watched.engine.findings({ session, unit: 0 }, never)
    // Whoever reads what is wrong has nothing of its own.
    expect(findings.map(({ node, kind }) => [node, kind])).toEqual([['net/block1/MatMul', 'origin']])
    await watched.engine.close({ session }, never)
  })

  it('that are older are told of where the error is theirs, and are not begun with', async () => {
    const times = ['20210510101133', '20210601000000']
    const wrong = { op: 'net/block1/BiasAdd', step: 0, device: 0, time: times[0] }
    const root = drawRun(temporaryFolder(), { ...small, alone: false, times, wrong })
    const { watched, session } = await opened(root)
    const { units } = await watched.engine.session({ session }, never)
    expect(units.map(({ aside }) => aside)).toEqual([false, true])
    const { first, start, agree, finding } = await watched.engine.across({ session }, never)
    expect({ first, start, agree, node: finding?.node }).toEqual({
      first: 1,
      start: null,
      agree: [0],
      node: 'net/block1/BiasAdd',
    })
    await watched.engine.close({ session }, never)
  })
})

describe('what lies beside the tensors', () => {
  it('is said of a node: whom it stands for, its kernel, its files, and how its values lie', async () => {
    const { watched, session } = await opened(fixture)
    const at = { debug: 'LeNet/conv1/Conv2DLeNet/conv1/Relu' }
    const { facts, items } = await watched.engine.node({ session, unit: 0, at }, never)
    expect(Object.fromEntries(facts.debug.map(({ key, text }) => [key, text]))).toEqual({
      type: 'Conv2D',
      originals: 'LeNet/conv1/Conv2D, LeNet/conv1/Relu',
      pass: 'TbeConvReluFusionPass',
      kernel: 'te_conv2d_relu_1a2b__kernel0',
      kernelLib: 'AIcoreEngine',
      id: '4',
      stream: '5',
      graph: 'ge_default_20210510101134_1',
      graphFile: 'ge_proto_00000012_Build.txt',
      dumpFile: 'Conv2D.LeNet_conv1_Conv2DLeNet_conv1_Relu.4.5.1620612694000300',
    })
    expect(items.map(({ debug }) => debug?.layout)).toEqual([
      'NC1HWC0 [2, 1, 4, 4, 16]',
      'FRACTAL_Z [4, 1, 16, 16]',
      'NC1HWC0 [2, 1, 3, 3, 16]',
    ])
    await watched.engine.close({ session }, never)
  })

  it('are overflow records in their order, each with its operation', async () => {
    const { watched, session } = await opened(fixture)
    const found = await watched.engine.overflows({ session, unit: 0 }, never)
    expect(found.map(({ op, type, task, known }) => [op, type, task, known])).toEqual([
      ['LeNet/loss/mul', 'Mul', 21, false],
      ['LeNet/loss/AddN', 'AddN', 22, false],
    ])
    expect(found[0].statuses.flatMap(({ meanings }) => meanings.map(({ code }) => code))).toEqual([
      'atomic-underflow',
      'atomic-underflow',
      'float',
      'half',
    ])
    await watched.engine.close({ session }, never)
  })

  it('opens overflow dumps by themselves, with their operations as nodes', async () => {
    const { watched, session } = await opened(path.join(fixture, 'overflow'))
    const found = await watched.engine.overflows({ session, unit: 0 }, never)
    expect(found.map(({ op, known }) => [op, known])).toEqual([
      ['LeNet/loss/mul', true],
      ['LeNet/loss/AddN', true],
    ])
    await watched.engine.close({ session }, never)
  })
})

describe('a graph of another run', () => {
  it('is what is said where no tensor met another, without what msprobe could dump next', async () => {
    const run: DrawnRun = { ...large, graphs: ['net'], blocks: 2, steps: [0], devices: [0] }
    const root = drawRun(temporaryFolder(), run)
    const other = drawRun(temporaryFolder(), { ...run, graphs: ['foreign'] })
    const { watched, session } = await opened(
      path.join(root, 'npu/debug_0/dump'),
      path.join(root, 'tf'),
      path.join(other, 'npu/debug_0/graph/ge_proto_00000001_Build.txt'),
    )
    const advice = await watched.engine.findings({ session, unit: 0 }, never)
    expect(advice.findings.map(({ kind, variant }) => [kind, variant])).toEqual([['not-decidable', 'apart']])
    expect(advice.dumpNext).toBeNull()
    expect(advice.curve.level).toHaveLength(0)
    await watched.engine.close({ session }, never)
  })
})

describe('the changes to a script', () => {
  it('have the folder that is meant and the steps of the run in them, unless others are wished', async () => {
    const { watched, session } = await opened(path.join(fixture, 'npu'))
    const own = await watched.engine.scriptChanges({ session }, never)
    expect(own).toMatchObject({ folder: fixture, steps: '0' })
    const text = (of: typeof own, id: string) => of.snippets.find(one => one.id === id)?.text ?? ''
    expect(text(own, 'session.own')).toContain(JSON.stringify(path.join(fixture, 'npu/debug_0/dump')))
    const wished = await watched.engine.scriptChanges({ session, folder: '/mnt/a "b"', steps: '0|5' }, never)
    expect(text(wished, 'tf2.own')).toContain(JSON.stringify('/mnt/a "b"/npu/debug_0/dump'))
    expect(text(wished, 'tf2.own')).toContain('"0|5"')
    await watched.engine.close({ session }, never)
  })
})

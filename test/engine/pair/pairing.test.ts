// One pairing: what a row says of partners, the graph of the window says too.
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { inferFlow } from '../../../main/engine/flow/flow.ts'
import { findNode, nodeName } from '../../../main/engine/graph/graph.ts'
import type { GraphPair } from '../../../main/engine/graph/pair.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import type { Comparison } from '../../../main/engine/model/comparison.ts'
import { type Dump, opName } from '../../../main/engine/model/dump.ts'
import { align } from '../../../main/engine/pair/align.ts'
import { PairedBy } from '../../../main/engine/pair/partners.ts'
import { SharedNames, viewSide, type SideView } from '../../../main/engine/pair/side.ts'
import type { CompareSettings } from '../../../main/engine/study/pair/compare.ts'
import { job } from '../../../main/engine/work/job.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { dumpOf, paired, small } from '../../support/graphs.ts'

const dump = (name: string): Promise<Dump> => {
  const files = diskFiles()
  const dir = path.join(fixturesRoot(), 'dumps', name, 'step0', 'rank')
  files.allow(dir)
  return readDump(files, dumpFilesOf(files, dir), job())
}

/** Calls whose row has a partner that their node does not have, or the other way round. */
function disagreeing({ debug, bench, pairing }: Comparison, pair: GraphPair): string[] {
  const found: string[] = []
  for (let op = 0; op < debug.ops.length; op++) {
    const node = findNode(pair.debug, opName(debug, op))
    if (node < 0 || debug.ops.first[op] === debug.ops.first[op + 1]) continue
    const there = pair.matching.toBench[node]
    const other = pairing.ops.toBench[op]
    const name = other < 0 ? '' : opName(bench, other)
    if ((there < 0 ? '' : nodeName(pair.bench, there)) !== name) found.push(`${opName(debug, op)}: ${name}`)
  }
  for (let row = 0; row < pairing.debugItem.length; row++) {
    const met = pair.benchItem[pairing.debugItem[row]]
    if (met >= 0 && met !== pairing.benchItem[row]) found.push(`row ${row}`)
  }
  return found
}

const ms = ['ms_lenet_w_conv2_statistics_mix', 'ms_lenet_none_statistics_mix'] as const
const pt = ['pt_tr_extra_layer_statistics_mix', 'pt_tr_none_statistics_mix'] as const
const across = ['ms_tr_none_statistics_mix', 'pt_tr_none_statistics_mix'] as const

describe('rows and nodes have the same partners', () => {
  test.each<readonly [string, readonly [string, string], Partial<CompareSettings>]>([
    ['by name', ms, { engine: 'mindspore' }],
    ['a layer more', pt, {}],
    ['without call numbers', pt, { fuzzy: true }],
    ['as msprobe 1.2.2', pt, { rules: 'msprobe-1.2.2' }],
    ['as msprobe 26', pt, { rules: 'msprobe-26' }],
    ['across frameworks by the built-in names', across, { engine: 'mindspore', mapping: { api: '' } }],
    ['across frameworks by layers', across, { engine: 'mindspore', mapping: { layer: '' } }],
    ['by hand', pt, { hand: new Map([['Functional.linear.3.forward', 'Functional.linear.0.forward']]) }],
  ])('%s', async (_, [debug, bench], more) => {
    const { comparison, pair } = await paired(await dump(debug), await dump(bench), more)
    expect(disagreeing(comparison, pair)).toEqual([])
    expect(comparison.pairing.ops.toBench.some(other => other >= 0)).toBe(true)
  })

  test('a call that lies in another module on the other side has its partner all the same', async () => {
    const tree = { 'Module.a.A.forward.0': null, 'Tensor.add.0.forward': 'Module.a.A.forward.0' }
    const { comparison, pair } = await paired(
      await dumpOf(tree),
      await dumpOf({ ...tree, 'Tensor.add.0.forward': null }),
    )
    expect(disagreeing(comparison, pair)).toEqual([])
    expect(pair.matching.toBench[findNode(pair.debug, 'Tensor.add.0.forward')]).toBeGreaterThan(0)
  })

  test('a call of another precision is alone in both, and the reason says which', async () => {
    const tree = { 'Tensor.add.0.forward': null, 'Tensor.mul.0.forward': null }
    const { comparison, pair, why } = await paired(
      await dumpOf(tree, {
        'Tensor.add.0.forward': {
          input_args: `[${small('1.0', [2, 3], 'torch.float64')}]`,
          output: `[${small()}]`,
        },
      }),
      await dumpOf(tree),
    )
    expect(disagreeing(comparison, pair)).toEqual([])
    const reason = why.reason('debug', findNode(pair.debug, 'Tensor.add.0.forward'))
    expect(reason).toMatchObject({ code: 'unmatched-type', facts: { debug: 'torch.float64' } })
  })
})

test('each pair says how it was found', async () => {
  const hand = new Map([
    ['Functional.linear.3.forward', 'Functional.linear.0.forward'],
    ['Functional.linear.1.forward', ''],
  ])
  const { comparison } = await paired(await dump(pt[0]), await dump(pt[1]), { hand })
  const { debug, pairing } = comparison
  const by = (name: string): number => {
    for (let op = 0; op < debug.ops.length; op++) if (opName(debug, op) === name) return pairing.ops.by[op]
    return -1
  }
  expect(by('Functional.linear.3.forward')).toBe(PairedBy.hand)
  expect(by('Functional.linear.1.forward')).toBe(PairedBy.hand)
  expect(by('Functional.linear.0.forward')).toBe(PairedBy.hand)
  expect(by('Functional.linear.2.forward')).toBe(PairedBy.name)
})

test('aligning keeps what a person paired or parted', async () => {
  const hand = new Map([
    ['Functional.linear.3.forward', 'Functional.linear.0.forward'],
    ['Functional.linear.1.forward', ''],
  ])
  const partners = async (more: Partial<CompareSettings>): Promise<(name: string) => string> => {
    const { comparison } = await paired(await dump(pt[0]), await dump(pt[1]), more)
    const names = new SharedNames()
    const view = async (of: Dump): Promise<SideView> => ({
      ...viewSide(of, names),
      flow: await inferFlow(of),
    })
    const { debug, bench, pairing } = comparison
    const { ops } = align(await view(debug), await view(bench), pairing.ops, false)
    return name => {
      const op = debug.ops.name.indexOf(debug.texts.find(name))
      return ops.toBench[op] < 0 ? '' : opName(bench, ops.toBench[op])
    }
  }
  const found = await partners({})
  expect(found('Functional.linear.0.forward')).toBe('Functional.linear.0.forward')
  expect(found('Functional.linear.1.forward')).toBe('Functional.linear.1.forward')
  const asked = await partners({ hand })
  expect(asked('Functional.linear.3.forward')).toBe('Functional.linear.0.forward')
  expect(asked('Functional.linear.1.forward')).toBe('')
  expect(asked('Functional.linear.0.forward')).toBe('')
})

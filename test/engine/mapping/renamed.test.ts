// Proposals for a model whose two ports share no names: numbered containers by count, order and shapes, and
// what is inside them.
import { describe, expect, it } from 'vitest'
import { editMapping } from '../../../main/engine/mapping/edit.ts'
import { MappingDesk } from '../../../main/engine/mapping/desk.ts'
import { ruleFor } from '../../../main/engine/mapping/rule.ts'
import { propose } from '../../../main/engine/mapping/propose.ts'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { blocks, stages } from '../../support/renamed-files.ts'
import { pairsOf, renamedDump, truthOf } from '../../support/renamed.ts'

const settings = { rules: 'plumbline', engine: 'mindspore', fuzzy: false, mapping: {} } as const

function accepted(desk: MappingDesk, least: number): string {
  let text = ''
  for (let round = 0; round < 8; round++) {
    const good = propose(desk, 'layer', text, 1000).filter(one => one.score >= least)
    const next = editMapping(
      'layer',
      text,
      good.flatMap(one => one.changes),
      [],
    )
    if (next === text) break
    text = next
  }
  return text
}

/** What "accept all" takes at first; values that say nothing leave alike parts to the user. */
const usual = 0.6
const doubtful = 0.4

describe.each([
  ['ms_tr_none_statistics_mix', 'pt_tr_none_statistics_mix', 'cross_lm_tr_stat', usual],
  ['ms_tr_none_statistics_L0', 'pt_tr_none_statistics_L0', 'cross_lm_tr_stat_L0', usual],
  ['ms_tr_none_tensor_mix', 'pt_tr_none_tensor_mix', 'cross_lm_tr_stat', usual],
  ['ms_tr_none_md5_mix', 'pt_tr_none_md5_mix', 'cross_lm_tr_stat', doubtful],
  ['ms_tr_w_qkv1_statistics_mix', 'pt_tr_none_statistics_mix', 'cross_lm_tr_w_qkv1_stat', usual],
  ['ms_tr_extra_layer_statistics_mix', 'pt_tr_none_statistics_mix', 'cross_lm_tr_stat', usual],
])('%s and %s', (debug, bench, golden, least) => {
  it('meet inside numbered containers of other names', async () => {
    const desk = new MappingDesk(await renamedDump(debug, blocks), await renamedDump(bench, stages), settings)
    const truth = await truthOf(debug, bench, golden)
    const text = accepted(desk, least)
    const ours = pairsOf(desk.pairing('layer', text))
    const agreed = [...ours].filter(([mine, theirs]) => truth.get(mine) === theirs)
    const wrong = [...ours].filter(([mine, theirs]) => truth.has(mine) && truth.get(mine) !== theirs)
    expect({ text, wrong }).toEqual({ text, wrong: [] })
    expect(agreed.length, text).toBe(truth.size)
  })
})

it('two ports of one framework meet as well', async () => {
  const desk = new MappingDesk(
    await renamedDump('pt_tr_w_qkv1_statistics_mix', {}),
    await renamedDump('pt_tr_none_statistics_mix', stages),
    { ...settings, engine: 'pytorch' },
  )
  const before = desk.coverage(desk.pairing('layer', ''))
  const after = desk.coverage(desk.pairing('layer', accepted(desk, usual)))
  expect(before.debug.matched).toBeLessThan(before.debug.all / 4)
  expect(after.debug).toMatchObject({ matched: after.debug.all, alone: 0, modules: 0 })
})

describe('a rule', () => {
  const opOf = (dump: Dump, name: string): number => dump.ops.name.indexOf(dump.texts.find(name))
  const module = [
    'Cell.vit.blocks.1.ffn.up.Dense.forward.0',
    'Module.vit.stages.1.channels.fc1.Linear.forward.0',
  ]
  const product = ['Primitive.matmul.MatMul.6.forward', 'Functional.linear.6.forward']

  it.each([
    ['modules of which nothing around has met', module, ''],
    ['modules whose containers have met', module, 'VisionTransformer:\n  blocks: stages\n'],
    [
      'a product and a product with its bias, whose modules have met',
      product,
      'VisionTransformer:\n  blocks: stages\nBlock:\n  ffn: channels\nFeedForward:\n  up: fc1\n',
    ],
  ])('makes %s meet', async (_, [mine, theirs], text) => {
    const desk = new MappingDesk(
      await renamedDump('ms_tr_none_statistics_mix', blocks),
      await renamedDump('pt_tr_none_statistics_mix', stages),
      settings,
    )
    const [op, other] = [opOf(desk.debug.dump, mine), opOf(desk.bench.dump, theirs)]
    expect(Math.min(op, other)).toBeGreaterThanOrEqual(0)
    const { changes } = ruleFor(desk, { layer: text }, op, other)
    const next = editMapping('layer', text, changes, [])
    const { debugItem, benchItem } = desk.pairingOf({ layer: next })
    const met = [...debugItem].some(
      (item, row) =>
        benchItem[row] >= 0 &&
        desk.debug.dump.items.op[item] === op &&
        desk.bench.dump.items.op[benchItem[row]] === other,
    )
    expect({ next, met }).toEqual({ next, met: true })
  })

  it('of a part and the whole is one of the modules around them, class by class', async () => {
    const desk = new MappingDesk(
      await renamedDump('ms_tr_none_statistics_mix', blocks),
      await renamedDump('pt_tr_none_statistics_mix', stages),
      settings,
    )
    const [op, other] = [opOf(desk.debug.dump, product[0]), opOf(desk.bench.dump, product[1])]
    const { changes, part } = ruleFor(desk, {}, op, other)
    const text = editMapping('layer', '', changes, [])
    expect({ part, text }).toEqual({
      part: false,
      text: 'VisionTransformer:\n  blocks: stages\nBlock:\n  ffn: channels\nFeedForward:\n  up: fc1\n',
    })
    expect(ruleFor(desk, { layer: text }, op, other)).toMatchObject({
      part: true,
      changes: [{ from: 'MatMul' }],
    })
  })

  it('over several levels leaves the way open for proposals', async () => {
    const desk = new MappingDesk(
      await renamedDump('ms_tr_none_statistics_mix', blocks),
      await renamedDump('pt_tr_none_statistics_mix', stages),
      settings,
    )
    const deep = 'VisionTransformer:\n  blocks.1.ffn.up: stages.1.channels.fc1\n'
    expect(propose(desk, 'layer', deep, 100).flatMap(one => one.changes.map(change => change.to))).toContain(
      'stages',
    )
  })

  it('is none where no text pairs the two', async () => {
    const desk = new MappingDesk(
      await renamedDump('ms_tr_none_statistics_mix', blocks),
      await renamedDump('pt_tr_none_statistics_mix', stages),
      settings,
    )
    const op = opOf(desk.debug.dump, 'Cell.vit.blocks.1.ffn.up.Dense.forward.0')
    expect(ruleFor(desk, {}, op, opOf(desk.bench.dump, 'Functional.linear.6.backward')).changes).toEqual([])
  })
})

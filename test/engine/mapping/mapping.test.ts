// Mapping texts against real cross-framework dumps. test/golden/proposals.test.ts says how far proposals
// come.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { job } from '../../../main/engine/work/job.ts'
import { parseMapping } from '../../../main/engine/mapping/document.ts'
import { editMapping } from '../../../main/engine/mapping/edit.ts'
import { MappingDesk } from '../../../main/engine/mapping/desk.ts'
import { propose } from '../../../main/engine/mapping/propose.ts'
import { dumpFolders, fixturesRoot } from '../../support/fixtures.ts'

const root = fixturesRoot()

async function dump(name: string): Promise<Dump> {
  const files = diskFiles()
  files.allow(root)
  const [folder] = dumpFolders(path.join(root, 'dumps', name))
  if (folder === undefined) throw new Error(`no dump ${name}`)
  return readDump(files, dumpFilesOf(files, folder), job())
}

async function desk(debug: string, bench: string): Promise<MappingDesk> {
  return new MappingDesk(await dump(debug), await dump(bench), {
    rules: 'plumbline',
    engine: 'mindspore',
    fuzzy: false,
    mapping: {},
  })
}

describe('proposals', () => {
  it('find what the built-in api table leaves over', async () => {
    const at = await desk('ms_tr_none_statistics_mix', 'pt_tr_none_statistics_mix')
    const proposals = propose(at, 'api', '', 100)
    expect(proposals.flatMap(one => one.changes).map(change => `${change.from} ${change.to}`)).toContain(
      'Functional.split Torch.split',
    )
    const before = at.coverage(at.pairing('api', '')).debug.matched
    const after = at.coverage(
      at.pairing(
        'api',
        editMapping(
          'api',
          '',
          proposals.flatMap(one => one.changes),
          [],
        ),
      ),
    ).debug.matched
    expect(after).toBeGreaterThan(before)
  })
})

describe('what can be paired', () => {
  const pairs = [
    ['ms_tr_none_statistics_mix', 'pt_tr_none_statistics_mix'],
    ['ms_tr_none_statistics_L0', 'pt_tr_none_statistics_L0'],
  ] as const

  it.each(pairs)('%s and %s: all modules, once the proposals stand', async (debug, bench) => {
    const at = await desk(debug, bench)
    const before = at.coverage(at.pairing('layer', ''))
    expect(before.debug.modules).toBeGreaterThan(0)
    let text = ''
    for (let round = 0; round < 4; round++)
      text = editMapping(
        'layer',
        text,
        propose(at, 'layer', text, 1000)
          .filter(one => one.score >= 0.6)
          .flatMap(one => one.changes),
        [],
      )
    const { debug: mine, bench: theirs } = at.coverage(at.pairing('layer', text))
    expect([mine.modules, theirs.modules]).toEqual([0, 0])
    // What is left are gradients whose parameters have other names.
    for (const side of [mine, theirs]) {
      expect(side.all - side.alone - side.matched).toBeLessThan(12)
      expect(side.matched).toBeGreaterThan(0)
    }
  })

  it('counts no call that something like it is free for', async () => {
    const at = await desk('ms_tr_none_statistics_mix', 'pt_tr_none_statistics_mix')
    const text = 'Cell:\n  model: module\nTransformerModel:\n  embedding.word_table: word_embeddings\n'
    const { debug } = at.coverage(at.pairing('layer', text))
    // The attentions have not met: all that is in them waits for its counterpart.
    expect(debug.modules).toBeGreaterThan(10)
    expect(debug.all - debug.alone - debug.matched).toBeGreaterThan(100)
  })
})

describe('a part and the whole', () => {
  it('are a pair that says so and is not taken unseen', async () => {
    const at = await desk('ms_tr_none_statistics_mix', 'pt_tr_none_statistics_mix')
    const text = 'Cell:\n  model: module\n'
    const found = (['layer', 'api'] as const).map(kind =>
      propose(at, kind, kind === 'layer' ? text : '', 1000).find(one =>
        one.changes.some(change => /matmul/i.test(change.from) && /linear/.test(change.to)),
      ),
    )
    for (const one of found) {
      expect(one?.reasons.map(reason => reason.key)).toContain('part')
      expect(one?.score).toBeLessThan(0.6)
    }
  })
})

describe('a mapping text', () => {
  it('is told apart at its places: unknown names with a fix, repeated keys, entries that do nothing', async () => {
    const at = await desk('ms_lenet_none_statistics_L0', 'pt_lenet_none_statistics_L0')
    const text =
      'network.fc1.Dens: network.fc1.Linear\nnetwork.fc2.Dense: network.fc2.Linear\nnetwork.fc2.Dense: network.fc2.Linear\n'
    const { diagnostics } = at.check('cell', text)
    const entries = at.entries('cell', text, null)
    expect(diagnostics.map(d => `${text.slice(d.from, d.to)} ${d.code}`)).toEqual([
      'network.fc1.Dens unknown-name',
      'network.fc2.Dense repeated-key',
    ])
    expect(diagnostics[0]?.fixes[0]?.edits[0]?.text).toBe('network.fc1.Dense')
    expect(entries.map(entry => entry.matches)).toEqual([0, 0, 3])
  })

  it('has its lists checked: uneven, unknown and repeated indexes, keys that are no keys', async () => {
    const at = await desk('ms_tr_none_statistics_mix', 'pt_tr_none_statistics_mix')
    const text =
      '- ms_api: Functional.split\n  pt_api: Torch.split\n  ms_args: [0, 9, 0]\n  pt_args: [0, 1]\n  ms_outs: [0]\n'
    expect(at.check('api', text).diagnostics.map(d => `${d.code} ${text.slice(d.from, d.to)}`)).toEqual(
      expect.arrayContaining(['unknown-index 9', 'repeated-index 0', 'unknown-key ms_outs']),
    )
    expect(at.check('api', text).diagnostics.map(d => d.code)).toContain('uneven-lists')
  })

  it('keeps comments, order and quotes through edits', () => {
    const text = '# mine\nCell: # top\n  model: module\n\n# layers\nlayers:\n  \'5\': "0" # first\n'
    const changed = editMapping(
      'layer',
      text,
      [
        { kind: 'layer', scope: 'layers', from: '6', to: '1' },
        { kind: 'layer', scope: 'MLP', from: 'a.b', to: 'c' },
      ],
      [{ kind: 'layer', scope: 'Cell', from: 'model', to: '' }],
    )
    expect(changed).toContain('# mine')
    expect(changed).toContain('"0" # first')
    expect(changed).toContain("'6': '1'")
    expect(changed).not.toContain('model: module')
    expect(parseMapping('layer', changed).entries.map(entry => entry.change)).toEqual([
      { kind: 'layer', scope: 'layers', from: '5', to: '0' },
      { kind: 'layer', scope: 'layers', from: '6', to: '1' },
      { kind: 'layer', scope: 'MLP', from: 'a.b', to: 'c' },
    ])
  })

  it('survives what is no mapping: tabs, alias bombs, wrong encodings, other forms', () => {
    expect(parseMapping('cell', 'a:\n\tb: c\n').diagnostics[0]?.code).toBe('tab')
    const bomb = 'a: &a [x,x]\n' + Array.from({ length: 200 }, (_, i) => `b${i}: *a\n`).join('')
    expect(
      parseMapping('cell', bomb).diagnostics.some(d => d.code === 'alias' && d.severity === 'error'),
    ).toBe(true)
    expect(parseMapping('cell', 'a: \uFFFD\n').diagnostics.map(d => d.code)).toContain('encoding')
    expect(parseMapping('layer', '- a\n- b\n').diagnostics.map(d => d.code)).toEqual(['wrong-form'])
    expect(parseMapping('layer', 'layers:\n  5: 0\n').entries.map(e => e.change)).toEqual([
      { kind: 'layer', scope: 'layers', from: '5', to: '0' },
    ])
  })

  it('completes names of both sides where the cursor stands', async () => {
    const at = await desk('ms_tr_none_statistics_mix', 'pt_tr_none_statistics_mix')
    const text = 'Cell:\n  model: mod'
    expect(at.complete('layer', text, text.length)?.options.map(option => option.text)).toContain('module')
    const api = '- ms_api: Functional.sp'
    expect(at.complete('api', api, api.length)?.options.map(option => option.text)).toContain(
      'Functional.split',
    )
  })
})

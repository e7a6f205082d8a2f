// The headline names the node where the fault was put: real dumps with one injected fault each, and made ones that the rules have not seen.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { adviseFolders, hits } from '../support/advised.ts'
import { runBattery, total } from '../support/fault-battery.ts'
import { dumpFolders, fixturesRoot } from '../support/fixtures.ts'

/** Where each fault of the real dumps was put. */
const truth: Readonly<Record<string, RegExp>> = {
  w_conv2: /\.conv2\./, w_fc2_big: /\.fc2\./, w_tiny: /\.fc1\./, extra_relu: /relu/, nan: /\.conv2\.|pool|setitem/, half: /\.fc1\.|linear\.0|MatMul\.0|BiasAdd/,
  shape: /\.fc1\./, w_qkv1: /\.layers\.1\.(self_)?attention\./, bf16_mlp1: /\.layers\.1\.mlp\./, inf_attn: /\.layers\.0\.(self_)?attention\./,
  ln_eps: /\.layers\.0\.post_attention_norm\./, norm_twice: /\.layers\.0\.input_norm\.|layer_norm/, extra_layer: /\.layers\.2\./,
}
const root = path.join(fixturesRoot(), 'dumps')
const name = /^(pt|ms)_(lenet|tr)_(.+)_(statistics|md5|tensor)_(mix|L0|L1)$/
const folderOf = (dump: string): string => dumpFolders(path.join(root, dump))[0] ?? ''

const cases = readdirSync(root).flatMap(dump => {
  const [, framework, model, fault = '', task, level] = name.exec(dump) ?? []
  const bench = `${framework}_${model}_none_${task}_${level}`
  return truth[fault] && readdirSync(root).includes(bench) ? [[dump, bench, truth[fault]] as const] : []
})

describe('real dumps with one fault', () => {
  it.each(cases)('%s', async (debug, bench, where) => {
    const { comparison, advice } = await adviseFolders(folderOf(debug), folderOf(bench))
    const said = advice.findings[0]?.node ?? 'nothing'
    expect([said, hits(comparison, said, where)]).toEqual([said, true])
  })

  it('are enough to tell something', () => expect(cases.length).toBeGreaterThanOrEqual(45))

  it('say nothing where both sides are the same', async () => {
    for (const same of ['pt_lenet_none_statistics_mix', 'ms_tr_none_md5_mix', 'ms_lenet_none_tensor_mix']) {
      expect((await adviseFolders(folderOf(same), folderOf(same))).advice.findings).toEqual([])
    }
  })
})

describe('made pairs of kinds and models that were kept out', () => {
  it('are named in at least 97 of 100 without noise', async () => {
    const { all, headline, misses } = total(await runBattery({ styles: ['pt', 'ms'], noise: 'none', task: 'statistics', held: true }))
    expect(all).toBeGreaterThanOrEqual(40)
    expect([misses, headline / all >= 0.97]).toEqual([misses, true])
  })

  it('are named in at least 90 of 100 with the noise of a device on both sides', async () => {
    const { all, headline, misses } = total(await runBattery({ styles: ['pt', 'ms'], noise: 'both sides', task: 'statistics', held: true }))
    expect([misses, headline / all >= 0.9]).toEqual([misses, true])
  })
})

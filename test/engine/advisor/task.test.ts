// The advisor as a thread's task: the same advice of columns that were sent as of the comparison itself.
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  adviceDumps,
  adviceOrder,
  adviceTask,
  adviseOnFiles,
  prepareTask,
  type AdviceOrder,
} from '../../../main/engine/advisor/on-files.ts'
import { job } from '../../../main/engine/work/job.ts'
import { compareFolders } from '../../support/advised.ts'
import { fixturesRoot } from '../../support/fixtures.ts'

const root = path.join(fixturesRoot(), 'dumps')
const roots = [{ path: root, real: root }]
const folder = (name: string): string => path.join(root, name, 'step0', 'rank')

test.each([
  ['ms_tr_ln_eps_tensor_mix', 'ms_tr_none_tensor_mix'],
  ['pt_tr_w_qkv1_statistics_mix', 'pt_tr_none_statistics_mix'],
  ['ms_lenet_w_conv2_md5_mix', 'ms_lenet_none_md5_mix'],
])('%s', async (debug, bench) => {
  const comparison = await compareFolders(folder(debug), folder(bench))
  const told = { step: 0, rank: null, first: null }
  const dumps = adviceDumps(comparison.debug, comparison.bench)
  if (!dumps) throw new Error('not packed')
  const context = { tell: () => {}, signal: new AbortController().signal }
  const answer = (of: AdviceOrder['dumps']) =>
    adviceTask(structuredClone(adviceOrder(of, comparison, told, roots)), context)
  const sent = await answer(dumps)
  expect(sent.advice.findings.length).toBeGreaterThan(0)
  expect(sent).toEqual(await adviseOnFiles({ ...told, comparison }, roots, job()))
  await prepareTask(structuredClone(dumps), context)
  expect(await answer({ key: dumps.key })).toEqual(sent)
  expect(() => answer({ key: dumps.key })).toThrow('were not prepared here')
})

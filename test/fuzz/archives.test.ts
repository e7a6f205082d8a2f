// Damaged archives: whatever the bytes, entries or a Refusal come out, and nothing lies outside.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unpack } from '../../main/engine/io/unpack.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { job } from '../../main/engine/work/job.ts'
import { fuzzRuns, seedsOf } from '../support/fuzz.ts'
import { paxNote, tarBytes } from '../support/archives.ts'
import { mutate } from '../support/mutate.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { sourceOf, zipBytes } from '../support/tensor-files.ts'

const rounds = fuzzRuns(300)
const data = new TextEncoder().encode('{"task": "statistics"}')
const tar = tarBytes([
  { name: 'npu/', type: '5' },
  { name: 'npu/dump.json', data },
  { name: '././@LongLink', type: 'L', data: `${'npu/'.repeat(40)}x\0` },
  { name: 'short', data },
  paxNote('path', '../../up'),
  { name: 'safe', data },
])
const seeds: Readonly<Record<string, Uint8Array>> = {
  tar,
  'tar.gz': gzipSync(tar),
  zip: zipBytes([
    { name: 'npu/dump.json', data, deflate: true },
    { name: '../up', data },
  ]),
}
const limits = { times: 10, bytes: 1 << 20, entries: 1000 }

test.each(Object.entries(seeds))('%s', async (name, bytes) => {
  const home = temporaryFolder()
  const parent = path.join(home, 'a', 'b')
  mkdirSync(parent, { recursive: true })
  let whole = 0
  for (const seed of seedsOf(rounds)) {
    const into = mkdtempSync(path.join(parent, 'in-'))
    const handle = { ...sourceOf(mutate(bytes, seed).bytes), close() {} }
    try {
      await unpack(handle, `a.${name}`, into, job(), limits)
      whole++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
    rmSync(into, { recursive: true })
    expect([readdirSync(home), readdirSync(parent)]).toEqual([['a'], []])
  }
  expect(whole).toBeLessThan(rounds)
})

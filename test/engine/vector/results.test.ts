// Where results of full-net compares lie, and which run is the newest.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { newestResults, resultsAt } from '../../../main/engine/vector/results.ts'
import { temporaryFolder } from '../../support/temporary.ts'

function treeOf(...names: readonly string[]): { root: string; files: ReturnType<typeof diskFiles> } {
  const root = temporaryFolder()
  for (const name of names) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), '')
  }
  const files = diskFiles()
  files.allow(root)
  return { root, files }
}

test('a file, a folder of results, or the newest run in it', () => {
  const { root, files } = treeOf(
    '20210101/result_1.csv',
    '20210202/result_3.csv',
    '20210202/result_2.csv',
    'other.csv',
  )
  const at = (...names: readonly string[]): readonly string[] => names.map(name => path.join(root, name))
  expect(resultsAt(files, path.join(root, 'other.csv'))).toEqual(at('other.csv'))
  expect(resultsAt(files, path.join(root, '20210101'))).toEqual(at('20210101/result_1.csv'))
  expect(resultsAt(files, root)).toEqual(at('20210202/result_2.csv', '20210202/result_3.csv'))
})

test('the newest of a run, wherever precision_tool kept it, or of folders of ours', () => {
  const { root, files } = treeOf(
    'net/precision_data/temp/vector_compare/20210101000000/result_20210101000000.csv',
    'net/dump/vector/compare/result_20200101000000.csv',
    'ours/20220101000000/result_20220101000000.csv',
  )
  const net = path.join(root, 'net')
  expect(newestResults(files, net)[0]).toContain('result_20210101000000.csv')
  const ours = path.join(root, 'ours')
  const sides = (left: string): void =>
    writeFileSync(
      path.join(ours, '20220101000000/sides_20220101000000.json'),
      JSON.stringify({ left, right: '' }),
    )
  // Nobody says what it was made of, or it was made of another run.
  expect(newestResults(files, net, [ours])[0]).toContain('result_20210101000000.csv')
  sides(path.join(root, 'net2/npu'))
  expect(newestResults(files, net, [ours])[0]).toContain('result_20210101000000.csv')
  sides(path.join(net, 'npu/debug_0'))
  expect(newestResults(files, net, [ours])[0]).toContain('result_20220101000000.csv')
})

test('says so where there are none', () => {
  const { root, files } = treeOf('a/b.txt')
  expect(() => newestResults(files, root)).toThrow('no-results')
  expect(() => resultsAt(files, path.join(root, 'a'))).toThrow('no-results')
  expect(() => resultsAt(files, path.join(root, 'nothing'))).toThrow('not-found')
})

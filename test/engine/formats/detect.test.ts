// What dropped paths are said to be: real folder shapes, built empty on disk.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { detect } from '../../../main/engine/formats/detect.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { Refusal } from '../../../main/engine/problem.ts'

let root = ''
beforeEach(() => { root = mkdtempSync(path.join(tmpdir(), 'plumbline-detect-')) })

function make(...files: string[]): void {
  for (const file of files) {
    const full = path.join(root, file)
    mkdirSync(path.dirname(full), { recursive: true })
    writeFileSync(full, '{}')
  }
}
const at = (...parts: string[]): string => path.join(root, ...parts)
const run = (...paths: string[]) => detect(diskFiles(), paths.map(p => at(p)))
const refused = (act: () => unknown): string => {
  try { act() } catch (error) { if (error instanceof Refusal) return error.problem.code; throw error }
  return 'accepted'
}

describe('dump folders', () => {
  it('pairs steps and ranks by number, not by text order', () => {
    for (const side of ['npu', 'gpu']) for (const step of ['step0', 'step10', 'step2']) for (const rank of ['rank0', 'rank10', 'rank2']) make(`${side}/${step}/${rank}/dump.json`)
    const found = run('npu', 'gpu')
    if (found.is !== 'dumps') throw new Error(found.is)
    expect(found.units.map(u => `${u.step}/${u.rank}`)).toEqual(['0/0', '0/2', '0/10', '2/0', '2/2', '2/10', '10/0', '10/2', '10/10'])
    expect(found.units.every(u => u.bench.endsWith(path.basename(u.debug)))).toBe(true)
  })

  it('takes a rank folder, a step folder, a plain rank and a process folder', () => {
    make('a/step0/rank/dump.json', 'b/step0/proc12/dump.json', 'c/dump.json')
    for (const [left, right] of [['a', 'b'], ['a/step0', 'c'], ['a/step0/rank', 'b/step0/proc12']] as const) {
      const found = run(left, right)
      expect(found.is === 'dumps' && found.units.length).toBe(1)
    }
  })

  it('tells debug from bench by name whatever the order', () => {
    make('gpu_dump/step0/rank/dump.json', 'npu_dump/step0/rank/dump.json')
    const found = run('gpu_dump', 'npu_dump')
    expect(found.is === 'dumps' && found.debug.root).toBe(at('npu_dump'))
  })

  it('guesses the bench beside a lone debug folder, and takes both from their parent', () => {
    make('x/gpu_dump/step0/rank/dump.json', 'x/npu_dump/step0/rank/dump.json')
    const lone = run('x/npu_dump')
    expect(lone.is === 'dumps' && lone.bench?.root).toBe(at('x/gpu_dump'))
    const parent = run('x')
    expect(parent.is === 'dumps' && [parent.debug.root, parent.bench?.root]).toEqual([at('x/npu_dump'), at('x/gpu_dump')])
  })

  it('says which rank has no partner and keeps the others', () => {
    make('a/step0/rank0/dump.json', 'a/step0/rank1/dump.json', 'b/step0/rank0/dump.json', 'b/step0/rank2/dump.json')
    const found = run('a', 'b')
    expect(found.is === 'dumps' && found.units.length).toBe(1)
    expect(found.is === 'dumps' && found.problems.map(p => `${p.code} ${p.facts['rank']}`)).toEqual(['rank-missing 1', 'rank-missing 2'])
  })
})

describe('other things', () => {
  it('knows files by what they are', () => {
    make('r.vis', 'r.vis.db', 'compare_result_1.xlsx', 'compare_result_1.csv', 'a.npy', 'b.npy', 'layer.yaml')
    expect(run('r.vis').is).toBe('vis')
    expect(run('r.vis.db').is).toBe('vis-db')
    expect(run('compare_result_1.xlsx').is).toBe('result')
    expect(run('compare_result_1.csv').is).toBe('result')
    expect(run('a.npy', 'b.npy').is).toBe('tensors')
    expect(run('layer.yaml').is).toBe('mapping')
  })

  it('reads compare.json relative to itself', () => {
    make('a/step0/rank/dump.json', 'b/step0/rank/dump.json', 'cases/x/compare.json')
    writeFileSync(at('cases/x/compare.json'), JSON.stringify({ npu_path: '../../a/step0/rank/dump.json', bench_path: '../../b/step0/rank/dump.json' }))
    const found = run('cases/x/compare.json')
    expect(found.is === 'dumps' && found.units[0]?.debug).toBe(at('a/step0/rank'))
    writeFileSync(at('cases/x/compare.json'), JSON.stringify({ npu_path: '../../a', bench_path: '../../b', rank_id: [] }))
    expect(run('cases/x/compare.json').is).toBe('kernel')
    writeFileSync(at('cases/x/compare.json'), JSON.stringify({ npu_path: '../../a' }))
    const alone = run('cases/x/compare.json')
    expect(alone.is === 'dumps' && [alone.bench, alone.units.length]).toEqual([null, 1])
  })

  it('refuses what is none of it, with a reason', () => {
    make('photo/a.png', 'a/step0/rank/dump.json', 'bad.json')
    expect(refused(() => run('photo'))).toBe('not-a-dump')
    expect(refused(() => run('photo/a.png'))).toBe('unknown-file')
    expect(refused(() => run('missing'))).toBe('not-found')
    expect(refused(() => run('a', 'a'))).toBe('same-folder-twice')
    expect(refused(() => run('bad.json'))).toBe('unknown-file')
  })
})

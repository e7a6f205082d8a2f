// watch and config switch, as they are typed.
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { Dumping } from '../../support/dumping.ts'
import { cli } from '../../support/cli.ts'
import { temporaryFolder } from '../../support/temporary.ts'

describe('watch', () => {
  it('says once how each step and rank stands', async () => {
    const root = temporaryFolder()
    new Dumping(path.join(root, 'step0', 'rank0')).calls(3).flush()
    new Dumping(path.join(root, 'step1', 'rank0')).calls(1).flush().call('Functional.gelu.0.forward')
    new Dumping(path.join(root, 'step0', 'rank1')).calls(2).flush()
    const { code, out } = await cli(['watch', root, '--once'])
    expect(code).toBe(0)
    expect(out.trim().split('\n')).toEqual([
      'step 0 · rank 0: complete, 3 calls',
      'step 0 · rank 1: being written, 2 calls',
      'step 1 · rank 0: being written, 1 call, 1 more by its tensor files only',
      'step 1: rank 1 not there',
    ])
  })

  it('ends when nothing is written any more; a process that hangs is found', async () => {
    const root = temporaryFolder()
    new Dumping(path.join(root, 'rank0')).calls(2).flush().input('Functional.softmax.0.forward')
    const { code, out } = await cli(['watch', root, '--quiet-after', '1', '--json'])
    expect(code).toBe(1)
    const { ranks, missing, gone } = JSON.parse(out) as Record<string, unknown>
    expect({ ranks, missing, gone }).toMatchObject({
      ranks: [{ rank: 0, state: 'stalled', calls: 2, provisional: 1, open: 'Functional.softmax.0.forward' }],
      missing: [],
      gone: false,
    })
  })

  it('takes a file that stays half as it is, and says so', async () => {
    const root = temporaryFolder()
    const dump = new Dumping(path.join(root, 'rank0'), { task: 'statistics' }).calls(5)
    dump.flush(dump.text().length - 100)
    const { out } = await cli(['watch', root, '--once'])
    expect(out).toContain('4 calls, dump.json ends early')
  })

  it('says that there is nothing yet, and refuses what is no folder', async () => {
    expect((await cli(['watch', temporaryFolder(), '--once'])).out).toContain(
      'Nothing has been dumped here yet.',
    )
    const file = path.join(temporaryFolder(), 'dump.json')
    writeFileSync(file, '{}')
    expect((await cli(['watch', file])).code).toBe(2)
    expect((await cli(['watch', `${file}.no`])).err).toContain('does not exist')
  })

  it('writes nothing into what it looks at', async () => {
    const root = temporaryFolder()
    new Dumping(path.join(root, 'rank0')).calls(2).flush()
    const before = readdirSync(root, { recursive: true }).toSorted()
    await cli(['watch', root, '--once'])
    expect(readdirSync(root, { recursive: true }).toSorted()).toEqual(before)
  })
})

describe('config switch', () => {
  const config = (text: string): string => {
    const file = path.join(temporaryFolder(), 'config.json')
    writeFileSync(file, text)
    return file
  }

  it('sets dump_enable and leaves the rest as it is', async () => {
    const file = config('{\n    "task": "statistics",\n    "dump_path": "./d"\n}\n')
    const { code, out } = await cli(['config', 'switch', file, '--dump', 'off'])
    expect(code).toBe(0)
    expect(out).toContain('dump_enable is false')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      task: 'statistics',
      dump_path: './d',
      dump_enable: false,
    })
    await cli(['config', 'switch', file, '--dump', 'on'])
    expect(readFileSync(file, 'utf8')).toContain('"dump_enable": true')
  })

  it('does not touch a file that says so already, nor one that is none', async () => {
    const file = config('{"task": "statistics", "dump_path": "./d", "dump_enable": true}')
    const before = statSync(file).ino
    expect(JSON.parse((await cli(['config', 'switch', file, '--dump', 'on', '--json'])).out)).toMatchObject({
      dump_enable: true,
      changed: false,
    })
    expect(statSync(file).ino).toBe(before)
    for (const text of ['{"task": "statistics", "level": "L1", "data": {}}', '{"task": ', '[]', ''])
      expect((await cli(['config', 'switch', config(text), '--dump', 'on'])).err).toContain('left as it is')
  })

  it('replaces what a link leads to', async () => {
    const file = config('{"task": "statistics", "dump_path": "./d"}')
    const link = path.join(temporaryFolder(), 'link.json')
    symlinkSync(file, link)
    expect((await cli(['config', 'switch', link, '--dump', 'on'])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('"dump_enable": true')
  })
})

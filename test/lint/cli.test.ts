// The command line runs on plain Node, with no Electron anywhere to be found.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../.ci/build.mjs'
import { read, root } from './tracked.ts'

describe('out/main/cli.js', () => {
  let away = ''
  beforeAll(() => {
    build()
    away = mkdtempSync(path.join(tmpdir(), 'plumbline-cli-'))
    cpSync(path.join(root, 'out/main'), path.join(away, 'main'), { recursive: true })
    cpSync(path.join(root, 'package.json'), path.join(away, 'package.json'))
  })

  const run = (...args: string[]): { status: number; out: string } => {
    try {
      return {
        status: 0,
        out: execFileSync(process.execPath, [path.join(away, 'main/cli.js'), ...args], {
          cwd: away,
          encoding: 'utf8',
          env: { PATH: '/usr/bin:/bin' },
        }),
      }
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: string }
      return { status, out: stdout }
    }
  }

  test('starts by its own first line, as npx starts it', () => {
    const shim = path.join(away, 'plumbline')
    symlinkSync(path.join(away, 'main/cli.js'), shim)
    chmodSync(shim, 0o755)
    expect(execFileSync(shim, ['--version'], { encoding: 'utf8' })).toBe(run('--version').out)
  })

  test('says its version', () => {
    expect(run('--version').out).toContain(
      String((JSON.parse(read('package.json')) as { version: string }).version),
    )
  })

  test('compares the sample: the runs differ, and the results are written', () => {
    const results = path.join(away, 'results')
    const { status } = run(
      'compare',
      path.join(root, 'resources/sample/debug'),
      path.join(root, 'resources/sample/bench'),
      '-o',
      results,
    )
    expect(status).toBeLessThan(2)
    expect(readdirSync(results).some(name => name.endsWith('.xlsx'))).toBe(true)
  })

  /** Modules of the engine that are loaded with these built files, before anything is asked for later. */
  const loadedWith = (...files: string[]): readonly string[] => {
    const reached = new Set<string>()
    const follow = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const [, found] of built(file).matchAll(/^(?:import|export)\b[^\n]*?["'](\.[^"']+)["'];?$/gm))
        follow(path.join(path.dirname(file), found ?? ''))
    }
    files.forEach(follow)
    return [...reached].flatMap(modulesIn)
  }
  const built = (file: string): string => read(path.join('out/main', file))
  const modulesIn = (file: string): readonly string[] =>
    [...built(file).matchAll(/^\/\/(?:#region)? ?(main\/engine\/\S+)$/gm)].map(hit => hit[1] ?? '')

  test('begins without the engine: only the table of verbs, nouns and words', () => {
    const modules = loadedWith('cli.js')
    expect(modules.length).toBeGreaterThan(3)
    expect(modules.filter(name => !/^main\/engine\/(?:doors\/command|model)\//.test(name))).toEqual([])
  })

  test('compares without what only other formats need', () => {
    const chunks = readdirSync(path.join(root, 'out/main/chunks')).map(name => path.join('chunks', name))
    const compare = chunks.filter(file => modulesIn(file).some(name => name.endsWith('/compare/run.ts')))
    expect(compare).toHaveLength(1)
    const modules = loadedWith(...compare)
    expect(modules.some(name => name.endsWith('msprobe/read.ts'))).toBe(true)
    expect(
      modules.filter(name => /(?:sheet|sqlite|vis-db|stored-dump|columnar|advise)\.ts$/.test(name)),
    ).toEqual([])
  })

  test('asks nothing of Electron', () => {
    for (const file of readdirSync(path.join(away, 'main'), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.js') && !/^(?:index)\.js$/.test(file))
        expect(read(path.join('out/main', file)), file).not.toMatch(/(?:from|require\()\s*["']electron["']/)
  })
})

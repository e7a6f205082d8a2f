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
      return { status: 0, out: execFileSync(process.execPath, [path.join(away, 'main/cli.js'), ...args], { cwd: away, encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } }) }
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
    expect(run('--version').out).toContain(String((JSON.parse(read('package.json')) as { version: string }).version))
  })

  test('compares the sample: the runs differ, and the results are written', () => {
    const results = path.join(away, 'results')
    const { status } = run('compare', path.join(root, 'resources/sample/debug'), path.join(root, 'resources/sample/bench'), '-o', results)
    expect(status).toBeLessThan(2)
    expect(readdirSync(results).some(name => name.endsWith('.xlsx'))).toBe(true)
  })

  test('asks nothing of Electron', () => {
    for (const file of readdirSync(path.join(away, 'main'), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.js') && !/^(?:index)\.js$/.test(file)) expect(read(path.join('out/main', file)), file).not.toMatch(/(?:from|require\()\s*["']electron["']/)
  })
})

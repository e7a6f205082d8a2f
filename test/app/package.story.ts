// The packaged app starts by itself, with its fuses set: no way to run it as Node or to attach an inspector.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FuseV1Options, getCurrentFuseWire, FuseState } from '@electron/fuses'
import { expect, test } from '@playwright/test'
import { electronFlags, root } from '../../.ci/electron.mjs'
import { dump } from '../support/app.ts'

const programs: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'linux-unpacked/plumbline',
  win32: 'win-unpacked/Plumbline.exe',
  darwin: 'mac/Plumbline.app/Contents/MacOS/Plumbline',
}
const dist = path.join(root, 'dist')
const program = path.join(dist, programs[process.platform] ?? '')
const folder = path.join(dist, path.relative(dist, program).split(path.sep)[0] ?? '')

test.beforeAll(() => {
  test.setTimeout(300_000)
  execFileSync(process.execPath, [path.join(root, '.ci/package.mjs')], { stdio: 'ignore' })
})

/** Nothing can look into the packaged app, so it is known by what it writes down of what it opened. */
interface Kept {
  readonly recent?: readonly {
    readonly paths: readonly string[]
    readonly runs: readonly { readonly rows: number; readonly differs: number }[]
  }[]
}

test('opens two folders of tensors and compares them', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'plumbline-packaged-'))
  const pair = [dump('pt_lenet_half_tensor_L1'), dump('pt_lenet_none_tensor_L1')]
  const app = spawn(program, [...electronFlags, `--user-data-dir=${data}`, '--', ...pair], {
    stdio: 'ignore',
  })
  const gone = once(app, 'exit')
  const settings = path.join(data, 'settings.json')
  const kept = (): NonNullable<Kept['recent']>[number] | undefined =>
    existsSync(settings) ? (JSON.parse(readFileSync(settings, 'utf8')) as Kept).recent?.[0] : undefined
  try {
    await expect.poll(() => kept()?.runs[0]?.rows ?? 0, { timeout: 60_000 }).toBeGreaterThan(0)
    expect(kept()?.paths).toEqual(pair)
    expect(kept()?.runs[0]?.differs).toBeGreaterThan(0)
  } finally {
    app.kill()
    await gone
    rmSync(data, { recursive: true, force: true, maxRetries: 5 })
  }
})

for (const wiretap of ['--remote-debugging-port=0', '--remote-debugging-pipe'])
  test(`does not start with ${wiretap}, by which others could steer it`, () => {
    const data = mkdtempSync(path.join(tmpdir(), 'plumbline-packaged-'))
    const { status, stderr } = spawnSync(program, [...electronFlags, `--user-data-dir=${data}`, wiretap], {
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toContain('could steer it')
    expect(stderr).not.toContain('DevTools listening')
    rmSync(data, { recursive: true, force: true })
  })

test('carries the licences of what is built in', () => {
  const notices = readFileSync(path.join(folder, 'resources', 'NOTICES.txt'), 'utf8')
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const [name, version] of Object.entries(dependencies))
    expect(notices).toContain(`\n${name} ${version} (`)
})

test('is a command line too, without a display', () => {
  const out = mkdtempSync(path.join(tmpdir(), 'plumbline-packaged-'))
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env
  const [command, ...first] =
    process.platform === 'linux' ? [path.join(folder, 'plumbline-cli')] : [program, '--cli']
  const run = (...args: string[]) => spawnSync(command ?? '', [...first, ...args], { encoding: 'utf8', env })
  expect(run('--version').stdout.trim()).toBe(
    (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version,
  )
  expect(
    run('compare', dump('pt_lenet_w_conv2_statistics_mix'), dump('pt_lenet_none_statistics_mix'), '-o', out)
      .status,
  ).toBeLessThan(2)
  expect(readdirSync(out).some(name => name.endsWith('.xlsx'))).toBe(true)
  expect(run('compare').status).toBe(2)
  rmSync(out, { recursive: true, force: true })
})

test('has its fuses set', async () => {
  const wire = await getCurrentFuseWire(program)
  const off = [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.EnableNodeCliInspectArguments,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
  ]
  const on = [
    FuseV1Options.EnableCookieEncryption,
    FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
    FuseV1Options.OnlyLoadAppFromAsar,
  ]
  for (const fuse of off) expect(wire[fuse], FuseV1Options[fuse]).toBe(FuseState.DISABLE)
  for (const fuse of on) expect(wire[fuse], FuseV1Options[fuse]).toBe(FuseState.ENABLE)
})

// The packaged app starts by itself, with its fuses set: no way to run it as Node or to attach an inspector.
// Driven over Chromium's own port.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FuseV1Options, getCurrentFuseWire, FuseState } from '@electron/fuses'
import { expect, test } from '@playwright/test'
import { root } from '../../.ci/electron.mjs'
import { dump } from '../support/app.ts'
import { BareApp } from '../support/bare.ts'
import { names } from '../support/names.ts'

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

test('opens two folders of tensors', async () => {
  const app = await BareApp.start(program, [
    '--',
    dump('pt_lenet_half_tensor_L1'),
    dump('pt_lenet_none_tensor_L1'),
  ])
  try {
    await app.idle()
    await app.look(async page => {
      await expect(page.locator(`[data-testid="${names.grid}"][data-rows]`)).toHaveAttribute(
        'data-rows',
        /^[1-9]\d+$/,
      )
      await expect(page.getByTestId(names.status)).toContainText(/[1-9]\d* equal/)
    })
  } finally {
    await app.stop()
  }
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

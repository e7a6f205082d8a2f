// A disk that fails at any write of any command: one sentence, no half file, and nothing left behind.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { cli } from '../../support/cli.ts'
import { isFilled, isSafe } from '../../support/said.ts'
import { Laid, specimens } from '../../support/specimens.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const disk = vi.hoisted(() => ({ calls: 0, failAt: 0, code: '' }))

vi.mock('node:fs', async load => {
  const real = await load<typeof import('node:fs')>()
  /** Calls that take room or rights; those that read or remove go on. */
  const writing = [
    'mkdirSync',
    'mkdtempSync',
    'writeSync',
    'writevSync',
    'fsyncSync',
    'renameSync',
    'linkSync',
    'writeFileSync',
  ]
  const failing =
    (name: string) =>
    (...given: never[]): unknown => {
      const opens = name === 'openSync' && !['w', 'wx', 'a', 'r+'].includes(String(given[1]))
      if (!opens && ++disk.calls === disk.failAt)
        throw Object.assign(new Error(`${disk.code}: no`), { code: disk.code, syscall: name })
      return (real[name as never] as (...given: never[]) => unknown)(...given)
    }
  const broken = Object.fromEntries([...writing, 'openSync'].map(name => [name, failing(name)]))
  return { ...real, ...broken, default: { ...real, ...broken } }
})

afterAll(() => {
  disk.failAt = 0
})

const listing = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => statSync(path.join(folder, name)).isFile())
    .toSorted()
const codes = ['ENOSPC', 'EACCES', 'EIO', 'EROFS', 'EDQUOT']
/** So many places of a command, spread over all of its writes. */
const places = 7

/** These print a command line, or find nothing to write. */
const writesNothing = /^(?:pre-check command|gradients)$/

it.each(specimens.filter(({ name, line }) => line.includes('@out') && !writesNothing.test(name)))(
  '$name',
  async specimen => {
    const laid = new Laid(temporaryFolder(), specimen)
    disk.failAt = 0
    if (specimen.first) {
      await cli(laid.words(specimen.first))
      laid.adopt()
    }
    const run = async (failAt: number, code = ''): Promise<Awaited<ReturnType<typeof cli>>> => {
      laid.clear()
      Object.assign(disk, { calls: 0, failAt, code })
      const ran = await cli(laid.words(specimen.line))
      disk.failAt = 0
      return ran
    }
    const whole = await run(0)
    const { calls } = disk
    expect(whole.code).toBeLessThan(2)
    expect(calls).toBeGreaterThan(0)
    const all = listing(laid.out).length
    for (let i = 0; i < Math.min(places, calls); i++) {
      const at = calls <= places ? i + 1 : 1 + Math.round((i * (calls - 1)) / (places - 1))
      const { code, err } = await run(at, codes[i % codes.length])
      const where = `${specimen.name}: call ${at} of ${calls}\n${err}`
      expect([0, 1, 2], where).toContain(code)
      expect(isSafe(err) && isFilled(err), where).toBe(true)
      const left = listing(laid.out)
      // What was tried in vain costs nothing else: a cache, a folder that was there already.
      if (code < 2) expect(left.length, where).toBe(all)
      else expect(err, where).toMatch(/ENOSPC|EACCES|EIO|EROFS|EDQUOT|room/)
      for (const name of left) {
        expect(name, where).not.toMatch(/\.part$|(?:^|[/\\])\./)
        expect(statSync(path.join(laid.out, name)).size, where).toBeGreaterThan(0)
      }
    }
  },
)

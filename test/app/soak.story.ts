// Open, select, export, close, again and again: no handle stays, and memory stays where it was after the fifth time.
// `npm run soak` goes 500 times round, the tests a few.
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { dump, expect, scratch, test, usualPair, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const cycles = Number(process.env['SOAK_CYCLES'] ?? 12)
/** Megabytes that any process may need more for once, such as a script that is compiled late. */
const slack = 40

interface Use {
  readonly memory: number
  readonly handles: number
}

/** Of each process by its name: memory of its own in megabytes, and what it has open. */
async function used(app: App): Promise<Readonly<Record<string, Use>>> {
  // What is only waiting to be collected counts as free.
  const session = await app.page.context().newCDPSession(app.page)
  await session.send('HeapProfiler.collectGarbage')
  await session.detach()
  const found = await app.electron.evaluate(({ app: electron }) =>
    electron
      .getAppMetrics()
      .map(({ name, type, pid, memory }) => ({
        name: name ?? type,
        pid,
        kilobytes: memory.privateBytes ?? memory.workingSetSize,
      })),
  )
  return Object.fromEntries(
    found.map(({ name, pid, kilobytes }) => [
      name,
      {
        memory: Math.round(kilobytes / 1024),
        handles: process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : 0,
      },
    ]),
  )
}

const pairs = [
  usualPair,
  [dump('pt_lenet_w_conv2_statistics_mix'), dump('pt_lenet_none_statistics_mix')],
  [dump('pt_lenet_w_conv2_tensor_mix'), dump('pt_lenet_none_tensor_mix')],
]

test(`${cycles} times round`, async ({ start }) => {
  test.setTimeout(60_000 + cycles * 10_000)
  const app = await start()
  const folder = scratch()
  await app.answerDialogs([folder])
  const seen: Readonly<Record<string, Use>>[] = []
  for (let cycle = 1; cycle <= cycles; cycle++) {
    await app.drop(pairs[cycle % pairs.length] ?? usualPair)
    await expect(app.id(names.grid)).toHaveAttribute('data-rows', /^[1-9]\d+$/)
    await app.press('F8', 'F8', 'F8')
    await app.press('Control+e')
    await app.id('export-csv').click()
    await expect.poll(() => readdirSync(folder).filter(name => name.endsWith('.csv')).length).toBe(1)
    await app.idle()
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name))
    await app.menu('close')
    await expect(app.id(names.empty)).toBeVisible()
    seen.push(await used(app))
    if (cycle <= 5 || cycle % 25 === 0) console.log(cycle, JSON.stringify(seen.at(-1)))
  }
  const [level, last] = [seen[Math.min(4, seen.length - 1)] ?? {}, seen.at(-1) ?? {}]
  for (const [name, { memory, handles }] of Object.entries(last)) {
    const before = level[name]
    if (!before) continue
    expect(memory, `${name}, ${before.memory} MB after the fifth`).toBeLessThan(before.memory * 1.1 + slack)
    expect(handles, `${name}, ${before.handles} handles after the fifth`).toBeLessThanOrEqual(
      before.handles + 4,
    )
  }
})

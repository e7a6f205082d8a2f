// What reads dumps has no way to the network, in processes and in worker threads alike.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { beforeAll, expect, test } from 'vitest'
import { builtScript } from '../support/worker.ts'

let script: URL
beforeAll(async () => {
  script = await builtScript('test/support/sealed-tries.ts')
})

const refused = (tried: unknown): void => {
  expect(Object.keys(tried as object).length).toBeGreaterThan(10)
  for (const [way, said] of Object.entries(tried as object))
    expect(`${way}: ${String(said)}`).toBe(`${way}: Plumbline does not use the network`)
}

test('in a process', () => {
  const run = spawnSync(process.execPath, [fileURLToPath(script)], { encoding: 'utf8' })
  const { inspector, ...tried } = JSON.parse(run.stdout) as Record<string, string>
  refused(tried)
  // Node leaves the signal alone that opens its inspector where somebody listens to it.
  if (process.platform !== 'win32') expect(inspector).toBe('listened to')
})

test('in a worker thread', async () => {
  const thread = new Worker(script)
  const tried = await new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
  await thread.terminate()
  refused(tried)
})

// Proposals alone against the golden mappings: nothing wrong, nearly all found, and the document says so.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scores, table } from '../support/proposed.ts'

test('accepting proposals finds what the golden mappings say, and nothing that they speak against', async () => {
  const all = await scores()
  for (const { name, golden, found, wrong, text } of all) {
    expect({ name, wrong, text }).toEqual({ name, wrong: 0, text })
    expect(found / golden, name).toBeGreaterThanOrEqual(0.95)
  }
  expect(
    readFileSync(new URL('../../docs/mapping.md', import.meta.url), 'utf8'),
    'node test/support/write-mapping.mjs writes it',
  ).toContain(table(all))
})

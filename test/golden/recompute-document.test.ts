// What docs/recompute.md says by API is what recomputing the dumps comes to; `-u` writes it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { recomputePage } from '../support/recompute-document.ts'

test('the tables of docs/recompute.md are what recomputing comes to', async () => {
  const page = path.resolve(import.meta.dirname, '../../docs/recompute.md')
  await expect(await recomputePage(readFileSync(page, 'utf8'))).toMatchFileSnapshot(page)
})

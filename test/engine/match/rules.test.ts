// The table of deviations: its document is up to date, and rule sets take the ways that it says.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deviations, parityDocument, waysOf } from '../../../main/engine/match/rules.ts'

test('docs/parity.md is what the table says (node test/support/write-parity.mjs writes it)', () => {
  expect(readFileSync(new URL('../../../docs/parity.md', import.meta.url), 'utf8')).toBe(parityDocument())
})

test('ids are unique and every rule set knows its ways', () => {
  expect(new Set(deviations.map(d => d.id)).size).toBe(deviations.length)
  const reference = waysOf('msprobe-1.2.2')
  for (const { id, where } of deviations) {
    expect(waysOf('plumbline')[id]).toBe(true)
    expect(reference[id]).toBe(where === 'always')
  }
})

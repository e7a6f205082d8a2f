// The table of deviations: its document is up to date, and rule sets deviate where it says.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deviations } from '../../../main/engine/rules/deviations.ts'
import { ruleSets } from '../../../main/engine/rules/index.ts'
import { parityDocument } from '../../support/parity-document.ts'
import { rulesNames } from '../../../main/engine/model/names.ts'

test('docs/parity.md is what the table says (node test/support/write-parity.mjs writes it)', () => {
  expect(readFileSync(new URL('../../../docs/parity.md', import.meta.url), 'utf8')).toBe(parityDocument())
})

test('ids are unique and every rule set knows where it deviates', () => {
  expect(new Set(deviations.map(d => d.id)).size).toBe(deviations.length)
  for (const { id, where } of deviations) {
    expect(ruleSets.plumbline.deviates[id]).toBe(true)
    expect(ruleSets['msprobe-1.2.2'].deviates[id]).toBe(where === 'always')
  }
})

test('rule sets stand under their own names', () => {
  expect(rulesNames.map(name => ruleSets[name].id)).toEqual(rulesNames)
})

// The book of rules: what becomes of each, and that one which fails costs its own slot only.
import path from 'node:path'
import { expect, test } from 'vitest'
import { RuleBook } from '../../../main/engine/advisor/rules/index.ts'
import { rule, type Moments, type Tables } from '../../../main/engine/advisor/rules/rule.ts'
import { ruleNames } from '../../../main/engine/model/names.ts'
import { adviseFolders } from '../../support/advised.ts'

const seen: Moments['gradient'] = { debug: 3, bench: 3, at: 5, dirty: false, item: 7, differs: true }
const noTables = {} as unknown as Tables
const found = { entry: { kind: 'nan', variant: '', facts: {} } } as const

test('a rule that throws is out; those before and behind it say what they have to say', () => {
  const book = new RuleBook(
    [
      rule('nan', [], () => ({ gradient: () => found })),
      rule('origins', [], () => ({
        gradient: () => {
          throw new Error('no such column')
        },
      })),
      rule('modules', [], () => {
        throw new Error('cannot even begin')
      }),
      rule('gradients', [], () => ({ gradient: ({ differs }) => (differs ? found : 'pass') })),
      rule('casts', [], () => null),
      rule('weights', [], () => ({ gradient: () => null })),
      rule('inputs', [], () => ({ gradient: () => 'pass' })),
    ],
    noTables,
  )
  for (let times = 0; times < 2; times++)
    expect(book.ask('gradient', seen, false).map(answer => answer.rule)).toEqual(['nan', 'gradients'])
  const told = new Map([['gradients' as const, 2]])
  expect(book.states(told).map(({ rule: name, state, looked, why }) => [name, state, looked, why])).toEqual([
    ['nan', 'pass', 2, ''],
    ['origins', 'stopped', 0, 'no such column'],
    ['modules', 'stopped', 0, 'cannot even begin'],
    ['gradients', 'fail', 2, ''],
    ['casts', 'not-applicable', 0, ''],
    ['weights', 'not-applicable', 0, ''],
    ['inputs', 'pass', 2, ''],
  ])
})

test('the first that finds something has said it', () => {
  const book = new RuleBook(
    [
      rule('weights', [], () => ({ gradient: () => 'pass' })),
      rule('casts', [], () => ({ gradient: () => [found, found] })),
      rule('nan', [], () => ({ gradient: () => found })),
    ],
    noTables,
  )
  expect(book.ask('gradient', seen, true).map(answer => answer.rule)).toEqual(['casts', 'casts'])
})

test('a rule sees only the tables that it names', () => {
  let seenTables: readonly string[] = []
  const one = rule('weights', ['across', 'weightTolerance'], tables => {
    seenTables = Object.keys(tables)
    return null
  })
  one.begin({ across: true, weightTolerance: 1, castRun: true } as unknown as Tables)
  expect(seenTables).toEqual(['across', 'weightTolerance'])
})

test('every rule is listed once, with what became of it', async () => {
  const sample = path.join(import.meta.dirname, '..', '..', '..', 'resources', 'sample')
  const { advice } = await adviseFolders(
    path.join(sample, 'debug', 'step0', 'rank'),
    path.join(sample, 'bench', 'step0', 'rank'),
  )
  expect(advice.checked.map(one => one.rule).toSorted()).toEqual([...ruleNames].toSorted())
  const failed = advice.checked.filter(one => one.state === 'fail')
  expect(failed.reduce((sum, one) => sum + one.found, 0)).toBeGreaterThanOrEqual(1)
  for (const { state, looked, found: told } of advice.checked) {
    expect(state).not.toBe('stopped')
    expect(looked > 0).toBe(state !== 'not-applicable')
    expect(told > 0).toBe(state === 'fail')
  }
})

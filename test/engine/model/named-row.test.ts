// Tables by names that a file gives.
import { expect, it } from 'vitest'
import { communicates } from '../../../main/engine/overflow/communication.ts'
import { namedRow } from '../../../main/engine/model/index.ts'
import { isFloat } from '../../../main/engine/precheck/standards.ts'

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('%s is no row of any table', name => {
  expect(namedRow({ a: 1 }, name)).toBeUndefined()
  expect([communicates(name), isFloat(name)]).toEqual([false, false])
})

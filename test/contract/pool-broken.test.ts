// A worker that cannot even load is a bug of the program, and is told as what it is.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../main/engine/model/problem.ts'
import { threadPool } from '../../main/engine/work/pool.ts'
import { temporaryFolder } from '../support/temporary.ts'

const modules: readonly (readonly [string, string, RegExp])[] = [
  ['throws', `throw new TypeError('broken on purpose')`, /broken on purpose/],
  ['imports what is not there', `import { nothing } from './nowhere.mjs'\nnothing()`, /nowhere\.mjs/],
  ['is no JavaScript', 'const = 1', /Unexpected token/],
]

describe('a thread whose module', () => {
  // "Open fewer dumps" is no advice to somebody whose installation is broken.
  it.each(modules)('%s is a bug, not a dump that was too large', async (_, text, says) => {
    const script = path.join(temporaryFolder(), 'worker.mjs')
    writeFileSync(script, text)
    const pool = threadPool(pathToFileURL(script), 1)
    const error: unknown = await pool.run('double', 1).catch((error: unknown) => error)
    await pool.close()
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(Refusal)
    expect(String(error)).toMatch(says)
  })
})

// What follows from the table of verbs: each can be named, explained in both languages, and loaded.
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../../main/cli/args.ts'
import { verbs, wordsOf } from '../../../main/engine/doors/command/index.ts'
import { cli } from '../../support/cli.ts'

const all = verbs.map(verb => [verb.name, verb] as const)

describe('the table of verbs', () => {
  it.each(all)(
    '%s has a help in both languages that names its flags, its fields and an example',
    async (name, verb) => {
      for (const lang of ['en', 'zh']) {
        const { code, out } = await cli([...name.split(' '), '--help', '--lang', lang])
        expect(code).toBe(0)
        for (const flag of Object.values(verb.flags))
          if (!flag.hidden) for (const spelling of flag.names) expect(out).toContain(spelling)
        for (const field of verb.fields) expect(out).toContain(field)
        for (const example of verb.examples) expect(out).toContain(example)
        expect(out).not.toMatch(/\{\w+\}|undefined|null/)
      }
    },
  )

  it.each(all)('%s understands its own examples', (_, verb) => {
    for (const example of verb.examples) {
      const words = (wordsOf(example.replace(/ >.*/, '')) ?? []).slice(1)
      expect(readArguments(words).verb?.name).toBe(verb.name)
    }
  })

  it.each(all)('%s spells nothing in two ways', (_, verb) => {
    const spellings = Object.values(verb.flags).flatMap(flag => flag.names)
    expect(new Set(spellings).size).toBe(spellings.length)
  })

  it('lists every verb in the help of all, or in that of its head', async () => {
    const all = await cli(['--help'])
    for (const { name } of verbs) {
      const [head = '', action] = name.split(' ')
      const isBelow = verbs.some(verb => verb.name === head) && action !== undefined
      const { out } = isBelow ? await cli([head, '--help']) : all
      expect(out).toContain(`  ${isBelow ? action : name}`)
    }
  })

  it('wants an answer in one language or the other', async () => {
    expect((await cli([])).code).toBe(2)
    expect((await cli(['--lang', 'de', 'compare', '--help'])).err).toContain('--lang')
  })
})

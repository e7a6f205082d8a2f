// Every text that a person reads stands in contract/words, in both languages, with the same facts.
import { describe, expect, test } from 'vitest'
import { problem } from '../../main/engine/model/shared.ts'
import { sentences } from '../../preload/contract/words/facts.ts'
import { isWordKey, keysOf, say, textOf, type WordKey } from '../../preload/contract/words/index.ts'
import { read, sources } from './tracked.ts'

const shown = sources.filter(file => /^(?:main|preload|renderer)\//.test(file) && !file.includes('/words/'))
const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

describe('keys', () => {
  const used = shown.flatMap(file =>
    [...read(file).matchAll(/\b(?:say|word)\(\s*(?:\w+\s*,\s*)?'([a-z][\w-]*\.[\w.-]*)'/g)].map(
      hit => `${hit[1]} ${file}`,
    ),
  )

  test('are found in the sources at all', () => expect(used.length).toBeGreaterThan(50))

  test('all exist', () => expect(used.filter(use => !isWordKey(use.slice(0, use.indexOf(' '))))).toEqual([]))

  test('both languages have the same keys, none empty', () => {
    expect(keysOf('zh').toSorted()).toEqual(keysOf('en').toSorted())
    for (const language of ['en', 'zh'] as const)
      for (const key of keysOf(language)) expect(textOf(language, key as WordKey).trim(), key).not.toBe('')
  })

  test('both languages name the same facts', () => {
    const facts = (text: string): string[] =>
      [...text.matchAll(/\{(\w+)\}/g)].map(hit => hit[1] ?? '').toSorted()
    for (const key of keysOf('en') as WordKey[])
      expect(new Set(facts(textOf('zh', key))), key).toEqual(new Set(facts(textOf('en', key))))
  })
})

describe('components', () => {
  const pieces = sources.filter(file => /^renderer\/.*\.tsx$/.test(file))

  test.each(pieces)('%s has no text of its own', file => {
    const text = read(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, comment =>
      ' '.repeat(comment.length),
    )
    const found = [
      // Text between tags, and attributes that are read out or shown.
      ...text.matchAll(
        /<\/?[A-Za-z][\w.]*(?:\s[^<>{}]*)?\/?>\s*([^<>{}()=;|&?]*\p{L}{2}[^<>{}()=;|&?]*)\s*<\/?[A-Za-z]/gu,
      ),
      ...text.matchAll(/\b(?:title|placeholder|alt|aria-label|label)="([^"]*\p{L}{2}[^"]*)"/gu),
    ]
      .filter(hit => !/^(?:return|if|else|const|export|function|readonly)\b/.test(hit[1] ?? ''))
      .map(hit => `${file}:${lineOf(text, hit.index)} ${(hit[1] ?? '').trim()}`)
    expect(found).toEqual([])
  })
})

describe('facts', () => {
  test('that a text needs or a code has are checked by the compiler', () => {
    const wrong = [
      // @ts-expect-error the fact is missing
      () => problem('not-readable', '/a'),
      // @ts-expect-error a fact of another code
      () => problem('not-readable', '/a', { reason: 'EIO', size: 1 }),
      // @ts-expect-error one of the two codes needs a fact
      (gone: boolean) => problem(gone ? 'not-found' : 'not-readable', '/a'),
      // @ts-expect-error the text has a place
      () => say('en', 'cli.usage'),
      // @ts-expect-error a place that is no fact
      () => sentences<{ one: { size: number } }>()({ one: '{sise} bytes' }),
    ]
    expect(wrong).toHaveLength(5)
    expect(say('en', 'cli.usage', { reason: 'No.', help: 'help ls' })).toBe('No. See help ls.')
  })
})

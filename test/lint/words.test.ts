// Every text that a person reads stands in contract/words, in both languages, with the same facts.
import { describe, expect, test } from 'vitest'
import { isWordKey, keysOf, say, type WordKey } from '../../preload/contract/words/index.ts'
import { read, sources } from './tracked.ts'

const shown = sources.filter(file => /^(?:main|preload|renderer)\//.test(file) && !file.includes('/words/'))
const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

describe('keys', () => {
  const used = shown.flatMap(file => [...read(file).matchAll(/\b(?:say|word)\(\s*(?:\w+\s*,\s*)?'([a-z][\w-]*\.[\w.-]*)'/g)].map(hit => `${hit[1]} ${file}`))

  test('are found in the sources at all', () => expect(used.length).toBeGreaterThan(50))

  test('all exist', () => expect(used.filter(use => !isWordKey(use.slice(0, use.indexOf(' '))))).toEqual([]))

  test('both languages have the same keys, none empty', () => {
    expect(keysOf('zh').toSorted()).toEqual(keysOf('en').toSorted())
    for (const language of ['en', 'zh'] as const) for (const key of keysOf(language)) expect(say(language, key as WordKey).trim(), key).not.toBe('')
  })

  test('both languages name the same facts', () => {
    const facts = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(hit => hit[1] ?? '').toSorted()
    for (const key of keysOf('en') as WordKey[]) expect(new Set(facts(say('zh', key))), key).toEqual(new Set(facts(say('en', key))))
  })
})

describe('components', () => {
  const pieces = sources.filter(file => /^renderer\/.*\.tsx$/.test(file))

  test.each(pieces)('%s has no text of its own', file => {
    const text = read(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, comment => ' '.repeat(comment.length))
    const found = [
      // Text between tags, and attributes that are read out or shown.
      ...text.matchAll(/<\/?[A-Za-z][\w.]*(?:\s[^<>{}]*)?\/?>\s*([^<>{}()=;|&?]*\p{L}{2}[^<>{}()=;|&?]*)\s*<\/?[A-Za-z]/gu),
      ...text.matchAll(/\b(?:title|placeholder|alt|aria-label|label)="([^"]*\p{L}{2}[^"]*)"/gu),
    ].filter(hit => !/^(?:return|if|else|const|export|function)\b/.test(hit[1] ?? '')).map(hit => `${file}:${lineOf(text, hit.index)} ${(hit[1] ?? '').trim()}`)
    expect(found).toEqual([])
  })
})

describe('problems', () => {
  const codes = [...(/export type ProblemCode =([\s\S]*?)\n\n/.exec(read('main/engine/problem.ts'))?.[1] ?? '').matchAll(/'([\w-]+)'/g)].map(hit => hit[1] ?? '')

  test('every code has a sentence', () => {
    expect(codes.length).toBeGreaterThan(50)
    expect(codes.filter(code => !isWordKey(`problem.${code}`))).toEqual([])
  })

  test('every sentence names only facts that each place gives', () => {
    const given = shown.flatMap(file => [...read(file).matchAll(/\bproblem\(\s*'([\w-]+)'((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)/g)]
      .map(hit => ({ file, code: hit[1] ?? '', rest: (hit[2] ?? '').replaceAll(/'[^']*'|`[^`]*`/g, "''") })))
    expect(given.length).toBeGreaterThan(80)
    const holes = given.flatMap(({ file, code, rest }) => {
      const key = `problem.${code}`
      if (!isWordKey(key) || /\.\.\.|,\s*(?:facts|\w+\.facts)\b/.test(rest)) return []
      const facts = new Set([...(/\{([\s\S]*)\}/.exec(rest)?.[1] ?? '').matchAll(/(?:^|[,{])\s*(\w+)\s*(?=[,:}]|$)/g)].map(hit => hit[1]))
      return [...say('en', key).matchAll(/\{(\w+)\}/g)].map(hit => hit[1] ?? '').filter(fact => fact !== 'path' && !facts.has(fact)).map(fact => `${code} in ${file} lacks ${fact}`)
    })
    expect(holes).toEqual([])
  })
})

// Mapping texts that no file of the user holds: back at the next start, never in part, and of other pairs as well.
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openDrafts } from '../../main/drafts.ts'
import type { Draft } from '../../preload/contract/host.ts'
import { temporaryFolder } from '../support/temporary.ts'

const draft = (text: string): Draft => ({ text, path: '', saved: null, lineBreak: '\n' })

test('a text is there at the next start, each pair has its own, and what is left out is forgotten', async () => {
  const folder = path.join(temporaryFolder(), 'mappings')
  const store = openDrafts(folder)
  await Promise.all([
    store.keep('a\nb', { layer: draft('one'), cell: { ...draft('two'), saved: 'twx', path: '/m.yaml' } }),
    store.keep('a\nc', { layer: draft('other') }),
  ])
  const next = openDrafts(folder)
  expect(await next.read('a\nb')).toEqual({
    layer: draft('one'),
    cell: { ...draft('two'), saved: 'twx', path: '/m.yaml' },
  })
  expect(await next.read('a\nc')).toEqual({ layer: draft('other') })
  expect(await next.read('a\nd')).toEqual({})
  await next.keep('a\nb', { layer: draft('one more') })
  expect(await openDrafts(folder).read('a\nb')).toEqual({ layer: draft('one more') })
})

test('what the disk does not take stays, and is written with the next text, of whatever pair', async () => {
  const folder = path.join(temporaryFolder(), 'mappings')
  const store = openDrafts(folder)
  // A folder stands where the first text would be written.
  await store.keep('b', {})
  const [name = ''] = readdirSync(folder)
  const inTheWay = path.join(folder, `${name}.new`)
  mkdirSync(inTheWay)
  await expect(store.keep('b', { layer: draft('late') })).rejects.toThrow()
  expect(await store.read('b')).toEqual({ layer: draft('late') })
  expect(await openDrafts(folder).read('b')).toEqual({})
  rmdirSync(inTheWay)
  await store.keep('c', { layer: draft('third') })
  expect(await openDrafts(folder).read('b')).toEqual({ layer: draft('late') })
})

test('a file that was spoilt is no text, and a few dozen pairs are remembered', async () => {
  const folder = path.join(temporaryFolder(), 'mappings')
  const store = openDrafts(folder)
  for (let pair = 0; pair < 40; pair++) await store.keep(`pair ${pair}`, { layer: draft(`${pair}`) })
  expect(readdirSync(folder)).toHaveLength(30)
  expect(await openDrafts(folder).read('pair 39')).toEqual({ layer: draft('39') })
  for (const name of readdirSync(folder))
    writeFileSync(path.join(folder, name), '{"pair": "pair 39", "drafts": 7}')
  expect(await openDrafts(folder).read('pair 39')).toEqual({})
})

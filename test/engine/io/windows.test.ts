// What only Windows does to paths and texts, tried on any system.
import { expect, test } from 'vitest'
import { decodeMapping, firstForeign, serverOf } from '../../../main/engine/io/index.ts'

test.each([
  ['\\\\server\\share\\dump', 'server'],
  ['//Server/share/dump', 'server'],
  ['\\\\?\\UNC\\server\\share', 'server'],
  ['\\\\?\\C:\\dump', ''],
  ['\\\\.\\pipe\\x', ''],
  ['C:\\dump', ''],
  ['dump', ''],
])('%s lies on the machine “%s”', (path, server) => {
  expect(serverOf(path, true)).toBe(server)
  expect(serverOf(path, false)).toBe('')
})

test('a text in the code page of a Chinese Windows is read as what it says, and named', () => {
  // "层.0: 网络.层" and an ASCII line.
  const chinese = [0xb2, 0xe3, 0x2e, 0x30, 0x3a, 0x20, 0xcd, 0xf8, 0xc2, 0xe7, 0x2e, 0xb2, 0xe3, 0x0a]
  const bytes = Uint8Array.from(chinese.concat([0x61, 0x3a, 0x20, 0x62, 0x0a]))
  const read = decodeMapping(bytes)
  expect(read).toEqual({ text: '层.0: 网络.层\na: b\n', encoding: 'gb18030' })
  expect(firstForeign(read)).toBe(0)
})

test.each(['größer: a\n', 'naïve: café\n'])('a Latin text stays one: %s', text => {
  const latin = Uint8Array.from(Buffer.from(text, 'latin1'))
  expect(decodeMapping(latin)).toEqual({ text, encoding: 'latin-1' })
})

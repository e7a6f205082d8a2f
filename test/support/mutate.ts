// Seeded damage to real files: cut, flip, swell, nest, hostile numbers, bad UTF-8.
import { random } from './random.ts'

const encoder = new TextEncoder()

/** Texts that have broken readers before: of this one or of others. */
const hostile: readonly string[] = [
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '18446744073709551616',
  '99999999999999999999999999999999',
  '-0',
  '-0.0',
  'NaN',
  '-Infinity',
  'Infinity',
  '-NaN',
  '1e',
  '1.',
  '.1',
  '01',
  '+1',
  '0x1F',
  '1_0',
  '--1',
  `0.${'3'.repeat(400)}`,
  `1${'0'.repeat(400)}`,
  '4611686018427387904',
  '[1152921504606846976, 1152921504606846976]',
  '[-1]',
  '[1.5]',
  '[null]',
  '[[[[[[[[[[[[1]]]]]]]]]]]]',
  '{}',
  '[]',
  'null',
  'true',
  'nul',
  '"',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\x41"',
  '"\\',
  '"=cmd|calc"',
  '"a;@b"',
  '"../../../../etc/passwd"',
  '"C:\\\\x"',
  '"\u202e"',
  '\u0000',
  '\u0001',
  '\ufeff',
  '\u2028',
  '/*',
  '//',
  ',',
  ',,',
  ':',
  '{',
  '}',
  '[',
  ']',
  '{"type": "torch.Size"}',
  '{"type": null}',
  '{"type": "slice", "value": [0, [1], null]}',
  '{"type": "int", "value": {"a": 1}}',
  '{"type": "torch.ProcessGroup", "group_ranks": [0, 1]}',
  '{"type": "ellipsis", "value": 3}',
  '"md5"',
  '"type"',
  '"data"',
  '"data": {}',
  '"level": "debug"',
  '"parameters_grad"',
  '"data_name": "."',
  '"data_name": "\\n"',
  '"dtype": ""',
  '"requires_grad": "yes"',
  '"shape": {}',
]
const badBytes: readonly (readonly number[])[] = [
  [0xff],
  [0xc0, 0x80],
  [0xc3],
  [0xe0, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x80, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x80],
  [0xef, 0xbb, 0xbf],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98, 0x80],
]

type Damage = (bytes: Uint8Array, next: () => number) => Uint8Array

const at = (bytes: Uint8Array, next: () => number): number => Math.floor(next() * (bytes.length + 1))
const pick = <T>(from: readonly T[], next: () => number): T => from[Math.floor(next() * from.length)]!
function splice(
  bytes: Uint8Array,
  from: number,
  to: number,
  insert: Uint8Array | readonly number[],
): Uint8Array {
  const out = new Uint8Array(from + insert.length + bytes.length - to)
  out.set(bytes.subarray(0, from))
  out.set(insert, from)
  out.set(bytes.subarray(to), from + insert.length)
  return out
}
/** A number, word or text of the file, by a place inside it. */
function token(bytes: Uint8Array, from: number): readonly [number, number] {
  const part = (i: number): boolean => /[\w.+"-]/.test(String.fromCharCode(bytes[i]!))
  let to = from
  while (from > 0 && part(from - 1)) from--
  while (to < bytes.length && part(to)) to++
  return [from, to]
}

const damages: Readonly<Record<string, Damage>> = {
  cut: (bytes, next) => bytes.slice(0, at(bytes, next)),
  behead: (bytes, next) => bytes.slice(at(bytes, next)),
  flip: (bytes, next) => {
    const out = bytes.slice()
    for (let n = 1 + Math.floor(next() * 4); n > 0; n--) out[at(bytes, next)] ^= 1 << Math.floor(next() * 8)
    return out
  },
  erase: (bytes, next) => {
    const from = at(bytes, next)
    return splice(bytes, from, Math.min(bytes.length, from + 1 + Math.floor(next() ** 3 * 300)), [])
  },
  repeat: (bytes, next) => {
    const from = at(bytes, next)
    return splice(bytes, from, from, bytes.subarray(from, from + Math.floor(next() ** 2 * 2000)))
  },
  move: (bytes, next) => {
    const from = at(bytes, next)
    return splice(bytes, at(bytes, next), at(bytes, next), bytes.subarray(from, from + 200)).slice(
      0,
      bytes.length * 2,
    )
  },
  token: (bytes, next) =>
    splice(bytes, ...token(bytes, at(bytes, next)), encoder.encode(pick(hostile, next))),
  insert: (bytes, next) => {
    const from = at(bytes, next)
    return splice(bytes, from, from, encoder.encode(pick(hostile, next)))
  },
  utf8: (bytes, next) => {
    const from = at(bytes, next)
    return splice(bytes, from, from, pick(badBytes, next))
  },
  nest: (bytes, next) => {
    const [from, to] = token(bytes, at(bytes, next))
    const depth = pick([3, 11, 12, 150, 300, 5000], next)
    const [open, close] = next() < 0.5 ? ['[', ']'] : ['{"a": ', '}']
    return splice(
      splice(bytes, to, to, encoder.encode(close.repeat(depth))),
      from,
      from,
      encoder.encode(open.repeat(depth)),
    )
  },
  swell: (bytes, next) => {
    const from = at(bytes, next)
    const part = bytes.subarray(from, from + 1 + Math.floor(next() * 20))
    const times = pick([10, 1000, 20_000], next)
    const fill = new Uint8Array(part.length * times)
    for (let i = 0; i < times; i++) fill.set(part, i * part.length)
    return splice(bytes, from, from, fill)
  },
}

/** Damages a file once to three times; the same seed does the same. */
export function mutate(
  bytes: Uint8Array,
  seed: number,
): { readonly bytes: Uint8Array; readonly how: string } {
  const next = random(seed)
  const how: string[] = []
  for (let n = 1 + Math.floor(next() ** 2 * 3); n > 0; n--) {
    // Damage to single values leaves the rest readable, which asks more of the readers.
    const name = next() < 0.4 ? 'token' : pick(Object.keys(damages), next)
    bytes = damages[name]!(bytes, next)
    how.push(name)
  }
  return { bytes, how: how.join(' ') }
}

// The built command line on Windows' node.exe says and writes what it says and writes here, whose answers the
// golden tests hold against msprobe; and it finds its way among Windows' paths.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../.ci/electron.mjs'
import { environment, wine } from '../../.ci/wine.mjs'
import { fixturesRoot } from '../support/fixtures.ts'

const cli = path.join(root, 'out', 'main', 'cli.js')
const scratch = mkdtempSync(path.join(tmpdir(), 'plumbline-windows-'))
let node = ''
let prefix = ''
let fixtures = ''

beforeAll(() => {
  const found = wine()
  if ('missing' in found) throw new Error(found.missing)
  ;({ node, prefix } = found)
  fixtures = fixturesRoot()
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Ran {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** Node under wine cannot write to a pipe of Linux, so its streams go through files. */
function run(program: 'here' | 'windows', args: readonly string[]): Ran {
  const streams = ['out', 'err'].map(name => path.join(scratch, `${program}.${name}`))
  const files = streams.map(file => openSync(file, 'w'))
  const [command, ...first] = program === 'here' ? [process.execPath] : ['wine', node]
  const { status } = spawnSync(command ?? '', [...first, cli, ...args], {
    env: environment(prefix),
    stdio: ['ignore', ...files],
  })
  for (const file of files) closeSync(file)
  const [out = '', err = ''] = streams.map(file => readFileSync(file, 'utf8').replaceAll('\r\n', '\n'))
  return { status, out, err }
}

/** Names without their time, texts with the paths of Linux. */
function written(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map(name => [
        name.replace(/\d{14}/, ''),
        readFileSync(path.join(folder, name), 'latin1').replace(/Z:[^,\n"]*/g, at =>
          at.slice(2).replaceAll('\\', '/'),
        ),
      ]),
  )
}

const dump = (name: string): string => path.join(fixtures, 'dumps', name)

test.each([
  ['statistics of PyTorch', 'pt_tr_w_qkv1_statistics_mix', 'pt_tr_none_statistics_mix'],
  ['tensors of PyTorch', 'pt_lenet_half_tensor_L1', 'pt_lenet_none_tensor_L1'],
  ['md5s of MindSpore', 'ms_lenet_w_conv2_md5_mix', 'ms_lenet_none_md5_mix'],
  ['tensors of MindSpore', 'ms_lenet_w_conv2_tensor_mix', 'ms_lenet_none_tensor_mix'],
  ['two frameworks', 'ms_lenet_none_statistics_mix', 'pt_lenet_none_statistics_mix'],
])('compares as here: %s', (_what, debug, bench) => {
  const [mine, theirs] = [path.join(scratch, 'mine'), path.join(scratch, 'theirs')]
  const args = ['compare', dump(debug), dump(bench), '--format', 'csv', '-o']
  const here = run('here', [...args, mine])
  const windows = run('windows', [...args, theirs])
  expect(windows.status).toBe(here.status)
  expect(windows.err.replaceAll(/Z:\S*/g, at => at.slice(2).replaceAll('\\', '/'))).toBe(here.err)
  expect(written(theirs)).toEqual(written(mine))
  expect(Object.keys(written(mine)).some(name => name.startsWith('compare_result_'))).toBe(true)
  rmSync(mine, { recursive: true })
  rmSync(theirs, { recursive: true })
})

test('draws the graph as here', () => {
  const [mine, theirs] = [path.join(scratch, 'mine'), path.join(scratch, 'theirs')]
  const pair = [dump('pt_tr_w_qkv1_statistics_mix'), dump('pt_tr_none_statistics_mix')]
  expect(run('here', ['graph', ...pair, '-o', mine]).status).toBe(0)
  expect(run('windows', ['graph', ...pair, '-o', theirs]).status).toBe(0)
  expect(Object.keys(written(theirs))).toEqual(Object.keys(written(mine)))
})

/** As the shell of Windows saves text, and as one of China did before UTF-8. */
const saved: readonly (readonly [string, Uint8Array])[] = [
  [
    'line ends of Windows',
    Buffer.from(
      '{\r\n "task": "statistics",\r\n "dump_path": "D:\\\\转储\\\\a",\r\n "dump_enable": true\r\n}\r\n',
    ),
  ],
  [
    'a mark before UTF-8',
    Buffer.from('\uFEFF{"task": "tensor", "dump_path": "C:/d", "level": "L1", "dump_enable": true}'),
  ],
  [
    'GBK',
    Buffer.concat([
      Buffer.from('{"task": "statistics", "dump_enable": true, "dump_path": "D:/'),
      Buffer.from([0xd7, 0xaa, 0xb4, 0xa2]),
      Buffer.from('"}'),
    ]),
  ],
]

test.each(saved)(
  'says of a config.json what it says here, and switches only what it should: %s',
  (_what, bytes) => {
    const file = path.join(scratch, 'config.json')
    const seen = (['here', 'windows'] as const).map(program => {
      writeFileSync(file, bytes)
      const check = run(program, ['config', 'check', file, '--tool', '26'])
      const switched = run(program, ['config', 'switch', file, '--dump', 'off'])
      const plain = (text: string): string => text.replace(/Z:\S*/g, at => at.slice(2).replaceAll('\\', '/'))
      return {
        check: { ...check, out: plain(check.out), err: plain(check.err) },
        switched: { ...switched, out: plain(switched.out), err: plain(switched.err) },
        file: readFileSync(file).toString('latin1'),
      }
    })
    expect(seen[1]).toEqual(seen[0])
    const [here] = seen
    const before = Buffer.from(bytes).toString('latin1')
    expect([before, before.replace('"dump_enable": true', '"dump_enable": false')]).toContain(here?.file)
    rmSync(file)
  },
)

test('makes a config.json with its code to the letter as here', () => {
  const [mine, theirs] = [path.join(scratch, 'mine.json'), path.join(scratch, 'theirs.json')]
  const make = (file: string): readonly string[] => [
    ...'config make --preset layer --step 3 --tool 26 --code --list'.split(' '),
    '层.0',
    '-o',
    file,
  ]
  const here = run('here', make(mine))
  const windows = run('windows', make(theirs))
  expect({ status: windows.status, err: windows.err }).toEqual({ status: 0, err: here.err })
  expect(readFileSync(theirs, 'utf8')).toBe(readFileSync(mine, 'utf8'))
  expect(windows.out.replace(/Z:\S*theirs/g, mine.replace('.json', ''))).toBe(here.out)
})

test('tells how far a run is that is being dumped as here', () => {
  const at = dump('pt_tr_w_qkv1_statistics_mix')
  const [here, windows] = (['here', 'windows'] as const).map(program => run(program, ['watch', at, '--once']))
  const plain = (text = ''): string =>
    text.replace(/Z:\S*/g, one => one.slice(2).replaceAll('\\', '/')).replace(/\d\d:\d\d(?::\d\d)?/g, '')
  expect({ status: windows?.status, out: plain(windows?.out), err: plain(windows?.err) }).toEqual({
    status: here?.status,
    out: plain(here?.out),
    err: plain(here?.err),
  })
})

test('finds dumps by drive, with blanks and Chinese, in other letters, over 260 characters and by \\\\?\\', () => {
  const below = ['C:', '用户 文件', 'x'.repeat(120), 'y'.repeat(120)]
  const at = path.join(prefix, 'drive_c', ...below.slice(1))
  mkdirSync(at, { recursive: true })
  for (const side of ['debug', 'bench'])
    cpSync(path.join(root, 'resources', 'sample', side), path.join(at, side), { recursive: true })
  const [debug, bench] = ['debug', 'bench'].map(side => [...below, side].join('\\'))
  const out = 'C:\\out'
  for (const pair of [
    [debug, bench],
    [debug?.toLowerCase(), bench?.toUpperCase()],
    [debug?.replaceAll('\\', '/'), bench],
    [`\\\\?\\${debug}`, bench],
  ]) {
    const { status, err } = run('windows', ['compare', ...pair.map(String), '-o', out])
    expect({ pair, status, err }).toEqual({ pair, status: 0, err: '' })
  }
  expect(existsSync(path.join(prefix, 'drive_c', 'out'))).toBe(true)
  rmSync(path.join(prefix, 'drive_c', '用户 文件'), { recursive: true })
  rmSync(path.join(prefix, 'drive_c', 'out'), { recursive: true })
})

test('does not ask another machine because a compare.json names it', () => {
  const file = path.join(scratch, 'compare.json')
  writeFileSync(
    file,
    JSON.stringify({ npu_path: '\\\\server\\share\\dump.json', bench_path: '\\\\server\\share\\b.json' }),
  )
  const { status, err } = run('windows', ['compare', file, '-o', path.join(scratch, 'none')])
  expect(status).toBe(2)
  expect(err).toContain('lies on another machine')
})

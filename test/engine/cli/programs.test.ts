// Programs of the user's: what they are run with, what is said to them, and what becomes of their end.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../../main/engine/doors/command/index.ts'
import { cli } from '../../support/cli.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const node = JSON.stringify(process.execPath)
/** A command that says a variable, and ends as it is told. */
const saying = (expression: string, code = 0): string =>
  `${node} -e "console.log(${expression}); process.exit(${code})"`

describe('words of a command', () => {
  it.each([
    ['  python3  a.py --lr 0.1 ', ['python3', 'a.py', '--lr', '0.1']],
    [`sh -c 'a "b" c'`, ['sh', '-c', 'a "b" c']],
    [String.raw`a\ b "c\"d" "e\f" ''`, ['a b', 'c"d', String.raw`e\f`, '']],
    ['$HOME *.py | cat', ['$HOME', '*.py', '|', 'cat']],
    ['', []],
  ])('%s', (line, words) => expect(wordsOf(line)).toEqual(words))

  it('are none where a quote is open', () => {
    expect(wordsOf('a "b')).toBeNull()
    expect(wordsOf("it's")).toBeNull()
  })
})

describe('npu_dump and npu_overflow', () => {
  it('set the variables, take away what is left of another run, and pass on the exit code', async () => {
    const data = path.join(temporaryFolder(), 'precision_data')
    const seen =
      'Object.entries(process.env).filter(e => /DUMP|PRECISION/.test(e[0])).map(e => e.join(`=`)).sort().join(`\\n`)'
    const { code, out, err } = await cli(
      ['npu_dump', saying(seen.replaceAll('\\', '\\\\'), 7), '--data', data],
      { env: { LANG: 'en', PRECISION_TOOL_OVERFLOW: 'True' } },
    )
    expect(out.trim().split('\n')).toEqual([
      'DUMP_GE_GRAPH=2',
      'DUMP_GRAPH_LEVEL=3',
      `DUMP_GRAPH_PATH=${path.join(data, 'npu/debug_0/graph')}`,
      'NPU_DUMP_GRAPH=true',
      'PRECISION_TOOL_DUMP=True',
    ])
    expect(code).toBe(7)
    expect(err).toContain(`plumbline tf ${data}`)
    expect(existsSync(path.join(data, 'npu/debug_0/graph'))).toBe(true)
  })

  it('only say what they would do with --dry-run', async () => {
    const data = path.join(temporaryFolder(), 'my data')
    const { code, out } = await cli([
      'npu_overflow',
      'sh run.sh "a b"',
      '--dry-run',
      '--data',
      data,
      '--layout',
      'r0',
    ])
    expect(code).toBe(0)
    expect(out).toContain('unset PRECISION_TOOL_DUMP\nexport PRECISION_TOOL_OVERFLOW=True\n')
    expect(out).toContain(`export DUMP_GRAPH_PATH='${path.join(data, 'graph/all')}'`)
    expect(out.trim().split('\n').at(-1)).toBe('sh run.sh "a b"')
    expect(existsSync(data)).toBe(false)
  })

  it('use a shell only when they are told to', async () => {
    const data = temporaryFolder()
    const words = (more: readonly string[]): readonly string[] => [
      'npu_dump',
      `${node} -p 1 && ${node} -p 2`,
      '--data',
      data,
      ...more,
    ]
    expect((await cli(words(['--shell']))).out).toBe('1\n2\n')
    expect((await cli(words([]))).out).toBe('1\n')
  })

  it('keep standard output for the JSON', async () => {
    const { code, out, err } = await cli(['npu_dump', saying('42', 3), '--data', temporaryFolder(), '--json'])
    expect(code).toBe(3)
    expect(JSON.parse(out)).toMatchObject({ kind: 'npu_dump', exitCode: 3, dryRun: false })
    expect(err).toContain('42')
  })

  it.each([
    [['npu_dump'], 'needs one command'],
    [['npu_dump', 'a', 'b'], 'needs one command'],
    [['npu_dump', ''], 'nothing to run'],
    [['npu_dump', 'sh -c "a'], 'quote is not closed'],
    [['npu_dump', 'no-such-program-anywhere x'], 'no-such-program-anywhere'],
  ])('%j is refused in one sentence', async (words, why) => {
    const { code, err } = await cli([...words, '--data', temporaryFolder()])
    expect(code).toBe(2)
    expect(err).toContain(why)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it('end the program when they are interrupted', async () => {
    const stop = new AbortController()
    const ran = cli(['npu_dump', `${node} -e "setInterval(() => {}, 1000)"`, '--data', temporaryFolder()], {
      signal: stop.signal,
    })
    stop.abort()
    expect((await ran).code).toBe(130)
  })
})

describe('tf_dump', () => {
  const fake = path.resolve('test/support/fake-debugger.mjs')

  it('runs one step and has every tensor written, each of its times', async () => {
    const root = path.join(temporaryFolder(), 'my data')
    const log = path.join(temporaryFolder(), 'log')
    const tensors = 'a/b:0 a/b:0 a.c/d:1 lost:0'
    const { code, out, err } = await cli([
      'tf_dump',
      `${node} ${fake} ${log} ${tensors}`,
      '--data',
      root,
      '--json',
    ])
    expect(code).toBe(0)
    const answer = JSON.parse(out) as { files: string[]; problems: { text: string }[] }
    const written = readdirSync(path.join(root, 'tf/dump')).map(name => name.replace(/\d{16}/, 'T'))
    expect(written).toEqual(['a.c_d.1.T.npy', 'a_b.0.T.npy', 'a_b.0.T.npy'])
    expect(answer.files).toHaveLength(3)
    expect(answer.problems.map(({ text }) => text).join()).toContain('1 of 4 tensors')
    // What the script says is shown, what the debugger says to hundreds of commands is not.
    expect(err).toContain('Building the network')
    expect(err).not.toContain('Tensor "')
    const said = readFileSync(log, 'utf8').trim().split('\n')
    expect(said.slice(0, 2)).toEqual(['run', `lt > "${path.join(root, 'temp/tf_tensor_names.txt')}"`])
    expect(said.map(line => line.split(' ').slice(0, 4).join(' ')).slice(2)).toEqual([
      'pt a/b:0 -n 0',
      'pt a/b:0 -n 1',
      'pt a.c/d:1 -n 0',
      'pt lost:0 -n 0',
      'exit',
    ])
    expect(readFileSync(path.join(root, 'temp/tf_tensor_cmd.txt'), 'utf8').trim().split('\n')).toEqual(said)
  })

  it('looks at dumps that are there already instead of running a step again', async () => {
    const root = temporaryFolder()
    const log = path.join(root, 'log')
    const dumping = `${node} -e "require('fs').mkdirSync(process.argv[1], {recursive: true})" ${path.join(root, 'tf/tf_debug/run_1')}`
    const python = path.join(root, 'python')
    writeFileSync(python, `#!/bin/sh\nexec ${node} ${fake} ${log} x:0 "$@"\n`, { mode: 0o755 })
    const { code, err } = await cli(['tf_dump', dumping, '--data', root, '--python', python])
    expect(err).toContain('tensors written: 1')
    expect(code).toBe(0)
    expect(readFileSync(log, 'utf8')).toMatch(/^lt > .*\npt x:0 -n 0 -w .*x\.0\.\d+\.npy\nexit\n$/)
    expect((await cli(['tf_dump', '--data', root, '--python', python])).code).toBe(0)
  })

  it('says what is missing where the script never stopped', async () => {
    const { code, err } = await cli(['tf_dump', saying('1'), '--data', temporaryFolder()])
    expect(code).toBe(2)
    expect(err).toContain('tf_debug')
  })
})

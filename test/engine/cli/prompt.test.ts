// The prompt: its lines mean what they mean behind `plumbline tf FOLDER`, and one that fails ends nothing.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type Complete, type Lines, openLines } from '../../../main/cli/lines.ts'
import { cli } from '../../support/cli.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = path.resolve('test/fixtures/tf/net')
const node = JSON.stringify(process.execPath)

/** A prompt over given lines; `typing` is asked for what completes a line before it is taken. */
async function typed(
  lines: readonly string[],
  {
    piped = true,
    typing = async () => {},
  }: { piped?: boolean; typing?: (complete: Complete) => Promise<void> } = {},
): Promise<{ code: number; out: string; err: string }> {
  const left = [...lines]
  const source: Lines = {
    async next(_, complete) {
      await typing(complete)
      return left.shift() ?? null
    },
    close() {},
  }
  return cli(['tf', folder], { lines: { piped, open: () => source } })
}

describe('lines of a prompt', () => {
  it('are commands as behind the folder', async () => {
    const { code, out, err } = await typed(['ls -t MatMul', '', '# a note', 'help ls', 'exit', 'ls -t Cast'])
    expect(code).toBe(0)
    const alone = await cli(['tf', folder, 'ls', '-t', 'MatMul'])
    const help = await cli(['tf', 'ls', '--help'])
    expect(out).toBe(alone.out + help.out)
    expect(err).toContain('debug_0')
  })

  it('that fail are told and passed; a pipe answers with the worst of them', async () => {
    const { code, out, err } = await typed(['grph', 'ls --nonsense', 'pt "a', 'ls -t MatMul'])
    expect(code).toBe(2)
    expect(err).toContain('was tf graph meant')
    expect(err).toContain('--nonsense here. See help ls.')
    expect(err).not.toContain('plumbline --help')
    expect(err).toContain('quote is not closed')
    expect(out).toContain('LeNet/fc/MatMul')
    expect((await typed(['grph'], { piped: false })).code).toBe(0)
  })

  it('that are no command are programs, with or without run', async () => {
    const { out } = await typed([
      `${node} -p 40+1`,
      `run ${node} -p "'a  b'"`,
      `run --shell ${node} -p 1 && ${node} -p 2`,
      `run "${path.basename(process.execPath)} -p 6*7"`,
    ])
    expect(out).toBe('41\na  b\n1\n2\n42\n')
    const missing = await typed(['no-such-program-anywhere'])
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('no command here')])
  })

  it('pass on the exit code of a program', async () => {
    expect((await typed([`run ${node} -e "process.exit(9)"`])).code).toBe(9)
  })

  it('can be cancelled one by one', async () => {
    const signals = [AbortSignal.abort(), new AbortController().signal]
    const lines = ['ls', 'ls -t MatMul']
    const { out, err } = await cli(['tf', folder], {
      renew: () => signals.shift() ?? new AbortController().signal,
      lines: { piped: true, open: () => ({ next: async () => lines.shift() ?? null, close() {} }) },
    })
    expect(err).toContain('Interrupted')
    expect(out).toContain('LeNet/fc/MatMul')
  })
})

describe('the end of an unfinished line', () => {
  const fits = async (line: string): Promise<readonly string[]> => {
    let found: readonly string[] = []
    await typed([], { typing: async complete => void ([found] = await complete(line)) })
    return found
  }

  it.each([
    ['l', ['ls ']],
    ['ls -', expect.arrayContaining(['-t', '--type', '-n'])],
    ['ls -t Mat', ['MatMulV2 ']],
    ['ni LeN', ['LeNet/']],
    ['ni LeNet/', ['LeNet/conv1/', 'LeNet/fc/', 'LeNet/Softmax', 'LeNet/ToInt']],
    ['ni LeNet/fc/', expect.arrayContaining(['LeNet/fc/MatMul'])],
    ['pt LeNet_So', ['LeNet_Softmax.0.1620612600000000.npy ']],
    ['cp a MatMul', ['MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500 ']],
    ['snippets tf_', ['tf_debug ']],
    ['ls --run ', ['debug_0 ']],
    [`vcs -f ${folder}/prec`, [`${folder}/precision_data/`]],
    ['run vim packa', ['package-lock.json', 'package.json']],
    ['nonsense x/y/', []],
  ])('%s', async (line, wanted) => expect(await fits(line)).toEqual(wanted))
})

describe('lines from', () => {
  const none: Complete = () => Promise.resolve([[], ''])

  it('a pipe come one by one, the last without its end too', async () => {
    const input = new PassThrough()
    const from = openLines(input, new PassThrough(), temporaryFolder())
    expect(from.piped).toBe(true)
    input.end('ls\r\n\nni a/b')
    const lines = from.open()
    const all = []
    for (let line = await lines.next('', none); line !== null; line = await lines.next('', none))
      all.push(line)
    expect(all).toEqual(['ls', '', 'ni a/b'])
    lines.close()
  })

  it('a terminal are remembered, in the order of their typing', async () => {
    const state = temporaryFolder()
    const terminal = (): PassThrough & { isTTY: boolean } => Object.assign(new PassThrough(), { isTTY: true })
    const [input, output] = [terminal(), terminal()]
    const from = openLines(input, output, path.join(state, 'plumbline'))
    expect(from.piped).toBe(false)
    const lines = from.open()
    for (const line of ['ls', 'ni a', 'ls']) {
      const next = lines.next('> ', none)
      input.write(`${line}\r`)
      expect(await next).toBe(line)
    }
    // An interrupt gives up the line, the end of input the prompt.
    const given = lines.next('> ', none)
    input.write('half a li\u0003')
    expect(await given).toBe('')
    const end = lines.next('> ', none)
    input.write('\u0004')
    expect(await end).toBeNull()
    expect(readFileSync(path.join(state, 'plumbline/tf-history'), 'utf8')).toBe('ni a\nls\n')
    expect(String(output.read())).toContain('> ')
  })

  it('a terminal wait for what completes them, and for each other, when they come in one piece', async () => {
    const terminal = (): PassThrough & { isTTY: boolean } => Object.assign(new PassThrough(), { isTTY: true })
    const [input, output] = [terminal(), terminal()]
    const lines = openLines(input, output, temporaryFolder()).open()
    const slow: Complete = async line => {
      await new Promise(resolve => setImmediate(resolve))
      const word = line.split(' ').at(-1) ?? ''
      return [['LeNet/fc/MatMul'].filter(name => name.startsWith(word)), word]
    }
    const first = lines.next('> ', slow)
    input.write('ni Le\t -a\rni LeNet/f\t\rls\nac é')
    expect(await first).toBe('ni LeNet/fc/MatMul -a')
    expect(await lines.next('> ', slow)).toBe('ni LeNet/fc/MatMul')
    expect(await lines.next('> ', slow)).toBe('ls')
    const last = lines.next('> ', slow)
    input.write('\r')
    expect(await last).toBe('ac é')
    const end = lines.next('> ', slow)
    input.end()
    expect(await end).toBeNull()
    expect(await lines.next('> ', slow)).toBeNull()
  })
})

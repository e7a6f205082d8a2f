// The command line in this process: streams as texts.
import { run, type Surroundings } from '../../main/cli/run.ts'

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export async function cli(
  words: readonly string[],
  more: Partial<Surroundings> & { env?: Record<string, string>; terminal?: boolean } = {},
): Promise<Ran> {
  let out = ''
  let err = ''
  const terminal = more.terminal ?? false
  const code = await run(words, {
    version: '1.2.3',
    signal: more.signal ?? new AbortController().signal,
    ...(more.lines && { lines: more.lines }),
    ...(more.renew && { renew: more.renew }),
    streams: {
      out: text => {
        out += text
      },
      err: text => {
        err += text
      },
      outIsTerminal: terminal,
      errIsTerminal: terminal,
      columns: 100,
      env: more.env ?? { LANG: 'en_US.UTF-8' },
    },
  })
  return { code, out, err }
}

#!/usr/bin/env node
// Entry of the command line: plain Node, no Electron.
import { existsSync, readFileSync } from 'node:fs'
import { openLines, stateFolder } from './cli/lines.ts'
import { exitCodes, run } from './cli/run.ts'
import { sealNode } from './sealed.ts'

sealNode({ programs: true })

/** package.json stands one or two folders above the built file. */
const version =
  ['../../package.json', '../package.json']
    .map(place => new URL(place, import.meta.url))
    .filter(url => existsSync(url))
    .map(url => JSON.parse(readFileSync(url, 'utf8')) as { name: string; version: string })
    .find(found => found.name === 'plumbline')?.version ?? ''

let abort = new AbortController()
const interrupted = (): void => {
  // A second time: at once.
  if (abort.signal.aborted) process.exit(exitCodes.interrupted)
  abort.abort()
}
process.on('SIGINT', interrupted)
process.on('SIGTERM', interrupted)
// A reader that goes away (`| head`) is no error.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.ran)
})

process.exitCode = await run(process.argv.slice(2), {
  version,
  signal: abort.signal,
  renew() {
    if (abort.signal.aborted) abort = new AbortController()
    return abort.signal
  },
  lines: openLines(process.stdin, process.stdout, stateFolder(process.env)),
  streams: {
    out: text => {
      process.stdout.write(text)
    },
    err: text => {
      process.stderr.write(text)
    },
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    columns: process.stderr.columns ?? 80,
    env: process.env,
  },
})

// Runs a scenario in a process of its own, so that an engine that never comes to rest fails one test instead of freezing all.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { build } from 'vite'
import asc from '../../.ci/asc-plugin.mjs'
import sqlite from '../../.ci/sqlite-plugin.mjs'
import { temporaryFolder } from './temporary.ts'
import { native } from './worker.ts'

/** How long a process may not turn its event loop: a scenario breathes many times a second. */
const silentMs = 15_000

type Told =
  | { readonly is: 'beat' }
  | { readonly is: 'answer'; readonly value: unknown }
  | { readonly is: 'failed'; readonly reason: string }

let built: Promise<string> | undefined

/** The scenarios as a script for plain Node. */
async function script(): Promise<string> {
  const outDir = temporaryFolder()
  await build({
    root: path.resolve(import.meta.dirname, '..', '..'),
    configFile: false,
    logLevel: 'error',
    plugins: [asc(), sqlite()],
    build: {
      ssr: 'test/support/study/scenarios.ts',
      outDir,
      emptyOutDir: true,
      minify: false,
      // Some packages look for their files beside themselves.
      rolldownOptions: {
        external: native,
        output: { entryFileNames: 'scenarios.mjs', banner: 'const __dirname = import.meta.dirname' },
      },
    },
    ssr: { noExternal: true, external: native },
  })
  return path.join(outDir, 'scenarios.mjs')
}

/** What a scenario of `study/scenarios.ts` answers. */
export async function apart<T>(name: string, arg: unknown): Promise<T> {
  built ??= script()
  const child = spawn(process.execPath, ['--expose-gc', await built, name, JSON.stringify(arg)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-4000)
  })
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new Error(`${name}: the engine never answers again`))
      child.kill('SIGKILL')
    }
    let silent = setTimeout(stop, silentMs)
    child.on('message', (told: Told) => {
      clearTimeout(silent)
      silent = setTimeout(stop, silentMs)
      if (told.is === 'answer') resolve(told.value as T)
      if (told.is === 'failed') reject(new Error(`${name}: ${told.reason}`))
    })
    child.on('exit', code => {
      clearTimeout(silent)
      reject(new Error(`${name}: ended with ${code} before it had an answer: ${said}`))
    })
  })
}

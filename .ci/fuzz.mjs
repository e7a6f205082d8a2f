// npm run fuzz [-- --runs 20000 --seed N  files…]: every parser on damaged files, as often as wanted.
import { parseArgs } from 'node:util'
import path from 'node:path'
import { root } from './electron.mjs'
import { run, say, setUp } from './setup.mjs'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { runs: { type: 'string', default: '20000' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31))
setUp()
say(`${values.runs} runs a parser from seed ${seed} on`)
run(
  process.execPath,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '-c',
    'test/vitest.config.ts',
    '--testTimeout=7200000',
    ...(positionals.length > 0 ? positionals : ['test/fuzz']),
  ],
  { env: { ...process.env, FUZZ_RUNS: values.runs, FUZZ_SEED: seed } },
)

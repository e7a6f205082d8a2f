// npm test [-- lint format types unit windows app]: sets up, then checks everything (or what is named); the last line
// counts.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from './build.mjs'
import { virtualDisplay } from './display.mjs'
import { root } from './electron.mjs'
import { installed, say, setUp } from './setup.mjs'
import { wine } from './wine.mjs'

const results = path.join(root, 'test-results')
const bin = file => path.join(root, 'node_modules', file)
const wanted = process.argv.slice(2).filter(arg => arg !== '--')
const count = { passed: 0, failed: 0 }
const broken = []

setUp()
mkdirSync(results, { recursive: true })

const steps = {
  lint: () => check('lint', 'oxlint/bin/oxlint', ['--deny-warnings']),
  format: () => check('format', 'prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']),
  types: () => check('types', 'typescript/bin/tsc', ['-b']),
  unit() {
    // The array of jobs in docs/ranks.md is run with the built command line.
    if (!installed(['slurmctld', 'slurmd', 'munged'], ['slurm-wlm', 'munge'])) say('Not tried: Slurm.')
    build()
    vitest('unit', 'test/vitest.config.ts')
  },
  windows() {
    const { missing } = wine()
    if (missing) return say(`Not tried: ${missing}.`)
    build()
    vitest('windows', 'test/windows/vitest.config.ts')
  },
  async app() {
    build()
    const stop = process.platform === 'linux' ? await virtualDisplay() : () => {}
    counted(
      'app',
      '@playwright/test/cli.js',
      file => {
        process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = file
        return ['test', '-c', 'test/app/playwright.config.ts']
      },
      ({ stats, errors }) => ({
        passed: stats.expected,
        failed: stats.unexpected + stats.flaky + errors.length,
      }),
    )
    stop()
  },
}

for (const [name, step] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  say(`\n── ${name}`)
  await step()
}
say(broken.length > 0 ? `\nFailed: ${broken.join(', ')}` : '')
say(`${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed > 0 ? 1 : 0)

function vitest(name, config) {
  counted(
    name,
    'vitest/vitest.mjs',
    file => ['run', '-c', config, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    report => ({ passed: report.numPassedTests, failed: report.numFailedTests + failedFiles(report) }),
  )
}

/** A step that passes or fails as a whole. */
function check(name, tool, args) {
  add(name, start(tool, args) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
}

/** A step that counts its tests into a file; one that dies before counts as a failure. */
function counted(name, tool, argsFor, read) {
  const file = path.join(results, `${name}.json`)
  rmSync(file, { force: true })
  const status = start(tool, argsFor(file))
  const got = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0 }
  add(name, status !== 0 && got.failed === 0 ? { ...got, failed: 1 } : got)
}

function start(tool, args) {
  return spawnSync(process.execPath, [bin(tool), ...args], { cwd: root, stdio: 'inherit' }).status
}

function add(name, { passed, failed }) {
  count.passed += passed
  count.failed += failed
  if (failed > 0) broken.push(name)
}

/** Test files that could not even be loaded. */
function failedFiles(report) {
  return report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length
}

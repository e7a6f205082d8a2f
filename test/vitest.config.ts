// Everything that needs no window: unit, golden, fuzz, contract, main and lint tests.
import { defineConfig } from 'vitest/config'
import asc from '../.ci/asc-plugin.mjs'

export default defineConfig({
  root: '.',
  plugins: [asc()],
  test: {
    include: ['test/{engine,golden,fuzz,contract,main,lint}/**/*.test.{ts,tsx}'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'threads',
    maxWorkers: 2,
  },
})

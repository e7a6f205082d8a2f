// The command line on Windows' own Node, under wine: one program at a time.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: '.',
  test: {
    include: ['test/windows/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
})

// Three builds in out/: main with its four entries, the preload script, the window.
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import asc from './.ci/asc-plugin.mjs'
import { engineCode } from './.ci/engine-code.mjs'
import notices from './.ci/notices-plugin.mjs'
import treeshake from './.ci/treeshake.mjs'
import duckdb from './.ci/duckdb-plugin.mjs'
import sqlite from './.ci/sqlite-plugin.mjs'

const licences = notices()

export default defineConfig({
  main: {
    plugins: [asc(), sqlite(), duckdb(), licences.collect],
    define: { engineCode: JSON.stringify(engineCode()) },
    // fflate's Node build declares a `require` of its own, which the build adds too. yaml's Node build is run
    // through as a whole at every start.
    resolve: {
      alias: [
        { find: /^fflate$/, replacement: 'fflate/browser' },
        { find: /^yaml$/, replacement: path.resolve('node_modules/yaml/browser/dist/index.js') },
      ],
    },
    build: {
      externalizeDeps: false,
      outDir: 'out/main',
      rolldownOptions: {
        treeshake,
        input: {
          index: 'main/index.ts',
          utility: 'main/utility.ts',
          cli: 'main/cli.ts',
          worker: 'main/worker.ts',
        },
      },
    },
  },
  preload: {
    plugins: [licences.collect],
    build: {
      externalizeDeps: false,
      outDir: 'out/preload',
      rolldownOptions: {
        input: { index: 'preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react(), licences.write],
    build: {
      outDir: 'out/renderer',
      rolldownOptions: { input: { index: path.resolve('renderer/index.html') } },
    },
  },
})

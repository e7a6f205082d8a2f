// Damaged graph files: only a graph with problems or a Refusal may come out.
// A failure names its seed.
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import type { GraphFile } from '../../main/engine/formats/graph-file/graph-file.ts'
import { readVisDb } from '../../main/engine/formats/graph-file/vis-db.ts'
import { readVis } from '../../main/engine/formats/graph-file/vis.ts'
import { openGraphFile } from '../../main/engine/graph/opened.ts'
import { GraphView } from '../../main/engine/graph/view.ts'
import { job } from '../../main/engine/work/job.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { seedsOf } from '../support/fuzz.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { goldenFiles, graphCases } from '../support/golden-graph.ts'
import { memoryFiles } from '../support/memory-files.ts'
import { mutate } from '../support/mutate.ts'

const root = fixturesRoot()
const file = (name: string, golden: string): Uint8Array =>
  new Uint8Array(
    readFileSync(goldenFiles(graphCases(root, new RegExp(`^${name}$`))[0]!, 'golden').get(golden)!),
  )
const vis = [file('graph_pt_w_conv2_stat_L0', 'compare.vis'), file('graph_ms_build_stat', 'build.vis')]
const databases = [
  file('new_graph_ms_build_stat', 'build.vis.db'),
  file('new_graph_pt_w_conv2_md5', 'compare.vis.db'),
]
const tally = { graphs: 0, refusals: 0, partial: 0 }
afterAll(() => console.log(`fuzzed: ${JSON.stringify(tally)}`))

async function look(graph: GraphFile): Promise<void> {
  const opened = await openGraphFile(graph, job())
  const view = new GraphView(opened.source)
  const scene = view.scene({
    debug: { open: view.expand(null, 'all').debug, top: 0, bottom: 1e6 },
    bench: null,
  })
  expect(scene.debug.boxes.length).toBeGreaterThan(0)
  expect(opened.debug.end[0]).toBe(opened.debug.length)
  view.search('a', 20)
  view.list('unmatched-debug', 0, 10)
  tally.graphs++
  if (graph.partial) tally.partial++
}

async function run(seed: number): Promise<void> {
  const isVis = seed % 2 === 0
  const { bytes } = mutate((isVis ? vis : databases)[(seed >> 1) % 2]!, seed)
  const files = memoryFiles({ '/a': bytes })
  try {
    if (isVis) {
      const read = await readVis(files, '/a', job())
      await look(read)
    } else {
      const read = await readVisDb(files, '/a', job())
      for (const unit of read.units) await look(unit)
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    tally.refusals++
  }
}

test('nothing but a graph or a refusal', async () => {
  for (const seed of seedsOf(2000)) {
    await run(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`)
    })
  }
  expect(tally.graphs).toBeGreaterThan(10)
})

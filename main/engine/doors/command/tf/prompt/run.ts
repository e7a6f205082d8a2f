// tf: what lies in a folder of a TensorFlow run.
import type { ArrayFolder, DumpRun, TensorFlowTree } from '../../../../formats/index.ts'
import type { Page } from '../../tools.ts'
import type { Command } from '../../verb.ts'
import { openTree } from '../tree.ts'
import type { PromptField } from './index.ts'

export const command: Command<Record<never, never>, TensorFlowTree, PromptField> = {
  async run({ paths }, tools) {
    const tree = await openTree(paths[0], tools)
    for (const found of tree.problems) tools.tell(found)
    return tree
  },
  print,
  json: tree => ({
    folder: tree.base,
    layout: tree.layout,
    npu: tree.npu.map(({ name, path, graphs, runs }) => ({
      name,
      path,
      graphs: graphs.map(graph => graph.path),
      runs: runs.map(summary),
    })),
    reference: tree.reference.map(({ path, files }) => ({ path, files: files.length })),
    overflow: tree.overflow.map(summary),
    fusion: tree.fusion,
    metas: tree.metas,
    results: tree.results,
    debuggerRuns: tree.debuggerRuns,
  }),
}

const summary = ({ path, name, folders }: DumpRun) => ({
  path,
  name,
  folders: folders.map(({ path, device, graph, model, step, files, summaries }) => ({
    path,
    device,
    graph,
    model,
    step,
    files: files.length,
    summaries: summaries.length,
  })),
})

/** To stderr: at a prompt it is no answer to anything. */
function print(tree: TensorFlowTree, page: Page): void {
  page.note(page.say(`cli.tf.layout.${tree.layout}`, { folder: tree.base }))
  for (const { name, graphs, runs } of tree.npu) {
    page.note(page.say('cli.tf.side', { name, graphs: graphs.length, runs: runs.length }))
    for (const [i, run] of runs.entries()) page.note(`${i === 0 ? ' * ' : '   '}${runLine(run, page)}`)
  }
  for (const { path, files } of tree.reference)
    page.note(page.say('cli.tf.reference', { files: files.length, folder: path }))
  for (const run of tree.overflow) page.note(page.say('cli.tf.overflow', { run: runLine(run, page) }))
  const counts = {
    fusion: tree.fusion.length,
    metas: tree.metas.length,
    results: tree.results.length,
    decoded: filesIn(tree.decoded),
  }
  if (Object.values(counts).some(count => count > 0)) page.note(page.say('cli.tf.more', counts))
}

const filesIn = (folders: readonly Pick<ArrayFolder, 'files'>[]): number =>
  folders.reduce((sum, { files }) => sum + files.length, 0)

function runLine({ name, path, folders }: DumpRun, page: Page): string {
  const listed = (values: readonly (string | number | null)[]): string =>
    [...new Set(values.filter(value => value !== null && value !== ''))].join(', ') || '–'
  return page.say('cli.tf.run', {
    name: name || path,
    files: filesIn(folders),
    devices: listed(folders.map(({ device }) => device)),
    graphs: listed(folders.map(({ graph }) => graph)),
    steps: listed(folders.map(({ step }) => step)),
  })
}

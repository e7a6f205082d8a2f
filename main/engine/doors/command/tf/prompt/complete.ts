// What may stand at the end of a line of the prompt: operators, types, tensors, files.
import { snippetKinds, type TensorFlowTree, typesIn } from '../../../../formats/index.ts'
import { absolute, dirOf, isAbsolute, join } from '../../../../io/index.ts'
import { Refusal } from '../../../../model/index.ts'
import type { Unfinished } from '../../verb.ts'
import { type Looking, openGraphs, type OpenGraphs } from '../graphs.ts'
import { openTree } from '../tree.ts'

type Source = (line: Unfinished, tools: Looking) => Promise<readonly string[]>

/** Nobody waits for the reading of a larger graph because of a key. */
const mostGraphBytes = 32 << 20

const graphs =
  (pick: (open: OpenGraphs) => readonly string[]): Source =>
  async ({ paths }, tools) => {
    const tree = await openTree(paths[0], tools)
    const bytes = tree.npu.flatMap(side => side.graphs).reduce((sum, { size }) => sum + size, 0)
    return bytes > mostGraphBytes ? [] : pick(await openGraphs(paths[0], {}, tools))
  }

/** A row of texts of all operators, each once. */
const textsOf = (of: (open: OpenGraphs, op: number) => string): Source =>
  graphs(open => [
    ...new Set(Array.from({ length: open.lookup.model.ops.length }, (_, op) => of(open, op)).filter(Boolean)),
  ])

const inTree =
  (pick: (tree: TensorFlowTree) => readonly string[]): Source =>
  async ({ paths }, tools) =>
    pick(await openTree(paths[0], tools))

const ops = segments(textsOf(({ lookup }, op) => lookup.name(op)))
const types = graphs(({ lookup }) => [...typesIn(lookup).keys()])
const dumps = inTree(({ npu, overflow }) =>
  [...npu.flatMap(({ runs }) => runs), ...overflow].flatMap(run => run.folders.flatMap(({ files }) => files)),
)
const tensors = inTree(({ decoded, reference }) => [...decoded, ...reference].flatMap(({ files }) => files))
const either =
  (...sources: readonly Source[]): Source =>
  async (line, tools) =>
    (await Promise.all(sources.map(source => source(line, tools)))).flat()

/** By action and the flag before the word; without a flag, what the action takes. */
const sources: Readonly<Record<string, Source>> = {
  'ls -t': types,
  'ls -n': ops,
  'ls -f': textsOf(({ lookup }, op) => lookup.text(lookup.model.ops.pass[op])),
  'ls -k': textsOf(({ lookup }, op) => lookup.text(lookup.model.ops.kernel[op])),
  ls: ops,
  'ni -g': textsOf(({ lookup }, op) => lookup.graph(op)),
  ni: ops,
  pt: either(tensors, dumps, filesAt),
  cp: either(tensors, dumps, filesAt),
  dc: either(dumps, filesAt),
  snippets: () => Promise.resolve(snippetKinds),
  '--run': inTree(({ npu }) => npu.map(({ name }) => name)),
  '--graph-file': inTree(({ npu }) => npu.flatMap(side => side.graphs.map(({ name }) => name))),
}

export async function complete(line: Unfinished, tools: Looking): Promise<readonly string[]> {
  const last = line.before.at(-1) ?? ''
  const source = sources[`${line.action} ${last}`] ?? sources[last] ?? (sources[line.action] || filesAt)
  try {
    return await source(line, tools)
  } catch (error) {
    // What is wrong with the folder is said by the command itself.
    if (error instanceof Refusal) return []
    throw error
  }
}

/** Names as a tree: as far as the next slash behind what was typed. */
function segments(source: Source): Source {
  return async (line, tools) => {
    const { word } = line
    const fits = (await source(line, tools)).filter(name => name.startsWith(word))
    const cut = fits.map(name => {
      const slash = name.indexOf('/', word.length)
      return slash < 0 ? name : name.slice(0, slash + 1)
    })
    return [...new Set(cut)]
  }
}

function filesAt({ word }: Unfinished, { files }: Looking): Promise<readonly string[]> {
  const folder = word.endsWith('/') ? word : dirOf(word)
  const at = absolute(folder)
  files.allow(at)
  if (!files.stat(at)) return Promise.resolve([])
  const typed = (name: string): string => {
    if (word.endsWith('/')) return word + name
    return isAbsolute(word) || word.includes('/')
      ? `${word.slice(0, word.lastIndexOf('/') + 1)}${name}`
      : name
  }
  return Promise.resolve(
    files.list(at).map(({ name, kind }) => {
      const isFolder = kind === 'folder' || (kind === 'link' && leadsToFolder(join(at, name), files))
      return typed(name) + (isFolder ? '/' : '')
    }),
  )
}

function leadsToFolder(link: string, files: Looking['files']): boolean {
  try {
    files.list(link)
    return true
  } catch (error) {
    // To a file, to nothing, or out of what may be read.
    if (error instanceof Refusal) return false
    throw error
  }
}

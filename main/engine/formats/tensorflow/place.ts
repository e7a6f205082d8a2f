// What the place of a folder says of it: which layout it lies in, whose it is, and of which run, graph and step.
import type { TreeLayout } from './tree.ts'
import type { Walked } from './walk.ts'

export interface Base {
  readonly layout: TreeLayout
  /** With `/` between its parts. */
  readonly path: string
}

/** Paths of parts that say by themselves what they are a part of: the layout, and what stands before. */
const parts: readonly (readonly [TreeLayout, RegExp])[] = [
  ['r1', /^(.*?)\/npu\/debug_\d+(?:\/|$)/],
  ['r1', /^(.*?)\/(?:tf\/(?:dump|graph|tf_debug)|overflow\/dump|temp\/vector_compare)(?:\/|$)/],
  ['r0', /^(.*?)\/dump\/(?:npu|cpu|overflow|decode|convert|vector)(?:\/|$)/],
  ['r0', /^(.*?)\/graph\/(?:all|last|json|cpu)(?:\/|$)/],
  ['msquickcmp', /^(.*?)\/dump_data\/(?:npu|tf|onnx)(?:\/|$)/],
]

/** Whole folders, by the folders in them; asked in this order. */
const wholes: readonly (readonly [TreeLayout, (below: ReadonlySet<string>) => boolean])[] = [
  ['r1', below => below.has('npu') || below.has('tf')],
  ['msquickcmp', below => below.has('dump_data')],
  ['r0', below => below.has('graph') || below.has('dump')],
]

/** The first folder from the root downwards that is one of the layouts; the root itself where none is. */
export function baseOf(root: string, { below }: Walked): Base {
  const path = slashed(root)
  for (const [layout, pattern] of parts) {
    const [, before] = pattern.exec(path) ?? []
    if (before !== undefined) return { layout, path: before }
  }
  const folders = [...below].map(([folder, names]) => ({ path: slashed(folder), names: new Set(names) }))
  folders.sort((a, b) => depthOf(a.path) - depthOf(b.path))
  for (const { path, names } of folders)
    for (const [layout, holds] of wholes) if (holds(names)) return { layout, path }
  return { layout: 'loose', path }
}

const depthOf = (path: string): number => path.split('/').length

export const slashed = (path: string): string => path.replaceAll('\\', '/').replace(/(?<=.)\/$/, '')

/** The parts of a path below the base. */
export const partsBelow = ({ path: base }: Base, path: string): readonly string[] =>
  slashed(path).slice(base.length).split('/').filter(Boolean)

/** Of a folder with raw dumps: `…/<time>/<device>/<graph>/<model>/<step>`, as far as its path has it. */
export interface DumpPlace {
  readonly device: number | null
  readonly graph: string
  readonly model: number | null
  readonly step: number | null
  /** The folder of the run: with its time, or where one would stand. */
  readonly run: string
  readonly time: string
}

export function dumpPlaceOf(folder: string): DumpPlace {
  const path = slashed(folder)
  const [tail, device, graph, model, step] =
    /(?:\/(\d{1,7}))?\/([^/]*[^/\d][^/]*)\/(\d+)\/(\d+)$/.exec(path) ?? []
  const before = tail === undefined ? path : path.slice(0, path.length - tail.length)
  const [, run = before, time = ''] = /^(.*\/(\d{8,}[^/]*))(?:\/|$)/.exec(before) ?? []
  return {
    device: numberOf(device),
    graph: graph ?? '',
    model: numberOf(model),
    step: numberOf(step),
    run,
    time,
  }
}

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

/** The folder of the side that a path below the base belongs to; null where each folder stands for itself. */
export function sideOf(base: Base, path: string): string | null {
  const [, debug] = /^(.*\/debug_\d+)(?:\/|$)/.exec(slashed(path)) ?? []
  if (debug !== undefined) return debug
  if (base.layout === 'loose') return null
  const [first] = partsBelow(base, path)
  return base.layout === 'r1' && first === 'npu' ? `${base.path}/npu` : base.path
}

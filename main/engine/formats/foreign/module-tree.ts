// Debug trees of transformers: a JSON of modules with statistics, and beside it a safetensors file per tensor. Pruned trees
// keep the first and the last layer only; the files of the others are there, so that their modules are made of file names.
import { baseOf, dirOf, type Files, join } from '../../io/index.ts'
import { type Dump, problem, quietAbout, Refusal, type TensorRef } from '../../model/index.ts'
import { dottedNames, scopesOf } from '../../names/index.ts'
import { meetByNames } from '../bundle/dump.ts'
import { type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { OpColumns, type OneTensor } from '../tensorflow/op-columns.ts'
import { fillStatistics } from '../tensorflow/statistics.ts'
import { inFolder } from '../tensors/folder.ts'
import { openTensorFile } from '../tensors/tensor-file.ts'
import { isTold, jsonOf, numberIn, shapeIn, type Told, typeIn } from './told.ts'

const treeFile = /_debug_tree_(FULL_TENSORS|SUMMARY)\.json$/

export const moduleTree: FormatOf<'dump'> = {
  id: 'module-tree',
  holds: 'dump',
  find(at) {
    if (at.kind !== 'folder') return treeFile.test(at.name) ? placeAt(at.path) : null
    return at.entries.some(({ name, kind }) => kind === 'file' && treeFile.test(name))
      ? placeAt(at.path)
      : null
  },
  open: ({ path }, { files }, job) =>
    growing(async () => {
      const dump = dumpOf(files, treeIn(files, path))
      await fillStatistics(dump, files.roots(), job)
      return dump
    }),
  ofTensors: (place, files) => filesBeside(files, dirOf(treeIn(files, place.path))).size > 0,
  meet: meetByNames,
}

/** The tree with values where there are both. */
function treeIn(files: Files, path: string): string {
  if (files.stat(path)?.kind !== 'folder') return path
  const trees = files
    .list(path)
    .flatMap(({ name, kind }) => (kind === 'file' && treeFile.test(name) ? [name] : []))
    .toSorted()
  return join(path, trees[0] ?? '')
}

interface Module {
  readonly path: string
  readonly tensors: readonly OneTensor[]
}

function dumpOf(files: Files, file: string): Dump {
  const folder = dirOf(file)
  const beside = filesBeside(files, folder)
  const { value } = jsonOf(files, file)
  if (!isTold(value) || typeof value['module_path'] !== 'string')
    throw new Refusal(problem('foreign-broken', file))
  const told = modulesIn(value, file, folder, beside)
  const modules = [...told, ...missingModules(files, folder, beside, told)]
  const place = placesOf(told.map(({ path }) => path))
  const sorted = modules
    .map(module => ({ module, at: place(module.path) }))
    .toSorted((a, b) => before(a.at, b.at))
  const root = value['module_path']
  const nameOf = (path: string): string => (path === root ? path : path.slice(root.length + 1))
  const withChildren = new Set(modules.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.')))))
  const columns = new OpColumns(file, dottedNames)
  const seen = new Map<string, number>()
  const hasValues = modules.some(({ tensors }) => tensors.some(({ ref }) => ref !== null))
  for (const { module } of sorted) {
    const bare = nameOf(module.path)
    const called = seen.get(bare) ?? 0
    seen.set(bare, called + 1)
    // Called again, a module overwrites its files: the values of its last call are all there is.
    const again = called > 0 ? `${bare}@${called}` : bare
    const name = withChildren.has(module.path) && module.path !== root && called === 0 ? `${again}.` : again
    columns.add({ name, scopes: scopesOf(name), from: 0, to: 0 }, module.tensors)
  }
  return columns.finish(
    { task: hasValues ? 'tensor' : 'statistics', level: '', framework: 'pytorch', hasMd5: false },
    { dir: folder, file, raw: null, partial: false, problems: [], about: quietAbout, hasEdges: false },
  )
}

const mostDepth = 200

function modulesIn(root: Told, file: string, folder: string, beside: ReadonlySet<string>): readonly Module[] {
  const modules: Module[] = []
  const walk = (node: unknown, depth: number): void => {
    if (!isTold(node) || depth > mostDepth || typeof node['module_path'] !== 'string')
      throw new Refusal(problem('foreign-broken', file))
    const { module_path: path, inputs, outputs, children } = node
    const given = isTold(inputs) ? [inputs['args'], inputs['kwargs']] : []
    modules.push({
      path,
      tensors: [
        ...given.flatMap(part => tensorsIn('input', '', part, folder, beside)),
        ...tensorsIn('output', '', outputs, folder, beside),
      ],
    })
    if (Array.isArray(children)) for (const child of children) walk(child, depth + 1)
  }
  walk(root, 0)
  return modules
}

/** Tensors in arguments or outputs, by the keys that lead to them. */
function tensorsIn(
  io: OneTensor['io'],
  index: string,
  told: unknown,
  folder: string,
  beside: ReadonlySet<string>,
): readonly OneTensor[] {
  const below = (key: string | number): string => (index === '' ? String(key) : `${index}_${key}`)
  if (Array.isArray(told)) return told.flatMap((one, i) => tensorsIn(io, below(i), one, folder, beside))
  if (!isTold(told)) return []
  const shape = shapeIn(told['shape'])
  if (!shape || typeof told['dtype'] !== 'string')
    return Object.entries(told).flatMap(([key, one]) => tensorsIn(io, below(key), one, folder, beside))
  const { value } = told
  const name = typeof value === 'string' ? baseOf(value) : ''
  const file = beside.has(name) ? inFolder(folder, name) : ''
  const ref: TensorRef | null = file === '' ? null : { file }
  const stats = [told['max'], told['min'], told['mean']].map(numberIn)
  return [
    {
      io,
      index: (index === '' ? '0' : index).replaceAll('.', '_'),
      dtype: typeIn(told['dtype']),
      shape,
      ref,
      dataName: ref ? name : '',
      stats: [stats[0], stats[1], stats[2], NaN],
    },
  ]
}

function filesBeside(files: Files, folder: string): ReadonlySet<string> {
  return new Set(
    files
      .list(folder)
      .flatMap(({ name, kind }) => (kind !== 'folder' && name.endsWith('.safetensors') ? [name] : [])),
  )
}

const valueFile = /^(.+?)_(inputs|outputs)(?:_(?:args|kwargs))?(?:_(.+))?\.safetensors$/

/** Modules of which there are files but no word in the tree. */
function missingModules(
  files: Files,
  folder: string,
  beside: ReadonlySet<string>,
  told: readonly Module[],
): readonly Module[] {
  const known = new Set(told.map(({ path }) => path))
  const found = new Map<string, OneTensor[]>()
  for (const name of [...beside].toSorted()) {
    const [, path, part, index = '0'] = valueFile.exec(name) ?? []
    if (path === undefined || known.has(path)) continue
    const file = join(folder, name)
    const io = part === 'inputs' ? 'input' : 'output'
    const tensors = found.get(path) ?? []
    found.set(path, tensors)
    const told = specOf(files, file)
    if (told) tensors.push({ io, index: index.replaceAll('.', '_'), ...told, ref: { file }, dataName: name })
  }
  return [...found].map(([path, tensors]) => ({
    path,
    tensors: tensors.toSorted((a, b) => Number(a.io === 'output') - Number(b.io === 'output')),
  }))
}

/** Null where the file is broken: then there is nothing to show of it. */
function specOf(files: Files, file: string): Pick<OneTensor, 'dtype' | 'shape'> | null {
  try {
    const handle = files.open(file)
    try {
      const held = openTensorFile(handle, file)
      const { dtype, shape } = held.layout(held.names[0] ?? '')
      return { dtype: dtype.name, shape }
    } finally {
      handle.close()
    }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Where a module stands: by the tree, or as its like in another layer does. */
function placesOf(paths: readonly string[]): (path: string) => readonly number[] {
  const at = new Map<string, number>()
  const first = new Map<string, number>()
  const like = new Map<string, number>()
  paths.forEach((path, i) => {
    if (!at.has(path)) at.set(path, i)
    const { group, rest } = partsOf(path)
    if (!first.has(group)) first.set(group, i)
    if (!like.has(group + rest)) like.set(group + rest, i)
  })
  return path => {
    const { group, number, rest } = partsOf(path)
    return [first.get(group) ?? paths.length, number, like.get(group + rest) ?? paths.length]
  }
}

/** `model.layers.1.mlp`: the list, the place in it and what is below. */
function partsOf(path: string): { readonly group: string; readonly number: number; readonly rest: string } {
  const found = /^(.*?)\.(\d+)(?=\.|$)(.*)$/.exec(path)
  if (!found) return { group: path, number: -1, rest: '' }
  const [, group, number, rest] = found
  return { group: `${group}.#`, number: Number(number), rest: rest.replace(/\.\d+(?=\.|$)/g, '.#') }
}

const before = (a: readonly number[], b: readonly number[]): number => {
  const differs = a.findIndex((part, i) => part !== b[i])
  return differs < 0 ? 0 : a[differs] - b[differs]
}

// Dumps of SGLang and of what uses its dumper: one file per tensor, `step=0___rank=0___dump_index=7___name=….pt`, all steps
// and ranks in one folder; and folders of forward passes, a dictionary of tensors each.
import { baseOf, type Files, join } from '../../io/index.ts'
import { type Dump, type Problem, quietAbout, Refusal } from '../../model/index.ts'
import { backwardEnd, dottedNames, scopesOf } from '../../names/index.ts'
import { type BundleTensor, openBundle } from '../bundle/bundle.ts'
import { bundleDump, meetByNames } from '../bundle/dump.ts'
import { type Candidate, type FormatOf, type Place, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { OpColumns, type OneTensor } from '../tensorflow/op-columns.ts'
import { fillStatistics } from '../tensorflow/statistics.ts'

const tensorFile =
  /^(?=.*(?:^|___)name=)(?=.*(?:^|___)step=\d)(?:[A-Za-z]\w*?=.*?)(?:___[A-Za-z]\w*?=.*?)*\.pt$/
const rankFolder = /^TP(\d+)_PP(\d+)(?:_\w+?)*_Rank(\d+)_pid\d+$/
const passFile = /^Pass(\d+)\.pt$/

export const namedFiles: FormatOf<'dump'> = {
  id: 'named-files',
  holds: 'dump',
  find: at =>
    at.kind === 'folder' && at.entries.some(({ name, kind }) => kind !== 'folder' && tensorFile.test(name))
      ? placeAt(at.path)
      : null,
  sides({ path }, files) {
    const units = new Map<string, Place>()
    for (const { step, rank } of namesIn(files, path)) units.set(`${step} ${rank}`, placeAt(path, step, rank))
    return [[...units.values()]]
  },
  open: ({ path, step, rank }, { files }, job) =>
    growing(async () => {
      const wanted = namesIn(files, path).filter(
        name => (step === null || name.step === step) && (rank === null || name.rank === rank),
      )
      const dump = dumpOf(files, path, wanted)
      await fillStatistics(dump, files.roots(), job)
      return dump
    }),
  ofTensors: () => true,
  meet: meetByNames,
}

export const forwardPasses: FormatOf<'dump'> = {
  id: 'forward-passes',
  holds: 'dump',
  find: at =>
    at.kind === 'folder' && (isPasses(at) || at.folders().some(isPasses)) ? placeAt(at.path) : null,
  sides({ path }, files) {
    const below = files.list(path).flatMap(({ name, kind }) => (kind === 'folder' ? [name] : []))
    const folders = rankFolder.test(baseOf(path))
      ? [path]
      : below.filter(name => rankFolder.test(name)).map(name => join(path, name))
    const passesOf = (folder: string): readonly Place[] =>
      files.list(folder).flatMap(({ name }) => {
        const pass = passFile.exec(name)?.[1]
        const rank = Number(rankFolder.exec(baseOf(folder))?.[3] ?? 0)
        return pass === undefined ? [] : [placeAt(join(folder, name), Number(pass), rank)]
      })
    return [folders.flatMap(passesOf)]
  },
  open: ({ path }, { files }, job) =>
    growing(async () => {
      const dump = bundleDump(openBundle(files, path))
      await fillStatistics(dump, files.roots(), job)
      return dump
    }),
  ofTensors: () => true,
  meet: meetByNames,
}

const isPasses = (at: Candidate): boolean =>
  rankFolder.test(at.name) && at.entries.some(({ name }) => passFile.test(name))

interface FileName {
  readonly file: string
  readonly step: number
  readonly rank: number
  readonly index: number
  readonly name: string
}

/** In the order in which they were written. */
function namesIn(files: Files, folder: string): readonly FileName[] {
  const found = files.list(folder).flatMap(({ name, kind }): readonly FileName[] => {
    if (kind === 'folder' || !tensorFile.test(name)) return []
    const told = new Map(
      name
        .slice(0, -'.pt'.length)
        .split('___')
        .map(part => {
          const cut = part.indexOf('=')
          return [part.slice(0, cut), part.slice(cut + 1)] as const
        }),
    )
    const whole = (key: string): number => Number(/^\d+$/.exec(told.get(key) ?? '')?.[0] ?? 0)
    return [
      {
        file: name,
        step: whole('step'),
        rank: whole('rank'),
        index: whole('dump_index'),
        name: told.get('name') ?? '',
      },
    ]
  })
  return found.toSorted((a, b) => a.step - b.step || a.rank - b.rank || a.index - b.index)
}

/** What one file is in terms of calls. */
interface Meant {
  /** '' for the model itself. */
  readonly module: string
  readonly isModule: boolean
  readonly backward: boolean
  readonly io: OneTensor['io']
  readonly index: string
}

function meantBy(name: string): Meant {
  const backward = name.startsWith('grad__')
  const bare = backward ? name.slice('grad__'.length) : name
  const hooked = /^non_intrusive__(?:(.*)\.)?(inputs|output)(?:\.(.+))?$/.exec(bare)
  if (!hooked) {
    const module = bare.replace(/^param__/, '').replace(/^non_intrusive__/, '')
    return { module, isModule: false, backward, io: 'output', index: '0' }
  }
  const [, module = '', part, index = '0'] = hooked
  // The gradient of an output comes in, that of an input goes out.
  const isInput = (part === 'inputs') !== backward
  return {
    module,
    isModule: true,
    backward,
    io: isInput ? 'input' : 'output',
    index: index.replaceAll('.', '_'),
  }
}

function dumpOf(files: Files, folder: string, names: readonly FileName[]): Dump {
  const problems: Problem[] = []
  const ops = new Map<string, { readonly meant: Meant; readonly tensors: Map<string, OneTensor> }>()
  for (const { file, name } of names) {
    const meant = meantBy(name)
    for (const { tensor, index } of tensorsIn(files, join(folder, file), problems)) {
      const at = meant.index === '0' || index === '' ? index || meant.index : `${meant.index}_${index}`
      const key = `${meant.module}${meant.backward ? backwardEnd : ''}`
      const of = freeName(key, name => ops.get(name)?.tensors.has(`${meant.io} ${at}`) === true)
      const op = ops.get(of) ?? { meant, tensors: new Map<string, OneTensor>() }
      // Made in the order of its last tensor, as a call that ends after those within it.
      ops.delete(of)
      ops.set(of, op)
      op.tensors.set(`${meant.io} ${at}`, { io: meant.io, index: at, ...specOf(tensor), dataName: file })
    }
  }
  const all = [...ops.keys()]
  // Hooks call the model itself by no name: all others lie in it.
  const around = all.includes('') && all.length > 1 ? [`${rootName}.`] : []
  const columns = new OpColumns(folder, dottedNames)
  for (const [of, { meant, tensors }] of ops) {
    const bare = of === '' || of === backwardEnd ? `${rootName}${of}` : of
    const isScope =
      meant.isModule &&
      !meant.backward &&
      (of === ''
        ? around.length > 0
        : all.some(other => other.startsWith(`${bare}.`) && other !== bare + backwardEnd))
    const name = isScope ? `${bare}.` : bare
    const scopes = of === '' ? [] : [...around, ...scopesOf(name).filter(scope => !around.includes(scope))]
    const sorted = [...tensors.values()].toSorted(
      (a, b) => Number(a.io === 'output') - Number(b.io === 'output'),
    )
    columns.add({ name, scopes, from: 0, to: 0 }, sorted)
  }
  return columns.finish(
    { task: 'tensor', level: '', framework: 'pytorch', hasMd5: false },
    { dir: folder, file: folder, raw: null, partial: false, problems, about: quietAbout, hasEdges: false },
  )
}

/** A call that was made again stands for itself. */
function freeName(key: string, isTaken: (name: string) => boolean): string {
  let name = key
  for (let call = 1; isTaken(name); call++) name = `${key}@${call}`
  return name
}

/** What the model as a whole is called. */
const rootName = 'model'

const specOf = ({ dtype, shape, ref }: BundleTensor): Pick<OneTensor, 'dtype' | 'shape' | 'ref'> => ({
  dtype,
  shape: dtype === '' ? null : shape,
  ref,
})

/** The tensor under `value`, or those in a list there; nothing for values that are no tensors. */
function tensorsIn(
  files: Files,
  path: string,
  problems: Problem[],
): readonly { readonly tensor: BundleTensor; readonly index: string }[] {
  try {
    return openBundle(files, path).tensors.flatMap(tensor => {
      const { name } = tensor
      if (name === '' || name === 'value') return [{ tensor, index: '' }]
      return name.startsWith('value.')
        ? [{ tensor, index: name.slice('value.'.length).replaceAll('.', '_') }]
        : []
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { problem: found } = error
    if (found.code !== 'pt-invalid' || found.facts.reason !== 'no-tensor') problems.push(found)
    return []
  }
}

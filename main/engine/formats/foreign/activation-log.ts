// Numerics logs of torchtitan: a block per operation with statistics, hashes and the operations that made its inputs.
import { baseOf, dirOf, type Files, join } from '../../io/index.ts'
import { type Dump, problem, quietAbout, Refusal } from '../../model/index.ts'
import { backwardEnd, dottedNames, scopesOf } from '../../names/index.ts'
import { meetByNames } from '../bundle/dump.ts'
import { type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { itemNameOf, OpColumns, type OneTensor } from '../tensorflow/op-columns.ts'
import { headOf, numberIn, shapeIn, typeIn } from './told.ts'

const logName = /^rank_(\d+)_activations\.log$/
const firstLine = /^Total captured activations: \d+/
const most = 1 << 28

export const activationLog: FormatOf<'dump'> = {
  id: 'activation-log',
  holds: 'dump',
  find(at) {
    if (at.kind !== 'folder')
      return logName.test(at.name) ||
        (/\.log$/i.test(at.name) && firstLine.test(headOf(at.files, at.path, 256)))
        ? placeAt(at.path)
        : null
    return at.entries.some(({ name, kind }) => kind !== 'folder' && logName.test(name))
      ? placeAt(at.path)
      : null
  },
  sides({ path }, files) {
    const isFolder = files.stat(path)?.kind === 'folder'
    const logs = isFolder
      ? files.list(path).flatMap(({ name }) => (logName.test(name) ? [join(path, name)] : []))
      : [path]
    const rankOf = (log: string): number | null => {
      const rank = logName.exec(baseOf(log))?.[1]
      return rank === undefined ? null : Number(rank)
    }
    const places = logs.map(log => placeAt(log, null, rankOf(log)))
    return [places.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))]
  },
  open: ({ path }, { files }) => growing(() => Promise.resolve(dumpOf(files, path))),
  ofTensors: () => false,
  meet: meetByNames,
}

interface Block {
  readonly key: string
  readonly facts: ReadonlyMap<string, string>
}

function blocksIn(text: string): readonly Block[] {
  const blocks: { key: string; facts: Map<string, string> }[] = []
  for (const line of text.split(/\r?\n/)) {
    const key = /^\[(.+)\]$/.exec(line)?.[1]
    if (key !== undefined) blocks.push({ key, facts: new Map() })
    const [, name, value] = /^ {2}([A-Z][\w ]*?): (.*)$/.exec(line) ?? []
    if (name !== undefined) blocks.at(-1)?.facts.set(name, value)
  }
  return blocks
}

interface Made {
  readonly name: string
  readonly stats: NonNullable<OneTensor['stats']>
  readonly dtype: string
  readonly shape: readonly number[] | null
}

interface Read {
  readonly from: Made | null
  readonly tensor: OneTensor
}

const tensorOf = (
  io: OneTensor['io'],
  index: number,
  { dtype, shape, stats }: Pick<Made, 'dtype' | 'shape' | 'stats'>,
): OneTensor => ({ io, index, dtype, shape, stats, ref: null, dataName: '' })

function dumpOf(files: Files, path: string): Dump {
  const blocks = blocksIn(new TextDecoder().decode(files.readAll(path, most)))
  if (blocks.length === 0) throw new Refusal(problem('foreign-broken', path))
  const columns = new OpColumns(path, dottedNames)
  const made = new Map<string, Made>()
  for (const [at, { key, facts }] of blocks.entries()) {
    const isBackward = facts.get('Phase') === 'backward'
    const name = isBackward ? `${key}${backwardEnd}` : key
    const [, size, dtype] =
      /^(torch\.Size\(\[[\d, ]*\]\)), Dtype: (\S+)$/.exec(facts.get('Shape') ?? '') ?? []
    const hashes = (facts.get('Input hashes') ?? '').split(',').map(numberIn)
    const producers = (facts.get('Input producers') ?? '').split(';')
    const output: Made = {
      name: itemNameOf(name, 'output', 0),
      // Older logs have the sum of magnitudes instead of the norm.
      stats: [
        facts.get('Max'),
        facts.get('Min'),
        facts.get('Mean'),
        facts.get('L2 norm') ?? facts.get('L1 norm'),
      ].map(numberIn) as unknown as Made['stats'],
      dtype: typeIn(dtype),
      shape: shapeIn(size),
    }
    const inputs = hashes.flatMap((hash, index): readonly Read[] => {
      const from = made.get(producers[index] ?? '') ?? null
      // Of what comes from outside only the sum of magnitudes is known.
      const told = from ?? { dtype: '', shape: null, stats: [NaN, NaN, NaN, hash] as const }
      return from || !Number.isNaN(hash) ? [{ from, tensor: tensorOf('input', index, told) }] : []
    })
    // A slash parts the operation from its module, which holds modules as well.
    columns.add({ name, scopes: scopesOf(key.replaceAll('/', '.')), from: at, to: at + 1 }, [
      ...inputs.map(({ tensor }) => tensor),
      tensorOf('output', 0, output),
    ])
    for (const { from, tensor } of inputs)
      if (from) columns.link(itemNameOf(name, 'input', tensor.index), from.name)
    made.set(key, output)
  }
  return columns.finish(
    { task: 'statistics', level: '', framework: 'pytorch', hasMd5: false },
    {
      dir: dirOf(path),
      file: path,
      raw: null,
      partial: false,
      problems: [],
      about: quietAbout,
      hasEdges: true,
    },
  )
}

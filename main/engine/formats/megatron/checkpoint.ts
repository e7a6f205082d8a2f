// A checkpoint of parallel ranks as the parameters of the whole model: which shards, in which order, along which axis.
import { absolute, dirOf, type Files, type Handle, join } from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import { openStateDict, type StateDict } from '../tensors/state-dict.ts'
import type { TensorLayout } from '../tensors/tensor.ts'
import { coreName, layerOf, sharedAxis, withExpert, withLayer } from './names.ts'

interface Shard {
  readonly file: string
  readonly layout: TensorLayout
}

export interface Parameter {
  readonly name: string
  readonly shape: readonly number[]
  /** Along this axis the shards follow each other; null: each is the whole, the first one counts. */
  readonly axis: 0 | 1 | null
  readonly shards: readonly Shard[]
}

const shardName = 'model_optim_rng.pt'
export const tracker = 'latest_checkpointed_iteration.txt'
export const rankFolder = 'mp_rank_'
const mostRanks = 4096

interface Sizes {
  readonly tensor: number
  readonly pipeline: number
  readonly expert: number
  /** 0: a model without experts. */
  readonly experts: number
}

export interface CheckpointReading {
  readonly files: Files
  /** Stages have as many layers as the first one, as the reference takes it. */
  readonly exact: boolean
  tell(found: Problem): void
}

export function readCheckpoint(given: string, reading: CheckpointReading): ReadonlyMap<string, Parameter> {
  const folder = iterationIn(absolute(given), reading.files)
  const sizes = sizesIn(folder, reading.files)
  const found = new Map<string, Parameter>()
  for (let expert = 0; expert < sizes.expert; expert++) {
    const stages = Array.from({ length: sizes.pipeline }, (_, stage) =>
      stageOf(folder, sizes, [stage, expert], reading),
    )
    const layers = new LayerCount(stages, reading.exact)
    stages.forEach((parts, stage) => {
      for (const { name, chunk, shards } of parts) {
        const whole = withLayer(name, layers.before(stage, chunk))
        const perRank = Math.floor(sizes.experts / sizes.expert)
        const full = sizes.experts > 0 ? withExpert(whole, expert * perRank) : whole
        found.set(full, parameterOf(full, shards))
      }
    })
  }
  return found
}

/** The folder of one iteration: itself, or the latest one of a run. */
function iterationIn(folder: string, files: Files): string {
  files.allow(folder)
  const at = files.stat(folder)
  if (!at) throw new Refusal(problem('not-found', folder))
  if (at.kind !== 'folder') throw new Refusal(problem('not-a-folder', folder))
  const file = join(folder, tracker)
  if (!files.stat(file)) return folder
  const text = new TextDecoder().decode(files.readAll(file, 1 << 10)).trim()
  const name = /^\d+$/.test(text) ? `iter_${text.padStart(7, '0')}` : text
  if (!/^(?:iter_\d+|release)$/.test(name))
    throw new Refusal(problem('ckpt-iteration', file, { iteration: text.slice(0, 40) }))
  if (!files.stat(join(folder, name))) throw new Refusal(problem('not-found', join(folder, name)))
  return join(folder, name)
}

function sizesIn(folder: string, files: Files): Sizes {
  const rank = files.list(folder).find(({ name, kind }) => kind === 'folder' && name.startsWith(rankFolder))
  if (!rank) throw new Refusal(problem('ckpt-no-ranks', folder))
  const file = join(join(folder, rank.name), shardName)
  const dict = withFile(files, file, handle => openStateDict(handle, file))
  const size = (name: string, otherwise: number | null = null): number => {
    const value = dict.attribute('args', name) ?? otherwise
    if (value === null || !(value >= 1 && value <= mostRanks))
      throw new Refusal(problem('ckpt-no-args', file, { name }))
    return value
  }
  return {
    tensor: size('tensor_model_parallel_size'),
    pipeline: size('pipeline_model_parallel_size'),
    // Older versions had none.
    expert: size('expert_model_parallel_size', 1),
    experts: dict.attribute('args', 'num_experts') ?? 0,
  }
}

function withFile<T>(files: Files, file: string, act: (handle: Handle) => T): T {
  if (!files.stat(file)) throw new Refusal(problem('not-found', file))
  const handle = files.open(file)
  try {
    return act(handle)
  } finally {
    handle.close()
  }
}

/** A parameter of one stage, under its number within the stage. */
interface Part {
  readonly name: string
  /** Which of the stage's pieces of the model it belongs to. */
  readonly chunk: number
  readonly shards: Shard[]
}

function stageOf(
  folder: string,
  sizes: Sizes,
  [stage, expert]: readonly [number, number],
  { files, tell }: CheckpointReading,
): readonly Part[] {
  const parts = new Map<string, Part>()
  for (let rank = 0; rank < sizes.tensor; rank++) {
    const file = join(join(folder, rankName(sizes, rank, stage, expert)), shardName)
    if (!files.stat(file)) {
      tell(problem('ckpt-shard-missing', file, {}, 'warning'))
      continue
    }
    for (const { name, chunk, layout } of withFile(files, file, handle =>
      weightsOf(openStateDict(handle, file)),
    )) {
      const key = `${chunk} ${name}`
      const part = parts.get(key) ?? { name, chunk, shards: [] }
      part.shards.push({ file, layout })
      parts.set(key, part)
    }
  }
  if (parts.size === 0) throw new Refusal(problem('ckpt-empty', folder, { stage }))
  return [...parts.values()]
}

function rankName(
  { pipeline, expert }: Sizes,
  tensorRank: number,
  stage: number,
  expertRank: number,
): string {
  const two = String(tensorRank).padStart(2, '0')
  const of = (rank: number): string => `_${String(rank).padStart(3, '0')}`
  return `${rankFolder}${two}${pipeline > 1 ? of(stage) : ''}${expert > 1 ? of(expertRank) : ''}`
}

/** Tensors under `model`, or under `model0`, `model1` … where a stage has several pieces. */
function weightsOf({
  tensors,
  keys,
}: StateDict): readonly { name: string; chunk: number; layout: TensorLayout }[] {
  const roots: string[] = keys.has('model') ? ['model'] : []
  if (roots.length === 0) for (let i = 0; keys.has(`model${i}`); i++) roots.push(`model${i}`)
  return [...tensors].flatMap(([key, layout]) => {
    const chunk = roots.findIndex(root => key.startsWith(`${root}.`))
    return chunk < 0 ? [] : [{ name: coreName(key.slice(roots[chunk].length + 1)), chunk, layout }]
  })
}

/** How many layers come before the first one of a piece. */
class LayerCount {
  readonly #starts = new Map<string, number>()

  constructor(stages: readonly (readonly Part[])[], exact: boolean) {
    const countOf = (parts: readonly Part[]): number =>
      parts.reduce((most, { name }) => Math.max(most, (layerOf(name) ?? -1) + 1), 0)
    const chunks = Math.max(...stages.flat().map(({ chunk }) => chunk)) + 1
    const perPiece = countOf(stages[0] ?? []) || 1
    let before = 0
    for (let chunk = 0; chunk < chunks; chunk++)
      stages.forEach((parts, stage) => {
        this.#starts.set(`${stage} ${chunk}`, before)
        before += exact ? perPiece : countOf(parts.filter(part => part.chunk === chunk))
      })
  }

  before(stage: number, chunk: number): number {
    return this.#starts.get(`${stage} ${chunk}`) ?? 0
  }
}

function parameterOf(name: string, shards: readonly Shard[]): Parameter {
  const [first] = shards
  const { shape } = first.layout
  const axis = shards.length > 1 ? sharedAxis(name) : null
  if (axis === null) return { name, shape, axis, shards }
  const fits = shards.every(
    ({ layout }) =>
      layout.shape.length === shape.length &&
      layout.shape.length > axis &&
      layout.shape.every((dim, i) => i === axis || dim === shape[i]),
  )
  if (!fits) throw new Refusal(problem('ckpt-shards-differ', dirOf(first.file), { name }))
  const along = shards.reduce((sum, { layout }) => sum + layout.shape[axis], 0)
  return { name, shape: shape.map((dim, i) => (i === axis ? along : dim)), axis, shards }
}

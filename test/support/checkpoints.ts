// Checkpoints of Megatron made by hand: a folder per rank, in each a dictionary of weights beside the args.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { f32, joined, pickleFile, tensorPickle, zipBytes } from './tensor-files.ts'

interface Weight {
  readonly shape: readonly number[]
  readonly values: readonly number[]
}

/** Weights by name, by `model`, `model0`, `model1` … */
export type RankWeights = Readonly<Record<string, Readonly<Record<string, Weight>>>>

const text = (value: string): Uint8Array => new TextEncoder().encode(value)
const string = (value: string): Uint8Array =>
  joined([text('X'), new Uint8Array(Uint32Array.of(text(value).length).buffer), text(value)])
const int = (value: number): Uint8Array => joined([text('J'), new Uint8Array(Int32Array.of(value).buffer)])
const dict = (entries: readonly (readonly [string, Uint8Array])[]): Uint8Array =>
  joined([text('}('), ...entries.flatMap(([key, value]) => [string(key), value]), text('u')])

const strides = (shape: readonly number[]): number[] =>
  shape.map((_, axis) => shape.slice(axis + 1).reduce((product, dim) => product * dim, 1))

/** The file of one rank. */
export function rankBytes(args: Readonly<Record<string, number>>, weights: RankWeights): Uint8Array {
  const data: Uint8Array[] = []
  const tensor = ({ shape, values }: Weight): Uint8Array => {
    data.push(f32(...values))
    const spec = {
      storage: 'FloatStorage',
      shape,
      strides: strides(shape),
      data: f32(),
      elements: values.length,
    }
    return tensorPickle(spec, String(data.length - 1))
  }
  const space = joined([
    text('cargparse\nNamespace\n)'),
    Uint8Array.of(0x81),
    dict(Object.entries(args).map(([key, value]) => [key, int(value)])),
    text('b'),
  ])
  const models = Object.entries(weights).map(
    ([key, named]) =>
      [key, dict(Object.entries(named).map(([name, weight]) => [name, tensor(weight)] as const))] as const,
  )
  const pickle = pickleFile(dict([['args', space], ...models]))
  return zipBytes([
    { name: 'x/data.pkl', data: pickle },
    ...data.map((bytes, i) => ({ name: `x/data/${i}`, data: bytes })),
  ])
}

export function putRank(folder: string, rank: string, bytes: Uint8Array): void {
  mkdirSync(path.join(folder, rank), { recursive: true })
  writeFileSync(path.join(folder, rank, 'model_optim_rng.pt'), bytes)
}

export const argsOf = (tensor: number, pipeline: number): Readonly<Record<string, number>> => ({
  tensor_model_parallel_size: tensor,
  pipeline_model_parallel_size: pipeline,
  expert_model_parallel_size: 1,
  num_experts: 0,
})

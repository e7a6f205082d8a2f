// The way of the error over the dataflow: from where it enters to the first result that nobody reads.
import { expect, test } from 'vitest'
import { inferFlow } from '../../../main/engine/flow/index.ts'
import { overflowError } from '../../../main/engine/graph/overflow.ts'
import { noError } from '../../../main/engine/graph/tensor-error.ts'
import { flowAndWay, wayOfError } from '../../../main/engine/graph/neighbours.ts'
import { itemName } from '../../../main/engine/model/dump.ts'
import { job } from '../../../main/engine/work/job.ts'
import { built } from '../../support/graphs.ts'
import { drawn, tensor, type Drawn, type Ops } from '../../support/dump-text.ts'

const t = (seed: number): string =>
  tensor(
    'torch.float32',
    [4, 8],
    [seed + 0.25, -seed - 0.5, seed / 64, seed * 3 + 0.125].map(value => value.toFixed(6)),
  )
const op = (inputs: readonly number[], outputs: readonly number[]): Record<string, string> => ({
  input_args: `[${inputs.map(t).join(', ')}]`,
  output: `[${outputs.map(t).join(', ')}]`,
})

interface Asked {
  readonly ops: Ops
  readonly origin: string
  /** Items that differ, as their names begin. */
  readonly differ: readonly string[]
  readonly more?: Drawn
}

/** The calls on the way and the tensors between them. */
async function way({ ops, origin, differ, more = {} }: Asked): Promise<readonly string[]> {
  const dump = await drawn(ops, { framework: 'pytorch', ...more })
  const at = dump.ops.name.indexOf(dump.texts.find(origin))
  const found = wayOfError(
    { dump, flow: await inferFlow(dump, { job: job() }), graph: more.construct ? await built(dump) : null },
    at,
    {
      bucket: () => 0,
      isOrigin: of => of === at,
      label: name => name,
      error: item =>
        differ.some(name => itemName(dump, item).startsWith(name)) ? { bucket: 3, level: 0.1 } : noError,
    },
  )
  expect(found.nodes.filter(node => node.origin).map(node => node.id)).toEqual([origin])
  return found.cut ? [...found.nodes.map(({ id }) => id), '…'] : found.nodes.map(({ id }) => id)
}

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `Torch.add.${i}.forward`)
const [a, b, c, d, e] = [
  'Torch.a.0.forward',
  'Torch.b.0.forward',
  'Torch.c.0.forward',
  'Torch.d.0.forward',
  'Torch.e.0.forward',
] as const

test('it follows what differs, past calls whose results agree', async () => {
  const ops = { [a]: op([1], [2]), [b]: op([2], [3]), [c]: op([2], [4]), [d]: op([3, 4], [5]) }
  expect(
    await way({ ops, origin: a, differ: [`${a}.output`, `${b}.input`, c, `${d}.input.1`, `${d}.output`] }),
  ).toEqual([a, c, d])
})

test('it ends at the first result that nobody reads', async () => {
  const ops = {
    [a]: op([1], [2]),
    [b]: op([2], [3]),
    [c]: op([3], [4]),
    [d]: op([2], [5]),
    [e]: op([4], [6]),
  }
  expect(await way({ ops, origin: a, differ: [a, b, c, d, e] })).toEqual([a, d])
})

test('an unread result that agrees is no end, and an origin that nobody reads stands alone', async () => {
  const ops = { [a]: op([1], [2]), [b]: op([2], [3, 7]), [c]: op([3], [4]) }
  expect(await way({ ops, origin: a, differ: [`${a}.output`, `${b}.input`, `${b}.output.0`, c] })).toEqual([
    a,
    b,
    c,
  ])
  expect(await way({ ops, origin: c, differ: [c] })).toEqual([c])
})

test('it passes through modules by the calls inside of them', async () => {
  const module = 'Module.m.Net.forward.0'
  const ops = { [a]: op([1], [2]), [b]: op([2], [3]), [module]: op([1], [3]), [c]: op([3], [4]) }
  const construct = { [module]: null, [a]: module, [b]: module, [c]: null }
  expect(await way({ ops, origin: a, differ: [a, b, c, module], more: { construct } })).toEqual([a, b, c])
})

test('a long way is cut', async () => {
  const calls = names(60)
  const ops = Object.fromEntries(calls.map((name, i) => [name, op([i + 1], [i + 2])]))
  expect(await way({ ops, origin: calls[0]!, differ: ['Torch'] })).toEqual([...calls.slice(0, 40), '…'])
})

test('NaN is followed by shape where its way is asked for, and called a guess; without, nobody wrote it', async () => {
  const nan = tensor('torch.float32', [4, 8], ['NaN', 'NaN', 'NaN', 'NaN'])
  const bad = (input: string): Record<string, string> => ({ input_args: `[${input}]`, output: `[${nan}]` })
  const dump = await drawn(
    {
      [a]: op([1], [2]),
      [b]: bad(t(2)),
      [c]: bad(nan),
      [d]: { input_args: `[${nan}]`, output: `[${t(9)}]` },
    },
    { framework: 'pytorch' },
  )
  const marks = {
    bucket: () => 0,
    isOrigin: () => false,
    label: (name: string) => name,
    error: overflowError(dump),
  }
  const found = async (throughBad: boolean): Promise<readonly string[]> => {
    const flow = await inferFlow(dump, { job: job(), throughBad })
    const { edges } = flowAndWay({ dump, flow, graph: null }, b, { hops: 1, most: 9 }, marks)
    return edges.map(({ from, to, sure }) => `${from} ${to} ${sure ? 'sure' : 'guess'}`)
  }
  expect(await found(false)).toEqual([`${a} ${b} sure`])
  expect(await found(true)).toEqual([`${a} ${b} sure`, `${b} ${c} guess`, `${c} ${d} guess`])
})

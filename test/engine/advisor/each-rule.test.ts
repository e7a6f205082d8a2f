// What single rules say of small pairs, exact ones and such that differ by rounding.
import { expect, test } from 'vitest'
import type { Advice } from '../../../preload/contract/engine.ts'
import { adviseFolders } from '../../support/advised.ts'
import { scalar, tensor } from '../../support/dump-text.ts'
import { memoryFiles } from '../../support/memory-files.ts'

type Part = Readonly<Record<string, string>>
type Network = Readonly<Record<string, Part>>
const list = (...texts: readonly string[]): string => `[${texts.join(', ')}]`
const named = (texts: Readonly<Record<string, string>>): string =>
  `{${Object.entries(texts)
    .map(([key, text]) => `"${key}": ${text}`)
    .join(', ')}}`

/** A tensor whose numbers follow from a seed; `off` is the relative error of all of them. */
function seeded(
  seed: number,
  off = 0,
  shape: readonly number[] = [4, 8],
  round: (value: number) => number = value => value,
): string {
  const grown = (value: number): string => String(round(value * (1 + off)))
  const high = 1 + ((seed * 0.618034) % 1)
  return tensor('torch.float32', shape, [
    grown(high),
    grown(-0.83 * high),
    grown(0.01 + 0.001 * seed),
    grown(3.1 * high),
  ])
}

/** The nearest number of eight bits below. */
function brain(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer)
  bits[0] &= 0xffff0000
  return new Float32Array(bits.buffer)[0] ?? 0
}
const whole = (seed: number, shape: readonly number[] = [4, 8]): string =>
  tensor('torch.int64', shape, [String(9 + seed), '0', String(2.5 + seed), String(14.5 + seed)])

const linear = (into: string, out: string, weight = seeded(90, 0, [8, 8])): Part => ({
  input_args: list(into, weight),
  input_kwargs: '{}',
  output: list(out),
})
const call = (
  inputs: readonly string[],
  out: string,
  kwargs: Readonly<Record<string, string>> = {},
): Part => ({ input_args: list(...inputs), input_kwargs: named(kwargs), output: list(out) })

/** Products with equal inputs: equal to the bit, or as far off as another order of summation makes them. */
const products = (off: number): Network =>
  Object.fromEntries(
    Array.from({ length: 6 }, (_, k) => [
      `Functional.linear.${k}.forward`,
      linear(seeded(20 + k), seeded(40 + k, off), seeded(60 + k, 0, [8, 8])),
    ]),
  )

async function advised(
  debug: Network,
  bench: Network,
  construct: Readonly<Record<string, string | null>> = {},
): Promise<Advice> {
  const text = (data: Network): string =>
    `{"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": null, "data": {${Object.entries(
      data,
    )
      .map(([name, part]) => `"${name}": ${named(part)}`)
      .join(', ')}}}`
  const files = memoryFiles({
    '/debug/dump.json': text(debug),
    '/bench/dump.json': text(bench),
    '/debug/construct.json': JSON.stringify(construct),
    '/bench/construct.json': JSON.stringify(construct),
  })
  return (await adviseFolders('/debug', '/bench', {}, files)).advice
}
const said = ({ findings: [head] }: Advice): string =>
  head ? `${head.kind}${head.variant === '' ? '' : `.${head.variant}`} ${head.node}` : 'nothing'

test('a destination that is overwritten may have held anything', async () => {
  const net = (held: number): Network => ({
    ...products(0),
    'Tensor.scatter.0.forward': call([seeded(held), seeded(41)], seeded(77)),
    'Functional.linear.6.forward': linear(seeded(77), seeded(78)),
  })
  expect(said(await advised(net(5), net(6)))).toBe('nothing')
})

test('an input of the model that is off by a few percent is no rounding, however coarse the run', async () => {
  const net = (scale: number, off: number): Network => ({
    'Functional.linear.9.forward': linear(seeded(3, scale), seeded(4, scale + off)),
    ...products(off),
    'Module.net.Net.forward.0': call([seeded(3, scale)], seeded(45, off)),
  })
  const construct = {
    'Functional.linear.9.forward': 'Module.net.Net.forward.0',
    'Module.net.Net.forward.0': null,
  }
  const noise = 1.5e-3
  expect(said(await advised(net(0, 0), net(0, noise), construct))).toBe('nothing')
  const found = await advised(net(0.03, 0), net(0, noise), construct)
  expect(said(found)).toBe('different-input.data Functional.linear.9.forward')
  expect(found.checked.find(one => one.rule === 'inputs')?.state).toBe('fail')
})

test('a mask of other whole numbers that only a container is given', async () => {
  const net = (mask: number, off: number): Network => ({
    ...products(off),
    'Module.net.Net.forward.0': call([seeded(20), whole(mask)], seeded(45, off)),
  })
  const construct = {
    ...Object.fromEntries(Object.keys(products(0)).map(name => [name, 'Module.net.Net.forward.0'])),
    'Module.net.Net.forward.0': null,
  }
  for (const off of [0, 4e-7])
    expect(said(await advised(net(1, 0), net(2, off), construct)), String(off)).toBe(
      'different-input.data Module.net.Net.forward.0',
    )
})

test('the diagonal of a mask whose statistics hide it', async () => {
  const masked = tensor('torch.float32', [8, 8], ['0.0', '-3.4028234663852886e+38', '-Infinity', 'Infinity'])
  const net = (diagonal: number, off: number): Network => ({
    ...products(off),
    'Tensor.triu.0.forward': call([masked], masked, { diagonal: scalar('int', String(diagonal)) }),
    'Functional.softmax.0.forward': call([seeded(45, off), masked], seeded(80, diagonal === 1 ? 0 : 0.2)),
  })
  for (const off of [0, 4e-7])
    expect(said(await advised(net(3, 0), net(1, off))), String(off)).toBe('argument Tensor.triu.0.forward')
})

test('what a call that reorders makes looks the same and is not', async () => {
  const net = (turned: boolean): Network => ({
    ...products(0),
    'Functional.gelu.0.forward': call([seeded(45)], seeded(70)),
    ...(turned
      ? { 'Tensor.flip.0.forward': call([seeded(70)], seeded(70), { dims: scalar('int', '-1') }) }
      : {}),
    'Functional.linear.6.forward': linear(seeded(70), seeded(turned ? 71 : 72)),
  })
  expect(said(await advised(net(true), net(false)))).toBe('unmatched-call Tensor.flip.0.forward')
})

test('weights that an optimizer has updated among noise are no other weights', async () => {
  const net = (off: number): Network => ({
    ...products(off),
    'Functional.linear.5.backward': call([seeded(81, off)], seeded(82, off)),
    'Tensor.mul_.0.forward': call([seeded(83, 40 * off)], seeded(84, 40 * off)),
    'Functional.linear.6.forward': linear(seeded(20), seeded(85, 30 * off), seeded(86, 40 * off, [8, 8])),
  })
  expect(said(await advised(net(0), net(1e-6)))).toBe('nothing')
})

test('weights are as far apart as most are; one that is far more is another', async () => {
  const module = (k: number, off: number, noise: number): Network => ({
    [`Functional.linear.${k}.forward`]: linear(
      seeded(20 + k),
      seeded(40 + k, noise, [4, 8], brain),
      seeded(60 + k, off, [8, 8]),
    ),
    [`Module.l${k}.Linear.forward.0`]: {
      ...call([seeded(20 + k)], seeded(40 + k, noise, [4, 8], brain)),
      parameters: named({ weight: seeded(60 + k, off, [8, 8]) }),
    },
  })
  const noise = 4e-3
  const net = (usual: number, one: number): Network =>
    Object.assign(
      {},
      ...[0, 1, 2, 3, 4, 5].map(k =>
        module(k, k === 3 ? one : usual * (1 + k / 9), usual === 0 ? 0 : noise * (1 + k / 20)),
      ),
    ) as Network
  expect(said(await advised(net(1e-4, 1e-4), net(0, 0)))).toBe('nothing')
  // Less than many times the noise of products, and far more than weights usually differ here.
  expect(said(await advised(net(1e-4, 0.03), net(0, 0)))).toBe(
    'different-weights Functional.linear.3.forward',
  )
})

test('a second fault behind the first is told as well, what only follows is not', async () => {
  const net = (first: number, second: number): Network => ({
    ...products(0),
    'Functional.linear.6.forward': linear(seeded(20), seeded(70, first)),
    'Functional.gelu.0.forward': call([seeded(70, first)], seeded(71, first)),
    'Functional.linear.7.forward': linear(seeded(71, first), seeded(72, first + second)),
    'Functional.gelu.1.forward': call([seeded(72, first + second)], seeded(73, first + second)),
  })
  const nodes = async (second: number): Promise<string[]> =>
    (await advised(net(1e-4, second), net(0, 0))).findings.map(finding => finding.node)
  expect(await nodes(0)).toEqual(['Functional.linear.6.forward'])
  expect(await nodes(0.2)).toEqual(['Functional.linear.6.forward', 'Functional.linear.7.forward'])
})

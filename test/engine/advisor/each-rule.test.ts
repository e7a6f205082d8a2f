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

/** Six products in eight bits, and what is read besides. */
const coarse = (rounded: boolean, more: Network): Network => ({
  ...Object.fromEntries(
    Array.from({ length: 16 }, (_, k) => [
      `Functional.linear.${k}.forward`,
      linear(
        seeded(20 + k),
        seeded(40 + k, 0, [4, 8], rounded ? brain : undefined),
        seeded(60 + k, 0, [8, 8]),
      ),
    ]),
  ),
  ...more,
})

test('a number with more digits than its side computes was loaded: that it differs is no rounding', async () => {
  const net = (rounded: boolean, target: number): Network =>
    coarse(rounded, {
      'Functional.mse_loss.0.forward': call(
        [seeded(41, 0, [4, 8], rounded ? brain : undefined), seeded(91, target)],
        seeded(92, 0, [], rounded ? brain : undefined),
      ),
    })
  expect(said(await advised(net(true, 0), net(false, 0)))).toBe('nothing')
  // As small as rounding in eight bits, which would end in zeros.
  expect(said(await advised(net(true, 0.003), net(false, 0)))).toBe(
    'different-input.data Functional.mse_loss.0.forward',
  )
})

test('what is put together of loaded and of computed numbers differs by rounding', async () => {
  const joined = (max: number): string =>
    tensor('torch.float32', [4, 8], [String(max), '-1.2276864', '0.17', '5.04'])
  const net = (rounded: boolean, max: number): Network =>
    coarse(rounded, {
      'Functional.linear.16.forward': linear(joined(max), seeded(92, 0, [4, 8], rounded ? brain : undefined)),
    })
  expect(said(await advised(net(true, 2.84375), net(false, 2.8430026)))).toBe('nothing')
})

test('near its zero a logarithm has the errors of what it read', async () => {
  const near = (value: number): string =>
    tensor(
      'torch.float32',
      [2, 3],
      Array.from({ length: 4 }, () => String(value)),
    )
  const net = (rounded: boolean, x: number, y: number): Network =>
    coarse(rounded, { 'Torch.log.0.forward': call([near(x)], near(y)) })
  expect(said(await advised(net(true, 1.0078125, 0.0078125), net(false, 1.0059, Math.log(1.0059))))).toBe(
    'nothing',
  )
})

test('a weight that was computed anew among rounding ends in zeros and is no other weight', async () => {
  const net = (rounded: boolean, off: number): Network => ({
    ...coarse(rounded, {}),
    'Module.t.Linear.forward.0': {
      ...call([seeded(20)], seeded(46, 0, [4, 8], rounded ? brain : undefined)),
      parameters: named({ weight: seeded(61, off, [8, 8], rounded ? brain : undefined) }),
    },
  })
  expect(said(await advised(net(true, 0), net(false, 0)))).toBe('nothing')
  expect(said(await advised(net(true, 0.2), net(false, 0)))).toBe(
    'different-weights Module.t.Linear.forward.0',
  )
})

test('a loss of what hardly differs is left of far larger numbers', async () => {
  const net = (off: number, read: number, value: number): Network => ({
    ...products(off),
    'Functional.kl_div.0.forward': call(
      [seeded(41, read), seeded(42)],
      tensor('torch.float32', [], Array<string>(4).fill(String(value))),
    ),
  })
  expect(said(await advised(net(2e-6, 1e-6, 0.020001), net(0, 0, 0.02)))).toBe('nothing')
  expect(said(await advised(net(2e-6, 1e-6, 0.0204), net(0, 0, 0.02)))).toContain('kl_div.0.forward')
})

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

test('the last call of one side, whose result nothing recorded reads, as a hook on a gradient makes it', async () => {
  const net = (hooked: boolean): Network => ({
    ...products(0),
    'Functional.linear.5.backward': call([seeded(81)], seeded(82)),
    ...(hooked ? { 'Tensor.__mul__.0.forward': call([seeded(50), scalar('float', '0.9')], seeded(51)) } : {}),
  })
  expect(said(await advised(net(true), net(false)))).toBe('unmatched-call.quiet Tensor.__mul__.0.forward')
  expect(said(await advised(net(false), net(true)))).toBe('unmatched-call.quiet Tensor.__mul__.0.forward')
})

test('a square that is transposed on one side has the statistics that it had', async () => {
  const square = seeded(70, 0, [8, 8])
  const net = (turned: boolean): Network => ({
    ...products(0),
    ...(turned ? { 'Tensor.t.0.forward': call([square], square) } : {}),
    'Tensor.__add__.0.forward': call([seeded(45), square], seeded(turned ? 71 : 72)),
  })
  expect(said(await advised(net(true), net(false)))).toBe('unmatched-call Tensor.t.0.forward')
})

test('labels that no call made are exact among rounding, as long as no choice came out otherwise', async () => {
  const labels = (mean: number): string =>
    tensor('torch.int64', [64], ['9', '0', String(mean), String(40 + mean / 9)])
  const net = (mean: number, chosen: number, off: number): Network => ({
    ...products(off),
    'Torch.bucketize.0.forward': call([seeded(45, off)], whole(chosen, [4])),
    'Tensor.__getitem__.0.forward': call([labels(mean)], labels(mean + 0.01)),
    'Functional.cross_entropy.0.forward': call([seeded(45, off), labels(mean + 0.01)], seeded(80, off)),
  })
  const alike = await advised(net(4.5, 5, 0), net(4.51, 5, 4e-7))
  expect(said(alike)).toBe('different-input.data Tensor.__getitem__.0.forward')
  // Whatever chose otherwise may have made what nothing recorded made.
  expect(said(await advised(net(4.5, 5, 0), net(4.51, 6, 4e-7)))).toBe(
    'origin.noise Torch.bucketize.0.forward',
  )
})

test('a place in memory that nobody has filled may hold any whole number', async () => {
  const net = (held: number): Network => ({
    ...products(0),
    'Tensor.scatter_.0.forward': call([whole(held), scalar('int', '0'), whole(3)], whole(4)),
    'Tensor.index_select.0.forward': call([seeded(20), whole(4)], seeded(77)),
  })
  expect(said(await advised(net(5), net(6)))).toBe('nothing')
})

test('half precision is equal to the bit on any device; what is kept beside it is rounded on one', async () => {
  const half = (seed: number): string =>
    tensor('torch.bfloat16', [4, 8], [brain(1 + seed / 9), -brain(1 + seed / 8), 0.125, 3.5].map(String))
  const net = (loss: number): Network => ({
    ...Object.fromEntries(
      [0, 1, 2, 3, 4, 5].map(k => [
        `Functional.linear.${k}.forward`,
        linear(half(2 + k), half(20 + k), half(40 + k)),
      ]),
    ),
    'Functional.cross_entropy.0.forward': call(
      [half(20), whole(3, [4])],
      tensor('torch.float32', [], [loss, loss, loss, loss].map(String)),
    ),
  })
  expect(said(await advised(net(brain(1.7312)), net(1.7312)))).toBe('nothing')
  expect(said(await advised(net(1.7325), net(1.7312)))).toBe('origin Functional.cross_entropy.0.forward')
})

test('what is left of a gradient that cancels out has the errors of its parts', async () => {
  const part = (seed: number, off: number): Part => call([seeded(seed, off)], seeded(seed + 1, off))
  const left = (off: number): string =>
    tensor('torch.float32', [4, 8], ['1e-8', '-2e-8', String(1e-10 + off), String(4e-8 + off)])
  const net = (off: number, rest: number): Network => ({
    ...products(off),
    ...Object.fromEntries([5, 4, 3, 2, 1].map(k => [`Functional.linear.${k}.backward`, part(80 + k, off)])),
    'Torch.maximum.0.backward': call([left(rest)], left(rest)),
  })
  expect(said(await advised(net(0, 0), net(4e-7, 1e-8)))).toBe('nothing')
})

test('a weight that agreed at the call before was changed since, whatever changed it', async () => {
  const module = (times: number, weight: string, out: string): Network => ({
    [`Module.l.Linear.forward.${times}`]: { ...call([seeded(20)], out), parameters: named({ weight }) },
  })
  const net = (later: number): Network => ({
    ...products(0),
    ...module(0, seeded(60, 0, [8, 8]), seeded(45)),
    ...module(1, seeded(60, later, [8, 8]), seeded(46, later)),
  })
  const head = (await advised(net(0.02), net(0.01))).findings[0]
  expect([head?.kind, head?.variant, head?.node]).toEqual([
    'uncovered-entry',
    'updated',
    'Module.l.Linear.forward.1',
  ])
  expect(head?.facts).toMatchObject({ before: 'Module.l.Linear.forward.0' })
  // Among noise an update carries that of the gradients.
  const noisy = { ...products(4e-7), ...module(0, seeded(60, 0, [8, 8]), seeded(45, 4e-7)) }
  const updated = { ...noisy, ...module(1, seeded(60, 2e-6, [8, 8]), seeded(46, 2e-6)) }
  expect(said(await advised(updated, net(0)))).toBe('nothing')
  const other = { ...net(0.02), ...module(0, seeded(60, 0.02, [8, 8]), seeded(45, 0.02)) }
  expect(said(await advised(other, net(0.01)))).toBe('different-weights Module.l.Linear.forward.0')
})

test('the hook of a module is no call of the network: the module that it opens is named', async () => {
  const net = (off: number): Network => ({
    ...products(0),
    'Tensor.view_as.0.forward': call([seeded(70, off), seeded(70, off)], seeded(70, off)),
    'Functional.gelu.0.forward': call([seeded(70, off)], seeded(71, off)),
    'Module.act.GELU.forward.0': call([seeded(70, off)], seeded(71, off)),
  })
  const construct = {
    ...Object.fromEntries(Object.keys(products(0)).map(name => [name, null])),
    'Tensor.view_as.0.forward': 'Module.act.GELU.forward.0',
    'Functional.gelu.0.forward': 'Module.act.GELU.forward.0',
    'Module.act.GELU.forward.0': null,
  }
  expect(said(await advised(net(0.1), net(0), construct))).toBe(
    'different-input.data Module.act.GELU.forward.0',
  )
})

test('a module gives another tensor than what was written inside it, on one side alone', async () => {
  const module = 'Module.head.Linear.forward.0'
  const net = (rounded: boolean, off: number): Network => {
    const end = rounded ? brain : undefined
    const gives = seeded(93, off, [4, 8], end)
    return coarse(rounded, {
      'Functional.linear.16.forward': linear(seeded(55, 0, [4, 8], end), seeded(93, 0, [4, 8], end)),
      [module]: call([seeded(55, 0, [4, 8], end)], gives),
      'Functional.softplus.0.forward': call([gives], seeded(94, 0, [4, 8], end)),
    })
  }
  const construct = { 'Functional.linear.16.forward': module, [module]: null }
  expect(said(await advised(net(true, 0), net(false, 0), construct))).toBe('nothing')
  // As much as one call may err by in eight bits, and still no rounding: nothing is computed in between.
  expect(said(await advised(net(true, 0.04), net(false, 0), construct))).toBe(
    `hidden-producer.overwritten ${module}`,
  )
})

test('labels made one hot look the same, whichever are hot', async () => {
  const hot = tensor('torch.int64', [4, 8], ['1', '0', '0.125', '2'])
  const net = (rounded: boolean, labels: number): Network =>
    coarse(rounded, {
      'Functional.one_hot.0.forward': call(
        [tensor('torch.int64', [4], ['7', '0', String(labels), '9'])],
        hot,
      ),
      'Tensor.__mul__.0.forward': call(
        [hot, seeded(41, 0, [4, 8], rounded ? brain : undefined)],
        seeded(92, 0, [4, 8], rounded ? brain : undefined),
      ),
    })
  expect(said(await advised(net(true, 3), net(false, 3)))).toBe('nothing')
  expect(said(await advised(net(true, 3.25), net(false, 3)))).toBe(
    'different-input.data Functional.one_hot.0.forward',
  )
})

test('a product on the way back that its module alone shows is one factor too large', async () => {
  const module = 'Module.head.Linear'
  const net = (rounded: boolean, off: number): Network => {
    const end = rounded ? brain : undefined
    return coarse(rounded, {
      'Functional.linear.16.forward': linear(seeded(55, 0, [4, 8], end), seeded(93, 0, [4, 8], end)),
      [`${module}.forward.0`]: call([seeded(55, 0, [4, 8], end)], seeded(93, 0, [4, 8], end)),
      'Functional.linear.16.backward': {
        input: list(seeded(95, 0, [4, 8], end)),
        output: list(seeded(95, 0, [4, 8], end)),
      },
      [`${module}.backward.0`]: {
        input: list(seeded(95, 0, [4, 8], end)),
        output: list(seeded(96, off, [4, 8], end)),
      },
    })
  }
  const construct = {
    'Functional.linear.16.forward': `${module}.forward.0`,
    'Functional.linear.16.backward': `${module}.backward.0`,
    [`${module}.forward.0`]: null,
    [`${module}.backward.0`]: null,
  }
  expect(said(await advised(net(true, 0), net(false, 0), construct))).toBe('nothing')
  expect(said(await advised(net(true, 0.06), net(false, 0), construct))).toBe(
    `origin.scale ${module}.backward.0`,
  )
})

test('parts that are joined in another order keep all statistics of the whole', async () => {
  const joined = tensor('torch.float32', [8, 8], ['1.9', '-1.5', '0.02', '6'])
  const net = (swapped: boolean): Network => {
    const parts = swapped ? [seeded(41), seeded(40)] : [seeded(40), seeded(41)]
    return {
      ...products(0),
      'Torch.cat.0.forward': { input_args: list(list(...parts)), input_kwargs: '{}', output: list(joined) },
      'Functional.linear.6.forward': linear(joined, seeded(95, swapped ? 0.1 : 0)),
    }
  }
  expect(said(await advised(net(true), net(false)))).toBe('hidden-producer.rewired Torch.cat.0.forward')
})

test('each call on the way back belongs to the latest before it that none has taken', async () => {
  const forward = (times: number, weight: number): Network => ({
    [`Module.d.Linear.forward.${times}`]: {
      ...call([seeded(20 + times)], seeded(40 + times, weight)),
      parameters: named({ weight: seeded(60, weight, [8, 8]) }),
    },
  })
  const backward = (times: number, off: number): Network => ({
    [`Module.d.Linear.backward.${times}`]: {
      input: list(seeded(70 + times)),
      output: list(seeded(75 + times, off)),
    },
  })
  // Two passes, an optimizer's step that follows from the fault, and a third pass.
  const net = (off: number): Network => ({
    ...products(0),
    ...forward(0, 0),
    ...forward(1, 0),
    ...backward(0, off),
    ...backward(1, 0),
    ...forward(2, off),
    ...backward(2, off),
  })
  expect(said(await advised(net(0.02), net(0)))).toBe('origin Module.d.Linear.backward.0')
})

test('another word that a call is given is told, however little it does', async () => {
  const net = (off: number, how: string): Network => ({
    ...products(off),
    'Functional.gelu.0.forward': call([seeded(40, off)], seeded(75, off), {
      approximate: scalar('str', `"${how}"`),
    }),
  })
  expect(said(await advised(net(4e-7, 'none'), net(0, 'none')))).toBe('nothing')
  expect(said(await advised(net(4e-7, 'tanh'), net(0, 'none')))).toBe(
    'argument.quiet Functional.gelu.0.forward',
  )
})

test('one call that rounds in a run that is equal to the bit is a fault, several are how a side computes', async () => {
  const net = (rounded: number): Network => ({
    ...products(0),
    ...Object.fromEntries(
      [0, 1, 2].map(k => [
        `Functional.softplus.${k}.forward`,
        call([seeded(20 + k)], seeded(80 + k, 0, [4, 8], k < rounded ? brain : undefined)),
      ]),
    ),
  })
  expect(said(await advised(net(1), net(0)))).toBe('origin Functional.softplus.0.forward')
  expect(said(await advised(net(3), net(0)))).not.toBe('origin Functional.softplus.0.forward')
})

test('what a call reads differs by rounding, or was not dumped: neither is called equal', async () => {
  const net = (off: number, made: number): Network => ({
    ...products(off),
    'Functional.softplus.0.forward': call(
      [seeded(45, off)],
      tensor('torch.float32', [4, 8], [String(1.7 + made), '-0.9', '0.08', '4.1']),
    ),
  })
  expect(said(await advised(net(4e-7, 0.1), net(0, 0)))).toBe('origin.noise Functional.softplus.0.forward')
  const results = (all: Network): Network =>
    Object.fromEntries(Object.entries(all).map(([name, { output = '[]' }]) => [name, { output }]))
  expect(said(await advised(results(net(0, 0.1)), results(net(0, 0))))).toBe(
    'origin.blind Functional.softplus.0.forward',
  )
})

test('a module whose tensors agree, in one that is given another word', async () => {
  const inner = 'Module.net.block.Block.forward.0'
  const outer = 'Module.net.Net.forward.0'
  const net = (off: number, mode: string): Network => ({
    ...products(0),
    'Functional.relu.0.forward': call([seeded(40)], seeded(70)),
    [inner]: call([seeded(40)], seeded(75, off)),
    [outer]: call([seeded(40)], seeded(75, off), { mode: scalar('str', `"${mode}"`) }),
  })
  const construct = { 'Functional.relu.0.forward': inner, [inner]: outer, [outer]: null }
  const head = (await advised(net(0.1, 'fast'), net(0, 'plain'), construct)).findings[0]
  expect(`${head?.kind}.${head?.variant} ${head?.node}`).toBe(`origin.module-given ${inner}`)
  expect(head?.facts).toEqual({ item: 'input.mode', module: outer, debug: 'fast', bench: 'plain' })
  expect(said(await advised(net(0.1, 'plain'), net(0, 'plain'), construct))).toBe(`origin.module ${inner}`)
})

test('layers that hold equal tables each read their own', async () => {
  const net = (off: number): Network => ({
    ...products(0),
    'Tensor.__getitem__.0.forward': call([seeded(91)], seeded(91)),
    'Tensor.__mul__.0.forward': call([seeded(40), seeded(91)], seeded(70)),
    'Tensor.__getitem__.1.forward': call([seeded(91, off)], seeded(91, off)),
    'Tensor.__mul__.1.forward': call([seeded(41), seeded(91, off)], seeded(71, off)),
  })
  expect(said(await advised(net(0.1), net(0)))).toBe('different-input.constant Tensor.__getitem__.1.forward')
})

test('a norm of several calls has few digits in float16 where what it reads is small', async () => {
  const half = (value: number): number => {
    const step = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 10)
    return Math.round(value / step) * step
  }
  const small = (round: boolean): string =>
    tensor(
      'torch.float32',
      [4, 8],
      [0.0022, -0.0021, 1.5e-6, 0.0042].map(x => String(round ? half(x) : x)),
    )
  const net = (rounded: boolean, off: number): Network => {
    const end = rounded ? half : undefined
    return {
      ...Object.fromEntries(
        Array.from({ length: 16 }, (_, k) => [
          `Module.l${k}.Linear.forward.0`,
          call([seeded(20 + k, 0, [4, 8], end)], seeded(40 + k, 0, [4, 8], end)),
        ]),
      ),
      'Module.n.MyRMSNorm.forward.0': call([small(rounded)], seeded(97, off, [4, 8], end)),
    }
  }
  expect(said(await advised(net(true, 0.013), net(false, 0)))).toBe('nothing')
})

test('an optimizer keeps more digits than what is computed: behind the first gradient nothing counts as loaded', async () => {
  const net = (rounded: boolean, off: number): Network => {
    const end = rounded ? brain : undefined
    return coarse(rounded, {
      'Functional.linear.15.backward': {
        input: list(seeded(95, 0, [4, 8], end)),
        output: list(seeded(95, 0, [4, 8], end)),
      },
      'Torch.clone.0.forward': call([seeded(96, off)], seeded(96, off)),
      'Functional.linear.16.forward': linear(seeded(20), seeded(97, 0, [4, 8], end)),
      'Functional.linear.16.backward': {
        input: list(seeded(98, 0, [4, 8], end)),
        output: list(seeded(98, 0, [4, 8], end)),
      },
    })
  }
  expect(said(await advised(net(true, 0.003), net(false, 0)))).toBe('nothing')
})

test('data whose ends are alike and have more digits than what is computed was loaded', async () => {
  const data = (norm: number): string =>
    tensor('torch.float32', [4, 8], ['1.6180339', '-1.2276864', String(norm / 40), String(norm)])
  const net = (rounded: boolean, norm: number): Network =>
    coarse(rounded, {
      'Functional.mse_loss.0.forward': call(
        [seeded(41, 0, [4, 8], rounded ? brain : undefined), data(norm)],
        seeded(92, 0, [], rounded ? brain : undefined),
      ),
    })
  expect(said(await advised(net(true, 4.01), net(false, 4)))).toBe('nothing')
  expect(said(await advised(net(true, 4.2), net(false, 4)))).toBe(
    'different-input.data Functional.mse_loss.0.forward',
  )
})

test('whole numbers made of infinity hide those beside them', async () => {
  const buckets = (least: number): string =>
    tensor('torch.int64', [4, 8], ['31', String(least), String(least / 2), String(-3 * least)])
  const net = (rounded: boolean, least: number, mean: number): Network =>
    coarse(rounded, { 'Torch.where.0.forward': call([buckets(least)], whole(mean)) })
  const overflown = -(2 ** 31)
  expect(said(await advised(net(true, overflown, 3), net(false, overflown, 2)))).toBe('nothing')
  expect(said(await advised(net(true, -5, 3), net(false, -5, 2)))).toBe('origin Torch.where.0.forward')
})

test('what is left of a mean counts by what it is added to', async () => {
  const one = (value: number): string => tensor('torch.float32', [], Array<string>(4).fill(String(value)))
  const net = (rounded: boolean, left: number): Network =>
    coarse(rounded, {
      'Tensor.__add__.0.forward': call([one(left), one(0.746)], one(rounded ? brain(0.7461) : 0.746)),
    })
  expect(said(await advised(net(true, brain(-0.0031)), net(false, -0.00264)))).toBe('nothing')
})

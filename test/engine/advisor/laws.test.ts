// What must follow from what a call reads, in real arithmetic among rounding, and what is said where it does not.
import { expect, test } from 'vitest'
import type { Advice } from '../../../preload/contract/engine.ts'
import { findingText } from '../../../preload/contract/words/advice.ts'
import { adviseFolders } from '../../support/advised.ts'
import { scalar, tensor } from '../../support/dump-text.ts'
import { memoryFiles } from '../../support/memory-files.ts'
import { random } from '../../support/random.ts'

/** The nearest number of eight bits. */
function brain(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer)
  bits[0] = ((bits[0] ?? 0) + 0x8000) & 0xffff0000
  return new Float32Array(bits.buffer)[0] ?? 0
}

class Numbers {
  readonly shape: readonly number[]
  readonly values: readonly number[]

  constructor(shape: readonly number[], values: readonly number[]) {
    this.shape = shape
    this.values = values
  }

  static seeded(seed: number, shape: readonly number[], mean = 0.4): Numbers {
    const next = random(seed)
    const count = shape.reduce((all, size) => all * size, 1)
    return new Numbers(
      shape,
      Array.from({ length: count }, () => Math.fround(mean + 2 * next() - 1)),
    )
  }

  map(of: (value: number) => number): Numbers {
    return new Numbers(this.shape, this.values.map(of))
  }

  get text(): string {
    const { values, shape } = this
    const norm = Math.sqrt(values.reduce((sum, x) => sum + x * x, 0))
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length
    return tensor('torch.float32', shape, [Math.max(...values), Math.min(...values), mean, norm].map(String))
  }
}

const list = (...texts: readonly string[]): string => `[${texts.join(', ')}]`
type Part = Readonly<Record<string, string>>
const forward = (out: Numbers, ...inputs: readonly string[]): Part => ({
  input_args: list(...inputs),
  input_kwargs: '{}',
  output: list(out.text),
})
const backward = (out: readonly Numbers[], came: Numbers): Part => ({
  input: list(came.text),
  output: list(...out.map(one => one.text)),
})

const total = ({ values }: Numbers): number => values.reduce((sum, x) => sum + x, 0)
const single = (value: number): Numbers => new Numbers([1], [value])

/** A call by its name: what it gives for what came in, rounded, and the same off by two percent. */
const calls: Readonly<Record<string, (x: Numbers, give: (out: Numbers) => Numbers) => Part>> = {
  'Tensor.sum.0.forward': (x, give) => forward(give(single(total(x))), x.text),
  'Torch.mean.0.forward': (x, give) => forward(give(single(total(x) / x.values.length)), x.text),
  'Tensor.__add__.0.forward': (x, give) => forward(give(x.map(a => a + 1)), x.text, scalar('int', '1')),
  'Tensor.__mul__.0.forward': (x, give) => forward(give(x.map(a => 3 * a)), x.text, scalar('int', '3')),
  'Tensor.__truediv__.0.forward': (x, give) => forward(give(x.map(a => a / 8)), x.text, scalar('int', '8')),
  'Functional.relu.0.forward': (x, give) => forward(give(x.map(a => Math.max(0, a))), x.text),
  'Torch.sigmoid.0.forward': (x, give) => forward(give(x.map(a => 1 / (1 + Math.exp(-a)))), x.text),
  'Torch.exp.0.forward': (x, give) => forward(give(x.map(Math.exp)), x.text),
  'Functional.softmax.0.forward': (x, give) => {
    const raised = x.map(Math.exp)
    return forward(give(raised.map(a => a / (total(raised) / 4))), x.text)
  },
  'Tensor.pow.0.forward': (x, give) => forward(give(x.map(a => a * a)), x.text, scalar('int', '2')),
  'Torch.cat.0.forward': (x, give) =>
    forward(give(new Numbers([8, 16], [...x.values, ...x.values])), list(x.text, x.text)),
  'Tensor.mean.0.backward': (x, give) => {
    const came = single(total(x))
    return backward([give(x.map(() => total(x) / x.values.length))], came)
  },
  'Tensor.view.0.backward': (x, give) => backward([give(new Numbers([64], x.values))], x),
  'Functional.conv2d.0.backward': (x, give) => {
    const bias = Array.from({ length: 16 }, (_, k) =>
      x.values.filter((_value, place) => place % 16 === k).reduce((sum, value) => sum + value, 0),
    )
    return backward([Numbers.seeded(3, [4, 8]), give(new Numbers([16], bias))], x)
  },
}

const network = (name: string, part: Part, off: number): Readonly<Record<string, Part>> => ({
  ...Object.fromEntries(
    Array.from({ length: 6 }, (_, k) => [
      `Functional.linear.${k}.forward`,
      forward(
        Numbers.seeded(40 + k, [4, 8]).map(value => brain(value * (1 + off))),
        Numbers.seeded(20 + k, [4, 8]).text,
        Numbers.seeded(60 + k, [8, 8]).text,
      ),
    ]),
  ),
  [name]: part,
})

async function advised(
  debug: Readonly<Record<string, Part>>,
  bench: Readonly<Record<string, Part>>,
): Promise<Advice> {
  const text = (data: Readonly<Record<string, Part>>): string =>
    `{"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": null, "data": {${Object.entries(
      data,
    )
      .map(
        ([name, part]) =>
          `"${name}": {${Object.entries(part)
            .map(([key, value]) => `"${key}": ${value}`)
            .join(', ')}}`,
      )
      .join(', ')}}}`
  const files = memoryFiles({ '/debug/dump.json': text(debug), '/bench/dump.json': text(bench) })
  return (await adviseFolders('/debug', '/bench', {}, files)).advice
}

test.each(Object.keys(calls))('%s: off by two percent among bfloat16 on either side', async name => {
  const make = calls[name] ?? (() => ({}))
  const x = Numbers.seeded(7, [4, 16])
  const side = (off: number, give: (out: Numbers) => Numbers): Readonly<Record<string, Part>> =>
    network(
      name,
      make(
        x.map(value => brain(value * (1 + off))),
        give,
      ),
      off,
    )
  const rounded = (scale: number) => (out: Numbers) => out.map(value => brain(scale * value))
  const good = side(0, rounded(1))
  for (const off of [0.002, 0.008]) {
    const quiet = (await advised(side(off, rounded(1)), good)).findings
    expect(quiet.filter(one => one.variant === 'law')).toEqual([])
    for (const wrong of ['debug', 'bench'] as const) {
      const [mine, theirs] = wrong === 'debug' ? [1.02, 1] : [1, 1.02]
      const { findings, checked } = await advised(side(off, rounded(mine)), side(0, rounded(theirs)))
      const found = findings.find(one => one.variant === 'law')
      expect([found?.node, found?.facts.wrong]).toEqual([name, wrong])
      expect(checked.find(one => one.rule === 'laws')?.state).toBe('fail')
    }
  }
})

test('what is said: the number, what it has to be, and on which side', async () => {
  const x = Numbers.seeded(7, [4, 16])
  const side = (off: number, scale: number): Readonly<Record<string, Part>> => {
    const read = x.map(value => brain(value * (1 + off)))
    return network('Tensor.sum.0.forward', forward(single(brain(scale * total(read))), read.text), off)
  }
  const { findings } = await advised(side(0.004, 1.05), side(0, 1))
  const found = findings.find(one => one.variant === 'law')
  if (!found) throw new Error('nothing was found')
  expect(findingText('en', found)).toMatch(
    /^What Tensor\.sum\.0\.forward gives on the debug side cannot follow from what it reads there, whatever came in: its Mean is [\d.]+ and has to be [\d.]+\. The other side keeps to it\.$/,
  )
  expect(findingText('zh', found)).toContain('Mean 为')
})

test('a second fault among what is wrong already, and among rounding', async () => {
  const x = Numbers.seeded(7, [4, 16])
  const side = (off: number, first: number, second: number): Readonly<Record<string, Part>> => {
    const read = x.map(value => brain(value * (1 + off)))
    const gated = read.map(a => brain(first / (1 + Math.exp(-a))))
    return {
      ...network('Torch.sigmoid.0.forward', forward(gated, read.text), off),
      'Tensor.sum.0.forward': forward(single(brain(second * total(gated))), gated.text),
    }
  }
  const { findings } = await advised(side(0.002, 1.1, 1.05), side(0, 1, 1))
  expect(findings.filter(one => one.variant === 'law').map(one => one.node)).toEqual([
    'Torch.sigmoid.0.forward',
    'Tensor.sum.0.forward',
  ])
  const one = await advised(side(0.002, 1.1, 1), side(0, 1, 1))
  expect(one.findings.filter(found => found.variant === 'law').map(found => found.node)).toEqual([
    'Torch.sigmoid.0.forward',
  ])
})

test('a law that does not fit a call holds on neither side, and says nothing', async () => {
  const x = Numbers.seeded(7, [4, 16])
  const masked = (off: number): Readonly<Record<string, Part>> => {
    const read = x.map(value => brain(value * (1 + off)))
    return network('Tensor.sum.0.forward', forward(single(brain(0.3 * total(read))), read.text), off)
  }
  const { findings } = await advised(masked(0.008), masked(0))
  expect(findings.filter(one => one.variant === 'law')).toEqual([])
})

// Large elementwise calls are judged block by block as they would be whole.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { quickFiles } from '../../../main/engine/io/index.ts'
import { type CallOrder, recompute } from '../../../main/engine/recompute/call.ts'
import { npyBytes } from '../../../main/engine/recompute/npy.ts'
import { random } from '../../support/random.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const size = 300_001
const next = random(5)
const values = Float64Array.from({ length: size }, () => Math.fround(4 * next() - 2))
const others = Float64Array.from({ length: size }, () => Math.fround(next() + 0.5))

/** Float32 under the header of doubles, with its type changed. */
function npy(data: Float64Array): Uint8Array {
  const doubles = npyBytes({ item: '', dtype: 'float64', shape: [data.length], data })
  const head = Buffer.from(doubles.subarray(0, doubles.length - data.length * 8))
  head.write(head.toString('latin1').replace('<f8', '<f4'), 'latin1')
  return Buffer.concat([head, Buffer.from(Float32Array.from(data).buffer)])
}

const leaf = (name: string): unknown => ({
  type: 'torch.Tensor',
  dtype: 'torch.float32',
  shape: [size],
  data_name: `${name}.npy`,
})
const number = { type: 'float', value: 0.7 }

function answers(name: string, second: unknown, result: Float64Array): readonly unknown[] {
  const folder = temporaryFolder()
  for (const [file, data] of Object.entries({ left: values, right: others, result }))
    writeFileSync(path.join(folder, `${file}.npy`), npy(data))
  const disk = diskFiles()
  disk.allow(folder)
  const args = second === null ? [leaf('left')] : [leaf('left'), second]
  const forward = JSON.stringify({ input_args: args, input_kwargs: {}, output: [leaf('result')] })
  const order: CallOrder = {
    call: `Torch.${name}.0`,
    type: 'Torch',
    path: name,
    mindspore: false,
    folder,
    forward,
    backward: '',
    limit: 5e9,
  }
  const files = quickFiles(disk.roots())
  // Somebody who wants the values gets them whole.
  return [recompute(files, order), recompute(files, order, () => {})]
}

const made: Readonly<Record<string, (x: number, y: number) => number>> = {
  add: (x, y) => x + y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
  exp: x => Math.exp(x),
  relu: x => Math.max(x, 0),
  log: x => Math.log(x),
}

it.each(Object.keys(made))('%s', name => {
  const of = made[name]
  for (const second of name in { add: 0, mul: 0, div: 0 } ? [leaf('right'), number] : [null]) {
    const by = (i: number): number => (second === number ? 0.7 : others[i])
    const right = values.map((x, i) => Math.fround(of(x, by(i))))
    const wrong = right.slice()
    wrong[values.findLastIndex(x => x > 0.5 && x < 0.9)] *= 1.001
    const lost = right.slice()
    lost[70_000] = NaN
    lost[290_000] = Infinity
    for (const [i, result] of [right, wrong, lost].entries()) {
      const [blocks, whole] = answers(name, second, result)
      expect(blocks).toEqual(whole)
      expect(blocks).toMatchObject([
        { status: 'computed', outputs: [{ verdict: i === 0 ? 'pass' : 'error' }] },
      ])
    }
  }
})

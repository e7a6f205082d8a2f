// A tensor as text, as precision_tool writes it: a line per row of the last axis.
import { OpenTensor, walk } from '../../formats/index.ts'
import { openOutput, quickFiles, type Sink } from '../../io/index.ts'
import type { TensorRef } from '../../model/index.ts'
import { general } from '../../python/index.ts'
import type { Tools } from './tools.ts'

/** Whole numbers as they are, all others with six digits. */
export const printed = (value: number, isWhole: boolean): string => (isWhole ? String(value) : general(value))

/** A line per row of the last axis; of a single value a line. */
export async function writeText(
  name: string,
  ref: TensorRef,
  folder: string,
  { files, job }: Pick<Tools, 'files' | 'job'>,
): Promise<string> {
  const output = openOutput(folder, [], true)
  const tensor = new OpenTensor(quickFiles(files.roots()), ref)
  try {
    const sink = output.create(`${name.slice(0, 240)}.txt`)
    const { shape, dtype } = tensor.layout
    const lines = new TextLines(sink, shape.at(-1) ?? 1)
    for (const _ of walk(
      [tensor],
      (_first, count) => lines.add(tensor.values.subarray(0, count), dtype.low !== undefined),
      () => {},
    ))
      await job.breathe()
    output.commit()
    return sink.path
  } finally {
    tensor.close()
    output.abandon()
  }
}

class TextLines {
  readonly #sink: Sink
  readonly #width: number
  #at = 0

  constructor(sink: Sink, width: number) {
    this.#sink = sink
    this.#width = width
  }

  add(values: Float64Array, isWhole: boolean): void {
    let text = ''
    for (const value of values)
      text += printed(value, isWhole) + (++this.#at % this.#width === 0 ? '\n' : ' ')
    this.#sink.write(new TextEncoder().encode(text))
  }
}

// One raw dump file: an operation with its inputs and outputs, each read from the file when it is looked at.
import { baseOf, dirOf, type Files } from '../../io/index.ts'
import type { Dump, Problem } from '../../model/index.ts'
import { type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { OpColumns } from '../tensorflow/op-columns.ts'
import { fillStatistics } from '../tensorflow/statistics.ts'
import { formatName, npuType } from './codes.ts'
import { readRawHeader } from './files.ts'
import { rawNameOf } from './names.ts'
import { rawTensors } from './raw.ts'
import { rawReading } from './reading.ts'
import { inSlice } from './slices.ts'

/** Overflow records hold no values, and summaries no elements. */
const isRaw = (name: string): boolean => {
  const parts = rawNameOf(name)
  return parts !== null && !parts.opDebug && !parts.summary
}

export const npu: FormatOf<'dump'> = {
  id: 'npu',
  holds: 'dump',
  find: at => (at.kind !== 'folder' && isRaw(at.name) ? placeAt(at.path) : null),
  open: ({ path }, { files }, job) =>
    growing(async () => {
      const dump = await rawDump(files, path)
      await fillStatistics(dump, files.roots(), job)
      return dump
    }),
  ofTensors: () => true,
  // Whatever the files are called: the n-th input meets the n-th input, and so for outputs.
  meet(debug, bench) {
    const numbered = (dump: Dump): readonly string[] =>
      Array.from({ length: dump.items.length }, (_, item) =>
        dump.texts.get(dump.items.name[item]).split('.').slice(-2).join('.'),
      )
    const there = numbered(bench)
    return Int32Array.from(numbered(debug), name => there.indexOf(name))
  },
}

async function rawDump(files: Files, path: string): Promise<Dump> {
  const handle = files.open(path)
  try {
    const said = rawNameOf(baseOf(path))
    const whole = await readRawHeader(handle, path)
    const header = said ? inSlice(whole, said) : whole
    const columns = new OpColumns(path)
    const problems: Problem[] = [...header.problems]
    const layouts: string[] = []
    const tensors = rawTensors(header).map(tensor => {
      const { range, problems: found } = rawReading(path, tensor)
      layouts.push(range?.tiling ? `${formatName(tensor.format)} [${tensor.shape.join(', ')}]` : '')
      // What the file as a whole lacks was said already.
      problems.push(...found.filter(({ code }) => code !== 'raw-tensor-truncated'))
      const { io, index } = tensor
      return {
        io,
        index,
        dtype: range?.dtype ?? npuType(tensor.dtype).name,
        shape: range?.shape ?? tensor.shape,
        ref: range && { file: path, part: range },
        dataName: range ? `${baseOf(path)}.${io}.${index}` : '',
      }
    })
    const name = header.opName === '' ? baseOf(path) : header.opName
    columns.add({ name, scopes: [], from: 0, to: 0 }, tensors)
    return columns.finish(
      { task: 'tensor', level: 'L1', framework: 'cann', hasMd5: false },
      {
        dir: dirOf(path),
        file: path,
        raw: null,
        partial: false,
        problems,
        about: { op: () => [], layout: item => layouts[item] ?? '' },
        hasEdges: false,
      },
    )
  } finally {
    handle.close()
  }
}

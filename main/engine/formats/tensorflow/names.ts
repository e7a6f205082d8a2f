// Names of files in a TensorFlow run: from operators and tensors to files, and back where that is possible.

/** An operator's name in the names of its files; it cannot be turned back. */
export const fileNameOf = (op: string): string => op.replaceAll(/[/.]/g, '_')

/** The beginning of a reference file's name: operator and output of it. */
export const tensorFileStart = (op: string, output: number): string => `${fileNameOf(op)}.${output}.`

/** The file that TensorFlow's debugger is told to write a tensor `scope/op:0` into; `time` in microseconds. */
export const tensorFileName = (tensor: string, time: string): string =>
  `${tensor.replaceAll('/', '_').replace(/:(?=\d+$)/, '.')}.${time}.npy`

/** What a reference file holds: an output of an operator, as its name has it. */
export interface TensorName {
  readonly op: string
  readonly output: number
  /** Decimal text: microseconds are beyond whole numbers that a double holds in some tools. */
  readonly time: string
}

/** Split from the right: names of operators may hold points. */
export function tensorNameOf(file: string): TensorName | null {
  const [, op, output, time] = /^(.+)\.(\d{1,9})\.(\d{1,255})\.npy$/s.exec(file) ?? []
  return op === undefined || decodedNameOf(file) ? null : { op, output: Number(output), time }
}

/** A tensor that was decoded from a raw dump, by any tool that names as msaccucmp does. */
export interface DecodedName {
  /** The raw file that it came from. */
  readonly raw: string
  readonly io: 'input' | 'output'
  readonly index: number
  /** The shape that is added where the layout was converted; '' where it was not. */
  readonly shape: string
}

export function decodedNameOf(file: string): DecodedName | null {
  const [, raw, io, index, shape = ''] =
    /^(.+)\.(input|output)\.(\d{1,9})(?:\.([x0-9]+))?\.npy$/s.exec(file) ?? []
  return raw === undefined || (io !== 'input' && io !== 'output')
    ? null
    : { raw, io, index: Number(index), shape }
}

/** A number in place of a name that was too long for the disk. */
export const isShortened = (file: string): boolean =>
  /^(?:[\da-f]{32}|\d{10,})(?:\.(?:npy|bin|csv))?$/.test(file)

/** Long names by the short ones that stand for them on the disk: rows `short,real` of a mapping.csv. */
export function longNames(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf(',')
    const [short, real] = [line.slice(0, at), line.slice(at + 1)].map(cell =>
      cell.trim().replace(/^"(.*)"$/s, '$1'),
    )
    if (at > 0 && short && real) names.set(short, real)
  }
  return names
}

export interface GraphFileName {
  /** Counts the graphs that a process wrote. */
  readonly counter: number
  /** `Build`, `PreRunBegin`; newer names hold the graph as well: `graph_1_Build`. */
  readonly stage: string
}

/** ge_proto_<counter>_<stage>.txt, or the same converted to JSON. */
export function graphFileNameOf(file: string): GraphFileName | null {
  const [, counter, stage] =
    /^ge_proto_(\d{1,15})_([A-Za-z0-9_-]+)(?:\.txt)?(?:\.txt|\.json)$/.exec(file) ?? []
  return counter === undefined ? null : { counter: Number(counter), stage }
}

/** Of the list of fusion passes that took effect. */
export const isFusionResult = (name: string): boolean => /^fusion_result.*\.json$/.test(name)

// A run that dumps as msprobe does: tensor files call by call, and dump.json truncated and written anew from its first
// byte, now and then or stopped at any byte of it.
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { f32, npyBytes } from './tensor-files.ts'

interface Written {
  readonly name: string
  readonly parts: { input: string[]; output: string[] | null }
}

export interface DumpingOptions {
  readonly task?: 'statistics' | 'tensor'
  readonly framework?: 'mindspore' | 'pytorch'
  /** Multiplies what calls give. */
  readonly scale?: number
}

/** One step and rank that is being dumped. */
export class Dumping {
  dir: string
  readonly #options: Required<DumpingOptions>
  readonly #calls: Written[] = []
  readonly #parents: Record<string, string | null> = {}
  #ms = 0

  constructor(dir: string, options: DumpingOptions = {}) {
    this.dir = dir
    this.#options = { task: 'tensor', framework: 'mindspore', scale: 1, ...options }
    this.#folders()
    this.flush()
  }

  #folders(): void {
    mkdirSync(this.#options.task === 'tensor' ? path.join(this.dir, 'dump_tensor_data') : this.dir, {
      recursive: true,
    })
  }

  /** Inputs are written before a call runs. */
  input(name: string, values: readonly number[] = [1, 2]): this {
    this.#calls.push({ name, parts: { input: [this.#tensor(`${name}.input.0`, values)], output: null } })
    return this
  }

  output(name: string, values: readonly number[] = [3, 4]): this {
    const call = this.#calls.find(one => one.name === name)
    if (!call) throw new RangeError(`${name} was not called`)
    call.parts.output = [
      this.#tensor(
        `${name}.output.0`,
        values.map(value => value * this.#options.scale),
      ),
    ]
    return this
  }

  call(name: string, values?: readonly number[]): this {
    return this.input(name, values).output(name, values)
  }

  calls(count: number, from = 0): this {
    for (let i = from; i < from + count; i++) this.call(`Functional.relu.${i}.forward`, [i, i + 1])
    return this
  }

  /** The text of dump.json as it would be written now. */
  text(): string {
    const { task, framework } = this.#options
    const data = this.#calls.map(({ name, parts }) => {
      const list = (leaves: readonly string[]): string => `[\n    ${leaves.join(',\n    ')}\n   ]`
      const output = parts.output ? `,\n   "output": ${list(parts.output)}` : ''
      return `\n  "${name}": {\n   "input_args": ${list(parts.input)},\n   "input_kwargs": {}${output}\n  }`
    })
    const folder = task === 'tensor' ? JSON.stringify(path.join(this.dir, 'dump_tensor_data')) : 'null'
    return `{\n "task": "${task}",\n "level": "mix",\n "framework": "${framework}",\n "dump_data_dir": ${folder},\n "data": {${data.join(',')}\n }\n}`
  }

  /** Writes all files anew; `bytes`: it is looked at when so much of dump.json is there. */
  flush(bytes?: number): this {
    const text = this.text()
    this.#write('dump.json', bytes === undefined ? text : text.slice(0, bytes))
    if (bytes !== undefined) return this
    for (const { name } of this.#calls) this.#parents[name] ??= null
    this.#write('construct.json', JSON.stringify(this.#parents, null, 1))
    this.#write('stack.json', '{}')
    return this
  }

  rename(name: string): this {
    const to = path.join(path.dirname(this.dir), name)
    renameSync(this.dir, to)
    this.dir = to
    return this
  }

  vanish(): void {
    rmSync(this.dir, { recursive: true })
  }

  #tensor(name: string, values: readonly number[]): string {
    const { task, framework } = this.#options
    const type = framework === 'mindspore' ? 'mindspore.Tensor' : 'torch.Tensor'
    const dtype = framework === 'mindspore' ? 'Float32' : 'torch.float32'
    const [max, min] = [Math.max(...values), Math.min(...values)]
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const file = `${name}.npy`
    if (task === 'tensor')
      this.#write(
        path.join('dump_tensor_data', file),
        npyBytes({ descr: '<f4', shape: [values.length], data: f32(...values) }),
      )
    const leaf = {
      type,
      dtype,
      shape: [values.length],
      Max: max,
      Min: min,
      Mean: mean,
      Norm: Math.hypot(...values),
      ...(task === 'tensor' && { data_name: file }),
    }
    // Python writes floats with a point.
    return JSON.stringify(leaf).replace(/"(Max|Min|Mean|Norm)":(-?\d+)(?=[,}])/g, '"$1":$2.0')
  }

  /** Times of files follow each other by a millisecond, as on a system that tells them apart. */
  #write(name: string, data: string | Uint8Array): void {
    const file = path.join(this.dir, name)
    writeFileSync(file, data)
    const at = (Date.now() + this.#ms++) / 1000
    utimesSync(file, at, at)
    // A folder is as new as what was put into it last.
    utimesSync(path.dirname(file), at, at)
  }
}

// Writes what a machine kept in the form of a msprobe dump.
import type { Entry, Machine, Snapshot, Value } from './machine.ts'
import { checksum, statistics, type Precision, type Tensor } from './numbers.ts'

export type Task = 'statistics' | 'md5' | 'tensor'
export type Level = 'L0' | 'L1' | 'mix'

const dtypes: Record<'pt' | 'ms', Record<Precision | 'whole', string>> = {
  pt: { fp32: 'torch.float32', bf16: 'torch.bfloat16', fp16: 'torch.float16', whole: 'torch.int64' },
  ms: { fp32: 'Float32', bf16: 'BFloat16', fp16: 'Float16', whole: 'Int64' },
}

/** Files of one rank folder, by their path below it. */
export function dumpFiles(m: Machine, task: Task, level: Level): Record<string, string | Uint8Array> {
  const { style } = m.setup
  const files: Record<string, string | Uint8Array> = {}
  const leaf = (snap: Snapshot, name: string): string => {
    const { t } = snap
    const s = statistics(t)
    const dtype = dtypes[style][t.whole ? 'whole' : snap.as]
    const parts = [
      `"type": "${style === 'pt' ? 'torch' : 'mindspore'}.Tensor"`,
      `"dtype": "${dtype}"`,
      `"shape": [${t.shape.join(', ')}]`,
      `"Max": ${float(s.Max)}`,
      `"Min": ${float(s.Min)}`,
      `"Mean": ${float(s.Mean)}`,
      `"Norm": ${float(s.Norm)}`,
    ]
    if (style === 'pt') parts.push(`"requires_grad": ${snap.needs}`)
    if (task === 'md5') parts.push(`"md5": "${checksum(t)}"`)
    if (task === 'tensor') {
      const file = `${name}.npy`
      parts.push(`"data_name": "${file}"`)
      files[`dump_tensor_data/${file}`] = npy(t)
    }
    return `{${parts.join(', ')}}`
  }
  const value = (v: Value, name: string): string => {
    if (v === null) return 'null'
    if (Array.isArray(v)) return `[${v.map((one, k) => value(one as Value, `${name}.${k}`)).join(', ')}]`
    if ('t' in v) return leaf(v, name)
    if ('scalar' in v)
      return `{"type": "${v.type}", "value": ${v.type === 'float' ? float(Number(v.scalar)) : JSON.stringify(v.scalar)}}`
    return 'null'
  }
  const part = (entry: Entry, name: string): string => {
    const given = entry.parts[name]
    const word = (
      {
        input_args: 'input',
        input_kwargs: 'kwargs',
        input: 'input',
        output: 'output',
        parameters: 'parameters',
      } as Record<string, string>
    )[name]
    const base = word === undefined ? `${entry.key}.${name}` : `${entry.key}.${word}`
    if (word === undefined) return `[${(given as readonly Value[]).map(v => value(v, base)).join(', ')}]`
    if (Array.isArray(given)) return value(given as readonly Value[], base)
    return `{${Object.entries(given as Record<string, Value>)
      .map(([k, v]) => `"${k}": ${value(v, `${base}.${k}`)}`)
      .join(', ')}}`
  }
  const data = m.entries.map(
    entry =>
      `  "${entry.key}": {${Object.keys(entry.parts)
        .map(name => `"${name}": ${part(entry, name)}`)
        .join(', ')}}`,
  )
  // Tensors of the PyTorch dialect are written as .npy by MindTorch.
  const framework = style === 'ms' ? 'mindspore' : task === 'tensor' ? 'mindtorch' : 'pytorch'
  files['dump.json'] =
    `{\n "task": "${task === 'tensor' ? 'tensor' : 'statistics'}", "level": "${level}", "framework": "${framework}", "dump_data_dir": null,\n "data": {\n${data.join(',\n')}\n }\n}\n`
  files['construct.json'] = JSON.stringify(
    level === 'L1'
      ? {}
      : Object.fromEntries(m.entries.filter(e => e.key in m.construct).map(e => [e.key, m.construct[e.key]])),
  )
  files['stack.json'] = JSON.stringify(
    Object.fromEntries(
      m.entries
        .filter(e => /forward/.test(e.key))
        .map(e => [e.key, [`File /model/train.py, line ${e.key.length}, in forward, \n y = f(x)`]]),
    ),
  )
  return files
}

/** As Python's json module prints a float. */
function float(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  const text = String(value)
  return /[.e]/.test(text) ? text.replace(/e([+-])(\d)$/, 'e$10$2') : `${text}.0`
}

function npy(t: Tensor): Uint8Array {
  const shape = t.shape.length === 1 ? `(${t.shape[0]},)` : `(${t.shape.join(', ')})`
  const body = t.whole
    ? new Uint8Array(BigInt64Array.from(t.data, v => BigInt(v)).buffer)
    : new Uint8Array(Float32Array.from(t.data).buffer)
  let header = `{'descr': '${t.whole ? '<i8' : '<f4'}', 'fortran_order': False, 'shape': ${shape}, }`
  header = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + '\n'
  const bytes = new Uint8Array(10 + header.length + body.length)
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8])
  bytes.set(new TextEncoder().encode(header), 10)
  bytes.set(body, 10 + header.length)
  return bytes
}

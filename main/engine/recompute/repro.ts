// A call as a program of its own: its inputs as npy files, and a script that runs it on the CPU and on a device.
import { isArray, isObject, JsonReader } from '../json/index.ts'
import { type DtypeName, inFolder } from '../formats/index.ts'
import type { QuickFiles } from '../io/index.ts'
import { type Argument, argumentOf, isList, isNumber, isTensor } from './arguments.ts'
import type { CallOrder } from './call.ts'
import { npyBytes } from './npy.ts'
import { readArray } from './read.ts'
import { Unsupported } from './unsupported.ts'

export interface ReproFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Names go into a script: nothing but names may come through. */
const identifier = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/

const places: Readonly<Record<'pytorch' | 'mindspore', Readonly<Record<string, string>>>> = {
  pytorch: {
    Functional: 'torch.nn.functional',
    Torch: 'torch',
    NPU: 'torch_npu',
    Aten: 'torch.ops.aten',
    VF: 'torch._VF',
  },
  mindspore: {
    Functional: 'mindspore.ops',
    Mint: 'mindspore.mint',
    MintFunctional: 'mindspore.mint.nn.functional',
  },
}

/** Arguments as Python writes them; tensors become files. */
class Writer {
  readonly files: ReproFile[] = []
  readonly #read: QuickFiles
  readonly #order: CallOrder
  readonly #library: string

  constructor(files: QuickFiles, order: CallOrder) {
    this.#read = files
    this.#order = order
    this.#library = order.mindspore ? 'mindspore' : 'torch'
  }

  python(value: Argument, name: string): string {
    if (value === null) return 'None'
    if (typeof value === 'string') return JSON.stringify(value)
    if (isList(value)) {
      const parts = value.map((one, i) => `${this.python(one, `${name}.${i}`)},`)
      return `(${parts.join(' ')})`
    }
    if (isTensor(value)) return this.#tensor(value.file, value.dtype, name)
    if (isNumber(value)) return numberText(value.value, value.kind)
    if (value.is === 'slice') return `slice(${value.range.map(one => one ?? 'None').join(', ')})`
    if (value.is === 'ellipsis') return '...'
    if (value.is === 'dtype') return `${this.#library}.${value.dtype}`
    throw new Unsupported('arguments', `${name}: ${value.type}`)
  }

  #tensor(file: string, dtype: DtypeName, name: string): string {
    const path = inFolder(this.#order.folder, file)
    if (path === '') throw new Unsupported('noData', name)
    const values = readArray(this.#read, { file: path, dtype })
    this.files.push({ name: `${name}.npy`, bytes: npyBytes({ ...values, dtype, item: name }) })
    return `load("${name}.npy", ${this.#library}.${dtype})`
  }
}

function numberText(value: number, kind: string): string {
  if (kind === 'bool') return value === 0 ? 'False' : 'True'
  if (!Number.isFinite(value)) return `float("${value}")`
  return kind === 'float' && Number.isInteger(value) ? value.toFixed(1) : String(value)
}

/** The files of a repro; refuses calls whose arguments were not recorded. */
export function reproOf(files: QuickFiles, order: CallOrder): readonly ReproFile[] {
  const { call, type, path, mindspore, forward } = order
  if (forward === '') throw new Unsupported('noForward', call)
  if (!identifier.test(path) || !identifier.test(type)) throw new Unsupported('arguments', path)
  if (type === 'Primitive') throw new Unsupported('attributes', path)
  const entry = new JsonReader(new TextEncoder().encode(forward)).value()
  if (!isObject(entry)) throw new Unsupported('arguments', 'entry')
  const writer = new Writer(files, order)
  const given = entry.get('input_args') ?? null
  const positional = isArray(given) ? given.map((one, i) => writer.python(argumentOf(one), `input.${i}`)) : []
  const named = entry.get('input_kwargs') ?? null
  const keywords = isObject(named)
    ? [...named].map(([key, value]) => {
        if (!identifier.test(key)) throw new Unsupported('arguments', key)
        return `${key}=${writer.python(argumentOf(value), `kwarg.${key}`)}`
      })
    : []
  const place = places[mindspore ? 'mindspore' : 'pytorch'][type]
  if (place === undefined && type !== 'Tensor') throw new Unsupported('unsupported', type)
  const [self = '', ...rest] = positional
  const run =
    place === undefined
      ? `${self}.${path}(${[...rest, ...keywords].join(', ')})`
      : `${place}.${path}(${[...positional, ...keywords].join(', ')})`
  const script = mindspore ? mindsporeScript(call, run) : torchScript(call, run)
  return [...writer.files, { name: 'repro.py', bytes: new TextEncoder().encode(script) }]
}

const torchScript = (
  call: string,
  run: string,
): string => `# ${call} on the CPU and on a device: python repro.py [npu|cuda|cpu]
import os, sys
import numpy, torch
os.chdir(os.path.dirname(os.path.abspath(__file__)))
device = sys.argv[1] if len(sys.argv) > 1 else "npu"
if device == "npu":
    import torch_npu
def results(where):
    def load(name, dtype):
        return torch.from_numpy(numpy.load(name)).to(dtype).to(where)
    value = ${run}
    return value if isinstance(value, (tuple, list)) else (value,)
for i, (cpu, other) in enumerate(zip(results("cpu"), results(device))):
    if isinstance(cpu, torch.Tensor):
        a, b = cpu.to(torch.complex128), other.cpu().to(torch.complex128)
        off = (a - b).abs()[~((a == b) | (a.isnan() & b.isnan()))]
        print(f"output {i}: largest difference {max(off.tolist(), default=0):.6g}, elements that differ {off.numel()} of {a.numel()}")
`

/** A process of MindSpore keeps its device, so that each result is made in one of its own. */
const mindsporeScript = (
  call: string,
  run: string,
): string => `# ${call} on the CPU and on a device: python repro.py [Ascend|GPU|CPU]
import os, subprocess, sys
import numpy
os.chdir(os.path.dirname(os.path.abspath(__file__)))
device, *into = sys.argv[1:] or ["Ascend"]
if into:
    import mindspore
    mindspore.set_device(device)
    def load(name, dtype):
        return mindspore.Tensor(numpy.load(name)).astype(dtype)
    value = ${run}
    values = value if isinstance(value, (tuple, list)) else (value,)
    numpy.savez(into[0], *[one.astype(mindspore.float64).asnumpy() if isinstance(one, mindspore.Tensor) else one for one in values])
    sys.exit()
for where in ("CPU", device):
    subprocess.run([sys.executable, "repro.py", where, f"{where}.npz"], check=True)
numpy.seterr(invalid="ignore")
for name, a in numpy.load("CPU.npz").items():
    b = numpy.load(f"{device}.npz")[name]
    off = numpy.abs(a - b)[~((a == b) | ((a != a) & (b != b)))]
    print(f"output {name[4:]}: largest difference {off.max(initial=0):.6g}, elements that differ {off.size} of {a.size}")
`

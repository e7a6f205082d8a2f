// One tensor as torch.load reads it: a zip that holds a pickle of its description and its elements as they are.
import { type Sink, storedZip } from '../../io/index.ts'
import { numpyType, writtenBytes } from './npy-writer.ts'
import { cStrides, type TensorLayout } from './tensor.ts'

type Written = ReturnType<typeof numpyType>

/** Types that PyTorch has had storages of from the start. */
const storages: Readonly<Partial<Record<Written, string>>> = {
  float16: 'HalfStorage',
  float32: 'FloatStorage',
  float64: 'DoubleStorage',
  int8: 'CharStorage',
  int16: 'ShortStorage',
  int32: 'IntStorage',
  int64: 'LongStorage',
  uint8: 'ByteStorage',
  bool: 'BoolStorage',
  complex64: 'ComplexFloatStorage',
  complex128: 'ComplexDoubleStorage',
}

/** Takes the elements piece by piece; `close` ends the file. */
export function ptSink(
  sink: Pick<Sink, 'write' | 'close'>,
  layout: Pick<TensorLayout, 'dtype' | 'shape' | 'size'>,
): Pick<Sink, 'write' | 'close'> {
  const zip = storedZip(sink)
  const add = (name: string, bytes: Uint8Array): void => {
    const member = zip.begin(`archive/${name}`)
    member.write(bytes)
    member.close()
  }
  add('data.pkl', described(layout))
  add('byteorder', bytesOf('little'))
  const elements = zip.begin('archive/data/0')
  return {
    write: elements.write,
    close() {
      elements.close()
      add('version', bytesOf('3\n'))
      zip.close()
    },
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

// ---------------------------------------- the pickle

const op = {
  protocol2: '\x80\x02',
  mark: '(',
  tuple: 't',
  emptyTuple: ')',
  call: 'R',
  byId: 'Q',
  no: '\x89',
  end: '.',
} as const

const global = (module: string, name: string): string => `c${module}\n${name}\n`
const word = (bytes: number, value: number): string =>
  String.fromCharCode(...Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256))
const text = (value: string): string => `X${word(4, value.length)}${value}`
/** Of eight bytes what does not fit into four. */
const whole = (value: number): string =>
  value < 2 ** 31 ? `J${word(4, value)}` : `\x8a\x08${word(8, value)}`
const tuple = (...items: readonly string[]): string => op.mark + items.join('') + op.tuple

function described({ dtype, shape, size }: Pick<TensorLayout, 'dtype' | 'shape' | 'size'>): Uint8Array {
  const type = numpyType(dtype)
  const known = storages[type]
  const storage = (kind: string, length: number): string =>
    tuple(text('storage'), kind, text('0'), text('cpu'), whole(length)) + op.byId
  const view = [whole(0), tuple(...shape.map(whole)), tuple(...cStrides(shape).map(whole)), op.no]
  const hooks = global('collections', 'OrderedDict') + op.emptyTuple + op.call
  const called = known
    ? global('torch._utils', '_rebuild_tensor_v2') +
      tuple(storage(global('torch', known), size), ...view, hooks)
    : // Later types stand behind bytes that have none.
      global('torch._utils', '_rebuild_tensor_v3') +
      tuple(
        storage(global('torch.storage', 'UntypedStorage'), size * writtenBytes(dtype)),
        ...view,
        hooks,
        global('torch', type),
      )
  return Uint8Array.from(op.protocol2 + called + op.call + op.end, char => char.charCodeAt(0))
}

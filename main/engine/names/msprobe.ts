// Names as msprobe writes them: `Module.net.fc.Linear.forward.0`, `Functional.relu.0.forward`,
// `Module.net.fc.Linear.parameters_grad`; items add a part and their place in it.
import { Direction, type NameGrammar, type OpName, State } from '../model/index.ts'

const gradients = /^(.*?)\.parameters_grad(?:\.(\d+))?$/s
const moduleCall = /^(.*)\.(forward|backward)\.(\d+)$/s
const apiCall = /^(.*)\.(\d+)\.(forward|backward)$/s
const ending = /\.(forward|backward|parameters_grad)(?:\.\d+)?$/
const turning = /\.(?:forward|backward)((?:\.\d+)?)$/
const moduleType = /^(?:Module|Cell)\./
const cellForm = /^(?:Cell|Module)\.(.+)\.(?:(?:forward|backward)\.\d+|parameters_grad)$/
const numberForm = /^\d+$/
const partForm = /^(.*?)\.(input|kwargs|output|parameters)\b(?:\..*)?$/s
const gradientsWord = '.parameters_grad'
const communicates = 'Distributed.'
const letterD = 'd'.charCodeAt(0)

const words = { [Direction.forward]: 'forward', [Direction.backward]: 'backward' } as const
const directions: Readonly<Record<string, Direction>> = {
  forward: Direction.forward,
  backward: Direction.backward,
  parameters_grad: Direction.gradients,
}
const states: Readonly<Record<string, State>> = {
  input: State.input,
  kwargs: State.input,
  output: State.output,
  parameters: State.parameters,
}

function opName(form: OpName['form'], owner: string, direction: Direction, call: number): OpName {
  const dot = owner.indexOf('.')
  const type = dot < 0 ? owner : owner.slice(0, dot)
  return {
    form,
    owner,
    type,
    path: dot < 0 ? '' : owner.slice(dot + 1),
    ofModule: type === 'Module' || type === 'Cell',
    direction,
    call,
  }
}

function parse(name: string): OpName {
  // Of all forms only calls of functions end in a word with this letter, besides gradients.
  if (name.charCodeAt(name.length - 1) === letterD) {
    const api = apiCall.exec(name)
    if (api) return opName('api', api[1], directions[api[3]], Number(api[2]))
  }
  const grad = name.includes(gradientsWord) ? gradients.exec(name) : null
  if (grad) return opName('gradients', grad[1], Direction.gradients, Number(grad[2] ?? 0))
  const module = moduleCall.exec(name)
  if (module) return opName('module', module[1], directions[module[2]], Number(module[3]))
  return opName('other', name, Direction.forward, 0)
}

/** `Functional.relu` of `Functional.relu.0.forward`. */
function api(name: string): string {
  const dot = name.indexOf('.')
  const end = dot < 0 ? -1 : name.indexOf('.', dot + 1)
  return end < 0 ? name : name.slice(0, end)
}

const word = (name: string): string => name.split('.', 2)[1] ?? ''

/** Modules end in attribute, class, direction and call number. */
function called(name: string, by: 'attribute' | 'class'): string {
  const parts = name.split('.')
  if (!moduleType.test(name) || (by === 'attribute' && parts.length < 5))
    return `${parts[1] ?? ''} ${parts.at(-1)}`
  return `${parts.at(by === 'attribute' ? -4 : -3) ?? ''} ${parts.at(-2)}`
}

/** A number in front is the index of the model. */
function isNested(name: string): boolean {
  const parts = name.split('.')
  const number = (i: number): boolean => numberForm.test(parts[i] ?? '')
  return (
    parts.length > 7 ||
    (parts.length === 7 && !(number(1) && number(3))) ||
    (parts.length === 6 && !number(1))
  )
}

function mayStandBelow(name: string, above: string): boolean {
  const [own, holder] = [name.split('.'), above.split('.')]
  return own.length < 5 || holder.length < 4 || own.slice(0, -4).join('.') === holder.slice(0, -3).join('.')
}

function item(name: string): { readonly op: string; readonly state: State } {
  const gradient = name.indexOf(gradientsWord)
  if (gradient >= 0)
    return { op: name.slice(0, gradient + gradientsWord.length), state: State.parametersGrad }
  const [, op = '', part = ''] = partForm.exec(name) ?? []
  return op === '' ? { op: name, state: State.input } : { op, state: states[part] }
}

function stateOf(op: string, name: string): State {
  if (gradients.test(op)) return State.parametersGrad
  const [, part] =
    /^\.(input|kwargs|output|parameters)\b/.exec(name.startsWith(op) ? name.slice(op.length) : '') ?? []
  if (part !== undefined) return states[part]
  if (name.includes('.output.') && !name.includes('.input.')) return State.output
  return name.includes('.parameters.') ? State.parameters : State.input
}

function withoutCalls(name: string, direction: 'forward' | 'backward'): string | null {
  const [head, tail] = name.split(direction)
  if (head === undefined || tail === undefined) return null
  return head.split('.').slice(0, -2).join('.') + tail
}

function aroundBackwardCall(name: string): readonly [string, string] | null {
  const found = /^(.*\.)\d+(\.backward)$/.exec(name) ?? /^(.*\.backward\.)\d+()$/.exec(name)
  return found && [found[1], found[2]]
}

export const msprobeNames: NameGrammar = {
  id: 'msprobe',
  beginnings: [
    ...['Module', 'Cell'].map(beginning => ({ word: beginning, is: 'module' as const, more: true })),
    ...['optimizer', 'clip_grad', 'DefaultModel'].map(beginning => ({
      word: beginning,
      is: 'module' as const,
      more: false,
    })),
    ...[
      'Tensor',
      'Torch',
      'Functional',
      'NPU',
      'VF',
      'Distributed',
      'Aten',
      'Mint',
      'Primitive',
      'Jit',
      'MindSpeed',
    ].map(beginning => ({ word: beginning, is: 'api' as const, more: true })),
  ],
  parse,
  direction(name) {
    const found = ending.exec(name)
    return found && directions[found[1]]
  },
  turned: (name, to) => name.replace(turning, `.${words[to]}$1`),
  turnedThroughout: (name, to) =>
    name.replaceAll(words[to === Direction.forward ? Direction.backward : Direction.forward], words[to]),
  moduleCall: (owner, direction, call) => `${owner}.${words[direction]}.${call}`,
  communication: name => (name.startsWith(communicates) ? word(name) : null),
  api,
  word,
  attribute: name => name.split('.').at(-4) ?? '',
  called,
  cell: name => cellForm.exec(name)?.[1],
  isNested,
  mayStandBelow,
  item,
  stateOf,
  withoutCalls,
  withoutNumbers: name => name.replace(/\.\d+\./g, '.'),
  aroundBackwardCall,
}

// Names as TensorFlow and GE write them: `LeNet/conv1/Conv2D`, its scopes `LeNet/conv1/`; items add a part and
// their place in it: `LeNet/conv1/Conv2D.output.0`.
import { Direction, type NameGrammar, type OpName, State } from '../model/index.ts'

const partForm = /^(.*)\.(input|output)\.\d+$/s
/** TensorFlow counts what is called alike: `Mul`, `Mul_1`. */
const numberForm = /_(\d+)$/
const communicates = /^(?:Hcom|hcom|Horovod)/

/** Scopes of a sub-graph begin with the name of the op that calls it, and this. */
export const bodyMark = '//'

function parse(name: string): OpName {
  const isScope = name.endsWith('/')
  const number = isScope ? null : numberForm.exec(name)
  const bare = isScope ? name.replace(/\/+$/, '') : name.slice(0, number?.index ?? name.length)
  const owner = bare.replaceAll('/', '.')
  const dot = owner.indexOf('.')
  return {
    form: isScope ? 'module' : 'api',
    owner,
    type: dot < 0 ? owner : owner.slice(0, dot),
    path: dot < 0 ? '' : owner.slice(dot + 1),
    ofModule: isScope,
    direction: Direction.forward,
    call: Number(number?.[1] ?? 0),
  }
}

const word = (name: string): string => parse(name).owner.split('.').at(-1) ?? ''

function item(name: string): { readonly op: string; readonly state: State } {
  const [, op = name, part = 'input'] = partForm.exec(name) ?? []
  return { op, state: part === 'output' ? State.output : State.input }
}

/** The name below the scope around it; a body is called after its op. */
function label(name: string, above: string): string {
  const own = above !== '' && name.startsWith(above) ? name.slice(above.length) : name
  return own.replace(/^\/+|\/+$/g, '') || name
}

/** Nothing in these names tells forward from backward, and nothing is called twice under one name. */
export const geNames: NameGrammar = {
  id: 'ge',
  beginnings: [],
  moduleEnd: '/',
  label,
  parse,
  direction: () => null,
  turned: name => name,
  turnedThroughout: name => name,
  moduleCall: owner => owner,
  communication: name => (communicates.test(word(name)) ? word(name) : null),
  api: name => parse(name).owner,
  word,
  attribute: word,
  called: word,
  cell: () => undefined,
  isNested: () => false,
  mayStandBelow: () => true,
  item,
  stateOf: (_, name) => item(name).state,
  withoutCalls: () => null,
  withoutNumbers: name => parse(name).owner,
  aroundBackwardCall: () => null,
}

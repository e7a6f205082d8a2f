// Names of tensors and modules as checkpoints and tools outside msprobe write them: `model.layers.0.mlp.up_proj`, scopes
// `model.layers.`; items add a part and their place in it.
import { Direction, type NameGrammar, type OpName, State } from '../model/index.ts'
import { geNames } from './ge.ts'

const partForm = /^(.*)\.(input|output)\.[^.]+$/s

/** What dumps that know of the backward pass put behind the names of its calls. */
export const backwardEnd = '.backward'

function parse(name: string): OpName {
  const isScope = /[./]$/.test(name)
  const isBackward = name.endsWith(backwardEnd)
  const bare = isBackward ? name.slice(0, -backwardEnd.length) : name
  const owner = dotted(isScope ? bare.replace(/[./]+$/, '') : bare)
  const dot = owner.indexOf('.')
  return {
    form: isScope ? 'module' : 'api',
    owner,
    type: dot < 0 ? owner : owner.slice(0, dot),
    path: dot < 0 ? '' : owner.slice(dot + 1),
    ofModule: isScope,
    direction: isBackward ? Direction.backward : Direction.forward,
    call: 0,
  }
}

const word = (name: string): string => parse(name).owner.split('.').at(-1) ?? ''

function item(name: string): { readonly op: string; readonly state: State } {
  const [, op = name, part = 'input'] = partForm.exec(name) ?? []
  return { op, state: part === 'output' ? State.output : State.input }
}

const dotted = (name: string): string => name.replaceAll('/', '.')

/** The name below the scope around it. */
function label(name: string, above: string): string {
  const isBelow = above !== '' && dotted(name).startsWith(dotted(above))
  const own = isBelow ? name.slice(above.length) : name
  return own.replace(/[./]+$/, '') || name
}

/** The scopes around a name, outermost first. */
export function scopesOf(name: string): readonly string[] {
  return [...name.matchAll(/[./](?=.)/g)]
    .map(found => name.slice(0, found.index + 1))
    .filter(scope => scope.length > 1)
}

/** Nothing is called twice under one name. */
export const dottedNames: NameGrammar = {
  ...geNames,
  id: 'dotted',
  moduleEnd: '.',
  label,
  parse,
  communication: () => null,
  api: name => parse(name).owner,
  word,
  attribute: word,
  called: word,
  item,
  stateOf: (_, name) => item(name).state,
  withoutNumbers: name => name.replace(/(?<=[./])\d+(?=[./])/g, ''),
}

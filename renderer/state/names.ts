// Parts of the names that dumps give to nodes: `Cell.model.layers.0.Dense.forward.0`, `Mint.add.3.backward`.
interface NameParts {
  /** The telling end, without direction. */
  readonly short: string
  /** A module's whole path below the model, without its class; an API's name. */
  readonly long: string
  readonly backward: boolean
  /** `forward.0`, `backward`, '' when the name says nothing. */
  readonly call: string
}

const direction = /\.(forward|backward)(?:\.(\d+))?(?=\.|$)/

export function nameParts(name: string): NameParts {
  const found = direction.exec(name)
  const base = found ? name.slice(0, found.index) : name
  const parts = base.split('.')
  const module = /^(?:Cell|Module)$/.test(parts[0] ?? '')
  const body = module ? parts.slice(1) : parts
  const below =
    /^(?:module|model|network|net|backbone)$/i.test(body[0] ?? '') && body.length > 2 ? body.slice(1) : body
  const long = (
    module && below.length > 1 && /^[A-Z]/.test(below.at(-1) ?? '') ? below.slice(0, -1) : below
  ).join('.')
  return {
    short: (module ? lastOf(body) : body).join('.') || name,
    long: long || name,
    backward: found?.[1] === 'backward',
    call: found ? name.slice(found.index + 1) : '',
  }
}

/** A module and its class; one that is only numbered keeps the name of its list. */
const lastOf = (body: readonly string[]): readonly string[] =>
  body.slice(/^\d+$/.test(body.at(-2) ?? '') ? -3 : -2)

/** Names of calls as short as they can be told apart by; the whole names are in titles. */
export const shortName = (text: string): string =>
  /\.(?:forward|backward)\b/.test(text) ? nameParts(text).long : text

/** The bare name of an API, as lists of the pre-check want it: `conv2d`; null for a module. */
export const apiOf = (name: string): string | null =>
  /^(?!Cell\.|Module\.)\w+\.(?:\w+\.)*?(\w+)\.\d+\.(?:forward|backward)\b/.exec(name)?.[1] ?? null

/** What stands in a breadcrumb: the own part of a name below its parent. */
export function crumb(name: string): string {
  if (name.endsWith('/')) return name.split('/').findLast(part => part !== '') ?? name
  const { short } = nameParts(name)
  const parts = short.split('.')
  return parts.length > 1 && /^[A-Z]/.test(parts.at(-1) ?? '') ? lastOf(parts).join('.') : short
}

const gradient = /\.(parameters_grad\..+)$/

/**
 * Item names are node names with a part below: `….forward.0.input.0`. Gradients of parameters are named by their
 * module.
 */
export const itemOf = (item: string, node: string): string =>
  item.startsWith(`${node}.`) ? item.slice(node.length + 1) : (gradient.exec(item)?.[1] ?? item)

export const folderName = (path: string): string => path.split(/[\\/]/).findLast(part => part !== '') ?? path

/** Node of an item's name. */
export const nodeOfItem = (item: string): string =>
  item.replace(/\.(?:input|output|kwargs|parameters)\..*$/, '').replace(/\.(parameters_grad)\..*$/, '.$1')

// The stack lines that a graph file shows for a node: the one telling line, or all of them.
import { ruleSets } from '../rules/index.ts'
import { Direction, type Dump, type NameGrammar, type NodeRow, type Rules } from '../model/index.ts'
import { NodeKind, nodeName, type Graph } from './graph.ts'

const template = /\b[A-Z][A-Za-z]*Template\(/

/** Stack lines per node; `full` keeps all lines. Equal answers are the same array. */
export function stackLines(
  graph: Graph,
  dump: Dump,
  rules: Rules,
  full: boolean,
): (node: NodeRow) => readonly string[] {
  const none: readonly string[] = []
  const kept = new Map<number, Map<string, readonly string[]>>()
  const frames = new Map<number, readonly string[]>()
  const follow = ruleSets[rules].graph.stackFromForward

  return node => {
    let stack = dump.stacks.of(graph.name[node])
    if (stack < 0 && follow && graph.kind[node] !== NodeKind.group) {
      const twin = forwardTwin(graph.names, nodeName(graph, node))
      const code = twin === '' ? -1 : dump.texts.findPlain(twin)
      if (code >= 0) stack = dump.stacks.of(code)
    }
    if (stack < 0) return none
    const isApi = graph.kind[node] === NodeKind.api
    const attribute = full || isApi ? '' : graph.names.attribute(nodeName(graph, node))
    const key = full || isApi ? '' : `.${attribute}`
    let shownOf = kept.get(stack)
    if (!shownOf) kept.set(stack, (shownOf = new Map()))
    const known = shownOf.get(key)
    if (known) return known
    let lines = frames.get(stack)
    if (!lines) frames.set(stack, (lines = dump.stacks.frames(stack)))
    const telling = isApi ? afterTemplate(lines) : callOf(lines, attribute)
    const shown = full ? lines : telling
    shownOf.set(key, shown)
    return shown
  }
}

/** Backward calls have no stack of their own: a module shows its first forward call, an API its own. */
function forwardTwin(names: NameGrammar, id: string): string {
  if (names.direction(id) !== Direction.backward) return ''
  const { form, owner } = names.parse(id)
  return form === 'module'
    ? names.moduleCall(owner, Direction.forward, 0)
    : names.turned(id, Direction.forward)
}

/** The line that calls the module by its name. */
function callOf(lines: readonly string[], attribute: string): readonly string[] {
  const call = `${attribute}(`
  const at = call === '(' ? -1 : lines.findIndex(line => line.includes(call))
  return at < 0 ? lines : [lines[at]]
}

/** The line that called the API's wrapper. */
function afterTemplate(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex(line => template.test(line))
  return at < 0 || at + 1 >= lines.length ? lines : [lines[at + 1]]
}

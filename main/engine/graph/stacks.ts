// The stack lines that a graph file shows for a node: the one telling line, or all of them.
import type { Dump } from '../dump.ts'
import type { Rules } from '../model.ts'
import { NodeKind, nodeName, type Graph } from './graph.ts'
import { graphRules } from './rules.ts'

const template = /\b[A-Z][A-Za-z]*Template\(/

/** Stack lines per node; `full` keeps all lines. Equal answers are the same array. */
export function stackLines(graph: Graph, dump: Dump, rules: Rules, full: boolean): (node: number) => readonly string[] {
  const none: readonly string[] = []
  const kept = new Map<number, Map<string, readonly string[]>>()
  const frames = new Map<number, readonly string[]>()
  const follow = graphRules[rules].stackFromForward

  return node => {
    let stack = dump.stacks.of(graph.name[node])
    if (stack < 0 && follow && graph.kind[node] !== NodeKind.group) {
      const twin = forwardTwin(nodeName(graph, node))
      const code = twin === '' ? -1 : dump.texts.findPlain(twin)
      if (code >= 0) stack = dump.stacks.of(code)
    }
    if (stack < 0) return none
    const isApi = graph.kind[node] === NodeKind.api
    const id = full || isApi ? '' : nodeName(graph, node)
    const key = id === '' ? '' : `.${attributeOf(id)}`
    let shownOf = kept.get(stack)
    if (!shownOf) kept.set(stack, (shownOf = new Map()))
    const known = shownOf.get(key)
    if (known) return known
    let lines = frames.get(stack)
    if (!lines) frames.set(stack, (lines = dump.stacks.frames(stack)))
    const shown = full ? lines : isApi ? afterTemplate(lines) : callOf(lines, id)
    shownOf.set(key, shown)
    return shown
  }
}

/** Backward calls have no stack of their own: a module shows its first forward call, an API its own. */
export function forwardTwin(id: string): string {
  if (id.endsWith('.backward')) return `${id.slice(0, -'backward'.length)}forward`
  const module = /\.backward\.\d+$/.exec(id)
  return module ? `${id.slice(0, module.index)}.forward.0` : ''
}

/** The name by which a module is called: the fourth part from the end. */
const attributeOf = (id: string): string => id.split('.').at(-4) ?? ''

/** The line that calls the module by its name. */
function callOf(lines: readonly string[], id: string): readonly string[] {
  const call = `${attributeOf(id)}(`
  const at = call === '(' ? -1 : lines.findIndex(line => line.includes(call))
  return at < 0 ? lines : [lines[at]]
}

/** The line that called the API's wrapper. */
function afterTemplate(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex(line => template.test(line))
  return at < 0 || at + 1 >= lines.length ? lines : [lines[at + 1]]
}

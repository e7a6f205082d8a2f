// Scope and list: which names they may hold, and which calls of a dump they hit.
import type { Value } from './python-json.ts'
import type { Reading } from './reading.ts'
import { apiPrefixes } from './schema.ts'
import { namedRow } from '../model/index.ts'

const apiName = new RegExp(`^(?:${apiPrefixes.join('|')})\\..*\\.\\d+\\.(?:forward|backward)\\n?$`)
const moduleName = /^(?:Cell|Module)\..*\.(?:forward|backward)\.\d+\n?$/

export const isModuleName = (name: string): boolean => name.startsWith('Module.') || name.startsWith('Cell.')

type Form = 'api' | 'module' | 'both' | 'any'
const forms: Readonly<Record<string, Form>> = { L1: 'api', L0: 'module', mix: 'both' }

const fits = (name: string, form: Form): boolean =>
  form === 'any' || (form !== 'module' && apiName.test(name)) || (form !== 'api' && moduleName.test(name))

const examples: Readonly<Record<Form, string>> = {
  api: 'Functional.linear.0.forward',
  module: 'Module.layer1.Linear.forward.0',
  both: 'Functional.linear.0.forward, Module.layer1.Linear.forward.0',
  any: '',
}

/** What the two names of a scope must be, and that no list of another kind stands beside them. */
export function scopeFindings(reading: Reading, level: string): void {
  const { say, task } = reading
  const scope = reading.key('scope')
  const list = reading.key('list')
  if (!scope?.truthy && !list?.truthy) return
  if (list?.truthy && (list.kind !== 'list' || list.items.some(one => one.kind !== 'text')))
    say(list, 'error', 'not-text-list', { key: `${task}.list`, found: list.text })
  const free = task === 'free_benchmark'
  if (free && scope?.truthy && list?.truthy) say(scope, 'error', 'scope-and-list', {})
  if (!scope?.truthy) return
  const asText = scope.kind === 'text'
  if (!asText && (scope.kind !== 'list' || scope.items.some(one => one.kind !== 'text'))) {
    say(scope, 'error', 'not-text-list', { key: `${task}.scope`, found: scope.text })
    return
  }
  if (free) return
  if (reading.target.version === '1.0') {
    firstScope(reading, scope, level)
    return
  }
  if (scope.items.length !== 2) {
    say(scope, 'error', 'scope-two', { count: asText ? 1 : scope.items.length })
    return
  }
  const form = namedRow(forms, level) ?? 'any'
  for (const item of scope.items)
    if (!fits(item.text, form)) say(item, 'error', 'scope-name', { name: item.text, form: examples[form] })
  const kinds = new Set(scope.items.map(one => isModuleKind(one.text)))
  if (level !== 'mix' && kinds.size > 1) say(scope, 'error', 'scope-mixed', {})
}

/** Version 1.0 takes any names, one for from and to alike, and finds nothing by those that are none. */
function firstScope({ say }: Reading, scope: Value, level: string): void {
  const names = scope.kind === 'text' ? [scope] : scope.items
  if (names.length > 2) say(scope, 'error', 'scope-two', { count: names.length })
  if (level === 'L2') return
  const form = forms[level] ?? 'any'
  for (const item of names)
    if (!fits(item.text, form)) say(item, 'warning', 'scope-name', { name: item.text, form: examples[form] })
  const kinds = new Set(names.map(one => one.text.split('.')[0] === 'Module'))
  if (kinds.size > 1) say(scope, 'error', 'scope-one-kind', {})
}

const isModuleKind = (name: string): boolean => ['Module', 'Cell'].includes(name.split('.')[0])

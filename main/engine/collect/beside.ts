// What an earlier dump of the model says of a config.json: what it hits, and what of it hits nothing.
import type { CollectTarget, ConfigCheck, ConfigDiagnostic, ConfigHits, Dump, Span } from '../model/index.ts'
import { checkConfig } from './check.ts'
import { found } from './findings.ts'
import { hitsOf } from './hits.ts'
import { parseConfig, type Value } from './python-json.ts'

/** Above so much per step and rank a dump is worth a second thought. */
const large = 50e9

export interface BesideDump {
  readonly check: ConfigCheck
  /** Null where the tool would raise, or where nothing of a dump says what is hit. */
  readonly hits: ConfigHits | null
}

export function checkBeside(text: string, target: CollectTarget, dump: Dump): BesideDump {
  const check = checkConfig(text, target)
  const { effect } = check
  if (!effect || effect.task === 'grad_probe' || (effect.level === 'L2' && target.mode !== 'pytorch'))
    return { check, hits: null }
  const hits = hitsOf(dump, effect)
  const { root } = parseConfig(text)
  const section = root?.members.get(effect.task)?.value
  const more = root ? findingsOf(section, root, hits) : []
  const diagnostics = [...check.diagnostics, ...more].toSorted((a, b) => a.from - b.from)
  return { check: { ...check, diagnostics }, hits }
}

function findingsOf(section: Value | undefined, whole: Span, hits: ConfigHits): readonly ConfigDiagnostic[] {
  const out: ConfigDiagnostic[] = []
  const of = (key: string): Value | undefined => section?.members.get(key)?.value
  const missing = new Set(hits.missing)
  const scope = of('scope')
  const list = of('list')
  for (const item of scope?.items ?? [])
    if (missing.has(item.text)) out.push(found(item, 'warning', 'scope-no-hit', { name: item.text }))
  for (const item of list?.items ?? [])
    if (missing.has(item.text)) out.push(found(item, 'warning', 'list-no-hit', { entry: item.text }))
  if (scope && hits.backwards)
    out.push(
      found(scope, 'warning', 'scope-order', {
        first: scope.items[0]?.text ?? '',
        second: scope.items[1]?.text ?? '',
      }),
    )
  if (hits.hit === 0) out.push(found(list ?? scope ?? whole, 'warning', 'hits-nothing', {}))
  if (hits.bytes > large)
    out.push(found(section ?? whole, 'note', 'size-large', { size: `${Math.round(hits.bytes / 1e9)} GB` }))
  return out
}

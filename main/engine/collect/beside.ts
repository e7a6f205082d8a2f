// What an earlier dump of the model says of a config.json: what it hits, and what of it hits nothing.
import {
  type CollectTarget,
  type ConfigCheck,
  type ConfigDiagnostic,
  type ConfigEffect,
  type ConfigHits,
  type Dump,
  opName,
  type Span,
} from '../model/index.ts'
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

/** Where the opened dumps of the run stand. */
export interface RunPlaces {
  readonly steps: readonly number[]
  /** Empty for a run of one process. */
  readonly ranks: readonly number[]
}

/** `run`: what is known of the whole run that the dump is of; null where nothing is. */
export function checkBeside(
  text: string,
  target: CollectTarget,
  dump: Dump,
  run: RunPlaces | null = null,
): BesideDump {
  const check = checkConfig(text, target)
  const { effect } = check
  const { root } = parseConfig(text)
  const ofRun = effect && root && run ? runFindings(root, effect, run) : []
  const withFound = (more: readonly ConfigDiagnostic[]): ConfigCheck => ({
    ...check,
    diagnostics: [...check.diagnostics, ...ofRun, ...more].toSorted((a, b) => a.from - b.from),
  })
  if (!effect || effect.task === 'grad_probe' || (effect.level === 'L2' && target.mode !== 'pytorch'))
    return { check: withFound([]), hits: null }
  const hits = hitsOf(dump, effect)
  const section = root?.members.get(effect.task)?.value
  return { check: withFound(root ? findingsOf(section, root, hits, dump) : []), hits }
}

/** Ranks where there are none, and steps that the run may never come to. */
function runFindings(
  root: Value,
  { step, rank }: ConfigEffect,
  { steps, ranks }: RunPlaces,
): readonly ConfigDiagnostic[] {
  const out: ConfigDiagnostic[] = []
  const at = (key: string): Span => root.members.get(key)?.value ?? root
  if (rank.length > 0 && ranks.length === 0) out.push(found(at('rank'), 'warning', 'rank-alone', {}))
  const last = Math.max(...steps)
  const beyond = step.find(([from]) => from > last)
  // One step alone tells nothing of how long the run is.
  if (steps.length > 1 && beyond)
    out.push(found(at('step'), 'note', 'step-beyond', { step: beyond[0], steps: steps.length }))
  return out
}

/** An entry that is a call's whole name and hits others that only begin alike. */
function hitsMore(dump: Dump, entry: string): number {
  let [own, all] = [0, 0]
  for (let op = 0; op < dump.ops.length; op++) {
    const name = opName(dump, op)
    if (!name.includes(entry)) continue
    all++
    if (name === entry || name.startsWith(`${entry}.`)) own++
  }
  return own > 0 && all > own ? all : 0
}

function findingsOf(
  section: Value | undefined,
  whole: Span,
  hits: ConfigHits,
  dump: Dump,
): readonly ConfigDiagnostic[] {
  const out: ConfigDiagnostic[] = []
  const of = (key: string): Value | undefined => section?.members.get(key)?.value
  const missing = new Set(hits.missing)
  const scope = of('scope')
  const list = of('list')
  for (const item of scope?.items ?? [])
    if (missing.has(item.text)) out.push(found(item, 'warning', 'scope-no-hit', { name: item.text }))
  for (const item of list?.items ?? [])
    if (missing.has(item.text)) out.push(found(item, 'warning', 'list-no-hit', { entry: item.text }))
  for (const item of list?.items ?? []) {
    const more = item.kind === 'text' && item.text !== '' ? hitsMore(dump, item.text) : 0
    if (more > 0) out.push(found(item, 'note', 'list-substring', { entry: item.text, hits: more }))
  }
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

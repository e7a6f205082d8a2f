// Everything that can be wrong with what the user gave: facts with a code; words make the sentence.
import type { Framework } from './names.ts'
import type { SkipReason } from './recomputed.ts'

/** Names, counts and positions that a sentence can name. */
export type Fact = string | number
export type None = Readonly<Record<string, never>>

/** The facts of each code: what every place that reports it gives, and all that its sentence may name. */
export interface ProblemFacts {
  'not-found': None
  'not-readable': { reason: string }
  'not-a-dump': None
  'not-a-folder': None
  'not-a-file': None
  'same-folder-twice': None
  'left-out': None
  'formats-differ': { other: string }
  'one-dump': { count: number; example: string }
  'several-dumps': { count: number }
  packed: None
  'archive-too-large': { limit: number }
  'archive-entries': { count: number; first: string }
  'unknown-file': None
  'too-large': { size: number; limit: number }
  'outside-root': None
  'json-broken': { line: number; column: number; byte: number }
  'json-truncated': { line: number; column: number; byte: number }
  'json-deep': None
  'bad-value': { op: string; field: string; text: string }
  'duplicate-key': { key: string; byte: number }
  'invalid-utf8': { line: number; column: number; byte: number }
  'shape-absurd': { shape: string }
  'suspicious-text': { op: string; text: string }
  'no-hierarchy': None
  'no-stack': None
  'no-tensors': None
  'empty-dump': None
  'tasks-differ': { debug: string; bench: string }
  'task-not-comparable': { task: string }
  'modes-differ': None
  'compare-json-invalid': { reason: string }
  'compare-json-missing-key': { key: string }
  'compare-json-mixed': { debug: string; bench: string }
  'compare-json-not-boolean': { key: string }
  'compare-json-not-a-list': { key: string }
  'stack-path-missing': { suggestion: string }
  'ranks-differ': { bench: string }
  'steps-differ': { step: Fact }
  'stray-entry': None
  'stray-entry-stops': None
  'kernel-modes-differ': { rank: Fact; step: Fact; debug: string; bench: string }
  'kernel-options': { options: string }
  'kernel-framework': None
  'option-framework': { option: string; framework: Framework }
  'nothing-matched': { bench: string }
  'nothing-matched-by': { bench: string; mapping: string }
  'option-unsupported': { option: string }
  'mapping-invalid': { what: string; line: number; reason: string }
  'mapping-twice': { options: string }
  'mapping-alone': None
  'noise-not-twins': None
  'noise-no-unit': { step: string; rank: string }
  'noise-levels': { other: string; first: string; second: string }
  'noise-other-level': { given: string; wanted: string }
  'noise-other-model': { known: number; of: number }
  'noise-without-numbers': { other: string }
  'noise-calls-differ': { other: string; met: number; of: number }
  'noise-data-differ': { other: string; item: string }
  'noise-twins-differ': { other: string; apart: number; of: number }
  'noise-not-a-profile': None
  'noise-version': { version: string; known: number }
  'noise-broken': { field: string }
  'mapping-extension': None
  'mapping-encoding': { encoding: string }
  'compare-json-elsewhere': { value: string }
  'npy-invalid': { reason: string }
  'npy-truncated': { expected: number; found: number }
  'pt-invalid': { reason: string }
  'safetensors-invalid': { reason: string }
  'raw-invalid': None
  'raw-cut': { expected: number; found: number }
  'raw-truncated': { expected: number; found: number; missing: number; parts: number }
  'raw-longer': { bytes: number }
  'raw-slices': { found: number; count: number }
  'raw-slices-apart': { count: number }
  'ge-broken': { line: number; byte: number; ops: number }
  'ge-truncated': { byte: number; ops: number }
  'ge-empty': None
  'ge-dropped': { count: number; limit: number }
  'ge-other-stage': None
  'fusion-invalid': { byte: number }
  'meta-invalid': None
  'ge-superseded': { graph: string; other: string }
  'raw-tensor-truncated': { tensor: string }
  'raw-alike': { count: number; what: string }
  'raw-more': { count: number }
  'raw-dtype': { tensor: string; dtype: string }
  'raw-layout-told': { tensor: string; layout: string }
  'raw-layout-misfit': { tensor: string; layout: string }
  'raw-layout-unknown': { tensor: string; layout: string }
  'raw-layout-assumed': { tensor: string; layout: string }
  'op-debug-invalid': { bytes: number }
  'raw-no-tensor': { tensor: string }
  'raw-pt-size': { tensor: string }
  'raw-none': None
  'raw-no-layout': { layout: string }
  'raw-layout-unsupported': { tensor: string; layout: string }
  'dtype-unsupported': { dtype: string }
  'zip-invalid': { reason: string }
  'several-tensors': { names: string }
  'foreign-broken': None
  'align-unfit': { shape: string }
  'bundle-empty': None
  'bundle-index': None
  'bundle-shard': None
  'bundle-missing': { tensor: string }
  'slice-invalid': { part: string; shape: string }
  'vis-invalid': { byte: number }
  'vis-truncated': { byte: number }
  'vis-tree': { missing: number; strays: number }
  'vis-db-invalid': { reason: string }
  'xlsx-invalid': { reason: string }
  'csv-invalid': { reason: string }
  'csv-unreadable': { reason: string }
  'output-not-writable': { reason: string }
  'drafts-not-kept': { reason: string }
  'output-in-dump': { dump: string }
  'construct-unknown-op': { count: number }
  'graph-deep': { count: number; levels: number }
  'construct-cycle': { count: number; name: string }
  'ranks-sizes': { tp: number; pp: number; cp: number; ranks: number }
  'ranks-vpp': { vpp: number }
  'ranks-order': { order: string }
  'ranks-count': { given: number; asked: number }
  'ranks-rule': { where: string; reason: string }
  'ranks-unlike': { other: string }
  'ranks-strangers': { rank: number; other: number }
  'ranks-format': None
  'ranks-op-missing': { count: number; item: string }
  'ranks-replicas-differ': { count: number; item: string }
  'ranks-shards-unfit': { count: number; item: string }
  'ranks-sums': { count: number; item: string }
  'ranks-guessed': { count: number; item: string }
  'ranks-transfers': { count: number }
  'ranks-not-kept': None
  'rank-pairs': { word: string }
  'rank-pairs-missing': { rank: number }
  'rank-pairs-left': { count: number }
  'rank-missing': { step: Fact; rank: Fact }
  'rank-failed': None
  'ranks-failed': { count: number }
  'none-chosen': None
  'share-empty': { units: number }
  'dataset-none': None
  'dataset-broken': { reason: string }
  'dataset-other': { what: string }
  'dataset-part-apart': None
  'dataset-stray': None
  'dataset-missing': { count: number; units: string }
  'dataset-share-open': { share: string; of: number; begun: string }
  'dataset-empty': None
  'query-several': { count: number }
  'query-not-select': None
  'query-function': { name: string }
  'query-refused': { reason: string }
  growing: None
  'too-many-problems': { shown: number }
  'mapping-entry-uneven': { api: string; part: string; mine: number; theirs: number }
  'mapping-api-unknown': { api: string; to: string }
  'mapping-name-unknown': { name: string }
  'name-unreadable': { name: string }
  'too-deep': { limit: number }
  'too-many-pairs': { limit: number }
  'zip-outside': { member: string }
  'config-no-object': None
  'config-not-switched': None
  'config-no-preset': { preset: string; tool: string; mode: string }
  'config-no-calls': None
  'config-no-statistics': { stat: string }
  'config-place': None
  'config-nothing': None
  'config-script': None
  'config-script-broken': None
  'config-no-settings': { scripts: string }
  'config-no-zip': None
  'ckpt-iteration': { iteration: string }
  'ckpt-no-ranks': None
  'ckpt-no-args': { name: string }
  'ckpt-shard-missing': None
  'ckpt-empty': { stage: number }
  'ckpt-shards-differ': { name: string }
  'ckpt-replicas-differ': { name: string }
  'ckpt-exists': None
  'merge-stray': None
  'merge-too-few': None
  'merge-unusable': None
  'merge-api-missing': { api: string }
  'merge-config-empty': None
  'precheck-suffix': None
  'precheck-columns': { columns: string }
  'precheck-twice': { name: string }
  'precheck-mixed': { npu: string; gpu: string; other: string }
  'precheck-mixed-file': None
  'precheck-form': { found: string; written: string }
  'unmatched-no-such-id': None
  'unmatched-count': { part: string; debug: number; bench: number }
  'unmatched-type': { item: string; debug: string; bench: string }
  'unmatched-shape': { item: string; debug: string; bench: string }
  'unmatched-mapping': None
  'unmatched-call': None
  'unmatched-by-hand': None
  'unmatched-candidate': { candidate: string }
  'unmatched-namesake': { candidate: string }
  'match-kinds-differ': { debug: string; bench: string }
  'match-unknown-node': { debug: string; bench: string }
  'match-unknown-name': { name: string }
  'stacks-missing': None
  'layouts-differ': { debug: string; bench: string }
  'steps-differ-stops': { bench: string }
  'node-mapping-invalid': { reason: string }
  'nothing-given': None
  'tolerance-invalid': None
  'repro-impossible': { name: string; reason: SkipReason }
  'engine-restarted': { reason: string }
  'engine-stopped': None
  'program-missing': None
  'not-tensorflow': None
  'no-debugger': None
  'tf-no-tensor': { name: string }
  'tf-no-raw': { name: string }
  'tf-several-tensors': { names: string }
  'tf-no-text': { elements: number }
  'tf-not-written': { missing: number; count: number }
  'tf-no-graph': None
  'tf-no-dump': None
  'tf-no-run': { name: string; names: string }
  'tf-no-graph-file': { file: string; names: string }
  'tf-no-op': { op: string }
  'tf-op-type': { type: string; count: number }
  'tf-op-like': { op: string; count: number }
  'tf-long-names': { count: number }
  'tf-no-reference': None
  'no-results': None
  'tf-graph-foreign': { dump: string; count: number }
  'tf-graph-stage': { used: string }
  'tf-graph-used': { used: string; all: number }
  'batch-nothing': { other: string }
  'pkl-invalid': None
  'vc-no-graph': None
  'vc-no-pair': None
  'vc-several': { count: number; chosen: string }
  'vc-nothing-met': { other: string }
  'vc-foreign': { count: number; known: number }
  'ir-invalid': None
  'ir-no-code': { nodes: number }
  'ir-truncated': { nodes: number }
  'ir-cut': { count: number; limit: number }
  'ir-dropped': { count: number; limit: number }
  'ir-framework': None
  'ir-nothing-met': { dump: string; kernels: number }
  'grad-none': None
  'grad-no-rank': { other: string }
  'grad-rank-twice': { rank: number }
  'grad-running': None
  'grad-ranks-alone': { ranks: string }
  'grad-steps-alone': { steps: string }
  'grad-no-signs': { other: string }
  'grad-strict': { name: string; step: number }
  'grad-strict-csv': { other: string }
  'grad-missing': { count: number; name: string; step: number }
  'grad-shape': { count: number; name: string; step: number }
  'grad-dtype': { count: number; name: string; step: number }
  'log-broken': None
  'settings-none': None
  'settings-kinds': None
  'sheets-alone': None
  'ranks-older': { rank: number }
  'series-no-column': { column: string }
  'series-ragged': { rows: number }
  'series-cut': None
  'series-no-end': None
  'monitor-none': None
  'monitor-runs': { count: number }
  'alert-invalid': None
  'alert-unknown': { rule: string }
  'anomaly-none': None
  'anomaly-broken': { byte: number; count: number }
  'anomaly-other': { count: number }
  'trend-none': None
  'trend-empty': None
  'log-unknown': None
  'log-empty': { pattern: string }
  'log-pattern': { pattern: string }
  'log-restarts': { count: number }
  'trend-invalid': { reason: string }
  'trend-lacks': { what: string; known: string }
  'trend-runs': { count: number }
  'trend-mapping': None
  'kernel-none': None
  'kernel-no-names': None
  'overflow-framework': { framework: string }
  'overflow-file': { file: string }
  internal: { reason: string }
}

export type ProblemCode = keyof ProblemFacts

/** A code with its facts. `contract/words` has one sentence per code: what, where, what to do. */
export type Problem<Code extends ProblemCode = ProblemCode> = Code extends ProblemCode
  ? {
      readonly code: Code
      readonly severity: 'note' | 'warning' | 'error'
      /** File or folder concerned, '' when none. */
      readonly path: string
      readonly facts: Readonly<ProblemFacts[Code]>
    }
  : never

/** What each of these needs: a code that is one of several has the facts of all. */
type Each<Union, Name = Union extends unknown ? keyof Union : never> = {
  [One in Name & PropertyKey]: Union extends Readonly<Record<One, infer Value>> ? Value : never
}

type Given<Facts> = Facts extends None
  ? [facts?: None, severity?: Problem['severity']]
  : [facts: Readonly<Facts>, severity?: Problem['severity']]

export const problem = <Code extends ProblemCode>(
  code: Code,
  path: string,
  ...[facts = {}, severity = 'error']: Given<Each<ProblemFacts[Code]>>
): Problem<Code> => ({ code, severity, path, facts }) as Problem<Code>

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem }
export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const fail = (p: Problem): Result<never> => ({ ok: false, problem: p })

/**
 * Carries an expected failure through code that cannot go on; caught at the door and shown as its Problem.
 */
export class Refusal extends Error {
  readonly problem: Problem
  constructor(p: Problem) {
    super(`${p.code} ${p.path} ${JSON.stringify(p.facts)}`)
    this.name = 'Refusal'
    this.problem = p
  }
}

/** A bug, told where somebody waits for what it kept from being made. */
export const internal = (error: unknown): Problem =>
  problem('internal', '', {
    reason: error instanceof Error ? `${error.message} ${error.stack ?? ''}` : String(error),
  })

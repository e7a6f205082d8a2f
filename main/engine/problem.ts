// Everything that can be wrong with what the user gave: facts with a code; words make the sentence.

/** A code with its facts. `contract/words` has one sentence per code: what, where, what to do. */
export interface Problem {
  readonly code: ProblemCode
  readonly severity: 'note' | 'warning' | 'error'
  /** File or folder concerned, '' when none. */
  readonly path: string
  /** Facts for the sentence: names, counts, positions. */
  readonly facts: Readonly<Record<string, string | number>>
}

export type ProblemCode =
  | 'not-found' | 'not-readable' | 'not-a-dump' | 'not-a-folder' | 'not-a-file' | 'same-folder-twice' | 'unknown-file' | 'symlink' | 'too-large' | 'outside-root'
  | 'json-broken' | 'json-truncated' | 'json-deep' | 'bad-value' | 'duplicate-key' | 'invalid-utf8' | 'shape-absurd' | 'suspicious-text'
  | 'no-hierarchy' | 'no-stack' | 'no-tensors' | 'empty-dump' | 'tasks-differ' | 'task-not-comparable' | 'modes-differ'
  | 'compare-json-invalid' | 'compare-json-missing-key' | 'compare-json-mixed' | 'compare-json-not-boolean' | 'compare-json-not-a-list' | 'stack-path-missing'
  | 'ranks-differ' | 'steps-differ' | 'stray-entry' | 'stray-entry-stops' | 'kernel-modes-differ' | 'kernel-options' | 'kernel-framework' | 'option-framework' | 'nothing-matched' | 'nothing-matched-by' | 'option-unsupported' | 'mapping-invalid' | 'mapping-twice' | 'mapping-alone' | 'mapping-extension' | 'mapping-encoding'
  | 'npy-invalid' | 'npy-truncated' | 'pt-invalid' | 'dtype-unsupported' | 'zip-invalid' | 'several-tensors'
  | 'vis-invalid' | 'vis-truncated' | 'vis-tree' | 'vis-db-invalid' | 'xlsx-invalid' | 'csv-invalid'
  | 'output-not-writable' | 'output-in-dump' | 'construct-unknown-op' | 'construct-cycle' | 'rank-missing' | 'rank-failed' | 'growing' | 'too-many-problems'
  | 'mapping-entry-uneven' | 'mapping-api-unknown' | 'mapping-name-unknown' | 'name-unreadable' | 'too-deep' | 'too-many-pairs' | 'merge-stray' | 'merge-too-few' | 'merge-unusable' | 'merge-api-missing' | 'merge-config-empty'
  | 'unmatched-no-such-id' | 'unmatched-ancestors' | 'unmatched-count' | 'unmatched-type' | 'unmatched-shape' | 'unmatched-mapping' | 'unmatched-parent' | 'unmatched-by-hand'
  | 'unmatched-candidate' | 'match-kinds-differ' | 'match-unknown-node' | 'match-unknown-name'
  | 'stacks-missing' | 'layouts-differ' | 'steps-differ-stops' | 'node-mapping-invalid'
  | 'usage' | 'nothing-given' | 'tolerance-invalid' | 'engine-restarted' | 'internal'

export const problem = (code: ProblemCode, path = '', facts: Problem['facts'] = {}, severity: Problem['severity'] = 'error'): Problem =>
  ({ code, severity, path, facts })

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem }
export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const fail = (p: Problem): Result<never> => ({ ok: false, problem: p })

/** Carries an expected failure through code that cannot go on; caught at the door and shown as its Problem. */
export class Refusal extends Error {
  readonly problem: Problem
  constructor(p: Problem) {
    super(`${p.code} ${p.path} ${JSON.stringify(p.facts)}`)
    this.name = 'Refusal'
    this.problem = p
  }
}

/** For branches that types have ruled out. */
export function never(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}

// A config.json while it is read for one generation of the tool and one way to execute.
import type { CollectTarget, ConfigDiagnostic, ConfigFacts, ConfigFinding, Span } from '../model/index.ts'
import { found } from './findings.ts'
import type { Value } from './python-json.ts'
import type { Say } from './rules.ts'

/** A text that is JSON, read for one generation and mode; keys that were asked for are remembered. */
export class Reading {
  readonly target: CollectTarget
  readonly root: Value
  readonly read = new Set<string>()
  readonly out: ConfigDiagnostic[] = []
  task = ''
  level = 'L1'
  /** Of a task that nobody named, version 1.0 reads no section. */
  hasSection = true

  constructor(target: CollectTarget, root: Value) {
    this.target = target
    this.root = root
  }

  readonly say: Say = <Code extends keyof ConfigFacts>(
    at: Span,
    severity: ConfigFinding['severity'],
    code: Code,
    facts: Readonly<ConfigFacts[Code]>,
  ) => {
    this.out.push(found(at, severity, code, facts))
  }

  top(key: string): Value | undefined {
    return this.root.members.get(key)?.value
  }

  get section(): Value | undefined {
    return this.hasSection ? this.top(this.task) : undefined
  }

  /** A key of the task's section. */
  key(name: string): Value | undefined {
    return this.section?.members.get(name)?.value
  }

  /** Texts of a list in the task's section, nothing where it is none. */
  texts(name: string): readonly string[] {
    const value = this.key(name)
    return value?.kind === 'list' ? value.items.filter(one => one.kind === 'text').map(one => one.text) : []
  }

  get refused(): boolean {
    return this.out.some(one => one.severity === 'error')
  }
}

// Findings of a config.json, made and told apart.
import type { ConfigDiagnostic, ConfigFacts, ConfigFinding, ConfigFix, Span } from '../model/index.ts'

export const found = <Code extends keyof ConfigFacts>(
  { from, to }: Span,
  severity: ConfigFinding['severity'],
  code: Code,
  facts: Readonly<ConfigFacts[Code]>,
  fixes: readonly ConfigFix[] = [],
): ConfigDiagnostic => ({ from, to, severity, code, facts, fixes }) as ConfigDiagnostic

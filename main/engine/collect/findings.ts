// Findings of a config.json, made and told apart.
import type { ConfigDiagnostic, ConfigFacts, ConfigFinding, ConfigFix, Span } from '../model/index.ts'

export const found = <Code extends keyof ConfigFacts>(
  { from, to }: Span,
  severity: ConfigFinding['severity'],
  code: Code,
  facts: Readonly<ConfigFacts[Code]>,
  fixes: readonly ConfigFix[] = [],
): ConfigDiagnostic => ({ from, to, severity, code, facts: shortened(facts), fixes }) as ConfigDiagnostic

const longest = 120
const quoted: readonly string[] = ['found', 'key', 'name', 'level', 'path', 'section']

/** What the file says may be any length; a sentence may not. */
const shortened = (facts: object): object =>
  Object.fromEntries(
    Object.entries(facts).map(([key, of]: [string, unknown]) =>
      typeof of === 'string' && of.length > longest && quoted.includes(key)
        ? [key, `${of.slice(0, longest)}…`]
        : [key, of],
    ),
  )

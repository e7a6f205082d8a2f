// docs/parity.md: the table of deviations as a document.
import { deviations } from '../../main/engine/rules/deviations.ts'
import { msprobe26Limits } from '../../main/engine/rules/msprobe-26.ts'

function table(where: (typeof deviations)[number]['where']): string {
  const rows = deviations.filter(d => d.where === where)
  return [
    '| id | about | msprobe 1.2.2 | Plumbline | why |',
    '|---|---|---|---|---|',
    ...rows.map(d => `| \`${d.id}\` | ${d.area} | ${d.reference} | ${d.ours} | ${d.why} |`),
  ].join('\n')
}

/** docs/parity.md. */
export function parityDocument(): string {
  return `# Where Plumbline differs from msprobe 1.2.2

This file is generated from \`main/engine/rules/deviations.ts\`, the table that the comparing code itself reads; \`npm test\` fails when it is stale
(\`node test/support/write-parity.mjs\` writes it). Everything that is not listed here is the same: formulas, columns, texts, order, colours.

## In the rule set \`plumbline\` only
With \`--rules msprobe-1.2.2\` these follow the reference exactly.

${table('plumbline')}

## In every rule set
Here the reference stops or crashes on harmless input, so there is nothing to agree with.

${table('always')}

## The rule set \`msprobe-26\`
Columns, matching, answers and reasons of msprobe 26.2.0, checked cell for cell against what it wrote. Known limits:

${msprobe26Limits.map(limit => `- ${limit}`).join('\n')}
`
}

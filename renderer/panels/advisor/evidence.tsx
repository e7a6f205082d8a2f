// The numbers that a finding rests on: what was measured, both sides, and how far they are apart.
import type { JSX } from 'react'
import type { Evidence, Finding } from '../../../preload/contract/engine.ts'
import { evidenceTexts } from '../../../preload/contract/words/advice.ts'
import { itemOf, nameParts, nodeOfItem } from '../../state/names.ts'
import { selectFinding } from '../../state/selection.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { WholeName } from '../../ui/bits.tsx'

const mostShown = 6

export function EvidenceTable({ finding }: { readonly finding: Finding }): JSX.Element | null {
  const say = useSay()
  if (finding.evidence.length === 0) return null
  return (
    <div className="evidence">
      <div className="evidence-head faint small" aria-hidden="true">
        <span>{say('side.debug')}</span>
        <span>{say('side.bench')}</span>
        <span>{say('advisor.error')}</span>
      </div>
      {finding.evidence.slice(0, mostShown).map(evidence => (
        <Row
          key={`${evidence.row}${evidence.label}`}
          evidence={evidence}
          node={finding.node}
          onPress={() => selectFinding(finding, 'advisor', evidence.row)}
        />
      ))}
    </div>
  )
}

function Row({
  evidence,
  node,
  onPress,
}: {
  readonly evidence: Evidence
  readonly node: string
  onPress(): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { label, metric, state, level } = evidence
  const { measure, debug, bench } = evidenceTexts(language, evidence)
  const apart = state === 'differs' || metric === 'dtype' || metric === 'shape'
  const value = `num evidence-value ${apart && debug !== bench ? 'apart' : ''}`
  const sides = metric === 'cosine' ? debug : `${say('side.debug')}: ${debug}\n${say('side.bench')}: ${bench}`
  const told = `${label}\n${measure}\n${sides}\n${say(`state.${state}`)}`
  return (
    <button
      type="button"
      className="evidence-row"
      data-state={state}
      disabled={evidence.row < 0}
      title={told}
      onClick={onPress}
    >
      <span className="evidence-name">
        <span className="evidence-label">
          <WholeName text={nameBelow(label, node)} />
        </span>
        <span className="evidence-measure dim small">{measure}</span>
      </span>
      {metric === 'growth' || metric === 'cosine' ? (
        <span className="num evidence-growth">{metric === 'cosine' ? debug : `${debug} → ${bench}`}</span>
      ) : (
        <>
          <span className={value}>{debug}</span>
          <span className={value}>{bench}</span>
        </>
      )}
      <Level level={level} />
      <span className="hidden-text">{say(`state.${state}`)}</span>
    </button>
  )
}

/** An item by its own name; of another node with the end of that node's name. */
function nameBelow(label: string, node: string): string {
  const own = nodeOfItem(label)
  return own === node || own === label ? itemOf(label, node) : `${nameParts(own).short} ${itemOf(label, own)}`
}

const least = 1e-6

/** Errors of a thousandth must be seen beside errors of one: the bar goes by powers of ten. */
function Level({ level }: { readonly level: number }): JSX.Element {
  if (Number.isNaN(level)) return <span className="num evidence-level">–</span>
  const share = Math.max(0, 1 + Math.log10(Math.max(level, least)) / -Math.log10(least))
  return (
    <span className="num evidence-level">
      {Number(level.toPrecision(2))}
      <span className="evidence-bar" aria-hidden="true">
        <span className="bar-fill" style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
    </span>
  )
}

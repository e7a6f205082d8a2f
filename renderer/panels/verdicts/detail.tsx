// One row: the rule that it goes by, every number with its limit, and the ways from here.
import type { JSX } from 'react'
import type { VerdictCheck, VerdictDetail, VerdictTable } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { shortNumber } from '../../state/format.ts'
import { select } from '../../state/selection.ts'
import { openPaths } from '../../state/sessions.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { WholeName } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { Answered, Empty } from '../../ui/states.tsx'
import { limitText, verdictReason, VerdictPill } from '../../ui/verdict.tsx'
import { ruleOf } from './text.ts'

export function Detail({
  table,
  at,
}: {
  readonly table: VerdictTable
  readonly at: { readonly table: number; readonly row: number } | null
}): JSX.Element {
  const say = useSay()
  const rules = useWorkbench(s => s.session?.options.rules)
  const wish = useWorkbench(s => s.layout.precheck)
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: at && ['verdict', at.table, at.row, rules, JSON.stringify(wish)],
    load: (here, signal) =>
      engine.verdictDetail({ ...here, wish, table: at?.table ?? 0, row: at?.row ?? 0 }, signal),
    keep: true,
  })
  return (
    <section className="verdict-detail" data-testid="verdict-detail" aria-label={say('verdicts.title')}>
      {at === null ? (
        <Empty icon="info" title={say('verdicts.choose')}>
          {say('verdicts.choose.what')}
        </Empty>
      ) : (
        <Answered
          answer={answer}
          skeleton={{ rows: 8 }}
          renderValue={detail => <Known table={table} detail={detail} />}
        />
      )}
    </section>
  )
}

function Known({
  table,
  detail,
}: {
  readonly table: VerdictTable
  readonly detail: VerdictDetail
}): JSX.Element {
  const say = useSay()
  const { name, state, status, standard, checks, texts, reason, deviceType, benchType, shape } = detail
  const rule = ruleOf(table, detail)
  const types = [deviceType, benchType === deviceType ? '' : `CPU ${benchType}`, shape].filter(
    text => text !== '' && text !== 'CPU ',
  )
  return (
    <>
      <header className="row verdict-head">
        <h3 className="grow copyable" title={name}>
          <WholeName text={name} />
        </h3>
        <VerdictPill is={state} />
      </header>
      {types.length > 0 ? <p className="small dim mono copyable">{types.join(' · ')}</p> : null}
      <Ways detail={detail} />
      {reason ? <p className="small">{verdictReason(say, reason)}</p> : null}
      {!reason && state === 'skip' && status !== '' ? (
        <p className="small">{say('verdicts.status', { status })}</p>
      ) : null}
      {rule ? (
        <p className="small dim">
          {standard ? <strong>{say(`precision.standard.${standard}`)}. </strong> : null}
          {say(rule)}
        </p>
      ) : null}
      {checks.length > 0 ? <Checks checks={checks} /> : null}
      {texts.length > 0 ? (
        <>
          <h4 className="small dim">{say('verdicts.message')}</h4>
          {texts.map((text, i) => (
            <p key={i} className="small copyable verdict-text">
              {text}
            </p>
          ))}
        </>
      ) : null}
    </>
  )
}

/** To the call in the graph, and to the values that were kept. */
function Ways({ detail: { at, saved } }: { readonly detail: VerdictDetail }): JSX.Element | null {
  const say = useSay()
  if (!at && saved.length === 0) return null
  return (
    <div className="row wrap verdict-ways">
      {at ? (
        <Button small icon="arrow" testId="verdict-node" onPress={() => select(at, 'nodes')}>
          {say('verdicts.to-node')}
        </Button>
      ) : null}
      {saved.map(({ name, device, bench }) => (
        <Button
          key={device}
          small
          look="quiet"
          icon="swap"
          testId="verdict-saved"
          onPress={() => void openPaths([device, bench], { as: 'sides' })}
        >
          {saved.length === 1 ? say('verdicts.saved') : say('verdicts.saved-of', { name })}
        </Button>
      ))}
    </div>
  )
}

function Checks({ checks }: { readonly checks: readonly VerdictCheck[] }): JSX.Element {
  const say = useSay()
  const gpu = checks.some(check => check.gpu !== null)
  const ratio = checks.some(check => check.ratio !== null)
  const judged = checks.some(({ limit, verdict }) => limit !== null || verdict !== '')
  const floor = checks.find(check => check.ratio !== null && check.floor !== null)?.floor
  const npu = checks.some(check => check.npu !== null)
  return (
    <>
      <table className="verdict-checks">
        <thead>
          <tr>
            <th scope="col">{say('verdicts.metric')}</th>
            {npu ? <th scope="col">{say(gpu ? 'verdicts.npu' : 'verdicts.value')}</th> : null}
            {gpu ? <th scope="col">{say('verdicts.gpu')}</th> : null}
            {ratio ? <th scope="col">{say('verdicts.ratio')}</th> : null}
            {judged ? <th scope="col">{say('verdicts.limit')}</th> : null}
            {judged ? <th scope="col">{say('verdicts.verdict')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {checks.map(check => (
            <tr key={check.metric} className={check.counted && check.verdict === 'error' ? 'bad-row' : ''}>
              <th scope="row" title={say(`verdicts.formula.${check.metric}`)}>
                <span>{say(`precision.metric.${check.metric}`)}</span>
                {check.counted || check.limit ? (
                  <span className="faint verdict-formula">{say(`verdicts.formula.${check.metric}`)}</span>
                ) : null}
              </th>
              {npu ? <Value of={check.npu} /> : null}
              {gpu ? <Value of={check.gpu} /> : null}
              {ratio ? <Value of={check.ratio} /> : null}
              {judged ? (
                <td className="num">{check.limit ? keptTo(check.limit, check.verdict) : ''}</td>
              ) : null}
              {judged ? (
                <td>
                  <Verdict check={check} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      {checks.some(({ counted, limit }) => counted || limit) ? (
        <p className="faint verdict-formula">{say('verdicts.formula.what')}</p>
      ) : null}
      {floor ? (
        <p className="faint verdict-formula">{say('verdicts.floor', { floor: shortNumber(floor) })}</p>
      ) : null}
    </>
  )
}

const opposite = { '≤': '>', '>': '≤', '<': '≥', '≥': '<' } as const

/** What would have passed. */
const keptTo = (
  { sign, value }: NonNullable<VerdictCheck['limit']>,
  verdict: VerdictCheck['verdict'],
): string => `${verdict === 'error' || verdict === 'warning' ? opposite[sign] : sign} ${limitText(value)}`

function Value({ of }: { readonly of: number | null }): JSX.Element {
  return (
    <td className="num copyable" title={of === null ? '' : String(of)}>
      {of === null ? '–' : shortNumber(of)}
    </td>
  )
}

function Verdict({ check: { odd, verdict, counted } }: { readonly check: VerdictCheck }): JSX.Element {
  const say = useSay()
  return (
    <>
      {verdict === '' ? null : <VerdictPill is={verdict} />}
      {odd ? <span className="faint verdict-formula">{say(`verdicts.odd.${odd}`)}</span> : null}
      {verdict !== '' && !counted ? (
        <span className="faint verdict-formula">{say('verdicts.shown-only')}</span>
      ) : null}
    </>
  )
}

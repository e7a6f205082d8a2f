// The calls of the rank on screen that show anything, in their order, with a choice of levels.
import { useState, type JSX } from 'react'
import type { OverflowCall, OverflowLevel, OverflowPage } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { count } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { CommandButton } from '../../ui/command-button.tsx'
import { Name, Section } from '../../ui/bits.tsx'
import { Toggle } from '../../ui/controls.tsx'
import { LongList } from '../../ui/long-list.tsx'
import { Answered } from '../../ui/states.tsx'

const levels = [
  'critical',
  'high',
  'medium',
  'saturated',
  'statistic',
] as const satisfies readonly OverflowLevel[]
const page = 100
const rowHeight = 44

export function Calls(): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const [chosen, setChosen] = useState<OverflowLevel | null>(null)
  const [first, setFirst] = useState(0)
  const [hereOnly, setHereOnly] = useState(false)
  const wanted = { level: chosen, hereOnly }
  const answer = usePage(wanted, 0)
  return (
    <Section
      title={say('overflow.calls')}
      aside={
        <span className="row">
          <CommandButton command="previous-overflow" icon="up" />
          <CommandButton command="next-overflow" icon="down" />
        </span>
      }
    >
      <Answered
        answer={answer}
        skeleton={{ rows: 4, height: 30 }}
        renderValue={found => (
          <>
            <div className="row wrap overflow-levels" role="group" aria-label={say('overflow.calls')}>
              {levels
                .filter(level => found.levels[level] > 0)
                .map(level => (
                  <Toggle
                    key={level}
                    className="chip"
                    on={level === chosen}
                    onChange={() => {
                      setChosen(level === chosen ? null : level)
                      setFirst(0)
                    }}
                  >
                    <span className={`swatch level-${level}`} />
                    {say(`overflow.level.${level}`)}
                    <span className="badge">{count(language, found.levels[level])}</span>
                  </Toggle>
                ))}
              {found.sides && found.sides.both > 0 ? (
                <Toggle
                  className="chip"
                  on={hereOnly}
                  testId="overflow-here"
                  onChange={on => {
                    setHereOnly(on)
                    setFirst(0)
                  }}
                >
                  {say('overflow.here-only')}
                </Toggle>
              ) : null}
            </div>
            {found.sides && found.sides.both + found.sides.benchOnly > 0 ? (
              <p className="faint small" data-testid="overflow-sides">
                {say('overflow.sides', {
                  both: count(language, found.sides.both),
                  bench: count(language, found.sides.benchOnly),
                })}
              </p>
            ) : null}
            {found.total === 0 ? (
              <p className="faint small">{say('overflow.no-calls')}</p>
            ) : (
              <List
                key={`${chosen} ${hereOnly}`}
                found={found}
                wanted={wanted}
                first={first}
                onFirst={setFirst}
              />
            )}
          </>
        )}
      />
    </Section>
  )
}

interface Wanted {
  readonly level: OverflowLevel | null
  /** Those only that the bench side does not share. */
  readonly hereOnly: boolean
}

function usePage({ level, hereOnly }: Wanted, first: number): ReturnType<typeof useUnitQuery<OverflowPage>> {
  const growth = useWorkbench(s => s.layout.growthLimit)
  const levels = level === null ? [] : [level]
  return useUnitQuery({
    steps: ['dumps', 'pairs'],
    key: ['overflow-calls', growth, level, hereOnly, first],
    load: (here, signal) =>
      engine.overflowCalls({ ...here, growth, levels, hereOnly, first, count: page * 2 }, signal),
    keep: true,
  })
}

/** Two pages are there at a time, so that scrolling by less than one shows no gap. */
function List({
  found,
  wanted,
  first,
  onFirst,
}: {
  readonly found: OverflowPage
  readonly wanted: Wanted
  readonly first: number
  onFirst(first: number): void
}): JSX.Element {
  const say = useSay()
  const selected = useWorkbench(s => s.selection?.at.debug ?? '')
  const { calls } = valueOf(usePage(wanted, first)) ?? found
  const callAt = (i: number): OverflowCall | undefined => calls[i - first]
  const at = calls.findIndex(({ op }) => op === selected)
  return (
    <div className="overflow-calls">
      <LongList
        total={found.total}
        rowHeight={rowHeight}
        label={say('overflow.calls')}
        at={at < 0 ? -1 : at + first}
        onRange={from => onFirst(Math.floor(from / page) * page)}
        onChoose={i => {
          const call = callAt(i)
          if (call) select({ debug: call.op }, 'nodes')
        }}
        renderRow={i => {
          const call = callAt(i)
          return call ? <Row call={call} /> : <span className="skeleton grow" style={{ height: 14 }} />
        }}
      />
    </div>
  )
}

function Row({ call: { op, level, scene, item, bench } }: { readonly call: OverflowCall }): JSX.Element {
  const say = useSay()
  const shared = bench === null || bench === 'clean' ? '' : say('overflow.bench-too')
  const what = [say(`overflow.scene.${scene}`), item, shared].filter(Boolean).join(' · ')
  return (
    <>
      <span
        className={`swatch level-${level}`}
        role="img"
        aria-label={say(`overflow.level.${level}`)}
        title={say(`overflow.level.${level}`)}
      />
      <span className="column grow node-text" title={`${op}\n${what}`}>
        <span className="row">
          <Name text={op} />
        </span>
        <span className="small faint cut">{what}</span>
      </span>
    </>
  )
}

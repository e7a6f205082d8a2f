// The bar above the table: which rows are shown, how many, in which order.
import { useState, type JSX, type RefObject } from 'react'
import { recomputedStates, type RecomputedState, type ViewInfo } from '../../../preload/contract/engine.ts'
import { useDebounced } from '../../state/debounce.ts'
import { leaveBucket } from '../../state/coloured.ts'
import { count } from '../../state/format.ts'
import { nameParts } from '../../state/names.ts'
import { clearFilters, isFiltered, look, toggleShow } from '../../state/looking.ts'
import { compares } from '../../state/study.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { now, useWorkbench, type Show } from '../../state/workbench.ts'
import { bucketWord } from '../../ui/bits.tsx'
import { Button, MenuButton, Toggle } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'

/** In this order; the first two are always there, the others where there are such rows. */
const states: readonly Show[] = ['differs', 'unpaired', 'noise', 'equal', 'incomparable', 'highlighted']
const always = new Set<Show>(['differs', 'unpaired'])

const debounceMs = 200

export function Bar({
  view,
  stale = false,
  chooser,
  onColumns,
}: {
  readonly view: ViewInfo | null
  readonly stale?: boolean
  readonly chooser?: RefObject<HTMLDivElement | null>
  onColumns?(): void
}): JSX.Element {
  const say = useSay()
  const hasStates = useWorkbench(s => compares(s.session))
  const thisNode = useWorkbench(s => s.look.thisNode)
  const hasNode = useWorkbench(s => s.selection !== null)
  const filtered = useWorkbench(s => isFiltered(s.look))
  return (
    <div className="grid-bar" role="toolbar" aria-label={say('grid.bar')}>
      {hasStates ? <Chips view={view} /> : null}
      <Toggle
        className="chip"
        on={thisNode}
        disabled={!hasNode && !thisNode}
        testId="chip-node"
        onChange={on => look({ thisNode: on })}
      >
        {say('chip.node')}
      </Toggle>
      <ExplainedChip />
      <ColourChip />
      <RecomputedChips view={view} />
      {filtered ? (
        <Button look="quiet" small icon="close" label={say('command.clear-filters')} onPress={clearFilters} />
      ) : null}
      <span className="grow" />
      {view ? <Count rows={view.rows} stale={stale} /> : null}
      <QuickFilter />
      <div ref={chooser}>
        {onColumns ? (
          <Button look="quiet" small icon="columns" label={say('command.columns')} onPress={onColumns} />
        ) : null}
      </div>
    </div>
  )
}

function Chips({ view }: { readonly view: ViewInfo | null }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const show = useWorkbench(s => s.look.show)
  const rowsOf = (state: Show): number => view?.counts[state] ?? 0
  const there = states.filter(state => always.has(state) || show.includes(state) || rowsOf(state) > 0)
  return (
    <>
      {there.map(state => (
        <Toggle
          key={state}
          className="chip"
          on={show.includes(state)}
          disabled={!view || (rowsOf(state) === 0 && !show.includes(state))}
          testId={`chip-${state}`}
          onChange={() => toggleShow(state)}
        >
          {say(`chip.${state}`)}
          <span className="num">{view ? count(language, rowsOf(state)) : '–'}</span>
        </Toggle>
      ))}
    </>
  )
}

/** The rows that a finding explains, or leaves open: taken back by a click. */
function ExplainedChip(): JSX.Element | null {
  const say = useSay()
  const explained = useWorkbench(s => s.look.explained)
  if (!explained) return null
  const { node, rest } = explained
  return (
    <Toggle className="chip" on testId="chip-explained" onChange={() => look({ explained: null })}>
      {say(rest ? 'chip.left-open' : 'chip.explained', { node: nameParts(node).short })}
    </Toggle>
  )
}

/** Which answers of recomputing are shown: there as soon as something was recomputed. */
function RecomputedChips({ view }: { readonly view: ViewInfo | null }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const chosen = useWorkbench(s => s.look.recomputed)
  const counts = view?.recomputed ?? null
  if (!counts && chosen.length === 0) return null
  const there = recomputedStates.filter(state => (counts?.[state] ?? 0) > 0 || chosen.includes(state))
  const toggle = (state: RecomputedState): void =>
    look({ recomputed: chosen.includes(state) ? chosen.filter(one => one !== state) : [...chosen, state] })
  return (
    <MenuButton
      label={say('grid.recomputed')}
      className={`chip ${chosen.length > 0 ? 'on' : ''}`}
      testId="chip-recomputed"
      entries={there.map(state => ({
        id: state,
        text: say('grid.recomputed.state', {
          state: say(`recompute.state.${state}`),
          rows: count(language, counts?.[state] ?? 0),
        }),
        on: chosen.includes(state),
        run: () => toggle(state),
      }))}
    >
      {chosen.length === 0
        ? say('grid.recomputed')
        : say('grid.recomputed.only', {
            states: chosen.map(state => say(`recompute.state.${state}`)).join(', '),
          })}
    </MenuButton>
  )
}

/** Only rows of nodes of the colour that is picked in the legend: taken back by a click, here as there. */
function ColourChip(): JSX.Element | null {
  const say = useSay()
  const [bucket] = useWorkbench(s => s.look.buckets)
  if (bucket === undefined) return null
  return (
    <Toggle className="chip" on testId="chip-colour" onChange={leaveBucket}>
      <span className={`swatch b${bucket}`} aria-hidden="true" />
      {say('chip.colour', { colour: say(bucketWord(bucket)) })}
    </Toggle>
  )
}

function Count({ rows, stale }: { readonly rows: number; readonly stale: boolean }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const sorted = useWorkbench(s => s.look.sort[0])
  const order = (): string => {
    if (!sorted) return say('grid.in-order')
    const column = sayIf(language, `column.${sorted.column}`) ?? sorted.column
    return say(sorted.down ? 'grid.sorted-down' : 'grid.sorted-up', { column })
  }
  return (
    <span className={`dim small grid-count ${stale ? 'stale' : ''}`} role="status">
      {say('grid.rows', { rows: count(language, rows) })}
      <span className="grid-order">
        {'  •  '}
        {order()}
      </span>
    </span>
  )
}

function QuickFilter(): JSX.Element {
  const say = useSay()
  const quick = useWorkbench(s => s.look.quick)
  /** What is being typed; what is in force shows again on leaving. */
  const [draft, setDraft] = useState<string | null>(null)
  useDebounced(
    draft,
    text => {
      if (text !== null && text !== now().look.quick) look({ quick: text })
    },
    debounceMs,
  )
  return (
    <div className="field quick">
      <Icon name="search" size={12} />
      <input
        data-testid="quick"
        aria-label={say('grid.quick')}
        placeholder={say('grid.quick')}
        value={draft ?? quick}
        spellCheck={false}
        onChange={e => setDraft(e.target.value)}
        onBlur={() => setDraft(null)}
        onKeyDown={e => {
          if (e.key === 'Escape') setDraft('')
        }}
      />
    </div>
  )
}

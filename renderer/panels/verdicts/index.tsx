// What tables say of single calls: the tables, groups of their rows, the rows, and what the chosen one rests on.
import { useState, type JSX } from 'react'
import {
  verdictStates,
  type VerdictFilter,
  type VerdictGroup,
  type VerdictPage,
  type VerdictTable,
} from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { count } from '../../state/format.ts'
import { folderName } from '../../state/names.ts'
import { saveVerdicts } from '../../state/save-tables.ts'
import { valueOf, type Answer } from '../../state/query.ts'
import { panesOf } from '../../state/study.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { set, useWorkbench } from '../../state/workbench.ts'
import { Name } from '../../ui/bits.tsx'
import { Toggle } from '../../ui/controls.tsx'
import { LongList } from '../../ui/long-list.tsx'
import { Answered, Empty } from '../../ui/states.tsx'
import { TableEntry, TableFiles, TableTitle, TableTools, toggled } from '../../ui/tables.tsx'
import { Detail } from './detail.tsx'
import { AskGeneration, Judging, LimitsToggle, useUntold } from './judging.tsx'
import { verdictText, VerdictPill } from '../../ui/verdict.tsx'
import { titleOf } from './text.ts'
import { Widen } from '../../ui/widen.tsx'
import './verdicts.css'

const page = 100
const rowHeight = 44
const everything: VerdictFilter = { states: [], by: 'api', group: null, text: '' }

export default function VerdictsPanel(): JSX.Element {
  const say = useSay()
  const rules = useWorkbench(s => s.session?.options.rules)
  const wish = useWorkbench(s => s.layout.precheck)
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: ['verdicts', rules, JSON.stringify(wish)],
    load: (here, signal) => engine.verdicts({ ...here, wish }, signal),
    keep: true,
  })
  return (
    <section className="verdicts tables" data-testid="verdicts" aria-label={say('verdicts.title')}>
      <Answered
        answer={answer}
        skeleton={{ rows: 10, height: 24 }}
        renderValue={tables => <Tables tables={tables} />}
      />
    </section>
  )
}

function Tables({ tables }: { readonly tables: readonly VerdictTable[] }): JSX.Element {
  const say = useSay()
  const chosen = useWorkbench(s => s.verdict)
  // Alone it fills the window anyway.
  const side = useWorkbench(s => panesOf(s.session).includes('precheck'))
  const at = Math.min(chosen?.table ?? 0, tables.length - 1)
  const table = tables[at]
  const asked = useUntold(table)
  if (!table) return <Empty icon="info" title={say('verdicts.empty')} />
  const choose = (one: number): void => {
    set({ verdict: { table: one, row: null } })
  }
  return (
    <>
      <header className="tables-head">
        {tables.length > 1 ? (
          <div className="row wrap" role="group" aria-label={say('verdicts.tables')}>
            {tables.map((one, i) => (
              <Toggle key={one.paths.join()} className="chip" on={i === at} onChange={() => choose(i)}>
                {folderName(one.paths[0] ?? '')}
              </Toggle>
            ))}
          </div>
        ) : null}
        <TableTitle
          title={asked ? say('verdicts.title') : titleOf(say, table)}
          testId="verdicts"
          onSave={asked ? null : format => void saveVerdicts(at, format)}
        >
          {table.judging && !asked ? <LimitsToggle /> : null}
          {side ? <Widen panel="precheck" label={say('verdicts.wide')} testId="verdicts-wide" /> : null}
        </TableTitle>
        <Files table={table} />
        {table.judging && !asked ? <Judging judging={table.judging} /> : null}
      </header>
      {asked ? (
        <AskGeneration />
      ) : table.rows === 0 ? (
        <Empty icon="info" title={say('verdicts.empty')} />
      ) : (
        <Rows key={table.paths.join()} table={table} index={at} />
      )}
    </>
  )
}

/** Which files these are, and how much of them is in the open dump. */
function Files({ table: { paths, joined, rows } }: { readonly table: VerdictTable }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <TableFiles
      files={paths.map((path, i) => {
        const side = i === 0 ? 'debug' : 'bench'
        const text = say(i === 0 ? 'verdicts.npu' : 'verdicts.gpu')
        return { path, mark: paths.length > 1 ? { side, text } : null }
      })}
    >
      {joined === null ? null : (
        <span data-testid="verdicts-joined" data-joined={joined}>
          {say('verdicts.joined', { count: count(language, joined), all: count(language, rows) })}
        </span>
      )}
    </TableFiles>
  )
}

interface RowsProps {
  readonly table: VerdictTable
  readonly index: number
  readonly filter: VerdictFilter
  onFilter(filter: VerdictFilter): void
}

const usePage = (table: number, filter: VerdictFilter, first: number): Answer<VerdictPage> => {
  const rules = useWorkbench(s => s.session?.options.rules)
  const wish = useWorkbench(s => s.layout.precheck)
  return useUnitQuery({
    steps: ['dumps'],
    key: ['verdict-page', table, rules, JSON.stringify(wish), JSON.stringify(filter), first],
    load: (here, signal) =>
      engine.verdictPage({ ...here, wish, table, filter, first, count: page * 2 }, signal),
    keep: true,
  })
}

function Rows({ table, index }: Pick<RowsProps, 'table' | 'index'>): JSX.Element {
  const [filter, onFilter] = useState(everything)
  const chosen = useWorkbench(s => s.verdict)
  const answer = usePage(index, filter, 0)
  return (
    <Answered
      answer={answer}
      skeleton={{ rows: 10, height: 24 }}
      renderValue={found => (
        <>
          <States found={found} filter={filter} onFilter={onFilter} />
          <div className="verdicts-body">
            <Groups table={table} groups={found.groups} filter={filter} onFilter={onFilter} />
            <List key={JSON.stringify(filter)} table={index} filter={filter} found={found} />
            <Detail
              table={table}
              at={
                chosen?.table === index && chosen.row !== null
                  ? { table: index, row: chosen.row }
                  : first(found)
              }
            />
          </div>
        </>
      )}
    />
  )
}

/** Nobody has chosen yet: the worst row says most. */
const first = ({ lines: [line] }: VerdictPage): { readonly table: number; readonly row: number } | null =>
  line ? { table: line.table, row: line.row } : null

function States({
  found,
  filter,
  onFilter,
}: Pick<RowsProps, 'filter' | 'onFilter'> & { readonly found: VerdictPage }): JSX.Element {
  const say = useSay()
  return (
    <TableTools
      label={say('verdicts.states')}
      testId="verdicts"
      chips={verdictStates
        .filter(state => found.states[state] > 0 || filter.states.includes(state))
        .map(state => ({
          id: state,
          on: filter.states.includes(state),
          rows: found.states[state],
          pill: <VerdictPill is={state} />,
          onChange: () => onFilter({ ...filter, states: toggled(filter.states, state) }),
        }))}
      text={filter.text}
      find={say('verdicts.find')}
      onText={text => onFilter({ ...filter, text })}
    />
  )
}

function Groups({
  table: { holds },
  groups,
  filter,
  onFilter,
}: Pick<RowsProps, 'table' | 'filter' | 'onFilter'> & {
  readonly groups: readonly VerdictGroup[]
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const standards = holds === 'judged' || holds === 'compared'
  return (
    <nav className="tables-nav" aria-label={say('verdicts.by')}>
      <div className="row verdicts-by small">
        <span className="dim grow">{say('verdicts.by')}</span>
        {(['api', 'standard'] as const)
          .filter(by => by === 'api' || standards)
          .map(by => (
            <Toggle
              key={by}
              className="button small"
              on={filter.by === by}
              testId={`verdicts-by-${by}`}
              onChange={() => onFilter({ ...filter, by, group: null })}
            >
              {say(by === 'api' && holds === 'compiled' ? 'verdicts.by.check' : `verdicts.by.${by}`)}
            </Toggle>
          ))}
      </div>
      <ul>
        <Group
          name={say('verdicts.all')}
          on={filter.group === null}
          onChoose={() => onFilter({ ...filter, group: null })}
        />
        {groups.map(({ key, rows, states }) => (
          <Group
            key={key}
            name={filter.by === 'api' ? key : standardName(say, key)}
            on={filter.group === key}
            rows={count(language, rows)}
            states={states}
            onChoose={() => onFilter({ ...filter, group: filter.group === key ? null : key })}
          />
        ))}
      </ul>
    </nav>
  )
}

function standardName(say: ReturnType<typeof useSay>, key: string): string {
  const known = (['benchmark', 'ulp', 'binary', 'absolute', 'thousandth', 'accumulative'] as const).find(
    one => one === key,
  )
  return known ? say(`precision.standard.${known}`) : say('verdicts.no-standard')
}

function Group({
  name,
  on,
  rows = '',
  states,
  onChoose,
}: {
  readonly name: string
  readonly on: boolean
  readonly rows?: string
  readonly states?: VerdictGroup['states']
  onChoose(): void
}): JSX.Element {
  return (
    <TableEntry on={on} title={name} onChoose={onChoose}>
      <span className="grow cut">{name}</span>
      {states ? <Share states={states} /> : null}
      <span className="num small faint">{rows}</span>
    </TableEntry>
  )
}

/** How much of a group is what, as a bar. */
function Share({ states }: { readonly states: VerdictGroup['states'] }): JSX.Element {
  return (
    <span className="verdicts-share" aria-hidden="true">
      {verdictStates.map(state =>
        states[state] > 0 ? (
          <span key={state} className={`is-${state}`} style={{ flex: states[state] }} />
        ) : null,
      )}
    </span>
  )
}

function List({
  table,
  filter,
  found,
}: {
  readonly table: number
  readonly filter: VerdictFilter
  readonly found: VerdictPage
}): JSX.Element {
  const say = useSay()
  const chosen = useWorkbench(s => (s.verdict?.table === table ? s.verdict.row : null))
  const [from, setFrom] = useState(0)
  const { lines } = valueOf(usePage(table, filter, from)) ?? found
  const at = chosen === null ? 0 : lines.findIndex(({ row }) => row === chosen) + from
  if (found.total === 0)
    return (
      <div className="verdicts-list">
        <Empty icon="filter" title={say('verdicts.none')}>
          {say('verdicts.none.what')}
        </Empty>
      </div>
    )
  return (
    <div className="verdicts-list" data-testid="verdicts-list" data-rows={found.total}>
      <LongList
        total={found.total}
        rowHeight={rowHeight}
        label={say('verdicts.rows')}
        at={at < from ? -1 : at}
        onRange={top => setFrom(Math.floor(top / page) * page)}
        onChoose={i => {
          const line = lines[i - from]
          if (line) set({ verdict: { table, row: line.row } })
        }}
        renderRow={i => {
          const line = lines[i - from]
          if (!line) return <span className="skeleton grow" style={{ height: 14 }} />
          const told = verdictText(say, line)
          return (
            <>
              <span className="verdicts-pill">
                <VerdictPill is={line.state} />
              </span>
              <span className="column grow node-text" title={`${line.name}\n${told}`}>
                <span className="row">
                  <Name text={line.name} />
                </span>
                <span className="small faint cut">{told}</span>
              </span>
            </>
          )
        }}
      />
    </div>
  )
}

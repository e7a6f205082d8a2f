// Questions in SQL over all steps and ranks: an editor, those that come along and those that were kept, the answer.
import { useEffect, useRef, useState, type JSX } from 'react'
import {
  type Problem,
  type RanksAnswer,
  type RanksTable,
  type UnitAt,
} from '../../../preload/contract/engine.ts'
import type { Language } from '../../../preload/contract/words/index.ts'
import { engine, isQuiet, problemOf } from '../../engine.ts'
import { count, shortNumber } from '../../state/format.ts'
import { offerHandle } from '../../state/handles.ts'
import { host } from '../../state/host.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay, type Say } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, MenuButton } from '../../ui/controls.tsx'
import { useLongBox } from '../../ui/long-list.tsx'
import { Failed } from '../../ui/states.tsx'
import { dropQuery, keepQuery, keptQueries } from './kept.ts'
import { openSqlEditor, type SqlEditor } from './sql.ts'

const first = 'SELECT step, rank, differs, worst, level, headline\nFROM units ORDER BY level DESC LIMIT 50'
/** What was typed last, while the window is open. */
let typed: string = first

type State =
  | { readonly is: 'nothing' | 'asking' }
  | { readonly is: 'answer'; readonly answer: RanksAnswer }
  | { readonly is: 'failed'; readonly problem: Problem }

interface GoTo {
  readonly step: number | null
  readonly rank: number | null
  readonly node: string
}

export function QueryPanel({
  here,
  onGo,
  onClose,
}: {
  readonly here: UnitAt
  onGo(to: GoTo): void
  onClose(): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const parent = useRef<HTMLDivElement>(null)
  const editor = useRef<SqlEditor | null>(null)
  const tables = useRef<readonly RanksTable[]>([])
  const asking = useRef<AbortController | null>(null)
  const [state, setState] = useState<State>({ is: 'nothing' })
  const [kept, setKept] = useState(keptQueries)
  const [written, setWritten] = useState('')
  const found = useUnitQuery({
    steps: ['dumps'],
    key: ['ranks-tables'],
    load: (at, signal) => engine.ranksTables(at, signal),
    keep: true,
  })
  const known = valueOf(found)
  useEffect(() => {
    tables.current = known?.tables ?? []
  }, [known])

  const ask = (): void => {
    asking.current?.abort()
    const mine = new AbortController()
    asking.current = mine
    setState({ is: 'asking' })
    setWritten('')
    engine.ask({ ...here, sql: typed }, mine.signal).then(
      result => {
        if (asking.current !== mine) return
        setState(
          result.ok ? { is: 'answer', answer: result.value } : { is: 'failed', problem: result.problem },
        )
      },
      (error: unknown) => {
        if (asking.current !== mine) return
        setState(isQuiet(error) ? { is: 'nothing' } : { is: 'failed', problem: problemOf(error) })
      },
    )
  }
  const run = useRef(ask)
  useEffect(() => {
    run.current = ask
  })
  const label = say('ranks.query')
  useEffect(() => {
    if (!parent.current) return undefined
    const made = openSqlEditor(parent.current, {
      label,
      text: typed,
      tables: () => tables.current,
      run: () => run.current(),
      changed: text => {
        typed = text
      },
    })
    editor.current = made
    const back = offerHandle('ranksQuery', { focus: () => made.focus() })
    return () => {
      back()
      made.destroy()
      editor.current = null
    }
  }, [label])
  const take = (sql: string): void => {
    editor.current?.setText(sql)
    ask()
  }
  const write = async (format: 'csv' | 'json' | 'parquet'): Promise<void> => {
    const [folder] = await host().choose({ what: 'folder' })
    if (folder === undefined) return
    const result = await engine.askInto({ ...here, sql: typed, format, folder })
    if (result.ok) setWritten(say('cli.written', { path: result.value.path }))
    else setState({ is: 'failed', problem: result.problem })
  }
  const keep = (): void => {
    const name = typed.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
    if (name !== '') setKept(keepQuery({ name, sql: typed }))
  }
  return (
    <section className="ranks-query" data-testid="ranks-query" aria-label={label}>
      <div className="row wrap ranks-query-tools">
        <h3 className="section-title">{label}</h3>
        <MenuButton
          label={say('ranks.builtIn')}
          testId="ranks-built-in"
          entries={(known?.builtIn ?? []).map(({ name, sql }) => ({
            id: name,
            text: say(`ranks.builtIn.${name}`),
            run: () => take(sql),
          }))}
        >
          <span className="value">{say('ranks.builtIn')}</span>
        </MenuButton>
        <MenuButton
          label={say('ranks.kept')}
          testId="ranks-kept"
          entries={[
            { id: 'keep', text: say('ranks.keep'), icon: 'plus', run: keep },
            ...(kept.length > 0 ? ['line' as const] : []),
            ...kept.map(({ name, sql }, i) => ({ id: `kept-${i}`, text: name, run: () => take(sql) })),
            ...(kept.some(one => one.sql === typed)
              ? [
                  'line' as const,
                  { id: 'drop', text: say('ranks.dropKept'), run: () => setKept(dropQuery(typed)) },
                ]
              : []),
          ]}
        >
          <span className="value">{say('ranks.kept')}</span>
        </MenuButton>
        <MenuButton
          label={say('ranks.export')}
          testId="ranks-export"
          entries={(['csv', 'json', 'parquet'] as const).map(format => ({
            id: format,
            text: format,
            run: () => void write(format),
          }))}
        >
          <span className="value">{say('ranks.export')}</span>
        </MenuButton>
        <Button
          look="primary"
          small
          testId="ranks-ask"
          keys="Mod+Enter"
          label={say('ranks.ask')}
          onPress={ask}
        >
          {say('ranks.ask')}
        </Button>
        <span className="grow" />
        <span className="small dim" data-testid="ranks-told" role="status">
          {written !== '' ? written : toldOf(say, language, state)}
        </span>
        <Button look="quiet" small icon="close" label={say('ranks.closeQuery')} onPress={onClose} />
      </div>
      <div className="ranks-query-body">
        <div ref={parent} className="ranks-editor" data-testid="ranks-editor" />
        {state.is === 'failed' ? <Failed problem={state.problem} /> : null}
        {state.is === 'answer' ? <Table answer={state.answer} onGo={onGo} /> : null}
      </div>
    </section>
  )
}

function toldOf(say: Say, language: Language, state: State): string {
  if (state.is === 'asking') return say('ranks.asking')
  if (state.is !== 'answer') return say('ranks.queryHint')
  const { rows, cut, ms } = state.answer
  return say(cut ? 'ranks.answerCut' : 'ranks.answer', { rows: count(language, rows), ms: Math.round(ms) })
}

const rowHeight = 24

/** Rows that name a step, a rank or a call go there. */
function Table({ answer, onGo }: { readonly answer: RanksAnswer; onGo(to: GoTo): void }): JSX.Element {
  const { columns, cells, rows } = answer
  const { box, range, measure } = useLongBox(rows, rowHeight, -1)
  const last = Math.min(rows, range.last)
  const column = (name: string): number => columns.findIndex(one => one.name === name)
  const [step, rank] = [column('step'), column('rank')]
  const node = ['node', 'first', 'headline', 'worst'].map(column).find(at => at >= 0) ?? -1
  const numberAt = (at: number, row: number): number | null => {
    const cell = cells[at]?.[row]
    return typeof cell === 'number' ? cell : null
  }
  const go = (row: number): void =>
    onGo({
      step: numberAt(step, row),
      rank: numberAt(rank, row),
      node: node < 0 ? '' : String(cells[node]?.[row] ?? ''),
    })
  return (
    <div className="ranks-answer" ref={box} onScroll={measure} data-testid="ranks-answer">
      <table>
        <thead>
          <tr>
            {columns.map(({ name, told, numeric }) => (
              <th key={name} title={told} className={numeric ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {range.first > 0 ? <tr style={{ height: range.first * rowHeight }} aria-hidden="true" /> : null}
          {Array.from({ length: Math.max(0, last - range.first) }, (_, i) => range.first + i).map(row => (
            <tr key={row} onDoubleClick={() => go(row)} className={rank >= 0 || node >= 0 ? 'goes' : ''}>
              {columns.map(({ name, numeric }, i) => (
                <td key={name} className={numeric ? 'number' : ''}>
                  {cellText(cells[i]?.[row] ?? null)}
                </td>
              ))}
            </tr>
          ))}
          {last < rows ? <tr style={{ height: (rows - last) * rowHeight }} aria-hidden="true" /> : null}
        </tbody>
      </table>
    </div>
  )
}

const cellText = (cell: string | number | boolean | null): string =>
  cell === null ? '' : typeof cell === 'number' && !Number.isInteger(cell) ? shortNumber(cell) : String(cell)

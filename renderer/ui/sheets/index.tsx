// What surrounds runs, side by side: what matters on top as sentences, then table after table.
import { useState, type JSX } from 'react'
import {
  sheetLevels,
  type SetupFinding,
  type SheetCounts,
  type SheetLevel,
  type SheetsHold,
  type SheetsInfo,
} from '../../../preload/contract/engine.ts'
import type { Language } from '../../../preload/contract/words/index.ts'
import { setupText } from '../../../preload/contract/words/setup.ts'
import { engine } from '../../engine.ts'
import { count } from '../../state/format.ts'
import { saveSheets } from '../../state/save-tables.ts'
import { sidesOf, dumpOf } from '../../state/study.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { sayIf, useSay, type Say } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { LongList } from '../long-list.tsx'
import { Answered, Empty } from '../states.tsx'
import { TableEntry, TableFiles, TableTitle } from '../tables.tsx'
import { LevelPill } from './level.tsx'
import { SheetTable } from './table.tsx'
import './sheets.css'

export function Sheets(): JSX.Element {
  const say = useSay()
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: ['sheets'],
    load: (here, signal) => engine.sheets(here, signal),
    keep: true,
  })
  return (
    <section className="sheets tables" data-testid="sheets" aria-label={say('sheets.title')}>
      <Answered
        answer={answer}
        skeleton={{ rows: 12, height: 22 }}
        renderValue={info => <Known info={info} />}
      />
    </section>
  )
}

/** The table that says most; of the sentences on top there is none. */
const topSheet = ({ findings: [first], sheets }: SheetsInfo): number =>
  Math.max(
    0,
    sheets.findIndex(({ id }) => id === first?.part),
  )

const topOf = ({ findings }: SheetsInfo): number => (findings.length > 0 ? -1 : 0)

function Known({ info }: { readonly info: SheetsInfo }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const [chosen, setChosen] = useState<number | null>(null)
  const at = Math.min(chosen ?? topOf(info), info.sheets.length - 1)
  const sheet = info.sheets[at]
  return (
    <>
      <header className="tables-head">
        <TableTitle
          title={say(`sheets.holds.${info.holds}`)}
          testId="sheets-save"
          onSave={
            info.sheets.length === 0 ? null : format => void saveSheets(format, sheet ? at : topSheet(info))
          }
        />
        <p data-testid="sheets-verdict" data-verdict={worstOf(info)}>
          {verdictText(say, info)}
        </p>
        <Files />
      </header>
      {info.sheets.length === 0 ? (
        info.findings.length === 0 ? (
          <Empty icon="check" title={say('sheets.none')}>
            {say('sheets.none.what')}
          </Empty>
        ) : (
          <Findings info={info} onChoose={() => {}} />
        )
      ) : (
        <div className="sheets-body">
          <nav className="tables-nav" aria-label={say('sheets.tables')}>
            <ul>
              {info.findings.length > 0 ? (
                <TableEntry on={at < 0} testId="sheets-top" onChoose={() => setChosen(-1)}>
                  <span className="grow cut">{say('sheets.top')}</span>
                  <Counts counts={info.levels} />
                </TableEntry>
              ) : null}
              {info.sheets.map((one, i) => (
                <TableEntry
                  key={one.id}
                  on={i === at}
                  testId={`sheet-${one.id}`}
                  onChoose={() => setChosen(i)}
                >
                  <span className="grow cut">{sheetName(language, one.id)}</span>
                  <Counts counts={one.counts} />
                </TableEntry>
              ))}
            </ul>
          </nav>
          {sheet ? (
            <SheetTable key={sheet.id} sheet={sheet} index={at} holds={info.holds} />
          ) : (
            <Findings
              info={info}
              onChoose={({ part }) => {
                const to = info.sheets.findIndex(({ id }) => id === part)
                if (to >= 0) setChosen(to)
              }}
            />
          )}
        </div>
      )}
    </>
  )
}

/** Names of parts have words; metrics are called as the tool calls them. */
const sheetName = (language: Language, id: string): string => sayIf(language, `sheets.part.${id}`) ?? id

function worstOf({ levels, sheets }: SheetsInfo): SheetLevel {
  return (
    sheetLevels.find(level => levels[level] > 0) ??
    sheetLevels.find(level => sheets.some(({ counts }) => counts[level] > 0)) ??
    'pass'
  )
}

function verdictText(say: Say, info: SheetsInfo): string {
  const worst = worstOf(info)
  if (info.holds !== 'ranks') return say(`sheets.verdict.${worst}`)
  return say(worst === 'pass' ? 'sheets.verdict.even' : 'sheets.verdict.odd')
}

/** Which files these are. */
function Files(): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const sides = sidesOf(session)
  return (
    <TableFiles
      files={sides.map(side => ({
        path: dumpOf(session, side)?.root ?? '',
        mark: sides.length > 1 ? { side, text: say(`sheets.column.${side}`) } : null,
      }))}
    />
  )
}

/** How many rows are not the same, and whether any of them decides. */
function Counts({ counts }: { readonly counts: SheetCounts }): JSX.Element {
  const language = useWorkbench(s => s.language)
  const told = counts.error + counts.warning + counts.note
  const look = counts.error > 0 ? 'badge bad' : counts.warning > 0 ? 'badge warn' : 'badge'
  return told > 0 ? (
    <span className={look}>{count(language, told)}</span>
  ) : (
    <span className="sheets-same" aria-hidden="true">
      ✓
    </span>
  )
}

const findingHeight = 46

function Findings({
  info,
  onChoose,
}: {
  readonly info: SheetsInfo
  onChoose(finding: SetupFinding): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { findings, holds } = info
  const more = info.count - findings.length
  return (
    <div className="sheets-main" data-testid="sheets-findings" data-findings={info.count}>
      <LongList
        total={findings.length}
        rowHeight={findingHeight}
        label={say('sheets.top')}
        at={-1}
        onChoose={i => {
          const found = findings[i]
          if (found) onChoose(found)
        }}
        renderRow={i => {
          const found = findings[i]
          return found ? <FindingRow found={found} holds={holds} /> : null
        }}
      />
      {more > 0 ? (
        <p className="sheets-more small dim">{say('sheets.more', { count: count(language, more) })}</p>
      ) : null}
    </div>
  )
}

function FindingRow({
  found,
  holds,
}: {
  readonly found: SetupFinding
  readonly holds: SheetsHold
}): JSX.Element {
  const language = useWorkbench(s => s.language)
  const text = setupText(language, found)
  const part = sheetName(language, found.part)
  return (
    <>
      <span className="sheets-pill">
        <LevelPill is={found.level} holds={holds} />
      </span>
      <span className="sheets-part dim small cut">{part}</span>
      <span className="sheets-text grow" title={text}>
        {text}
      </span>
    </>
  )
}

// The mapping editors: one document per kind, edited as text, by pairs or by accepting proposals; live in
// graphs and table.
import { useEffect, useEffectEvent, useRef, useState, type JSX, type KeyboardEvent } from 'react'
import type {
  MappingCheck,
  MappingCoverage,
  MappingEntry,
  MappingKind,
} from '../../../preload/contract/engine.ts'
import { diagnosticText, fixText } from '../../../preload/contract/words/problem.ts'
import { engine } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { offerHandle } from '../../state/handles.ts'
import {
  begin,
  canStep,
  charactersOf,
  choose,
  chooseFile,
  discard,
  hasNamesOnly,
  isChanged,
  kinds,
  save,
  step,
  usable,
  useKind,
  useMapping,
  versionOf,
} from '../../state/mapping.ts'
import { count } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { isSingle } from '../../state/study.ts'
import { useSay, type Say } from '../../state/words.ts'
import { place, useWorkbench, wideSide } from '../../state/workbench.ts'
import { Name } from '../../ui/bits.tsx'
import { Button, Dialog, MenuButton, Toggle } from '../../ui/controls.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs, type TabRow } from '../../ui/tabs.tsx'
import { openEditor, type MappingEditor } from './editor.ts'
import { BuiltIn } from './built-in.tsx'
import { Pairs } from './pairs.tsx'
import { Proposals } from './proposals.tsx'
import './mapping.css'

const namedPairs = 40

export default function MappingPanel(): JSX.Element {
  const say = useSay()
  const kind = useKind()
  const has = useMapping(s => s.docs[kind] !== undefined)
  const single = useWorkbench(s => isSingle(s.session))
  const wide = useWide()
  const [saving, setSaving] = useState<'here' | 'elsewhere' | null>(null)
  useMappingHandle(kind, () => {
    if (has) setSaving('here')
  })
  if (single) return <NothingToMap />
  return (
    <div className="mapping" data-testid="mapping" onKeyDown={e => stepByKey(e, kind)}>
      <header className="row panel-title">
        <h2 className="section-title grow">{say('mapping.title')}</h2>
        <Toggle
          on={wide}
          icon="wide"
          label={say('command.mapping-wide')}
          testId="mapping-wide"
          onChange={() => run('mapping-wide')}
        />
        <Step kind={kind} back />
        <Step kind={kind} back={false} />
        <Button
          look="quiet"
          small
          icon="folder"
          label={say('mapping.open')}
          onPress={() => void chooseFile()}
        />
        <MenuButton
          label={say('mapping.save')}
          icon="download"
          className="button quiet small icon"
          disabled={!has}
          entries={[
            { id: 'save', text: say('mapping.save'), run: () => setSaving('here') },
            { id: 'save-as', text: say('mapping.save-as'), run: () => setSaving('elsewhere') },
            'line',
            { id: 'discard', text: say('mapping.discard'), run: () => void discard(kind) },
          ]}
        />
      </header>
      <div className="row wrap mapping-kinds" role="group" aria-label={say('mapping.title')}>
        {kinds.map(k => (
          <Toggle key={k} className="chip" on={k === kind} disabled={!usable(k)} onChange={() => choose(k)}>
            {say(`mapping.kind.${k}`)}
            <Dot kind={k} />
          </Toggle>
        ))}
      </div>
      {has ? <Document key={kind} kind={kind} /> : <NoDocument kind={kind} />}
      {saving && has ? (
        <Preview
          kind={kind}
          onClose={() => setSaving(null)}
          onSave={() => {
            setSaving(null)
            void save(kind, saving === 'elsewhere')
          }}
        />
      ) : null}
    </div>
  )
}

function NothingToMap(): JSX.Element {
  const say = useSay()
  return (
    <>
      <header className="row panel-title">
        <h2 className="section-title">{say('mapping.title')}</h2>
      </header>
      <Empty icon="single" title={say('nodes.single')}>
        {say('nodes.single.what')}
      </Empty>
    </>
  )
}

function useMappingHandle(kind: MappingKind, save: () => void): void {
  const handle = useEffectEvent(() => ({ save, undo: () => step(kind, true), redo: () => step(kind, false) }))
  useEffect(
    () =>
      offerHandle('mapping', {
        save: () => handle().save(),
        undo: () => handle().undo(),
        redo: () => handle().redo(),
      }),
    [],
  )
}

/** Undo and redo. The menu knows no focus: what is typed elsewhere keeps its own keys. */
function stepByKey(e: KeyboardEvent, kind: MappingKind): void {
  const { target } = e
  const typing =
    target instanceof HTMLInputElement || (target instanceof HTMLElement && target.closest('.cm-editor'))
  if (!(e.ctrlKey || e.metaKey) || e.altKey || typing) return
  const key = e.key.toLowerCase()
  if (key !== 'z' && key !== 'y') return
  if (step(kind, key === 'z' && !e.shiftKey)) {
    e.preventDefault()
    e.stopPropagation()
  }
}

// What changes with every key stands in components of its own, which draw again only when they look
// otherwise.

function Step({ kind, back }: { readonly kind: MappingKind; readonly back: boolean }): JSX.Element {
  const say = useSay()
  const can = useMapping(s => s.docs[kind] !== undefined && canStep(kind, back))
  return (
    <Button
      look="quiet"
      small
      icon={back ? 'left' : 'right'}
      label={say(back ? 'mapping.undo' : 'mapping.redo')}
      disabled={!can}
      onPress={() => {
        step(kind, back)
      }}
    />
  )
}

function Dot({ kind }: { readonly kind: MappingKind }): JSX.Element | null {
  const say = useSay()
  const has = useMapping(s => s.docs[kind] !== undefined)
  const changed = useMapping(s => isChanged(s.docs[kind]))
  if (!has) return null
  return (
    <span className={changed ? 'dot changed' : 'dot saved'} title={changed ? say('mapping.unsaved') : ''} />
  )
}

function NoDocument({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  const names = useWorkbench(s => hasNamesOnly(s.session))
  return (
    <Empty
      icon="mapping"
      title={say('mapping.none')}
      action={
        <span className="row">
          <Button look="primary" onPress={() => void begin(kind)} testId="mapping-new">
            {say('mapping.new')}
          </Button>
          <Button onPress={() => void chooseFile()}>{say('mapping.open')}</Button>
        </span>
      }
    >
      {say(names ? 'mapping.none.names' : usable(kind) ? `mapping.none.${kind}` : 'mapping.unusable')}
    </Empty>
  )
}

const panel = 'mapping-panel'
/** Whether the panel has the window to itself: then the text stands beside the lists. */
const useWide = (): boolean => useWorkbench(s => wideSide(s.layout) === 'mapping')

function Document({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  const coverage = useMapping(s => s.check[kind]?.check.coverage)
  const wide = useWide()
  const [tab, setTab] = useState('proposals')
  const row = (id: 'proposals' | 'pairs' | 'built-in', show: JSX.Element): TabRow => ({
    id,
    title: say(`mapping.tab.${id}`),
    className: panel,
    show,
  })
  const written = (
    <>
      <ProblemCount kind={kind} />
      <TextEditor kind={kind} />
    </>
  )
  const text: TabRow = {
    id: 'text',
    title: <TextTitle kind={kind} />,
    className: `${panel} mapping-text`,
    keep: true,
    show: written,
  }
  return (
    <>
      {coverage ? <Coverage coverage={coverage} /> : null}
      <div className={wide ? 'mapping-columns' : 'mapping-column'}>
        <Tabs
          className="mapping-tabs"
          label={say('mapping.title')}
          at={tab}
          onChange={setTab}
          rows={[
            row('proposals', <Proposals kind={kind} />),
            row('pairs', <Pairs kind={kind} />),
            ...(wide ? [] : [text]),
            ...(kind === 'api' ? [row('built-in', <BuiltIn />)] : []),
          ]}
        />
        {wide ? (
          <section className={`${panel} mapping-text`} aria-label={say('mapping.tab.text')}>
            {written}
          </section>
        ) : null}
      </div>
    </>
  )
}

function TextTitle({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  const { errors = 0, warnings = 0 } = useMapping(s => s.check[kind]?.check) ?? {}
  return (
    <>
      {say('mapping.tab.text')}
      {errors + warnings > 0 ? (
        <span className={`badge ${errors > 0 ? 'bad' : ''}`}>{errors + warnings}</span>
      ) : null}
    </>
  )
}

function ProblemCount({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  const check = useMapping(s => s.check[kind]?.check)
  return (
    <p className="small faint mapping-problems" role="status">
      {check ? problemsText(say, check) : ''}
    </p>
  )
}

function problemsText(say: Say, { errors, warnings, readable }: MappingCheck): string {
  const found = [
    ...(errors > 0
      ? [errors === 1 ? say('mapping.errors.one') : say('mapping.errors', { count: errors })]
      : []),
    ...(warnings > 0
      ? [warnings === 1 ? say('mapping.warnings.one') : say('mapping.warnings', { count: warnings })]
      : []),
  ]
  if (found.length === 0) return say('mapping.no-problems')
  return [found.join(', '), ...(readable ? [] : [say('mapping.last-readable')])].join('. ')
}

function Coverage({ coverage }: { readonly coverage: MappingCoverage }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const alone = coverage.debug.alone + coverage.bench.alone
  return (
    <div className="mapping-coverage" data-testid="mapping-coverage">
      {(['debug', 'bench'] as const).map(side => {
        const { matched, all, alone: none } = coverage[side]
        const most = all - none
        const text = say(`mapping.matched-${side}`, {
          matched: count(language, matched),
          all: count(language, most),
        })
        return (
          <div key={side} className="column" style={{ gap: 2 }}>
            <span className="small dim">{text}</span>
            <div
              className={`bar ${side}`}
              role="meter"
              aria-label={text}
              aria-valuemin={0}
              aria-valuemax={most}
              aria-valuenow={matched}
            >
              <span style={{ width: `${most === 0 ? 0 : (100 * matched) / most}%` }} />
            </div>
          </div>
        )
      })}
      {alone === 0 ? null : (
        <p
          className="small faint mapping-alone"
          data-testid="mapping-alone"
          title={say('mapping.alone.what')}
        >
          {coverage.debug.modules + coverage.bench.modules === 0 ? `${say('mapping.all-modules')} ` : ''}
          {say('mapping.alone', { debug: coverage.debug.alone, bench: coverage.bench.alone })}
        </p>
      )}
    </div>
  )
}

function TextEditor({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<MappingEditor | null>(null)
  const check = useMapping(s => s.check[kind])
  const needs = useEffectEvent(() => ({
    complete: async (text: string, at: number) => {
      const here = place(useWorkbench.getState())
      return here ? engine.mappingComplete({ ...here, kind, text, at }) : null
    },
    entryAt: async (text: string, at: number) => {
      const here = place(useWorkbench.getState())
      return here ? engine.mappingEntry({ ...here, kind, text, at }) : null
    },
    words: () => ({
      label: say('mapping.editor', { kind: say(`mapping.kind.${kind}`) }),
      diagnostic: (found: MappingCheck['diagnostics'][number]) => diagnosticText(language, found),
      fix: (fix: MappingCheck['diagnostics'][number]['fixes'][number]) => fixText(language, fix),
      entry: (entry: MappingEntry) => [
        entry.matches > 0
          ? say('mapping.hover.matches', { count: entry.matches })
          : say('mapping.hover.none'),
        ...(Number.isNaN(entry.worst)
          ? []
          : [say('mapping.hover.worst', { level: entry.worst.toPrecision(3) })]),
        ...entry.examples.map(([debug, bench]) => `${debug} → ${bench}`),
      ],
    }),
  }))
  useEffect(() => {
    if (!box.current) return undefined
    const made = openEditor(box.current, kind, needs())
    editor.current = made
    return () => {
      editor.current = null
      made.destroy()
    }
  }, [kind])
  useEffect(() => {
    if (check) editor.current?.show(check.text, check.check)
  }, [check])
  return <div ref={box} className="mapping-editor code-editor" data-testid="mapping-editor" />
}

/** What changes against the saved file, before it is written. */
function Preview({
  kind,
  onClose,
  onSave,
}: {
  readonly kind: MappingKind
  onClose(): void
  onSave(): void
}): JSX.Element {
  const say = useSay()
  const doc = useMapping(s => s.docs[kind]?.text)
  const saved = useMapping(s => s.docs[kind]?.saved) ?? undefined
  const answer = useUnitQuery({
    steps: ['dumps', 'pairs', 'states'],
    key: ['preview', kind, versionOf(doc), versionOf(saved)],
    load: (here, signal) =>
      engine.mappingPreview({ ...here, kind, text: charactersOf(doc), saved: charactersOf(saved) }, signal),
  })
  const preview = valueOf(answer)
  return (
    <Dialog
      title={say('mapping.preview')}
      width={640}
      onClose={onClose}
      testId="mapping-preview"
      foot={
        <>
          <Button onPress={onClose}>{say('frame.close')}</Button>
          <Button look="primary" onPress={onSave} testId="mapping-save">
            {say('mapping.save')}
          </Button>
        </>
      }
    >
      {preview ? (
        <div className="column" style={{ gap: 10 }}>
          <Coverage coverage={preview.coverage} />
          {preview.gainedCount + preview.lostCount === 0 ? <p>{say('mapping.preview.none')}</p> : null}
          {(['gained', 'lost'] as const).map(what =>
            preview[`${what}Count`] === 0 ? null : (
              <Moved key={what} what={what} count={preview[`${what}Count`]} pairs={preview[what]} />
            ),
          )}
        </div>
      ) : null}
    </Dialog>
  )
}

/** Pairs that the text brings or takes, the first of them by name. */
function Moved({
  what,
  count: total,
  pairs,
}: {
  readonly what: 'gained' | 'lost'
  readonly count: number
  readonly pairs: readonly (readonly [string, string])[]
}): JSX.Element {
  const say = useSay()
  return (
    <section>
      <h3 className="section-title">{say(`mapping.preview.${what}`, { count: total })}</h3>
      <ul className="mapping-diff">
        {pairs.slice(0, namedPairs).map(([debug, bench]) => (
          <li key={`${debug} ${bench}`} className={what}>
            <Name text={debug} />
            <span aria-hidden="true">→</span>
            <Name text={bench} />
          </li>
        ))}
      </ul>
    </section>
  )
}

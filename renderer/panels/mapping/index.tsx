// The mapping editors: one document per kind, edited as text, by pairs or by accepting proposals; live in graphs and table.
import { useEffect, useEffectEvent, useRef, useState, type JSX, type KeyboardEvent } from 'react'
import type { MappingCheck, MappingCoverage, MappingEntry, MappingKind } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { offerHandle } from '../../state/handles.ts'
import { begin, canStep, charactersOf, choose, chooseFile, discard, isChanged, kinds, save, step, usable, useKind, useMapping, versionOf } from '../../state/mapping.ts'
import { count } from '../../state/format.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { place, stamp, useWorkbench } from '../../state/workbench.ts'
import { Button, Dialog, MenuButton, Toggle } from '../../ui/controls.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { openEditor, type MappingEditor } from './editor.ts'
import { BuiltIn } from './built-in.tsx'
import { Pairs } from './pairs.tsx'
import { Proposals } from './proposals.tsx'
import './mapping.css'

export default function MappingPanel(): JSX.Element {
  const say = useSay()
  const kind = useKind()
  const has = useMapping(s => s.docs[kind] !== undefined)
  const single = useWorkbench(s => s.session?.bench === null)
  const [saving, setSaving] = useState<'here' | 'elsewhere' | null>(null)
  const handle = useEffectEvent(() => ({ save: () => { if (has) setSaving('here') }, undo: () => step(kind, true), redo: () => step(kind, false) }))
  useEffect(() => offerHandle('mapping', { save: () => handle().save(), undo: () => handle().undo(), redo: () => handle().redo() }), [])
  // The menu knows no focus: what is typed elsewhere keeps its own keys.
  const press = (e: KeyboardEvent): void => {
    if (!(e.ctrlKey || e.metaKey) || e.altKey || e.target instanceof HTMLInputElement || (e.target instanceof HTMLElement && e.target.closest('.cm-editor'))) return
    const key = e.key.toLowerCase()
    if (key !== 'z' && key !== 'y') return
    if (step(kind, key === 'z' && !e.shiftKey)) { e.preventDefault(); e.stopPropagation() }
  }
  if (single) return <><header className="row panel-title"><h2 className="section-title">{say('mapping.title')}</h2></header><Empty icon="single" title={say('nodes.single')}>{say('nodes.single.what')}</Empty></>
  return (
    <div className="mapping" data-testid="mapping" onKeyDown={press}>
      <header className="row panel-title">
        <h2 className="section-title grow">{say('mapping.title')}</h2>
        <Step kind={kind} back />
        <Step kind={kind} back={false} />
        <Button look="quiet" small icon="folder" label={say('mapping.open')} onPress={() => void chooseFile()} />
        <MenuButton label={say('mapping.save')} icon="download" className="button quiet small icon" disabled={!has} entries={[
          { id: 'save', text: say('mapping.save'), run: () => setSaving('here') },
          { id: 'save-as', text: say('mapping.save-as'), run: () => setSaving('elsewhere') },
          'line',
          { id: 'discard', text: say('mapping.discard'), run: () => void discard(kind) },
        ]} />
      </header>
      <div className="row wrap mapping-kinds" role="group" aria-label={say('mapping.title')}>
        {kinds.map(k => <Toggle key={k} className="chip" on={k === kind} disabled={!usable(k)} onChange={() => choose(k)}>{say(`mapping.kind.${k}`)}<Dot kind={k} /></Toggle>)}
      </div>
      {has ? <Document key={kind} kind={kind} /> : <NoDocument kind={kind} />}
      {saving && has ? <Preview kind={kind} onClose={() => setSaving(null)} onSave={() => { setSaving(null); void save(kind, saving === 'elsewhere') }} /> : null}
    </div>
  )
}

// What changes with every key stands in components of its own, which draw again only when they look otherwise.

function Step({ kind, back }: { readonly kind: MappingKind; readonly back: boolean }): JSX.Element {
  const say = useSay()
  const can = useMapping(s => s.docs[kind] !== undefined && canStep(kind, back))
  return <Button look="quiet" small icon={back ? 'left' : 'right'} label={say(back ? 'mapping.undo' : 'mapping.redo')} disabled={!can} onPress={() => { step(kind, back) }} />
}

function Dot({ kind }: { readonly kind: MappingKind }): JSX.Element | null {
  const say = useSay()
  const is = useMapping(s => (s.docs[kind] === undefined ? 'none' : isChanged(s.docs[kind]) ? 'changed' : 'saved'))
  return is === 'none' ? null : <span className={`dot ${is}`} title={is === 'changed' ? say('mapping.unsaved') : ''} />
}

function NoDocument({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  return (
    <Empty icon="mapping" title={say('mapping.none')} action={<span className="row"><Button look="primary" onPress={() => begin(kind)} testId="mapping-new">{say('mapping.new')}</Button><Button onPress={() => void chooseFile()}>{say('mapping.open')}</Button></span>}>
      {say(usable(kind) ? `mapping.none.${kind}` : 'mapping.unusable')}
    </Empty>
  )
}

function Document({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  const check = useMapping(s => s.check[kind]?.check)
  const [tab, setTab] = useState('proposals')
  const { errors = 0, warnings = 0 } = check ?? {}
  return (
    <>
      {check ? <Coverage coverage={check.coverage} /> : null}
      <Tabs className="mapping-tabs" label={say('mapping.title')} at={tab} onChange={setTab} rows={[
        { id: 'proposals', title: say('mapping.tab.proposals'), className: 'mapping-panel', show: <Proposals kind={kind} /> },
        { id: 'pairs', title: say('mapping.tab.pairs'), className: 'mapping-panel', show: <Pairs kind={kind} /> },
        {
          id: 'text', title: <>{say('mapping.tab.text')}{errors + warnings > 0 ? <span className={`badge ${errors > 0 ? 'bad' : ''}`}>{errors + warnings}</span> : null}</>, className: 'mapping-panel mapping-text', keep: true,
          show: (
            <>
              <p className="small faint mapping-problems" role="status">{check ? (errors + warnings > 0 ? say('mapping.problems', { errors, warnings }) : say('mapping.no-problems')) : ''}</p>
              <TextEditor kind={kind} />
            </>
          ),
        },
        ...(kind === 'api' ? [{ id: 'built-in', title: say('mapping.tab.built-in'), className: 'mapping-panel', show: <BuiltIn /> }] : []),
      ]} />
    </>
  )
}

function Coverage({ coverage }: { readonly coverage: MappingCoverage }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <div className="mapping-coverage" data-testid="mapping-coverage">
      {(['debug', 'bench'] as const).map(side => {
        const { matched, all } = coverage[side]
        const text = say(`mapping.matched-${side}`, { matched: count(language, matched), all: count(language, all) })
        return (
          <div key={side} className="column" style={{ gap: 2 }}>
            <span className="small dim">{text}</span>
            <div className={`bar ${side}`} role="meter" aria-label={text} aria-valuemin={0} aria-valuemax={all} aria-valuenow={matched}><span style={{ width: `${all === 0 ? 0 : (100 * matched) / all}%` }} /></div>
          </div>
        )
      })}
    </div>
  )
}

function TextEditor({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
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
      diagnostic: (found: MappingCheck['diagnostics'][number]) => say(`mapping.says.${found.code}`, found.facts),
      fix: (fix: MappingCheck['diagnostics'][number]['fixes'][number]) => say(`mapping.fix.${fix.title}`, fix.facts),
      entry: (entry: MappingEntry) => [
        entry.matches > 0 ? say('mapping.hover.matches', { count: entry.matches }) : say('mapping.hover.none'),
        ...(Number.isNaN(entry.worst) ? [] : [say('mapping.hover.worst', { level: entry.worst.toPrecision(3) })]),
        ...entry.examples.map(([debug, bench]) => `${debug} → ${bench}`),
      ],
    }),
  }))
  useEffect(() => {
    if (!box.current) return undefined
    const made = openEditor(box.current, kind, needs())
    editor.current = made
    return () => { editor.current = null; made.destroy() }
  }, [kind])
  useEffect(() => { if (check) editor.current?.show(check.text, check.check) }, [check])
  return <div ref={box} className="mapping-editor" data-testid="mapping-editor" />
}

/** What changes against the saved file, before it is written. */
function Preview({ kind, onClose, onSave }: { readonly kind: MappingKind; onClose(): void; onSave(): void }): JSX.Element {
  const say = useSay()
  const here = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const doc = useMapping(s => s.docs[kind]?.text)
  const text = charactersOf(doc)
  const saved = charactersOf(useMapping(s => s.docs[kind]?.saved) ?? undefined)
  const key = useWorkbench(s => stamp(s, 'pairs'))
  const answer = useQuery({ key: here === undefined ? null : ['preview', key, kind, versionOf(doc)], load: signal => engine.mappingPreview({ session: here as NonNullable<typeof here>, unit, kind, text, saved }, signal) })
  const preview = valueOf(answer)
  return (
    <Dialog title={say('mapping.preview')} width={640} onClose={onClose} testId="mapping-preview" foot={<><Button onPress={onClose}>{say('frame.close')}</Button><Button look="primary" onPress={onSave} testId="mapping-save">{say('mapping.save')}</Button></>}>
      {preview ? (
        <div className="column" style={{ gap: 10 }}>
          <Coverage coverage={preview.coverage} />
          {preview.gainedCount + preview.lostCount === 0 ? <p>{say('mapping.preview.none')}</p> : null}
          {(['gained', 'lost'] as const).map(what => (preview[`${what}Count`] === 0 ? null : (
            <section key={what}>
              <h3 className="section-title">{say(`mapping.preview.${what}`, { count: preview[`${what}Count`] })}</h3>
              <ul className="mapping-diff">{preview[what].slice(0, 40).map(([debug, bench]) => <li key={`${debug} ${bench}`} className={what}><span className="cut-front">{debug}</span><span aria-hidden="true">→</span><span className="cut-front">{bench}</span></li>)}</ul>
            </section>
          )))}
        </div>
      ) : null}
    </Dialog>
  )
}

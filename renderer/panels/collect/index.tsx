// A config.json as a form, as text and with the code around it; beside it what the tool would make of it.
import type { JSX } from 'react'
import {
  collectModes,
  inBytes,
  presetIds,
  toolVersions,
  type PresetId,
} from '../../../preload/contract/engine.ts'
import type { CollectView } from '../../../preload/contract/collect.ts'
import { engine } from '../../engine.ts'
import {
  change,
  fromPreset,
  openFile,
  save,
  setTab,
  setTarget,
  step,
  useCollect,
} from '../../state/collect.ts'
import { count } from '../../state/format.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { isSingle } from '../../state/study.ts'
import { useSay } from '../../state/words.ts'
import { stamp, useWorkbench } from '../../state/workbench.ts'
import { Button, MenuButton, type MenuEntry } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Changes } from './changes.tsx'
import { Code } from './code.tsx'
import { Form } from './form.tsx'
import { Next } from './next.tsx'
import { Precheck } from './precheck.tsx'
import { TextView } from './text.tsx'
import './collect.css'

export default function CollectPanel(): JSX.Element {
  const say = useSay()
  const text = useCollect(s => s.text)
  const target = useCollect(s => s.target)
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const version = useWorkbench(s => stamp(s, 'dumps'))
  const at = session === undefined ? null : { session, unit }
  const view = valueOf(
    useQuery({
      key: ['collect', version, target.version, target.mode, text],
      keep: true,
      load: signal => engine.collectView({ at, text: text ?? '', target, side: 'debug' }, signal),
    }),
  )
  return (
    <div className="collect" data-testid="collect">
      <Head />
      <div className="row wrap collect-target">
        <MenuButton
          label={say('collect.tool')}
          testId="collect-tool"
          entries={toolVersions.map(version => ({
            id: version,
            text: `msprobe ${version}`,
            on: version === target.version,
            run: () => setTarget({ version }),
          }))}
        >
          msprobe {target.version}
        </MenuButton>
        <MenuButton
          label={say('collect.mode')}
          testId="collect-mode"
          entries={collectModes.map(mode => ({
            id: mode,
            text: say(`collect.mode.${mode}`),
            on: mode === target.mode,
            run: () => setTarget({ mode }),
          }))}
        >
          {say(`collect.mode.${target.mode}`)}
        </MenuButton>
        {text === null ? null : <Presets known={view?.presets} />}
      </div>
      {text === null ? <Unbegun known={view?.presets} /> : <Document view={view} text={text} />}
    </div>
  )
}

function Head(): JSX.Element {
  const say = useSay()
  const has = useCollect(s => s.text !== null)
  const undone = useCollect(s => s.past.length > 0)
  const redone = useCollect(s => s.future.length > 0)
  const changed = useCollect(s => s.text !== null && s.text !== s.saved)
  return (
    <header className="row panel-title">
      <h2 className="section-title grow">
        {say('collect.title')}
        {changed ? <span className="dot changed" title={say('mapping.unsaved')} /> : null}
      </h2>
      <Button
        look="quiet"
        small
        icon="left"
        label={say('mapping.undo')}
        disabled={!undone}
        onPress={() => step(true)}
      />
      <Button
        look="quiet"
        small
        icon="right"
        label={say('mapping.redo')}
        disabled={!redone}
        onPress={() => step(false)}
      />
      <Button
        look="quiet"
        small
        icon="folder"
        label={say('collect.open')}
        testId="collect-open"
        onPress={() => void openFile()}
      />
      <MenuButton
        label={say('mapping.save')}
        icon="download"
        className="button quiet small icon"
        testId="collect-save"
        disabled={!has}
        entries={[
          { id: 'save', text: say('mapping.save'), run: () => void save(false) },
          { id: 'save-as', text: say('mapping.save-as'), run: () => void save(true) },
        ]}
      />
    </header>
  )
}

function usePresets(known: readonly PresetId[] | undefined): readonly MenuEntry[] {
  const say = useSay()
  return presetIds.map(id => ({
    id,
    text: say(`collect.preset.${id}`),
    disabled: known !== undefined && !known.includes(id),
    run: () => void fromPreset(id),
  }))
}

function Presets({ known }: { readonly known: readonly PresetId[] | undefined }): JSX.Element {
  const say = useSay()
  const entries = usePresets(known)
  return (
    <MenuButton label={say('collect.presets')} testId="collect-presets" entries={entries}>
      {say('collect.presets')}
    </MenuButton>
  )
}

/** Without a text there are presets, and the pre-check of what is open. */
function Unbegun({ known }: { readonly known: readonly PresetId[] | undefined }): JSX.Element {
  const say = useSay()
  const opened = useWorkbench(s => s.session !== null)
  const tab = useCollect(s => s.tab)
  if (!opened || tab !== 'precheck') return <Begin known={known} />
  return (
    <>
      <div className="row collect-target">
        <Button look="quiet" small icon="left" testId="precheck-back" onPress={() => setTab('form')}>
          {say('collect.back')}
        </Button>
      </div>
      <div className="collect-body">
        <Precheck />
      </div>
    </>
  )
}

/** Before there is a text: what a dump is usually taken for. */
function Begin({ known }: { readonly known: readonly PresetId[] | undefined }): JSX.Element {
  const say = useSay()
  const opened = useWorkbench(s => s.session !== null)
  return (
    <div className="collect-body">
      <h3 className="collect-question">{say('collect.begin')}</h3>
      <p className="small dim">{say('collect.begin.what')}</p>
      <ul className="plain-list collect-presets">
        {presetIds.map(id => (
          <li key={id}>
            <button
              type="button"
              className="collect-preset"
              data-preset={id}
              disabled={known !== undefined && !known.includes(id)}
              title={known !== undefined && !known.includes(id) ? say('collect.preset.none') : ''}
              onClick={() => void fromPreset(id)}
            >
              <span>{say(`collect.preset.${id}`)}</span>
              <span className="small dim">{say(`collect.preset.${id}.what`)}</span>
            </button>
          </li>
        ))}
      </ul>
      {opened ? (
        <>
          <h3 className="collect-question">{say('precheck.panel.question')}</h3>
          <button
            type="button"
            className="collect-preset"
            data-testid="collect-precheck-open"
            onClick={() => setTab('precheck')}
          >
            <span>{say('precheck.panel.title')}</span>
            <span className="small dim">{say('precheck.panel.what')}</span>
          </button>
        </>
      ) : null}
    </div>
  )
}

function Document({
  view,
  text,
}: {
  readonly view: CollectView | undefined
  readonly text: string
}): JSX.Element {
  const say = useSay()
  const compared = useWorkbench(s => s.session !== null && !isSingle(s.session))
  const chosen = useCollect(s => s.tab)
  const opened = useWorkbench(s => s.session !== null)
  const tab = (chosen === 'next' && !compared) || (chosen === 'precheck' && !opened) ? 'form' : chosen
  if (!view) return <Skeleton rows={10} />
  return (
    <>
      <Verdict view={view} />
      <Tabs
        label={say('collect.title')}
        at={tab}
        className="collect-tabs"
        onChange={setTab}
        rows={[
          {
            id: 'form',
            title: say('collect.tab.form'),
            className: 'collect-body',
            show: <Form view={view} onChange={changes => void change(changes)} />,
          },
          {
            id: 'text',
            title: say('collect.tab.text'),
            className: 'collect-text',
            show: <TextView text={text} check={view.check} />,
          },
          {
            id: 'code',
            title: say('collect.tab.code'),
            className: 'collect-body',
            show: <Code snippets={view.snippets} text={text} />,
          },
          ...(opened
            ? [
                {
                  id: 'precheck',
                  title: say('precheck.panel.tab'),
                  className: 'collect-body',
                  show: <Precheck />,
                },
              ]
            : []),
          ...(compared
            ? [{ id: 'next', title: say('collect.tab.next'), className: 'collect-body', show: <Next /> }]
            : []),
        ]}
      />
    </>
  )
}

/** What the tool would do, in one line, and what the dump that is open says to it. */
function Verdict({ view: { check, hits } }: { readonly view: CollectView }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const tool = useCollect(s => s.target.version)
  const errors = check.diagnostics.filter(one => one.severity === 'error').length
  const others = check.diagnostics.filter(one => one.severity === 'warning').length
  const sentence =
    errors > 0
      ? say('collect.stops', { tool, count: errors })
      : others > 0
        ? say('collect.takes.but', { tool, count: others })
        : say('collect.takes', { tool })
  const state = errors > 0 ? 'stops' : others > 0 ? 'but' : 'takes'
  return (
    <div className={`collect-verdict ${state}`} data-testid="collect-verdict" data-state={state}>
      <p className="row">
        <Icon name={errors > 0 ? 'alert' : 'check'} size={14} />
        <span className="copyable">{sentence}</span>
      </p>
      {hits ? (
        <details className="small">
          <summary className="dim">
            {say('collect.hits', {
              hit: count(language, hits.hit),
              calls: count(language, hits.calls),
              size: inBytes(hits.bytes),
              time: timeText(hits.bytes, hits.files, say('collect.seconds')),
            })}
          </summary>
          <ul className="collect-names copyable mono">
            {hits.names.map(name => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </details>
      ) : null}
      <Changes />
    </div>
  )
}

/** Written at about 200 MB/s, a millisecond for each file. */
const timeText = (bytes: number, files: number, unit: string): string => {
  const seconds = bytes / 200e6 + files / 1000
  return `${seconds < 1 ? '< 1' : Math.round(seconds)} ${unit}`
}

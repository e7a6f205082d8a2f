// The empty state: two places to drop dumps, recent pairs, and a sample for the curious.
import { useState, type DragEvent, type JSX } from 'react'
import type { Side } from '../../../preload/contract/engine.ts'
import { showAlone } from '../../state/collect.ts'
import { run, shortcut } from '../../state/commands.ts'
import { host } from '../../state/host.ts'
import { folderName } from '../../state/names.ts'
import { runDate, runText } from '../../state/run-text.ts'
import { openPaths } from '../../state/sessions.ts'
import { offer, openAlone, withdraw } from '../../state/sides.ts'
import { takeSettings } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { now, useWorkbench } from '../../state/workbench.ts'
import { Name } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { OpenFailure } from './failure.tsx'
import { EngineTrouble } from './engine-trouble.tsx'
import './opening.css'

export function Opening(): JSX.Element {
  const say = useSay()
  const opening = useWorkbench(s => s.opening)
  const failed = useWorkbench(s => s.openFailed)
  const waiting = useWorkbench(s => s.waiting)
  const sample = useWorkbench(s => (s.start?.sample.length ?? 0) > 0)
  const chosen = [waiting.debug, waiting.bench].filter(path => path !== undefined)
  const alone = chosen.length === 1 ? chosen[0] : undefined
  return (
    <main className="opening" data-testid="empty-state">
      <div className="opening-inner">
        <div className="opening-head">
          <h1>{say('opening.title')}</h1>
          <p className="dim">{say('opening.lead')}</p>
        </div>
        <EngineTrouble />
        {failed ? <OpenFailure {...failed} /> : null}
        {opening ? (
          <Opens paths={opening} />
        ) : (
          <>
            <div className="zones">
              <Zone side="debug" />
              <span className="zones-mark" aria-hidden="true">
                <Icon name="swap" size={20} />
              </span>
              <Zone side="bench" />
            </div>
            <div className="opening-actions">
              {alone === undefined ? null : (
                <Button onPress={() => void openAlone(alone)}>{say('opening.alone')}</Button>
              )}
              {sample ? (
                <Button look="primary" icon="sample" testId="open-sample" onPress={() => run('sample')}>
                  {say('opening.sample')}
                </Button>
              ) : null}
              <Button
                icon="file"
                label={say('opening.file-tip')}
                keys={shortcut('open-file')}
                onPress={() => run('open-file')}
              >
                {say('opening.file')}
              </Button>
              <Button
                icon="note"
                label={say('opening.collect-tip')}
                testId="open-collect"
                onPress={() => showAlone(true)}
              >
                {say('opening.collect')}
              </Button>
              <span className="faint small">{say('opening.offline')}</span>
            </div>
            <Recent />
          </>
        )}
      </div>
    </main>
  )
}

function Opens({ paths }: { readonly paths: readonly string[] }): JSX.Element {
  const say = useSay()
  return (
    <div className="card opens" role="status">
      <h2>{say('opening.reading')}</h2>
      <ul>
        {paths.map(path => (
          <li key={path} className="row mono">
            <Icon name="folder" size={14} />
            <Name text={path} />
          </li>
        ))}
      </ul>
      <div className="column" style={{ gap: 9 }}>
        {[84, 62, 73].map(width => (
          <div key={width} className="skeleton" style={{ height: 12, width: `${width}%` }} />
        ))}
      </div>
      <div>
        <Button icon="stop" small onPress={() => run('pause')}>
          {say('frame.cancel')}
        </Button>
      </div>
    </div>
  )
}

/** Two folders at once are a pair wherever they land. */
async function takePaths(side: Side, paths: readonly string[]): Promise<void> {
  const [only] = paths
  if (paths.length > 1) await openPaths(paths)
  else if (only !== undefined) await offer(side, only)
}

const chooseFor = async (side: Side): Promise<void> =>
  takePaths(side, await host().choose({ what: 'dumps', side }))

function Zone({ side }: { readonly side: Side }): JSX.Element {
  const say = useSay()
  const path = useWorkbench(s => s.waiting[side])
  const [over, setOver] = useState(false)
  const drop = (e: DragEvent): void => {
    e.preventDefault()
    setOver(false)
    const paths = host().pathsOf([...e.dataTransfer.files])
    void takePaths(side, paths.filter(Boolean))
  }
  return (
    <section
      className={`zone ${over ? 'over' : ''} ${path === undefined ? '' : 'taken'}`}
      data-testid={`drop-${side}`}
      aria-label={say(`opening.${side}`)}
      onDragEnter={e => {
        e.preventDefault()
        setOver(true)
      }}
      onDragOver={e => e.preventDefault()}
      onDragLeave={e => {
        if (!e.currentTarget.contains(e.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={drop}
    >
      <div className="zone-head">
        <span className={`zone-dot ${side}`} />
        <h2>{say(`opening.${side}`)}</h2>
      </div>
      <p className="dim">{say(`opening.${side}.what`)}</p>
      {path === undefined ? <Wanted side={side} /> : <Taken side={side} path={path} />}
    </section>
  )
}

/** How people call the folder of each side. */
const usual = { debug: 'npu_dump', bench: 'gpu_dump' } as const

/** What a folder looks like that belongs here. */
function Wanted({ side }: { readonly side: Side }): JSX.Element {
  const say = useSay()
  return (
    <>
      <pre className="zone-tree" aria-label={say('opening.looks-like')}>
        {say('opening.tree', { folder: usual[side] })}
      </pre>
      <Button icon="folder" testId={`choose-${side}`} onPress={() => void chooseFor(side)}>
        {say('opening.choose')}
      </Button>
    </>
  )
}

function Taken({ side, path }: { readonly side: Side; readonly path: string }): JSX.Element {
  const say = useSay()
  return (
    <div className="zone-taken">
      <Icon name="folder" size={22} />
      <strong className="cut">{folderName(path)}</strong>
      <Name text={path} className="faint small" />
      <div className="row">
        <Button small onPress={() => void chooseFor(side)}>
          {say('opening.other')}
        </Button>
        <Button small look="quiet" onPress={() => withdraw(side)}>
          {say('opening.remove')}
        </Button>
      </div>
    </div>
  )
}

function Recent(): JSX.Element | null {
  const say = useSay()
  const recent = useWorkbench(s => s.settings?.recent ?? [])
  const language = useWorkbench(s => s.language)
  if (recent.length === 0) return null
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const forget = async (paths: readonly string[]): Promise<void> =>
    takeSettings(await host().forget({ paths }), now().dark)
  return (
    <section className="recent" data-testid="recent" aria-label={say('opening.recent')}>
      <h2 className="section-title">{say('opening.recent')}</h2>
      <ul>
        {recent.map(pair => (
          <li key={pair.paths.join('\n')} className="recent-row">
            <button
              type="button"
              className="recent-open"
              title={pair.runs
                .map(one => `${runDate(language, one.at)}  ${runText(language, one)}`)
                .join('\n')}
              onClick={() => void openPaths(pair.paths)}
            >
              <Icon name="clock" size={14} />
              <strong className="cut">{pair.title}</strong>
              <span className="faint small grow">
                <Name text={pair.paths.join('  ·  ')} />
              </span>
              <span className="small dim recent-run">
                {pair.runs.slice(0, 1).map(one => runText(language, one))}
              </span>
              <span className="faint small">{when.format(pair.at)}</span>
            </button>
            <Button
              look="quiet"
              small
              icon="close"
              label={say('opening.forget')}
              onPress={() => void forget(pair.paths)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

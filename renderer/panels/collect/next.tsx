// Which run to make next, with the config for it, and what the runs so far have told.
import { useState, type JSX } from 'react'
import type { Experiment } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { showText, useCollect } from '../../state/collect.ts'
import { shortName } from '../../state/names.ts'
import { valueOf } from '../../state/query.ts'
import { addTried, changeTried, removeTried, triedOutcomes } from '../../state/tried.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench, type Tried } from '../../state/workbench.ts'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'

export function Next(): JSX.Element {
  const say = useSay()
  const target = useCollect(s => s.target)
  const found = valueOf(
    useUnitQuery({
      steps: ['findings'],
      key: ['collect-next', target.version, target.mode],
      keep: true,
      load: (here, signal) => engine.collectNext({ ...here, target }, signal),
    }),
  )
  if (!found) return <Skeleton rows={6} height={40} />
  return (
    <div className="column collect-next" data-testid="collect-next">
      {found.length === 0 ? (
        <Empty icon="single" title={say('experiment.none')}>
          {say('experiment.none.what')}
        </Empty>
      ) : null}
      {found.map(one => (
        <Proposal key={one.id} experiment={one} />
      ))}
      <Log />
    </div>
  )
}

function Proposal({ experiment: { id, node, text } }: { readonly experiment: Experiment }): JSX.Element {
  const say = useSay()
  return (
    <section className="card" data-experiment={id}>
      <h3>{say(`experiment.${id}`)}</h3>
      <p className="small dim card-text">{say(`experiment.${id}.what`, { node: shortName(node) })}</p>
      <p className="small card-text">{say(`experiment.${id}.rules-out`)}</p>
      <div className="row wrap">
        {text === null ? null : (
          <Button small icon="file" onPress={() => showText(text)}>
            {say('experiment.config')}
          </Button>
        )}
        <Button small icon="note" onPress={() => addTried(id, node)}>
          {say('experiment.log')}
        </Button>
      </div>
    </section>
  )
}

function Log(): JSX.Element | null {
  const say = useSay()
  const tried = useWorkbench(s => s.tried)
  if (tried.length === 0) return null
  return (
    <section className="card" data-testid="experiment-log">
      <h3 className="card-kind">{say('experiment.log.title')}</h3>
      <ul className="plain-list">
        {tried.map(one => (
          <Entry key={one.at} entry={one} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ entry }: { readonly entry: Tried }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const [typed, setTyped] = useState(entry.text)
  return (
    <li className="column collect-tried">
      <div className="row">
        <span className="grow">{say(`experiment.${entry.id}`)}</span>
        <span className="small faint">{new Date(entry.at).toLocaleString(language)}</span>
        <Button
          small
          look="quiet"
          icon="close"
          label={say('experiment.remove')}
          onPress={() => removeTried(entry.at)}
        />
      </div>
      {entry.node === '' ? null : <span className="small mono dim cut">{entry.node}</span>}
      <div className="row wrap" role="group" aria-label={say('experiment.outcome')}>
        {triedOutcomes.map(outcome => (
          <Toggle
            key={outcome}
            className="chip"
            on={entry.outcome === outcome}
            onChange={() => changeTried(entry.at, { outcome })}
          >
            {say(`experiment.outcome.${outcome}`)}
          </Toggle>
        ))}
      </div>
      <input
        className="field"
        aria-label={say('experiment.note')}
        placeholder={say('experiment.note')}
        value={typed}
        onChange={e => setTyped(e.target.value)}
        onBlur={() => changeTried(entry.at, { text: typed })}
      />
    </li>
  )
}

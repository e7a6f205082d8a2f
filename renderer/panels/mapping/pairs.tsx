// The names of both sides, as lists or, for layers, as trees: choose by keys or by hand, drag to pair; arguments of an API are wired by a small picture.
import { useState, type JSX } from 'react'
import type { MappingChange, MappingKind, MappingMeeting, Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { change, charactersOf, useMapping, versionOf } from '../../state/mapping.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { place, useWorkbench } from '../../state/workbench.ts'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Names, type Show } from './names.tsx'
import { changeText } from './proposals.tsx'
import { Wiring } from './wiring.tsx'

const shows = ['all', 'unmatched', 'ambiguous', 'matched'] as const satisfies readonly Show[]
const sides = ['debug', 'bench'] as const

type Chosen = Readonly<Record<Side, string>>
const nobody: Chosen = { debug: '', bench: '' }

export function Pairs({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  const [chosen, setChosen] = useState(nobody)
  const [show, setShow] = useState<Show>(kind === 'layer' ? 'all' : 'unmatched')
  const [dragged, setDragged] = useState<{ readonly side: Side; readonly name: string } | null>(null)
  const meeting = useMeeting(kind, chosen)
  const { change: wanted = null, entry = null } = meeting ?? {}

  const ask = async (debug: string, bench: string): Promise<MappingMeeting | null> => {
    const here = place(useWorkbench.getState())
    return here && debug !== '' ? engine.mappingMeeting({ ...here, kind, text: charactersOf(useMapping.getState().docs[kind]?.text), debug, bench }) : null
  }
  const pair = async (debug: string, bench: string): Promise<void> => {
    const met = bench === '' ? null : await ask(debug, bench)
    if (met?.change) await change(kind, [met.change])
  }
  const unpair = async (): Promise<void> => {
    const met = await ask(chosen.debug, '')
    if (met?.entry) await change(kind, [], [met.entry.change])
  }
  const dropped = (side: Side, name: string): void => {
    if (dragged && dragged.side !== side) void pair(side === 'debug' ? name : dragged.name, side === 'bench' ? name : dragged.name)
    setDragged(null)
  }
  return (
    <div className="column pairs" data-testid="mapping-pairs">
      <div className="row pairs-shows" role="group" aria-label={say('mapping.show')}>{shows.map(s => <Toggle key={s} className="chip" on={s === show} onChange={() => setShow(s)}>{say(`mapping.show.${s}`)}</Toggle>)}</div>
      <div className="pairs-lists">
        {sides.map(side => (
          <Names key={side} kind={kind} side={side} show={show} chosen={chosen[side]} dragging={dragged !== null && dragged.side !== side}
            onChoose={name => setChosen(old => ({ ...old, [side]: name }))} onDrag={name => setDragged(name === '' ? null : { side, name })} onDropped={name => dropped(side, name)}
            onEnter={() => void pair(chosen.debug, chosen.bench)} onDelete={() => void unpair()} />
        ))}
      </div>
      <Foot chosen={chosen} wanted={wanted} meeting={meeting} onPair={() => void pair(chosen.debug, chosen.bench)} onUnpair={() => void unpair()} />
      {kind === 'api' && meeting?.debug && (entry ?? wanted) ? <Wiring debug={meeting.debug} bench={meeting.bench} change={entry?.change.kind === 'api' && (chosen.bench === '' || entry.change.to === chosen.bench) ? entry.change : wanted} onChange={one => void change(kind, [one])} /> : null}
    </div>
  )
}

interface FootProps {
  readonly chosen: Chosen
  readonly wanted: MappingChange | null
  readonly meeting: MappingMeeting | undefined
  onPair(): void
  onUnpair(): void
}

/** What the chosen names are, what stands in the text, and what pairing them would write there. */
function Foot({ chosen, wanted, meeting, onPair, onUnpair }: FootProps): JSX.Element {
  const say = useSay()
  const entry = meeting?.entry ?? null
  const both = chosen.debug !== '' && chosen.bench !== ''
  const stands = entry !== null && (!both || (wanted?.from === entry.change.from && wanted.to === entry.change.to))
  const says = stands ? say('mapping.pair.stands', { what: changeText(say, entry.change), count: entry.matches }) : both && wanted ? say('mapping.pair.writes', { what: changeText(say, wanted) })
    : both ? say('mapping.pair.impossible')
      : meeting?.debug && meeting.bench ? say('mapping.pair.meets', { debug: meeting.debug.name, bench: meeting.bench.name })
        : say('mapping.pair.what')
  return (
    <div className="row pairs-foot">
      <span className="grow small dim copyable" role="status">{says}</span>
      {entry ? <Button small onPress={onUnpair} testId="mapping-unpair">{say('mapping.unpair')}</Button> : null}
      <Button small look="primary" disabled={!both || !wanted} onPress={onPair} testId="mapping-pair">{say('mapping.pair')}</Button>
    </div>
  )
}

function useMeeting(kind: MappingKind, { debug, bench }: Chosen): MappingMeeting | undefined {
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const text = useMapping(s => s.docs[kind]?.text)
  const asks = session !== undefined && debug !== ''
  const answer = useQuery({
    key: asks ? ['meeting', session, unit, kind, versionOf(text), debug, bench] : null, keep: true,
    load: signal => engine.mappingMeeting({ session: session as NonNullable<typeof session>, unit, kind, text: charactersOf(text), debug, bench }, signal),
  })
  return asks ? valueOf(answer) : undefined
}

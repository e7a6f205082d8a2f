// The names of both sides, as lists or, for layers, as trees: choose by keys or by hand, drag to pair;
// arguments of an API are wired by a small picture.
import { useState, type JSX } from 'react'
import type { MappingChange, MappingKind, MappingMeeting, Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { change, changeText, charactersOf, useMapping, versionOf } from '../../state/mapping.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { place, useWorkbench } from '../../state/workbench.ts'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Names, type Show } from './names.tsx'
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

  const pair = (debug: string, bench: string): void => void writePair(kind, { debug, bench })
  const unpair = (): void => void removePair(kind, chosen.debug)
  const dropped = (side: Side, name: string): void => {
    if (dragged && dragged.side !== side)
      pair(side === 'debug' ? name : dragged.name, side === 'bench' ? name : dragged.name)
    setDragged(null)
  }
  return (
    <div className="column pairs" data-testid="mapping-pairs">
      <div className="row pairs-shows" role="group" aria-label={say('mapping.show')}>
        {shows.map(s => (
          <Toggle key={s} className="chip" on={s === show} onChange={() => setShow(s)}>
            {say(`mapping.show.${s}`)}
          </Toggle>
        ))}
      </div>
      <div className="pairs-lists">
        {sides.map(side => (
          <Names
            key={side}
            kind={kind}
            side={side}
            show={show}
            chosen={chosen[side]}
            dragging={dragged !== null && dragged.side !== side}
            onChoose={name => setChosen(old => ({ ...old, [side]: name }))}
            onDrag={name => setDragged(name === '' ? null : { side, name })}
            onDropped={name => dropped(side, name)}
            onEnter={() => pair(chosen.debug, chosen.bench)}
            onDelete={unpair}
          />
        ))}
      </div>
      <Foot
        chosen={chosen}
        wanted={wanted}
        meeting={meeting}
        onPair={() => pair(chosen.debug, chosen.bench)}
        onUnpair={unpair}
      />
      {kind === 'api' && meeting?.debug && (entry ?? wanted) ? (
        <Wiring
          debug={meeting.debug}
          bench={meeting.bench}
          change={wiredChange(meeting, chosen.bench)}
          onChange={one => void change(kind, [one])}
        />
      ) : null}
    </div>
  )
}

async function meet(kind: MappingKind, { debug, bench }: Chosen): Promise<MappingMeeting | null> {
  const here = place(useWorkbench.getState())
  if (!here || debug === '') return null
  const text = charactersOf(useMapping.getState().docs[kind]?.text)
  return engine.mappingMeeting({ ...here, kind, text, debug, bench })
}

async function writePair(kind: MappingKind, chosen: Chosen): Promise<void> {
  const met = chosen.bench === '' ? null : await meet(kind, chosen)
  if (met?.change) await change(kind, [met.change])
}

async function removePair(kind: MappingKind, debug: string): Promise<void> {
  const met = await meet(kind, { debug, bench: '' })
  if (met?.entry) await change(kind, [], [met.entry.change])
}

/** The entry whose arguments are drawn: the one in the text, unless another partner is chosen. */
function wiredChange({ entry, change: wanted }: MappingMeeting, bench: string): MappingChange | null {
  const written = entry?.change
  return written?.kind === 'api' && (bench === '' || written.to === bench) ? written : wanted
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
  const stands =
    entry !== null && (!both || (wanted?.from === entry.change.from && wanted.to === entry.change.to))
  const sentence = (): string => {
    if (stands)
      return say('mapping.pair.stands', { what: changeText(say, entry.change), count: entry.matches })
    if (both && wanted) return say('mapping.pair.writes', { what: changeText(say, wanted) })
    if (both) return say('mapping.pair.impossible')
    if (meeting?.debug && meeting.bench)
      return say('mapping.pair.meets', { debug: meeting.debug.name, bench: meeting.bench.name })
    return say('mapping.pair.what')
  }
  return (
    <div className="row pairs-foot">
      <span className="grow small dim copyable" role="status">
        {sentence()}
      </span>
      {entry ? (
        <Button small onPress={onUnpair} testId="mapping-unpair">
          {say('mapping.unpair')}
        </Button>
      ) : null}
      <Button small look="primary" disabled={!both || !wanted} onPress={onPair} testId="mapping-pair">
        {say('mapping.pair')}
      </Button>
    </div>
  )
}

function useMeeting(kind: MappingKind, { debug, bench }: Chosen): MappingMeeting | undefined {
  const text = useMapping(s => s.docs[kind]?.text)
  const answer = useUnitQuery({
    steps: [],
    key: debug === '' ? null : ['meeting', kind, versionOf(text), debug, bench],
    keep: true,
    load: (here, signal) =>
      engine.mappingMeeting({ ...here, kind, text: charactersOf(text), debug, bench }, signal),
  })
  return debug === '' ? undefined : valueOf(answer)
}

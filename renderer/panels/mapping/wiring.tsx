// Which argument of one API is which of the other, as lines between two columns.
import { useState, type JSX, type KeyboardEvent } from 'react'
import type { MappingChange, MappingName } from '../../../preload/contract/engine.ts'
import { useSay } from '../../state/words.ts'

type ApiChange = MappingChange & { readonly kind: 'api' }
type Part = 'inputs' | 'outputs'
const listOf = { inputs: 'args', outputs: 'outputs' } as const
const rowHeight = 26
const width = 72

export function Wiring({
  debug,
  bench,
  change,
  onChange,
}: {
  readonly debug: MappingName
  readonly bench: MappingName | null
  readonly change: MappingChange | null
  onChange(next: MappingChange): void
}): JSX.Element | null {
  const say = useSay()
  if (change?.kind !== 'api') return null
  return (
    <section className="wiring" aria-label={say('mapping.wiring')} data-testid="mapping-wiring">
      <p className="small faint">{say('mapping.wiring.what')}</p>
      {(['inputs', 'outputs'] as const).map(part => (
        <Wires
          key={`${part}${change.from}${change.to}`}
          part={part}
          debug={debug}
          bench={bench}
          change={change}
          onChange={onChange}
        />
      ))}
    </section>
  )
}

interface WiresProps {
  readonly part: Part
  readonly debug: MappingName
  readonly bench: MappingName | null
  readonly change: ApiChange
  onChange(next: MappingChange): void
}

function Wires({ part, debug, bench, change, onChange }: WiresProps): JSX.Element {
  const say = useSay()
  const [from, setFrom] = useState<string | null>(null)
  const pairs = change[listOf[part]]
  const wired = [0, 1].map(side => pairs.map(pair => pair[side] ?? '')) as [string[], string[]]
  const left = withMissing(debug[part], wired[0])
  const right = withMissing(bench?.[part] ?? [], wired[1])
  const set = (next: ApiChange['args']): void => {
    const placeOf = (mine: string): number => left.findIndex(one => one.index === mine)
    onChange({ ...change, [listOf[part]]: next.toSorted(([a], [b]) => placeOf(a) - placeOf(b)) })
  }
  const cut = (side: 0 | 1, index: string): void => set(pairs.filter(pair => pair[side] !== index))
  const join = (theirs: string): void => {
    if (from === null) return
    set([...pairs.filter(([mine, other]) => mine !== from && other !== theirs), [from, theirs]])
    setFrom(null)
  }
  if (left.length === 0 && right.length === 0) return <></>
  const ports = (side: 0 | 1, list: Places, press: (index: string) => void): JSX.Element => (
    <Ports
      side={side}
      list={list}
      wired={new Set(wired[side])}
      from={from}
      onPress={press}
      onCut={index => cut(side, index)}
      onLeave={() => setFrom(null)}
    />
  )
  return (
    <div className="column">
      <h4 className="section-title">{say(`mapping.wiring.${part}`)}</h4>
      <div className={`wires ${from === null ? '' : 'joining'}`}>
        {ports(0, left, index => setFrom(from === index ? null : index))}
        <WireLines left={left} right={right} pairs={pairs} onCut={index => cut(0, index)} />
        {ports(1, right, join)}
      </div>
    </div>
  )
}

type Places = MappingName['inputs']

/** The places of one side, to be joined by clicks or keys. */
function Ports({
  side,
  list,
  wired,
  from,
  onPress,
  onCut,
  onLeave,
}: {
  readonly side: 0 | 1
  readonly list: Places
  readonly wired: ReadonlySet<string>
  /** The place of the left side that waits for its partner. */
  readonly from: string | null
  onPress(index: string): void
  onCut(index: string): void
  onLeave(): void
}): JSX.Element {
  const say = useSay()
  const press = (e: KeyboardEvent<HTMLButtonElement>, i: number, index: string): void => {
    const up = { ArrowUp: -1, ArrowDown: 1 }[e.key]
    const across = e.key === (side === 0 ? 'ArrowRight' : 'ArrowLeft')
    if (e.key === 'Delete' || e.key === 'Backspace') onCut(index)
    else if (e.key === 'Escape' && from !== null) onLeave()
    else if (up === undefined && !across) return
    else {
      const columns = e.currentTarget.closest('.wires')?.querySelectorAll('.ports') ?? []
      const ports = columns[across ? 1 - side : side]?.querySelectorAll('button') ?? []
      ports[Math.max(0, Math.min(ports.length - 1, i + (up ?? 0)))]?.focus()
    }
    e.preventDefault()
    e.stopPropagation()
  }
  return (
    <div
      className={`ports ${side === 0 ? 'left' : 'right'}`}
      role="group"
      aria-label={say(side === 0 ? 'side.debug' : 'side.bench')}
    >
      {list.map((one, i) => (
        <button
          key={one.index}
          type="button"
          className={`port ${wired.has(one.index) ? 'wired' : ''}`}
          title={one.detail}
          {...(side === 0 ? { 'aria-pressed': from === one.index } : {})}
          onClick={() => onPress(one.index)}
          onKeyDown={e => press(e, i, one.index)}
        >
          <b>{one.index === '' ? '·' : one.index}</b>
          <span className="faint cut">{shapeIn(one.detail)}</span>
        </button>
      ))}
    </div>
  )
}

function WireLines({
  left,
  right,
  pairs,
  onCut,
}: {
  readonly left: Places
  readonly right: Places
  readonly pairs: ApiChange['args']
  onCut(mine: string): void
}): JSX.Element {
  const say = useSay()
  const y = (list: Places, index: string): number =>
    (list.findIndex(one => one.index === index) + 0.5) * rowHeight
  const height = Math.max(left.length, right.length, 1) * rowHeight
  return (
    <svg width={width} height={height} role="group" aria-label={say('mapping.wiring')}>
      {pairs.map(([mine, theirs]) => {
        const [a, b] = [y(left, mine), y(right, theirs)]
        const d = `M0 ${a} C ${width / 2} ${a}, ${width / 2} ${b}, ${width} ${b}`
        return (
          <g
            key={`${mine} ${theirs}`}
            className="wire"
            role="button"
            tabIndex={0}
            aria-label={`${mine} → ${theirs}`}
            onClick={() => onCut(mine)}
            onKeyDown={e => {
              if (e.key === 'Delete' || e.key === 'Backspace' || e.key === 'Enter') {
                e.preventDefault()
                onCut(mine)
              }
            }}
          >
            <path className="wire-near" d={d} />
            <path className="wire-line" d={d} />
          </g>
        )
      })}
    </svg>
  )
}

/** The shape of a tensor, the type of anything else: the rest stands in the tip. */
const shapeIn = (detail: string): string =>
  /\[.+\]$/.exec(detail)?.[0] ?? detail.replace(/ \[\]$/, '').replace(/^<class '(.*)'>$/, '$1')

/** Places of an API, and those that the entry names though the dump does not have them. */
const withMissing = (list: MappingName['inputs'], named: readonly string[]): MappingName['inputs'] => [
  ...list,
  ...named.filter(index => !list.some(one => one.index === index)).map(index => ({ index, detail: '' })),
]

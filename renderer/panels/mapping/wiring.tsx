// Which argument of one API is which of the other, as lines between two columns.
import { useState, type JSX } from 'react'
import type { MappingChange, MappingName } from '../../../preload/contract/engine.ts'
import { useSay } from '../../state/words.ts'

type ApiChange = MappingChange & { readonly kind: 'api' }
type Part = 'inputs' | 'outputs'
const listOf = { inputs: 'args', outputs: 'outputs' } as const
const rowHeight = 24
const width = 90

export function Wiring({ debug, bench, change, onChange }: { readonly debug: MappingName; readonly bench: MappingName | null; readonly change: MappingChange | null; onChange(next: MappingChange): void }): JSX.Element | null {
  const say = useSay()
  if (change?.kind !== 'api') return null
  return (
    <section className="wiring" aria-label={say('mapping.wiring')}>
      <p className="small faint">{say('mapping.wiring.what')}</p>
      {(['inputs', 'outputs'] as const).map(part => <Wires key={part} part={part} debug={debug} bench={bench} change={change} onChange={onChange} />)}
    </section>
  )
}

function Wires({ part, debug, bench, change, onChange }: { readonly part: Part; readonly debug: MappingName; readonly bench: MappingName | null; readonly change: ApiChange; onChange(next: MappingChange): void }): JSX.Element {
  const say = useSay()
  const [from, setFrom] = useState<string | null>(null)
  const pairs = change[listOf[part]]
  const left = debug[part]
  const right = bench?.[part] ?? pairs.map(([, index]) => ({ index, detail: '' }))
  const set = (next: ApiChange['args']): void => onChange({ ...change, [listOf[part]]: next })
  const cut = (mine: string): void => set(pairs.filter(([one]) => one !== mine))
  const join = (theirs: string): void => {
    if (from === null) return
    set([...pairs.filter(([mine, other]) => mine !== from && other !== theirs), [from, theirs]])
    setFrom(null)
  }
  const y = (list: MappingName['inputs'], index: string): number => (list.findIndex(one => one.index === index) + 0.5) * rowHeight
  const height = Math.max(left.length, right.length, 1) * rowHeight
  return (
    <div className="column">
      <h4 className="section-title">{say(`mapping.wiring.${part}`)}</h4>
      <div className="row wires">
        <div className="ports">{left.map(one => <button key={one.index} type="button" className="port" aria-pressed={from === one.index} title={one.detail} onClick={() => setFrom(one.index)}><b>{one.index}</b> <span className="faint">{one.detail}</span></button>)}</div>
        <svg width={width} height={height} role="group" aria-label={say('mapping.wiring')}>
          {pairs.map(([mine, theirs]) => {
            const [a, b] = [y(left, mine), y(right, theirs)]
            return a < 0 || b < 0 ? null : <path key={`${mine} ${theirs}`} className="wire" role="button" tabIndex={0} aria-label={`${mine} → ${theirs}`} d={`M0 ${a} C ${width / 2} ${a}, ${width / 2} ${b}, ${width} ${b}`} onClick={() => cut(mine)} onKeyDown={e => { if (e.key === 'Delete' || e.key === 'Enter') cut(mine) }} />
          })}
        </svg>
        <div className="ports">{right.map(one => <button key={one.index} type="button" className="port" title={one.detail} onClick={() => join(one.index)}><b>{one.index}</b> <span className="faint">{one.detail}</span></button>)}</div>
      </div>
    </div>
  )
}

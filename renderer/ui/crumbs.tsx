// What encloses a node, from the outside in: where that has no room, the outermost give way, and names are cut
// between their parts.
import type { JSX } from 'react'
import { crumb } from '../state/names.ts'
import { usePlace } from './bits.tsx'
import { fittedTrail } from './fit-name.ts'
import { Icon } from './icons.tsx'

/** The arrow between two of them, with the room around it. */
const between = 18
const nothingCut = { hidden: 0, shown: [] }

export function Crumbs({
  ids,
  here = '',
  label,
  className,
  onGo,
}: {
  /** Names of nodes, the outermost first. */
  readonly ids: readonly string[]
  /** The one that is shown already. */
  readonly here?: string
  readonly label: string
  readonly className: string
  onGo(id: string): void
}): JSX.Element {
  const [place, ref] = usePlace()
  const names = ids.map(crumb)
  const { hidden, shown } = place ? fittedTrail(names, place.room, place.font, between) : nothingCut
  const nearest = ids[hidden - 1]
  return (
    <nav ref={ref} className={`crumbs ${className}`} aria-label={label}>
      {nearest === undefined ? null : (
        <button
          type="button"
          className="link crumb"
          tabIndex={-1}
          title={ids.slice(0, hidden).join('\n')}
          onClick={() => onGo(nearest)}
        >
          …
        </button>
      )}
      {ids.slice(hidden).map((id, i) => (
        <span key={id} className="row">
          {hidden + i > 0 ? <Icon name="right" size={10} /> : null}
          {id === here ? (
            <strong>{shown[i] ?? ''}</strong>
          ) : (
            <button type="button" className="link crumb" title={id} onClick={() => onGo(id)}>
              {shown[i] ?? ''}
            </button>
          )}
        </span>
      ))}
    </nav>
  )
}

// Small things that several panels show: names cut at the front, states of rows, buckets, dividers.
import type { RecomputedState, RowStateName } from '../../preload/contract/engine.ts'
import { Fragment, useCallback, useRef, useState, type JSX, type ReactNode } from 'react'
import { Separator } from 'react-resizable-panels'
import { shortText } from '../state/format.ts'
import { useSay, type PlainKey } from '../state/words.ts'
import { Icon } from './icons.tsx'
import { fittedName, fontOf, partsOf } from './fit-name.ts'

/** A name whose end stays in view, cut between its parts; whole on hover. One that can be pressed is a link. */
export function Name({
  text,
  className = '',
  title = text,
  onPress,
}: {
  readonly text: string
  readonly className?: string
  readonly title?: string
  onPress?(): void
}): JSX.Element {
  const [shown, ref] = useFitted(text)
  return onPress ? (
    <button ref={ref} type="button" className={`link cut-name ${className}`} title={title} onClick={onPress}>
      {shown}
    </button>
  ) : (
    <span ref={ref} className={`cut-name ${className}`} title={title}>
      {shown}
    </span>
  )
}

/** A whole name, in as many lines as it takes: broken between its parts. */
export function WholeName({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {partsOf(text).map((part, i) => (
        <Fragment key={i}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </>
  )
}

/** As much of a name as the element has room for. */
export function useFitted(text: string): readonly [string, (element: HTMLElement | null) => void] {
  const [place, ref] = usePlace()
  return [place ? fittedName(text, place.room, place.font) : text, ref]
}

interface TextPlace {
  /** Pixels from its left edge to its right. */
  readonly room: number
  readonly font: string
}

/** How much room an element has for text, and in which font. */
export function usePlace(): readonly [TextPlace | null, (element: HTMLElement | null) => void] {
  const [place, setPlace] = useState<TextPlace | null>(null)
  const observer = useRef<ResizeObserver>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect()
    if (!element) return
    observer.current = new ResizeObserver(([entry]) => {
      if (entry) setPlace({ room: entry.contentRect.width, font: fontOf(element) })
    })
    observer.current.observe(element)
  }, [])
  return [place, ref]
}

export function Num({
  text,
  told = text,
  differs,
}: {
  readonly text: string
  /** The same for reading, where it is no number. */
  readonly told?: string
  readonly differs?: boolean
}): JSX.Element {
  return (
    <span className={`num copyable ${differs ? 'bad' : ''}`} title={text}>
      {text === '' ? '–' : shortText(told)}
    </span>
  )
}

const marks = { equal: '=', noise: '≈', differs: '✕', incomparable: '?', unpaired: '∅' } as const

/** Our state of a row: colour, shape and word together. */
export function RowStatePill({
  is,
  why,
}: {
  readonly is: RowStateName
  /** What decided it. */
  readonly why?: string
}): JSX.Element {
  const say = useSay()
  return (
    <span className={`row-state ${is}`} title={why}>
      <span aria-hidden="true">{marks[is]}</span>
      {say(`state.${is}`)}
    </span>
  )
}

const recomputedMarks: Readonly<Record<RecomputedState, readonly [mark: string, look: RowStateName]>> = {
  debugWrong: ['✕', 'differs'],
  benchWrong: ['✕', 'differs'],
  bothWrong: ['✕', 'differs'],
  wrong: ['✕', 'differs'],
  inputs: ['≠', 'noise'],
  rounding: ['≈', 'noise'],
  equal: ['=', 'equal'],
  right: ['✓', 'equal'],
  skipped: ['?', 'incomparable'],
}

/** What recomputing says of a call, as a word with a mark. */
export function RecomputedPill({ is }: { readonly is: RecomputedState }): JSX.Element {
  const say = useSay()
  const [mark, look] = recomputedMarks[is]
  return (
    <span className={`row-state ${look}`}>
      <span aria-hidden="true">{mark}</span>
      {say(`recompute.state.${is}`)}
    </span>
  )
}

export function bucketWord(bucket: number): PlainKey {
  if (bucket === -3) return 'bucket.incomparable'
  if (bucket === -2) return 'bucket.none'
  if (bucket === -1) return 'bucket.unmeasured'
  return `bucket.${Math.max(0, Math.min(5, bucket)) as 0 | 1 | 2 | 3 | 4 | 5}`
}

export function Bucket({ bucket }: { readonly bucket: number }): JSX.Element {
  const say = useSay()
  return (
    <span
      className={`swatch b${bucket}`}
      role="img"
      aria-label={say(bucketWord(bucket))}
      title={say(bucketWord(bucket))}
    />
  )
}

/** Where the error enters. */
export function OriginFlag(): JSX.Element {
  const say = useSay()
  return (
    <span className="origin-flag" role="img" aria-label={say('graph.origin')} title={say('graph.origin')}>
      <Icon name="flag" size={13} />
    </span>
  )
}

export function Divider({ direction }: { readonly direction: 'across' | 'down' }): JSX.Element {
  const say = useSay()
  return <Separator className={`divider ${direction}`} aria-label={say('frame.divider')} />
}

export function Section({
  title,
  children,
  aside,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly aside?: ReactNode
}): JSX.Element {
  return (
    <section className="section">
      <div className="row">
        <h3 className="section-title grow">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  )
}

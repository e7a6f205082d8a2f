// Small things that several panels show: names cut at the front, verdicts, buckets, dividers.
import type { JSX, ReactNode } from 'react'
import { Separator } from 'react-resizable-panels'
import { leftToRight, shortText } from '../state/format.ts'
import { useSay, type WordKey } from '../state/words.ts'

/** A name whose end stays in view; whole on hover. */
export function Name({ text, className = '' }: { readonly text: string; readonly className?: string }): JSX.Element {
  return <span className={`cut-front ${className}`} title={text}>{leftToRight(text)}</span>
}

export function Num({ text, differs }: { readonly text: string; readonly differs?: boolean }): JSX.Element {
  return <span className={`num copyable ${differs ? 'bad' : ''}`} title={text}>{text === '' ? '–' : shortText(text)}</span>
}

export type VerdictWord = 'agree' | 'disagree' | 'unknown' | 'unmatched'
const marks = { agree: '✓', disagree: '✕', unknown: '?', unmatched: '∅' } as const
export const verdictWords = ['unknown', 'agree', 'disagree'] as const

/** Colour, shape and word together. */
export function Verdict({ is }: { readonly is: VerdictWord }): JSX.Element {
  const say = useSay()
  return <span className={`verdict ${is}`}><span aria-hidden="true">{marks[is]}</span>{say(`verdict.${is}`)}</span>
}

export const bucketWord = (bucket: number): WordKey => (bucket === -2 ? 'bucket.none' : bucket === -1 ? 'bucket.unmeasured' : `bucket.${Math.max(0, Math.min(5, bucket)) as 0 | 1 | 2 | 3 | 4 | 5}`)

export function Bucket({ bucket }: { readonly bucket: number }): JSX.Element {
  const say = useSay()
  return <span className={`swatch b${bucket}`} role="img" aria-label={say(bucketWord(bucket))} title={say(bucketWord(bucket))} />
}

export function Divider({ direction }: { readonly direction: 'across' | 'down' }): JSX.Element {
  const say = useSay()
  return <Separator className={`divider ${direction}`} aria-label={say('frame.divider')} />
}

export function Section({ title, children, aside }: { readonly title: string; readonly children: ReactNode; readonly aside?: ReactNode }): JSX.Element {
  return (
    <section className="section">
      <div className="row"><h3 className="section-title grow">{title}</h3>{aside}</div>
      {children}
    </section>
  )
}

// A name that is cut in its middle where it has no room: both ends tell.
import type { JSX, Ref } from 'react'

/** So much of the end stays, and never more than half. */
const tailLength = 11
/** Below this there is no middle to cut. */
const wholeLength = 12

export function MiddleCut({
  text,
  head,
}: {
  readonly text: string
  /** The part that is cut: whether it is, its width tells. */
  readonly head?: Ref<HTMLSpanElement>
}): JSX.Element {
  const tail = text.length < wholeLength ? 0 : Math.min(tailLength, text.length >> 1)
  const at = text.length - tail
  return (
    <span className="middle-cut">
      <span ref={head} className="middle-cut-head">
        {text.slice(0, at)}
      </span>
      {tail > 0 ? <span className="middle-cut-tail">{text.slice(at)}</span> : null}
    </span>
  )
}

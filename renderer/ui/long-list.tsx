// A list of any length with rows of one height: only what is in view is drawn; arrows walk, Enter chooses.
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type JSX,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'

const margin = 6

/**
 * Rows of one height in a box that scrolls: which are in view, and the chosen one kept there. `stamp` changes
 * with the list.
 */
export function useLongBox(
  total: number,
  rowHeight: number,
  at: number,
  stamp = '',
): {
  readonly box: RefObject<HTMLDivElement | null>
  readonly range: { readonly first: number; readonly last: number }
  measure(): void
} {
  const box = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ first: 0, last: 40 })
  const measure = (): void => {
    const el = box.current
    if (!el) return
    const first = Math.max(0, Math.floor(el.scrollTop / rowHeight) - margin)
    const last = Math.min(total, Math.ceil((el.scrollTop + el.clientHeight) / rowHeight) + margin)
    setRange(old => (old.first === first && old.last === last ? old : { first, last }))
  }
  const measureNow = useEffectEvent(measure)
  useEffect(() => {
    const size = new ResizeObserver(() => measureNow())
    if (box.current) size.observe(box.current)
    return () => size.disconnect()
  }, [total, rowHeight])
  useEffect(() => {
    const el = box.current
    if (!el || at < 0) return
    if (at * rowHeight < el.scrollTop) el.scrollTop = at * rowHeight
    else if ((at + 1) * rowHeight > el.scrollTop + el.clientHeight)
      el.scrollTop = (at + 1) * rowHeight - el.clientHeight
  }, [at, stamp, rowHeight])
  return { box, range, measure }
}

/** The row that a key leads to from row `at`, beyond the ends too; `page` counts the rows in view. */
export function rowAfter(
  key: string,
  { at, page, total }: { readonly at: number; readonly page: number; readonly total: number },
): number | undefined {
  const rows: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: total - 1,
  }
  return rows[key]
}

interface LongListProps {
  readonly total: number
  readonly rowHeight: number
  readonly label: string
  readonly at: number
  renderRow(i: number): ReactNode
  onChoose(i: number): void
  onRange?(first: number, last: number): void
}

export function LongList(props: LongListProps): JSX.Element {
  const { total, rowHeight, label, at, renderRow, onChoose, onRange } = props
  const { box, range, measure } = useLongBox(total, rowHeight, at)
  const tell = useEffectEvent((first: number, last: number) => onRange?.(first, last))
  useEffect(() => tell(range.first, range.last), [range.first, range.last, total])
  const press = (e: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? rowHeight) / rowHeight) - 1)
    const to = rowAfter(e.key, { at, page, total })
    if (to === undefined || total === 0) return
    e.preventDefault()
    onChoose(Math.max(0, Math.min(total - 1, to)))
  }
  return (
    <div
      ref={box}
      className="long-list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      onScroll={measure}
      onKeyDown={press}
      {...(at >= range.first && at < range.last ? { 'aria-activedescendant': `row-${at}` } : {})}
    >
      <div style={{ height: total * rowHeight, position: 'relative' }}>
        {Array.from({ length: Math.max(0, range.last - range.first) }, (_, k) => range.first + k).map(i => (
          <div
            key={i}
            id={`row-${i}`}
            className="long-row"
            role="option"
            aria-selected={i === at}
            aria-setsize={total}
            aria-posinset={i + 1}
            style={{ top: i * rowHeight, height: rowHeight }}
            onClick={() => onChoose(i)}
          >
            {renderRow(i)}
          </div>
        ))}
      </div>
    </div>
  )
}

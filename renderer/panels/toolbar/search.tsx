// The search box: hits over both sides as one types; the list stays at hand for walking with F3.
import { useEffect, useRef, useState, type JSX, type KeyboardEvent, type RefObject } from 'react'
import type { SearchHit } from '../../../preload/contract/engine.ts'
import { useDebounced } from '../../state/debounce.ts'
import { leftToRight } from '../../state/format.ts'
import { findHits, goToHit, hitLimit } from '../../state/find.ts'
import { offerHandle } from '../../state/handles.ts'
import { shortcut } from '../../state/commands.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { now, set, stamp, useWorkbench } from '../../state/workbench.ts'
import { Bucket, OriginFlag } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'

const debounceMs = 80

interface Searching {
  readonly text: string
  readonly hits: readonly SearchHit[]
  readonly at: number
  /** The list of hits is on screen. */
  readonly shown: boolean
  /** What was looked for in vain. */
  readonly nothing: string | null
  type(text: string): void
  press(e: KeyboardEvent): void
  show(open: boolean): void
  go(at: number): void
}

function useSearch(box: RefObject<HTMLInputElement | null>): Searching {
  const [text, setText] = useState(now().find.text)
  const [asked, setAsked] = useState(text)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const foundAt = useWorkbench(s => s.find.at)
  const [shownAt, setShownAt] = useState(foundAt)
  // F3 walks without this box.
  if (shownAt !== foundAt) {
    setShownAt(foundAt)
    setAt(foundAt)
  }
  const { hits, answered } = useHits(asked)
  useDebounced(
    text,
    typed => {
      setAsked(typed)
      setAt(-1)
      if (now().find.text !== typed) set({ find: { text: typed, at: -1 } })
    },
    debounceMs,
  )
  const go = (index: number): void => {
    const hit = hits[index]
    if (!hit) return
    setAt(index)
    goToHit(hit, index)
  }
  const leave = (): void => {
    if (open) return setOpen(false)
    setText('')
    box.current?.blur()
  }
  const step = (by: number): void => {
    setOpen(true)
    if (hits.length > 0) setAt((at + by + hits.length) % hits.length)
  }
  const keys: Readonly<Record<string, (e: KeyboardEvent) => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: e => go(afterEnter(e.shiftKey, at, hits.length, open)),
    Escape: leave,
  }
  return {
    text,
    hits,
    at,
    shown: open && asked.trim() !== '',
    nothing: answered && hits.length === 0 ? asked : null,
    type: typed => {
      setText(typed)
      setOpen(true)
    },
    press: e => {
      if (keys[e.key]) e.preventDefault()
      keys[e.key]?.(e)
    },
    show: setOpen,
    go,
  }
}

export function Search(): JSX.Element {
  const say = useSay()
  const box = useRef<HTMLInputElement>(null)
  const { text, hits, at, shown, nothing, type, press, show, go } = useSearch(box)
  useFocusHandle(box)
  const choose = (index: number): void => {
    go(index)
    show(false)
  }
  return (
    <search
      className="search"
      onBlur={e => {
        if (!e.currentTarget.contains(e.relatedTarget)) show(false)
      }}
    >
      <div className="field">
        <Icon name="search" size={14} />
        <input
          ref={box}
          data-testid="search"
          role="combobox"
          aria-expanded={shown}
          aria-controls="search-hits"
          aria-autocomplete="list"
          aria-label={say('search.label')}
          {...(shown && at >= 0 ? { 'aria-activedescendant': `hit-${at}` } : {})}
          placeholder={say('search.placeholder')}
          value={text}
          spellCheck={false}
          onChange={e => type(e.target.value)}
          onFocus={() => show(true)}
          onKeyDown={press}
        />
        {text === '' ? (
          <kbd className="wide-only">{shortcut('find')}</kbd>
        ) : (
          <Place at={at} of={hits.length} />
        )}
      </div>
      {shown ? <Found hits={hits} at={at} wanted={text.trim()} nothing={nothing} onGo={choose} /> : null}
    </search>
  )
}

/** The first Enter goes to the hit that is marked, another one to the next; with Shift backwards. */
function afterEnter(back: boolean, at: number, hits: number, open: boolean): number {
  if (back) return at <= 0 ? hits - 1 : at - 1
  const marked = open && at >= 0 && now().find.at !== at
  return marked ? at : (at + 1) % Math.max(1, hits)
}

function useFocusHandle(box: RefObject<HTMLInputElement | null>): void {
  useEffect(
    () =>
      offerHandle('search', {
        focus: () => {
          box.current?.focus()
          box.current?.select()
        },
      }),
    [box],
  )
}

function useHits(asked: string): { readonly hits: readonly SearchHit[]; readonly answered: boolean } {
  const here = useWorkbench(s => stamp(s, 'graph'))
  const answer = useQuery({
    key: asked.trim() === '' ? null : ['search', here, asked],
    load: signal => findHits(asked, signal),
    keep: true,
  })
  return { hits: valueOf(answer) ?? [], answered: answer.is === 'ready' }
}

function Place({ at, of }: { readonly at: number; readonly of: number }): JSX.Element {
  const say = useSay()
  const more = of >= hitLimit ? '+' : ''
  return (
    <span className="faint small num">{of === 0 ? say('search.none-short') : `${at + 1}/${of}${more}`}</span>
  )
}

function Found({
  hits,
  at,
  wanted,
  nothing,
  onGo,
}: {
  readonly wanted: string
  readonly hits: readonly SearchHit[]
  readonly at: number
  /** What was looked for in vain. */
  readonly nothing: string | null
  onGo(at: number): void
}): JSX.Element {
  const say = useSay()
  return (
    <div className="search-hits popover">
      {nothing === null ? null : <p className="search-none dim">{say('search.none', { text: nothing })}</p>}
      <Hits hits={hits} at={at} wanted={wanted} onGo={onGo} />
      {hits.length >= hitLimit ? (
        <p className="search-none faint small">{say('search.more', { count: hitLimit })}</p>
      ) : null}
    </div>
  )
}

/** A text with what was looked for marked in it. */
function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }): JSX.Element {
  const from = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (from < 0) return <>{text}</>
  const to = from + wanted.length
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  )
}

function Hits({
  hits,
  at,
  wanted,
  onGo,
}: {
  readonly wanted: string
  readonly hits: readonly SearchHit[]
  readonly at: number
  onGo(at: number): void
}): JSX.Element {
  const say = useSay()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <ul ref={list} id="search-hits" role="listbox" aria-label={say('search.hits')} className="list">
      {hits.map((hit, i) => (
        <li
          key={`${hit.side}${hit.node}${hit.what}${i}`}
          id={`hit-${i}`}
          role="option"
          aria-selected={i === at}
          className="search-hit"
          onMouseDown={e => e.preventDefault()}
          onClick={() => onGo(i)}
        >
          <Bucket bucket={hit.bucket} />
          <span className="tag">{say(`side.${hit.side}`)}</span>
          <span className="grow column">
            <span className="cut-front" title={hit.node}>
              {leftToRight('')}
              <Marked text={hit.node} wanted={hit.text === hit.node ? wanted : ''} />
              {leftToRight('')}
            </span>
            {hit.what === 'name' ? null : (
              <span className="faint small cut">
                {say(`search.what.${hit.what}`)}
                {hit.text === hit.node ? null : (
                  <>
                    {' · '}
                    <Marked text={hit.text} wanted={wanted} />
                  </>
                )}
              </span>
            )}
          </span>
          {hit.origin ? <OriginFlag /> : null}
        </li>
      ))}
    </ul>
  )
}

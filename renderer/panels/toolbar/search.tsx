// The search box: hits over both sides as one types; the list stays at hand for walking with F3.
import { useEffect, useRef, useState, type JSX, type KeyboardEvent } from 'react'
import { findHits, goToHit, hitLimit } from '../../state/find.ts'
import { offerHandle } from '../../state/handles.ts'
import { shortcut } from '../../state/commands.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { now, set, stamp, useWorkbench } from '../../state/workbench.ts'
import { Bucket, Name } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'

const settleMs = 80

export function Search(): JSX.Element {
  const say = useSay()
  const box = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [text, setText] = useState(now().find.text)
  const [asked, setAsked] = useState(text)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const here = useWorkbench(s => stamp(s, 'graph'))

  useEffect(() => offerHandle('search', { focus: () => { box.current?.focus(); box.current?.select() } }), [])
  useEffect(() => {
    const timer = setTimeout(() => { setAsked(text); setAt(-1); if (now().find.text !== text) set({ find: { text, at: -1 } }) }, settleMs)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => { list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }) }, [at])

  const answer = useQuery({ key: asked.trim() === '' ? null : ['search', here, asked], load: signal => findHits(asked, signal), keep: true })
  const hits = valueOf(answer) ?? []
  const go = (index: number): void => {
    const hit = hits[index]
    if (!hit) return
    setAt(index)
    goToHit(hit, index)
  }
  const press = (e: KeyboardEvent): void => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault()
      setOpen(true)
      if (hits.length > 0) setAt((at + (e.key === 'ArrowDown' ? 1 : -1) + hits.length) % hits.length)
    } else if (e.key === 'Enter') {
      e.preventDefault()
      go(e.shiftKey ? (at <= 0 ? hits.length - 1 : at - 1) : open && at >= 0 && now().find.at !== at ? at : (at + 1) % Math.max(1, hits.length))
    } else if (e.key === 'Escape') {
      e.preventDefault()
      if (open) setOpen(false)
      else { setText(''); box.current?.blur() }
    }
  }
  const shown = open && asked.trim() !== ''
  return (
    <search className="search" onBlur={e => { if (!e.currentTarget.contains(e.relatedTarget)) setOpen(false) }}>
      <div className="field">
        <Icon name="search" size={14} />
        <input ref={box} data-testid="search" role="combobox" aria-expanded={shown} aria-controls="search-hits" aria-autocomplete="list" aria-label={say('search.label')}
          {...(shown && at >= 0 ? { 'aria-activedescendant': `hit-${at}` } : {})}
          placeholder={say('search.placeholder')} value={text} spellCheck={false} onChange={e => { setText(e.target.value); setOpen(true) }} onFocus={() => setOpen(true)} onKeyDown={press} />
        {text === '' ? <kbd className="wide-only">{shortcut('find')}</kbd>
          : <span className="faint small num">{hits.length === 0 ? say('search.none-short') : `${at + 1}/${hits.length}${hits.length >= hitLimit ? '+' : ''}`}</span>}
      </div>
      {shown ? (
        <div className="search-hits popover">
          {answer.is === 'ready' && hits.length === 0 ? <p className="search-none dim">{say('search.none', { text: asked })}</p> : null}
          <ul ref={list} id="search-hits" role="listbox" aria-label={say('search.hits')} className="list">
            {hits.map((hit, i) => (
              <li key={`${hit.side}${hit.node}${hit.what}${i}`} id={`hit-${i}`} role="option" aria-selected={i === at} className="search-hit" onMouseDown={e => e.preventDefault()} onClick={() => { go(i); setOpen(false) }}>
                <Bucket bucket={hit.bucket} />
                <span className="tag">{say(`side.${hit.side}`)}</span>
                <span className="grow column"><Name text={hit.node} />{hit.what === 'name' ? null : <span className="faint small cut">{say(`search.what.${hit.what}`)}{' · '}{hit.text}</span>}</span>
              </li>
            ))}
          </ul>
          {hits.length >= hitLimit ? <p className="search-none faint small">{say('search.more', { count: hitLimit })}</p> : null}
        </div>
      ) : null}
    </search>
  )
}

// The palette: every command by name, nodes with @, rows with #.
import { useEffect, useRef, useState, type JSX, type KeyboardEvent } from 'react'
import { ModalOverlay, Modal, Dialog } from 'react-aria-components'
import { engine } from '../../engine.ts'
import { canRun, commands, type Command } from '../../state/commands.ts'
import { findHits, goToHit } from '../../state/find.ts'
import { showKey } from '../../state/keys.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { tableFromIPC } from 'apache-arrow'
import { useSay } from '../../state/words.ts'
import { now, place, stamp, useWorkbench } from '../../state/workbench.ts'
import { Icon } from '../../ui/icons.tsx'
import './dialogs.css'

interface Choice { readonly id: string; readonly text: string; readonly aside: string; readonly keys: readonly string[]; readonly on: boolean; run(): void }

/** How well a text answers what was typed: whole words before letters in order; 0 is not at all. */
function score(text: string, typed: string): number {
  const [where, what] = [text.toLowerCase(), typed.toLowerCase()]
  const at = where.indexOf(what)
  if (at >= 0) return 1000 - at - where.length / 100 + (at === 0 || /\W/.test(where.charAt(at - 1)) ? 200 : 0)
  let from = 0
  for (const letter of what) { from = where.indexOf(letter, from) + 1; if (from === 0) return 0 }
  return 100 - from / 10
}

export default function Palette({ onClose }: { onClose(): void }): JSX.Element {
  const say = useSay()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const mac = useWorkbench(s => s.start?.platform === 'darwin')
  const here = useWorkbench(s => stamp(s, 'graph'))
  const asksNode = text.startsWith('@')
  const typed = text.replace(/^[>@#:]\s*/, '').trim()
  const hits = valueOf(useQuery({ key: asksNode && typed !== '' ? ['palette', here, typed] : null, load: signal => findHits(typed, signal), keep: true })) ?? []

  const find = (): readonly Choice[] => {
    if (asksNode) return hits.map((hit, i) => ({ id: `${hit.side}${hit.node}${i}`, text: hit.node, aside: say(`side.${hit.side}`), keys: [], on: false, run: () => goToHit(hit, i) }))
    const row = /^[#:]\s*(\d+)$/.exec(text)
    if (row) return [{ id: 'row', text: say('palette.go-row', { row: Number(row[1]) }), aside: '', keys: [], on: false, run: () => void goToRow(Number(row[1]) - 1) }]
    const state = now()
    const toChoice = (c: Command): Choice => ({ id: c.id, text: say(c.words), aside: say(`group.${c.group}`), keys: c.keys.map(k => showKey(k, mac)), on: c.on?.(state) ?? false, run: () => void c.run() })
    const able = commands.filter(c => c.id !== 'palette' && canRun(c, state)).map(toChoice)
    return typed === '' ? able : able.map(c => [c, score(`${c.text} ${c.aside}`, typed)] as const).filter(([, s]) => s > 0).sort((a, b) => b[1] - a[1]).map(([c]) => c)
  }
  const choices = find()

  useEffect(() => { list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }) }, [at, text])
  const go = (choice: Choice | undefined): void => { if (!choice) return; onClose(); requestAnimationFrame(() => choice.run()) }
  const press = (e: KeyboardEvent): void => {
    const by = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0
    if (by !== 0 && choices.length > 0) { e.preventDefault(); setAt((at + by + choices.length) % choices.length) }
    if (e.key === 'Enter') { e.preventDefault(); go(choices[at]) }
  }
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={open => { if (!open) onClose() }}>
      <Modal className="dialog-box" style={{ maxWidth: 620 }}>
        <Dialog className="dialog palette" aria-label={say('palette.title')} data-testid="palette">
          <div className="palette-field"><Icon name="search" /><input autoFocus role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" aria-activedescendant={`choice-${at}`} aria-label={say('palette.title')} placeholder={say('palette.placeholder')} value={text} spellCheck={false} onChange={e => { setText(e.target.value); setAt(0) }} onKeyDown={press} /></div>
          <ul ref={list} id="palette-list" role="listbox" aria-label={say('palette.title')} className="palette-list">
            {choices.map((c, i) => (
              <li key={c.id} id={`choice-${i}`} role="option" aria-selected={i === at} className="palette-row" onClick={() => go(c)} onPointerMove={() => { if (i !== at) setAt(i) }}>
                <span className="mark">{c.on ? <Icon name="check" size={13} /> : null}</span><span className="grow cut" title={c.text}>{c.text}</span>{c.keys.map(key => <kbd key={key}>{key}</kbd>)}<span className="faint small palette-aside">{c.aside}</span>
              </li>
            ))}
            {choices.length === 0 ? <li className="dim palette-none" role="presentation">{say(asksNode && typed === '' ? 'palette.type-node' : 'palette.none')}</li> : null}
          </ul>
          <p className="palette-foot faint small">{say('palette.help')}</p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Selects the node of a row by its number in execution order. */
async function goToRow(row: number): Promise<void> {
  const here = place(now())
  if (!here) return
  const { view } = await engine.order({ ...here, filter: { show: [], quick: '', columns: [] }, sort: [] })
  const table = tableFromIPC(await engine.rows({ view, first: row, count: 1, columns: ['debugOp', 'benchOp'] }))
  const [debug, bench] = ['debugOp', 'benchOp'].map(id => String(table.getChild(id)?.get(0) ?? ''))
  if (debug || bench) select({ ...(debug ? { debug } : {}), ...(bench ? { bench } : {}) }, 'keys', row)
}

// The palette: every command by name, nodes with @, rows with #.
import { useEffect, useRef, useState, type JSX, type KeyboardEvent } from 'react'
import { Dialog } from 'react-aria-components'
import { engine } from '../../engine.ts'
import { canRun, commands } from '../../state/commands.ts'
import { findHits, goToHit } from '../../state/find.ts'
import { showKey } from '../../state/keys.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { tableFromIPC } from 'apache-arrow'
import { useSay, type Say } from '../../state/words.ts'
import { now, place, stamp, useWorkbench } from '../../state/workbench.ts'
import { Overlay } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import './dialogs.css'

interface Choice {
  readonly id: string
  readonly text: string
  readonly aside: string
  readonly keys: readonly string[]
  readonly on: boolean
  run(): void
}

/** How well a text answers what was typed: whole words before letters in order; 0 is not at all. */
function score(text: string, typed: string): number {
  const [where, what] = [text.toLowerCase(), typed.toLowerCase()]
  const at = where.indexOf(what)
  if (at >= 0) return 1000 - at - where.length / 100 + (at === 0 || /\W/.test(where.charAt(at - 1)) ? 200 : 0)
  let from = 0
  for (const letter of what) {
    from = where.indexOf(letter, from) + 1
    if (from === 0) return 0
  }
  return 100 - from / 10
}

export default function Palette({ onClose }: { onClose(): void }): JSX.Element {
  const say = useSay()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const choices = useChoices(text)
  const go = (choice: Choice | undefined): void => {
    if (!choice) return
    onClose()
    requestAnimationFrame(() => choice.run())
  }
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
  const press = (e: KeyboardEvent): void => {
    const by = steps[e.key]
    if (by !== undefined && choices.length > 0) {
      e.preventDefault()
      setAt((at + by + choices.length) % choices.length)
    }
    if (e.key === 'Enter') {
      e.preventDefault()
      go(choices[at])
    }
  }
  return (
    <Overlay width={620} onClose={onClose}>
      <Dialog className="dialog palette" aria-label={say('palette.title')} data-testid="palette">
        <div className="palette-field">
          <Icon name="search" />
          <input
            autoFocus
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-autocomplete="list"
            aria-activedescendant={`choice-${at}`}
            aria-label={say('palette.title')}
            placeholder={say('palette.placeholder')}
            value={text}
            spellCheck={false}
            onChange={e => {
              setText(e.target.value)
              setAt(0)
            }}
            onKeyDown={press}
          />
        </div>
        <Choices choices={choices} at={at} text={text} onAt={setAt} onGo={go} />
        <p className="palette-foot faint small">{say('palette.help')}</p>
      </Dialog>
    </Overlay>
  )
}

/** What was typed without the sign in front that says what is looked for. */
const typedIn = (text: string): string => text.replace(/^[>@#:]\s*/, '').trim()
const asksNode = (text: string): boolean => text.startsWith('@')

function useChoices(text: string): readonly Choice[] {
  const say = useSay()
  const mac = useWorkbench(s => s.start?.platform === 'darwin')
  const here = useWorkbench(s => stamp(s, 'graph'))
  const typed = typedIn(text)
  const hits = useQuery({
    key: asksNode(text) && typed !== '' ? ['palette', here, typed] : null,
    load: signal => findHits(typed, signal),
    keep: true,
  })
  if (asksNode(text))
    return (valueOf(hits) ?? []).map((hit, i) => ({
      ...plainChoice,
      id: `${hit.side}${hit.node}${i}`,
      text: hit.node,
      aside: say(`side.${hit.side}`),
      run: () => goToHit(hit, i),
    }))
  const row = Number(/^[#:]\s*(\d+)$/.exec(text)?.[1] ?? -1)
  if (row >= 0)
    return [
      { ...plainChoice, id: 'row', text: say('palette.go-row', { row }), run: () => void goToRow(row - 1) },
    ]
  return commandChoices(say, typed, mac)
}

const plainChoice = { aside: '', keys: [], on: false } as const

function commandChoices(say: Say, typed: string, mac: boolean): readonly Choice[] {
  const state = now()
  const able = commands
    .filter(c => c.id !== 'palette' && canRun(c, state))
    .map((c): Choice => ({
      id: c.id,
      text: say(c.words),
      aside: say(`group.${c.group}`),
      keys: c.keys.map(k => showKey(k, mac)),
      on: c.on?.(state) ?? false,
      run: () => void c.run(),
    }))
  if (typed === '') return able
  return able
    .map(choice => ({ choice, points: score(`${choice.text} ${choice.aside}`, typed) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .map(({ choice }) => choice)
}

function Choices({
  choices,
  at,
  text,
  onAt,
  onGo,
}: {
  readonly choices: readonly Choice[]
  readonly at: number
  readonly text: string
  onAt(at: number): void
  onGo(choice: Choice): void
}): JSX.Element {
  const say = useSay()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, text])
  return (
    <ul
      ref={list}
      id="palette-list"
      role="listbox"
      aria-label={say('palette.title')}
      className="palette-list"
    >
      {choices.map((c, i) => (
        <li
          key={c.id}
          id={`choice-${i}`}
          role="option"
          aria-selected={i === at}
          className="palette-row"
          onClick={() => onGo(c)}
          onPointerMove={() => {
            if (i !== at) onAt(i)
          }}
        >
          <span className="mark">{c.on ? <Icon name="check" size={13} /> : null}</span>
          <span className="grow cut" title={c.text}>
            {c.text}
          </span>
          {c.keys.map(key => (
            <kbd key={key}>{key}</kbd>
          ))}
          <span className="faint small palette-aside">{c.aside}</span>
        </li>
      ))}
      {choices.length === 0 ? (
        <li className="dim palette-none" role="presentation">
          {say(asksNode(text) && typedIn(text) === '' ? 'palette.type-node' : 'palette.none')}
        </li>
      ) : null}
    </ul>
  )
}

/** Selects the node of a row by its number in execution order. */
async function goToRow(row: number): Promise<void> {
  const here = place(now())
  if (!here) return
  const { view } = await engine.order({ ...here, filter: { show: [], quick: '', columns: [] }, sort: [] })
  const table = tableFromIPC(
    await engine.rows({ view, first: row, count: 1, columns: ['debugOp', 'benchOp'] }),
  )
  const [debug, bench] = ['debugOp', 'benchOp'].map(id => String(table.getChild(id)?.get(0) ?? ''))
  if (debug || bench) select({ ...(debug ? { debug } : {}), ...(bench ? { bench } : {}) }, 'keys', row)
}

// The help sheet: all keys, from the command table, and what the mouse does in the graphs.
import { useState, type JSX } from 'react'
import { commands, groups } from '../../state/commands.ts'
import { showKey } from '../../state/keys.ts'
import { useSay, type PlainKey } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Dialog } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import './dialogs.css'

const mouse: readonly (readonly [PlainKey, PlainKey])[] = [
  ['mouse.wheel', 'mouse.wheel.does'],
  ['mouse.ctrl-wheel', 'mouse.ctrl-wheel.does'],
  ['mouse.drag', 'mouse.drag.does'],
  ['mouse.double', 'mouse.double.does'],
  ['mouse.right', 'mouse.right.does'],
  ['mouse.legend', 'mouse.legend.does'],
]

export default function Keys({ onClose }: { onClose(): void }): JSX.Element {
  const say = useSay()
  const mac = useWorkbench(s => s.start?.platform === 'darwin')
  const [search, setSearch] = useState('')
  const fits = (text: string): boolean => text.toLowerCase().includes(search.toLowerCase())
  return (
    <Dialog title={say('command.keys')} width={860} testId="keys" onClose={onClose}>
      <div className="field keys-search">
        <Icon name="search" size={13} />
        <input
          autoFocus
          aria-label={say('keys.search')}
          placeholder={say('keys.search')}
          value={search}
          onChange={e => setSearch(e.target.value)}
        />
      </div>
      <div className="keys-sheet">
        {groups.map(group => {
          const rows = commands.filter(
            c => c.group === group && c.keys.length > 0 && fits(`${say(c.words)} ${c.keys.join(' ')}`),
          )
          return rows.length === 0 ? null : (
            <section key={group}>
              <h3 className="section-title">{say(`group.${group}`)}</h3>
              <dl>
                {rows.map(c => (
                  <KeyRow key={c.id} does={say(c.words)} keys={c.keys.map(k => showKey(k, mac))} />
                ))}
              </dl>
            </section>
          )
        })}
        <section>
          <h3 className="section-title">{say('mouse.title')}</h3>
          <dl>
            {mouse
              .filter(([what, does]) => fits(`${say(what)} ${say(does)}`))
              .map(([what, does]) => (
                <KeyRow key={what} does={say(does)} keys={[say(what)]} />
              ))}
          </dl>
        </section>
      </div>
    </Dialog>
  )
}

function KeyRow({ does, keys }: { readonly does: string; readonly keys: readonly string[] }): JSX.Element {
  return (
    <div className="key-row">
      <dt>{does}</dt>
      <dd>
        {keys.map(key => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  )
}

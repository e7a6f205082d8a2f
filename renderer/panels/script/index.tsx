// The changes to a training script that let it dump, ready to be copied, with the user's folder and steps in them.
import { useState, type JSX } from 'react'
import type { ScriptChanges, SessionId, Snippet, SnippetKind } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { copyText } from '../../state/clipboard.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Failed, Skeleton } from '../../ui/states.tsx'
import './script.css'

type Said = Partial<Pick<ScriptChanges, 'folder' | 'steps'>>

export default function ScriptPanel(): JSX.Element | null {
  const session = useWorkbench(s => s.session?.session)
  return session === undefined ? null : <Script key={session} session={session} />
}

function Script({ session }: { readonly session: SessionId }): JSX.Element {
  const say = useSay()
  const [said, setSaid] = useState<Said>({})
  const answer = useQuery({
    key: ['script', session, said.folder, said.steps],
    load: signal => engine.scriptChanges({ session, ...said }, signal),
    keep: true,
  })
  const changes = valueOf(answer)
  return (
    <div className="script" data-testid="script">
      <header className="row panel-title">
        <h2 className="section-title">{say('script.title')}</h2>
      </header>
      {answer.is === 'failed' && !changes ? <Failed problem={answer.problem} /> : null}
      {changes ? (
        <Changes changes={changes} said={said} onSay={more => setSaid({ ...said, ...more })} />
      ) : (
        <Skeleton rows={8} />
      )}
    </div>
  )
}

function Changes({
  changes,
  said,
  onSay,
}: {
  readonly changes: ScriptChanges
  readonly said: Said
  onSay(more: Said): void
}): JSX.Element {
  const say = useSay()
  const [kind, setKind] = useState<SnippetKind>('session')
  const kinds = [...new Set(changes.snippets.map(one => one.kind))]
  return (
    <div className="script-body">
      <p className="small dim">{say('script.what')}</p>
      {(['folder', 'steps'] as const).map(key => (
        <label key={key} className="row small">
          <span className="dim script-name">{say(`script.${key}`)}</span>
          <input
            className="field grow mono"
            spellCheck={false}
            value={said[key] ?? changes[key]}
            onChange={e => onSay({ [key]: e.target.value })}
          />
        </label>
      ))}
      <div className="row wrap script-kinds" role="group" aria-label={say('script.title')}>
        {kinds.map(one => (
          <Toggle key={one} className="chip" on={one === kind} onChange={() => setKind(one)}>
            {say(`script.kind.${one}`)}
          </Toggle>
        ))}
      </div>
      {changes.snippets
        .filter(one => one.kind === kind)
        .map(one => (
          <Piece key={one.id} snippet={one} />
        ))}
    </div>
  )
}

function Piece({ snippet: { id, file, text } }: { readonly snippet: Snippet }): JSX.Element {
  const say = useSay()
  const title = say(`tf.snippet.${id}`)
  return (
    <section className="card" aria-label={title}>
      <div className="row">
        <h3 className="small dim grow script-title">{title}</h3>
        <Button
          small
          look="quiet"
          icon="copy"
          label={say('script.copy')}
          onPress={() => void copyText(text)}
        />
      </div>
      {file === null ? null : <p className="small mono copyable">{file}</p>}
      <pre className="script-text copyable" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}

// The code and the commands around the config, each to be copied, and all of it as one page.
import type { JSX, ReactNode } from 'react'
import type { CollectSnippet } from '../../../preload/contract/engine.ts'
import { collectPage } from '../../../preload/contract/words/collect-page.ts'
import { copyText } from '../../state/clipboard.ts'
import { useCollect } from '../../state/collect.ts'
import { host } from '../../state/host.ts'
import { useSay } from '../../state/words.ts'
import { notify, useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'

export function Code({
  snippets,
  text,
}: {
  readonly snippets: readonly CollectSnippet[]
  readonly text: string
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const target = useCollect(s => s.target)
  const page = (): string => collectPage(language, target, text, snippets)
  const savePage = async (): Promise<void> => {
    const written = await host().save({ name: 'collect.md', data: page() })
    if (written?.ok) notify('saved', { path: written.value.path })
  }
  const others = snippets.filter(one => !one.fits)
  return (
    <div className="column collect-code" data-testid="collect-code">
      <div className="row wrap">
        <Button small icon="copy" onPress={() => void copyText(page())} testId="collect-copy-page">
          {say('collect.page.copy')}
        </Button>
        <Button small icon="download" onPress={() => void savePage()}>
          {say('collect.page.save')}
        </Button>
      </div>
      {snippets
        .filter(one => one.fits)
        .map(one => (
          <Snippet key={one.id} snippet={one} />
        ))}
      {others.length === 0 ? null : (
        <details>
          <summary className="small dim">{say('collect.other-code')}</summary>
          <div className="column">
            {others.map(one => (
              <Snippet key={one.id} snippet={one} />
            ))}
          </div>
        </details>
      )}
    </div>
  )
}

function Snippet({ snippet: { id, text, caveats } }: { readonly snippet: CollectSnippet }): JSX.Element {
  const say = useSay()
  return (
    <Piece id={id} title={say(`collect.snippet.${id}`)} text={text}>
      {caveats.map(caveat => (
        <p key={caveat} className="small collect-says note">
          {say(`collect.caveat.${caveat}`)}
        </p>
      ))}
    </Piece>
  )
}

/** Something to be copied, with what is to be said of it. */
export function Piece({
  id,
  title,
  text,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
}): JSX.Element {
  const say = useSay()
  return (
    <section className="card" aria-label={title} data-snippet={id}>
      <div className="row">
        <h3 className="small dim grow">{title}</h3>
        <Button
          small
          look="quiet"
          icon="copy"
          label={say('script.copy')}
          onPress={() => void copyText(text)}
        />
      </div>
      <pre className="script-text copyable mono" tabIndex={0}>
        {text}
      </pre>
      {children}
    </section>
  )
}

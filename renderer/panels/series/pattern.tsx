// The pattern by which values are found in a log of an unknown training.
import { useState, type JSX } from 'react'
import { engine } from '../../engine.ts'
import { isTypedPattern } from '../../state/typed-pattern.ts'
import { useSay } from '../../state/words.ts'
import { place, now } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'

export function Pattern({ pattern }: { readonly pattern: string }): JSX.Element {
  const say = useSay()
  const [text, setText] = useState(pattern)
  const wrong = text.trim() !== '' && !isTypedPattern(text)
  const take = (typed: string): void => {
    const here = place(now())
    if (here) void engine.seriesPattern({ ...here, pattern: typed.trim() })
  }
  return (
    <form
      className="series-pattern row small"
      onSubmit={e => {
        e.preventDefault()
        if (!wrong) take(text)
      }}
    >
      <label className="row grow">
        <span className="dim">{say('series.pattern')}</span>
        <input
          className="grow num"
          value={text}
          spellCheck={false}
          aria-invalid={wrong}
          title={wrong ? say('series.pattern.wrong') : undefined}
          placeholder={say('series.pattern.example')}
          data-testid="series-pattern"
          onChange={e => setText(e.target.value)}
        />
      </label>
      <Button small testId="series-pattern-take" disabled={wrong} onPress={() => take(text)}>
        {say('series.pattern.take')}
      </Button>
      {pattern === '' ? null : (
        <Button
          small
          look="quiet"
          onPress={() => {
            setText('')
            take('')
          }}
        >
          {say('series.pattern.back')}
        </Button>
      )}
    </form>
  )
}

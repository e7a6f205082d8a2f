// That values were not read just now: when they were, and a way to read the files again.
import { useState, type JSX } from 'react'
import { engine, isQuiet } from '../../engine.ts'
import { runDate } from '../../state/run-text.ts'
import { useSay } from '../../state/words.ts'
import { now, place, useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'

export function Kept({ at, onAgain }: { readonly at: number; onAgain(): void }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const [reading, setReading] = useState(false)
  const again = async (): Promise<void> => {
    const here = place(now())
    if (!here) return
    setReading(true)
    try {
      await engine.seriesAgain(here)
      onAgain()
    } catch (error) {
      if (!isQuiet(error)) throw error
    } finally {
      setReading(false)
    }
  }
  return (
    <div className="series-kept row small dim" data-testid="series-kept" title={say('series.kept.hint')}>
      <span>{say('series.kept', { at: runDate(language, at) })}</span>
      <Button small look="quiet" testId="series-again" disabled={reading} onPress={() => void again()}>
        {say('series.kept.again')}
      </Button>
    </div>
  )
}

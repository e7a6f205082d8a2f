// The tip of a state: what decided it, asked for when the pointer rests on it.
import { engine, isQuiet } from '../../engine.ts'
import { reasonText } from '../../../preload/contract/words/reason.ts'
import { now, place } from '../../state/workbench.ts'

/** '' where nothing is compared with, or where the rows are others by now. */
export async function whyText(row: number): Promise<string> {
  const here = place(now())
  if (!here || row < 0) return ''
  try {
    const reason = await engine.why({ ...here, row })
    return reason ? reasonText(now().language, reason) : ''
  } catch (error) {
    if (isQuiet(error)) return ''
    throw error
  }
}

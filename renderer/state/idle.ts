// Tells when the window is at rest: no call, no job, no animation, no frame that something waits for.
import { pendingCalls } from '../engine.ts'

const busy = new Set<symbol>()
const moreWork: (() => boolean)[] = []

/** Marks a piece of work; the returned function ends it. */
export function begin(what: string): () => void {
  const mark = Symbol(what)
  busy.add(mark)
  return () => {
    busy.delete(mark)
  }
}

/** Another thing that idle() waits for, such as a running job. */
export const alsoBusyWhile = (test: () => boolean): void => {
  moreWork.push(test)
}

/** What idle() still waits for, for the console. */
export const waitingFor = (): readonly string[] => [
  ...(pendingCalls() > 0 ? [`${pendingCalls()} calls`] : []),
  ...[...busy].map(mark => mark.description ?? ''),
  ...moreWork.filter(test => test()).map(() => 'job'),
]

const quiet = (): boolean => waitingFor().length === 0

const quietFrames = 4

/** Resolves after some frames in a row in which nothing was pending. */
export async function idle(): Promise<void> {
  for (let still = 0; still < quietFrames;) {
    await new Promise(resolve => requestAnimationFrame(resolve))
    await new Promise(resolve => setTimeout(resolve, 0))
    still = quiet() ? still + 1 : 0
  }
}

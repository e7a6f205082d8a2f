// What an engine is asked in a process of its own: while a unit is read, and over many sessions.
import { allDone, isAbout, never, turn, watchedEngine } from '../watched.ts'
import { runScenario } from '../scenario.ts'
import type { SessionInfo } from '../../../preload/contract/engine.ts'

interface Asked {
  readonly paths: readonly string[]
  readonly question: 'across' | 'node' | 'peer'
  readonly old: number
  readonly last: number
}

await runScenario({ askOld, askOlds, closeMany })

/** Less than two small ranks hold: old ones have been given back. */
const smallBudget = 1 << 20

/** While the last unit is read one asks about an old one, and the window about the one on screen. */
async function askOld({ paths, question, old, last }: Asked): Promise<unknown> {
  const watched = watchedEngine(smallBudget)
  const { engine } = watched
  const reading = new Promise<SessionInfo>(resolve => {
    watched.onEvent = event => {
      if (!isAbout(event, last)) return
      watched.onEvent = () => {}
      if (event.is !== 'problem')
        resolve(engine.session({ session: event.is === 'job' ? event.job.session : event.session }, never))
    }
  })
  const { session } = await watched.open(paths)
  const before = await reading
  const name = 'Functional.conv2d.1.forward'
  const questions = {
    across: () => engine.across({ session }, never).then(found => found.finding?.node),
    node: () => engine.node({ session, unit: old, at: { debug: name } }, never).then(node => node.at.bench),
    peer: () =>
      engine
        .peer({ session, unit: old, side: 'debug', node: name, to: old - 1 }, never)
        .then(() => 'answered'),
  }
  const asked = { answered: false }
  const first = questions[question]().finally(() => {
    asked.answered = true
  })
  // The window asks anew with each piece of news, about what is on screen.
  let shown = 0
  do {
    shown = (await watched.rows(session)).rows
    await turn()
  } while (!asked.answered)
  const answer = await first
  await watched.until(session, allDone)
  return { before: before.units.map(unit => unit.state), answer, shown: shown > 0 }
}

/** Asks about several old ranks at once, when everything has been read. */
async function askOlds({
  paths,
  old,
}: {
  readonly paths: readonly string[]
  readonly old: readonly number[]
}): Promise<readonly boolean[]> {
  const watched = watchedEngine(smallBudget)
  const { session } = await watched.open(paths)
  await watched.until(session, allDone)
  return Promise.all(old.map(async unit => (await watched.rows(session, unit)).rows > 0))
}

/** Bytes that one open pair holds, and those held after opening, looking at and closing one after the other. */
async function closeMany({
  paths,
  sessions,
}: {
  readonly paths: readonly string[]
  readonly sessions: number
}): Promise<{ readonly open: number; readonly closed: readonly number[] }> {
  const watched = watchedEngine()
  const before = await settled()
  let open = 0
  const closed: number[] = []
  for (let i = 0; i < sessions; i++) {
    const { session } = await watched.open(paths)
    await watched.until(session, allDone)
    await watched.rows(session)
    if (i === 0) open = (await settled()) - before
    await watched.engine.close({ session }, never)
    watched.events.length = 0
    closed.push(await settled())
  }
  return { open, closed }
}

async function settled(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await turn()
    globalThis.gc?.()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

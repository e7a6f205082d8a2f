// Opening, options and life of a study.
import type { SessionApi } from '../../../../preload/contract/engine.ts'
import { Shared } from '../../formats/index.ts'
import { completes, dumpsIn, holdsValues, isVerdicts, planOf } from '../../layout/index.ts'
import { Refusal } from '../../model/index.ts'
import { Session, type SessionPorts } from '../../session/index.ts'
import {
  defaultOptions,
  kindOf,
  noiseReader,
  openSources,
  pairAndTwins,
  type SourcePorts,
  unitSources,
} from '../../study/index.ts'
import { Cancelled, job, type Job } from '../../work/index.ts'
import { refusable, type Context } from './context.ts'

/** Files, cache and threads that every session reads with. */
export type EngineSources = Omit<SourcePorts, 'shared' | 'partial'>

export function sessionApi(context: Context, sources: EngineSources, life: SessionPorts): SessionApi {
  let opening = new AbortController()
  return {
    open({ paths, as, options, matches, together }, asked) {
      const signal = AbortSignal.any([asked, opening.signal])
      return refusable(async () => {
        const wanted = { ...defaultOptions, ...options }
        const id = context.nextSession()
        // What is read once for all units lives as long as the session.
        const ports = { ...sources, shared: new Shared(), partial: true }
        const meant = { stacks: 'auto', ordered: as === 'sides', alone: as === 'alone', together } as const
        const startedMs = Date.now()
        const told = job(signal, progress =>
          life.emit({ is: 'job', job: { ...progress, session: id, unit: 0, startedMs, finished: false } }),
        )
        const isOneRun = paths.length > 2 && (await arePartsOfOne(paths, sources, told))
        const values = paths.length > 2 && !isOneRun ? await valuesAmong(paths, sources, told) : []
        const runs = paths.filter(path => !values.includes(path))
        // What was chosen before of its noise holds, none as well; the twins are no part of the pair all the same.
        const { pair, twins } = pairAndTwins(runs, as !== 'alone' && !isOneRun)
        const given = [...pair, ...values]
        const plan = await planOf(given, meant, { ...ports, rules: wanted.rules }, told).catch(
          (error: unknown) => {
            ports.shared.close()
            throw error
          },
        )
        const sides = openSources(plan, ports)
        const kind = kindOf(plan)
        const made = new Session(
          id,
          events =>
            kind.open(
              kind,
              {
                opening: sides,
                options: { ...wanted, noise: options?.noise ?? twins },
                matches: matches ?? [],
              },
              { ...sources, noise: noiseReader(sources), events },
            ),
          life,
        )
        context.add(made)
        const end = new AbortController()
        context.whenClosed(id, () => end.abort())
        context.canGrow(id, async () => {
          const { rules } = made.study.options
          made.take(unitSources(await planOf(given, meant, { ...ports, rules }, job(end.signal)), ports))
        })
        return made.info()
      })
    },
    async stopOpening() {
      opening.abort()
      opening = new AbortController()
    },
    dumpsIn({ path }, signal) {
      return refusable(() => dumpsIn(path, sources, job(signal)))
    },
    isVerdicts(asked, signal) {
      return refusable(() => isVerdicts(asked, sources, job(signal)))
    },
    holdsValues({ path }, signal) {
      return refusable(() => holdsValues(path, sources, job(signal)))
    },
    completes(asked, signal) {
      return refusable(() => completes(asked, sources, job(signal)))
    },
    async close({ session }) {
      await context.close(session)
    },
    async session({ session }) {
      return context.session(session).info()
    },
    async choose({ session, unit }) {
      context.session(session).choose(unit)
      return context.session(session).info()
    },
    setOptions({ session: id, options }, signal) {
      return refusable(async () => {
        const session = context.session(id)
        session.setOptions({ ...session.study.options, ...options })
        await followed(session, signal)
        return session.info()
      })
    },
    async pause({ session }) {
      context.session(session).pause()
    },
    async resume({ session }) {
      context.session(session).resume()
    },
    async memory() {
      return process.memoryUsage().rss
    },
  }
}

/**
 * Waits until the unit on screen follows the options, and refuses where it cannot; one that is still being
 * read says so later.
 */
async function followed(session: Session, signal: AbortSignal): Promise<void> {
  const unit = session.onScreen
  if (!session.unit(unit).known) return
  try {
    await session.until(unit, at => (at.problem || at.state === 'done' ? true : null), signal)
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
  }
  const found = session.unit(unit).problem
  if (found) throw new Refusal(found)
}

/** Of parts of one run none is another's twin. */
const arePartsOfOne = (paths: readonly string[], sources: EngineSources, work: Job): Promise<boolean> =>
  asFarAsSeen(() => completes({ paths: paths.slice(0, -1), path: paths.at(-1) ?? '' }, sources, work))

/** Values over steps are no run, and no twin of one. */
async function valuesAmong(
  paths: readonly string[],
  sources: EngineSources,
  work: Job,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) if (await asFarAsSeen(() => holdsValues(path, sources, work))) found.push(path)
  return found
}

/** What cannot be looked into is told of when it is opened. */
async function asFarAsSeen(look: () => Promise<boolean>): Promise<boolean> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

// Both sides of a pair as aligning and advisor see them, made once for all who ask.
import type { Dump } from '../model/index.ts'
import { job, stepwise } from '../work/index.ts'
import { SharedNames, viewInSteps, type DumpView } from './side.ts'

interface Views {
  readonly debug: DumpView
  readonly bench: DumpView
}

/** By debug dump, as long as that is kept. */
const made = new WeakMap<Dump, { readonly bench: Dump; readonly views: Promise<Views> }>()

/** Cannot be cancelled by one who asks, since others may wait for the same. */
export function viewsOf(debug: Dump, bench: Dump): Promise<Views> {
  const known = made.get(debug)
  if (known?.bench === bench) return known.views
  const views = makeViews(debug, bench)
  made.set(debug, { bench, views })
  return views
}

async function makeViews(debug: Dump, bench: Dump): Promise<Views> {
  const names = new SharedNames()
  const view = (dump: Dump): Promise<DumpView> => stepwise(viewInSteps(dump, names), job())
  return { debug: await view(debug), bench: await view(bench) }
}

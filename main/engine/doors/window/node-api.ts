// One node: its detail, its peers on other ranks, matches made by hand; search.
import type { NodeApi } from '../../../../preload/contract/engine.ts'
import { rawText } from '../../formats/index.ts'
import { handConfig, peerOn, peersOf } from '../../graph/index.ts'
import { dumpOn, type Peer, type Side, type UnitAt } from '../../model/index.ts'
import { refusable, type Context } from './context.ts'

/** A mapping file of the plugin names every pair in full; more than this none has. */
const longestMatches = 64 << 20

export const nodeApi = (context: Context): NodeApi => ({
  async node({ session, unit, at }, signal) {
    return (await context.unitView({ session, unit }, signal)).node(at)
  },
  async raw({ session, unit, side, node }, signal) {
    const view = await context.unitView({ session, unit }, signal)
    const op = view.lookup().op(side, node)
    return op < 0 ? '' : rawText(context.files, view.dump(side), op)
  },
  async search({ session, unit, text, limit }, signal) {
    return (await context.graphs({ session, unit }, signal))?.view.search(text, limit) ?? []
  },

  peers: (q, signal) => peers(context, q, signal),
  async peer({ session, unit, side, node, to }, signal) {
    const of = context.session(session)
    const [mine, theirs] = [of.unit(unit).rank, of.unit(to).rank]
    const view = await context.unitView({ session, unit }, signal)
    if (mine === null || theirs === null) return null
    const dump = dumpOn(await context.until({ session, unit: to }, at => at.dumps(), signal), side)
    const found = peerOn(
      { dump: view.dump(side), rank: mine },
      view.lookup().op(side, node),
      { dump, rank: theirs },
      { rules: of.study.options.rules, files: context.files },
    )
    return found < 0 ? null : { [side]: dump.texts.get(dump.ops.name[found]) }
  },

  match({ session, unit, debug, bench, descendants }, signal) {
    return refusable(async () => {
      const view = await context.wholeView({ session, unit }, signal)
      context.unit({ session, unit }).setHand(await view.withMatch(debug, bench, descendants))
      return null
    })
  },
  async matches(at) {
    return Object.fromEntries(context.unit(at).hand)
  },
  async matchesText(at) {
    return handConfig(context.unit(at).hand)
  },
  applyMatches({ session, unit, path }, signal) {
    return refusable(async () => {
      const { files } = context
      files.allow(path)
      const text = new TextDecoder().decode(files.readAll(path, longestMatches))
      const view = await context.wholeView({ session, unit }, signal)
      const { hand, total, applied, failed } = await view.withConfig(text, path)
      context.unit({ session, unit }).setHand(hand)
      return { total, applied, failed }
    })
  },
})

async function peers(
  context: Context,
  { session, unit, side, node }: UnitAt & { readonly side: Side; readonly node: string },
  signal: AbortSignal,
): Promise<readonly Peer[]> {
  const of = context.session(session)
  const { step, rank } = of.unit(unit)
  const view = await context.unitView({ session, unit }, signal)
  if (rank === null) return []
  const others = of.units.flatMap((other, index) =>
    other.step === step && other.rank !== null && other.rank !== rank
      ? [{ unit: index, rank: other.rank }]
      : [],
  )
  const found = peersOf({ dump: view.dump(side), rank }, view.lookup().op(side, node), {
    rules: of.study.options.rules,
    files: context.files,
  })
  return found.flatMap(({ type, ranks }) =>
    (ranks ?? others.map(other => other.rank)).map(other => ({
      type,
      rank: other,
      unit: others.find(one => one.rank === other)?.unit ?? -1,
    })),
  )
}

// What tables say of single calls: alone, or beside the dumps of these calls.
import type { UnitAt, VerdictsApi, VerdictsAt } from '../../../../preload/contract/engine.ts'
import { asTold, KnownCalls, SavedErrors, VerdictList, type Verdicts } from '../../precheck/index.ts'
import type { Session } from '../../session/index.ts'
import { readVerdicts, type StudyUnit, VerdictsUnit, writeVerdicts } from '../../study/index.ts'
import { Cancelled, job } from '../../work/index.ts'
import { type Context, refusable } from './context.ts'

const mostLines = 500

interface Known {
  readonly key: string
  readonly lists: readonly VerdictList[]
  saved: SavedErrors | null
}

export function verdictsApi(context: Context): VerdictsApi {
  const known = new WeakMap<StudyUnit, Known>()
  const beside = new WeakMap<
    Session,
    { readonly rules: string; readonly tables: Promise<readonly Verdicts[]> }
  >()

  /** Those beside dumps are read once for all units. */
  function tablesBeside(session: Session): Promise<readonly Verdicts[]> {
    const { beside: places, options } = session.study
    const { rules } = options
    const last = beside.get(session)
    if (last?.rules === rules) return last.tables
    const tables = readVerdicts({ places, rules }, { files: context.files, job: job() })
    beside.set(session, { rules, tables })
    return tables
  }

  async function listsOf({ wish = asTold, ...at }: VerdictsAt, signal: AbortSignal): Promise<Known> {
    const session = context.session(at.session)
    const unit = session.unit(at.unit)
    const key = `${unit.keys().dumps ?? ''} ${session.study.options.rules} ${JSON.stringify(wish)}`
    const last = known.get(unit)
    if (last?.key === key) return last
    const isAlone = unit instanceof VerdictsUnit
    const read = isAlone ? await alone(at, signal) : await tablesBeside(session)
    const tables = read.map(table => table.judging?.by(wish) ?? table)
    const calls = isAlone ? null : await callsOf(at, signal)
    const lists = tables.map((verdicts, table) => new VerdictList(verdicts, table, calls))
    const found = { key, lists, saved: null }
    known.set(unit, found)
    return found
  }

  const alone = ({ session, unit }: UnitAt, signal: AbortSignal): Promise<readonly Verdicts[]> =>
    context.session(session).until(unit, one => (one instanceof VerdictsUnit ? one.data : null), signal)

  const callsOf = async (at: UnitAt, signal: AbortSignal): Promise<KnownCalls> =>
    new KnownCalls((await context.wholeView(at, signal)).snapshot.dumps)

  async function listAt(
    at: VerdictsAt & { readonly table: number },
    signal: AbortSignal,
  ): Promise<VerdictList> {
    const list = (await listsOf(at, signal)).lists[at.table]
    // It was asked of what was open before.
    if (!list) throw new Cancelled()
    return list
  }

  return {
    verdicts: async (at, signal) => (await listsOf(at, signal)).lists.map(list => list.info()),
    verdictPage: async ({ first, count, filter, ...at }, signal) =>
      (await listAt(at, signal)).page(filter, first, Math.min(count, mostLines)),
    async verdictDetail({ row, ...at }, signal) {
      const list = await listAt(at, signal)
      const { verdicts } = list
      const unit = await listsOf(at, signal)
      unit.saved ??= new SavedErrors(
        unit.lists.flatMap(({ verdicts: { paths } }) => paths),
        context.files,
      )
      if (row >= verdicts.length) throw new Cancelled()
      const { device, bench, shape } = verdicts.types(row)
      return {
        ...list.line(row),
        deviceType: device,
        benchType: bench,
        shape,
        checks: verdicts.checks(row),
        texts: verdicts.texts(row),
        at: list.at(row),
        saved: unit.saved.of(verdicts.name(row)),
      }
    },
    exportVerdicts: ({ folder, format, ...at }, signal) =>
      refusable(async () => {
        const { verdicts } = await listAt(at, signal)
        return { paths: await writeVerdicts(verdicts, { folder, format, files: context.files }, job(signal)) }
      }),
    async verdictsOf({ at, ...unit }, signal) {
      const { lists } = await listsOf(unit, signal)
      const ops = new Set([at.debug, at.bench].filter(op => op !== undefined))
      // By which rules to judge has to be said first.
      const known = lists.filter(({ verdicts }) => verdicts.judging?.told !== false || unit.wish?.generation)
      return known.flatMap(list => [...ops].flatMap(op => list.rowsOf(op).map(row => list.line(row))))
    },
  }
}

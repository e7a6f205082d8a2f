// Mapping files while they are edited.
import type { MappingApi } from '../../../../preload/contract/engine.ts'
import { decodeMapping } from '../../io/index.ts'
import {
  editMapping,
  kindOf,
  longestMapping,
  propose,
  ruleFor,
  savedText,
  type MappingDesk,
} from '../../mapping/index.ts'
import type { UnitAt } from '../../model/index.ts'
import { refusable, type Context } from './context.ts'

const shownDiagnostics = 500

export function mappingApi(context: Context): MappingApi {
  const desk = async (at: UnitAt): Promise<MappingDesk> => (await context.unitView(at)).desk()
  return {
    async mappingOpen({ path }) {
      return refusable(async () => {
        context.files.allow(path)
        const { text, encoding } = decodeMapping(context.files.readAll(path, longestMapping))
        return { kind: kindOf(text), text, encoding }
      })
    },
    async mappingStart({ session, unit, kind }) {
      return (await desk({ session, unit })).start(kind)
    },
    async mappingCheck({ session, unit, kind, text }) {
      const view = await context.unitView({ session, unit })
      return view.desk().check(kind, text, shownDiagnostics, view.needs.options.mapping[kind])
    },
    async mappingEntry({ session, unit, kind, text, at }) {
      const view = await context.unitView({ session, unit })
      return view.desk().entryAt(kind, text, at, view.comparison)
    },
    async mappingComplete({ session, unit, kind, text, at }) {
      return (await desk({ session, unit })).complete(kind, text, at)
    },
    async mappingNames({ session, unit, first, count, ...question }) {
      const names = (await desk({ session, unit })).listed(question)
      return { total: names.length, names: names.slice(first, first + count) }
    },
    async mappingMeeting({ session, unit, kind, text, debug, bench }) {
      return (await desk({ session, unit })).meeting(kind, text, debug, bench)
    },
    async mappingRule({ session, unit, debug, bench }) {
      const view = await context.unitView({ session, unit })
      const [op, other] = [view.lookup().op('debug', debug), view.lookup().op('bench', bench)]
      const nothing = { changes: [], part: false }
      if (op < 0 || other < 0) return { paired: false, ...nothing }
      const paired = view.comparison.pairing.ops.toBench[op] === other
      return { paired, ...(paired ? nothing : ruleFor(view.desk(), view.needs.options.mapping, op, other)) }
    },
    async mappingPropose({ session, unit, kind, text, limit }) {
      return propose(await desk({ session, unit }), kind, text, limit)
    },
    async mappingEdit({ kind, text, set, remove }) {
      return refusable(async () => editMapping(kind, text, set, remove))
    },
    async mappingSaved({ kind, text }) {
      return savedText(kind, text)
    },
    async mappingPreview({ session, unit, kind, text, saved }) {
      return (await desk({ session, unit })).preview(kind, text, { [kind]: saved })
    },
    async mappingBuiltIn({ session, unit, text }) {
      return (await desk({ session, unit })).builtIn(text)
    },
  }
}

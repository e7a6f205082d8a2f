// A config.json while it is edited, beside the opened dump.
import type { CollectApi } from '../../../../preload/contract/engine.ts'
import { type CollectTarget, presetIds, type Side, type UnitAt } from '../../model/index.ts'
import {
  type BesideDump,
  checkBeside,
  checkConfig,
  configText,
  configValue,
  diffConfigs,
  editConfig,
  experimentsOf,
  fieldsOf,
  presetText,
  snippetsOf,
  switched,
} from '../../collect/index.ts'
import { precheckPlan } from '../../precheck/index.ts'
import type { Context } from './context.ts'

export const collectApi = (context: Context): CollectApi => {
  /** Beside the opened dump, where its study has any. */
  async function besideOpened(
    at: UnitAt | null,
    text: string,
    target: CollectTarget,
    side: Side,
    signal: AbortSignal,
  ): Promise<BesideDump> {
    if (!at) return { check: checkConfig(text, target), hits: null }
    const view = await context.unitView(at, signal)
    const session = context.session(at.session)
    const { can } = session.study.facts(at.unit)
    return checkBeside(text, target, view.dump(can.compare ? side : 'debug'), {
      steps: [...new Set(session.units.flatMap(({ step }) => (step === null ? [] : [step])))],
      ranks: session.units.flatMap(({ rank }) => (rank === null ? [] : [rank])),
    })
  }

  return {
    async collectView({ at, text, target, side }, signal) {
      const { check, hits } = await besideOpened(at, text, target, side, signal)
      const path = configValue(text, 'dump_path')
      return {
        check,
        fields: fieldsOf(text, target),
        hits,
        snippets: snippetsOf(
          target,
          check.effect,
          typeof path === 'string' && path !== '' ? path : undefined,
        ),
        presets: presetIds.filter(id => presetText(id, target) !== null),
      }
    },
    async collectEdit({ text, changes }) {
      return editConfig(text, changes)
    },
    async collectSwitch({ text, on }) {
      return switched(text, on)
    },
    async collectText({ config }) {
      return configText(config)
    },
    async collectPreset({ preset, target }) {
      return presetText(preset, target)
    },
    async collectDiff({ before, after }) {
      return diffConfigs(before, after)
    },
    async collectPrecheck({ session, unit, order }, signal) {
      const dump = (await context.unitView({ session, unit }, signal)).dump('debug')
      return precheckPlan({ ...order, file: dump.file }, dump)
    },
    async collectNext({ session, unit, target }, signal) {
      const view = await context.unitView({ session, unit }, signal)
      const { can } = context.session(session).study.facts(unit)
      if (!can.compare) return []
      return experimentsOf(await view.advice(), view.dump('debug').header, target).filter(
        ({ text }) => text === null || checkConfig(text, target).effect !== null,
      )
    },
  }
}

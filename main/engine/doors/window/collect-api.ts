// A config.json while it is edited, beside the opened dump.
import type { CollectApi } from '../../../../preload/contract/engine.ts'
import {
  checkBeside,
  checkConfig,
  configText,
  configValue,
  diffConfigs,
  editConfig,
  experimentsOf,
  fieldsOf,
  presetIds,
  presetText,
  snippetsOf,
  switched,
} from '../../collect/index.ts'
import type { Context } from './context.ts'

export const collectApi = (context: Context): CollectApi => ({
  async collectView({ session, unit, text, target, side }, signal) {
    const view = await context.unitView({ session, unit }, signal)
    const { can } = context.session(session).study.facts(unit)
    const dump = view.dump(can.compare ? side : 'debug')
    const { check, hits } = checkBeside(text, target, dump)
    const path = configValue(text, 'dump_path')
    return {
      check,
      fields: fieldsOf(text, target),
      hits,
      snippets: snippetsOf(target, check.effect, typeof path === 'string' && path !== '' ? path : undefined),
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
  async collectNext({ session, unit, target }, signal) {
    const view = await context.unitView({ session, unit }, signal)
    const { can } = context.session(session).study.facts(unit)
    if (!can.compare) return []
    return experimentsOf(await view.advice(), view.dump('debug').header, target).filter(
      ({ text }) => text === null || checkConfig(text, target).effect !== null,
    )
  },
})

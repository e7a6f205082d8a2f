// Dumping switched on or off while a run goes on: msprobe 26 looks at dump_enable of its config.json at every step.
import { checkConfig, isForeign } from './check.ts'
import { configValue, editConfig } from './edit.ts'

/** The text with dump_enable set; as it was where it says so already, null where it is no config.json. */
export function switched(text: string, on: boolean): string | null {
  const { readable, diagnostics } = checkConfig(text, { version: '26', mode: 'pytorch' })
  if (!readable || diagnostics.some(isForeign)) return null
  return configValue(text, 'dump_enable') === on
    ? text
    : editConfig(text, [{ path: 'dump_enable', value: on }])
}

// How a run is dumped: the document that says it, what the tool makes of it, what to type, and what came of it.
export { checkConfig } from './check.ts'
export { configText, configValue, editConfig } from './edit.ts'
export { fieldsOf } from './form.ts'
export { hitsOf } from './hits.ts'
export { presetIds, presetText, type PresetWishes } from './presets.ts'
export { longestConfig } from './python-json.ts'
export { snippetsOf } from './snippets.ts'
export { checkBeside } from './beside.ts'

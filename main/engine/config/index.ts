// Configuration of two runs: packages, checkpoints and logs compared.
export { compareConfigs } from './compare.ts'
export { openPackage } from './package.ts'
export { type Compared, worst } from './types.ts'
export { writePackage } from './pack.ts'
export { checkpointsJson, compareCheckpoints, type CheckpointsCompared } from './checkpoint-compare.ts'
export { type LogSettings, LogSettingsReader, readSettings, type SettingsKind } from './log-settings.ts'
export {
  compareSettings,
  isElsewhere,
  readRecipe,
  type SettingsRow,
  settingsTable,
  usualRecipe,
  verifySettings,
} from './settings-compare.ts'

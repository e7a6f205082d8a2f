// Every text of window, menu and command line, in two languages; one file per area, keys checked against each
// other by the compiler.
import type { Fact } from '../../../main/engine/model/shared.ts'
import * as cli from './cli.ts'
import * as codeMapping from './code-mapping.ts'
import * as collect from './collect.ts'
import * as config from './config.ts'
import type { FactsFor, Places } from './facts.ts'
import * as findings from './findings.ts'
import * as flow from './flow.ts'
import * as frame from './frame.ts'
import * as live from './live.ts'
import * as mapping from './mapping.ts'
import * as menu from './menu.ts'
import * as metrics from './metrics.ts'
import * as noise from './noise.ts'
import * as overflow from './overflow.ts'
import * as panels from './panels.ts'
import * as parallel from './parallel.ts'
import * as ranks from './ranks.ts'
import * as replicas from './replicas.ts'
import * as precheck from './precheck.ts'
import * as problems from './problems.ts'
import * as reasons from './reasons.ts'
import * as recompute from './recompute.ts'
import * as report from './report.ts'
import * as series from './series.ts'
import * as sheets from './sheets.ts'
import * as tensorflow from './tensorflow.ts'
import * as tensors from './tensors.ts'
import * as thresholds from './thresholds.ts'
import * as verbs from './verbs.ts'

export type Language = 'en' | 'zh'
export const languages = ['en', 'zh'] as const

const en = {
  ...frame.en,
  ...problems.en,
  ...cli.en,
  ...codeMapping.en,
  ...collect.en,
  ...config.en,
  ...findings.en,
  ...live.en,
  ...metrics.en,
  ...menu.en,
  ...noise.en,
  ...overflow.en,
  ...panels.en,
  ...precheck.en,
  ...parallel.en,
  ...ranks.en,
  ...replicas.en,
  ...reasons.en,
  ...recompute.en,
  ...report.en,
  ...mapping.en,
  ...flow.en,
  ...series.en,
  ...sheets.en,
  ...tensorflow.en,
  ...tensors.en,
  ...thresholds.en,
  ...verbs.en,
}
const zh: Record<keyof typeof en, string> = {
  ...frame.zh,
  ...problems.zh,
  ...cli.zh,
  ...codeMapping.zh,
  ...collect.zh,
  ...config.zh,
  ...findings.zh,
  ...live.zh,
  ...metrics.zh,
  ...menu.zh,
  ...noise.zh,
  ...overflow.zh,
  ...panels.zh,
  ...precheck.zh,
  ...parallel.zh,
  ...ranks.zh,
  ...replicas.zh,
  ...reasons.zh,
  ...recompute.zh,
  ...report.zh,
  ...mapping.zh,
  ...flow.zh,
  ...series.zh,
  ...sheets.zh,
  ...tensorflow.zh,
  ...tensors.zh,
  ...thresholds.zh,
  ...verbs.zh,
}
const catalogues = { en, zh } as const

export type WordKey = keyof typeof en
export type Facts = Readonly<Record<string, Fact>>

/** Keys whose text names these facts at most. */
export type KeyNaming<Names extends string> = {
  [Key in WordKey]: [Places<(typeof en)[Key]>] extends [Names] ? Key : never
}[WordKey]
/** Keys whose text needs no facts. */
export type PlainKey = KeyNaming<never>

export const isWordKey = (key: string): key is WordKey => Object.hasOwn(en, key)
export const isPlainKey = (key: string): key is PlainKey => isWordKey(key) && !en[key].includes('{')

/** What a key's text needs; a key that is one of several needs what any of them does. */
export type FactsOf<Key extends WordKey> = [Places<(typeof en)[Key]>] extends [never]
  ? [facts?: Facts]
  : [facts: FactsFor<(typeof en)[Key]>]

/** The text of a key with `{fact}` places filled. */
export const say = <Key extends WordKey>(
  language: Language,
  key: Key,
  ...[facts = {}]: FactsOf<Key>
): string => fill(catalogues[language][oneOf(key, facts)], facts)

/** The text for one, where there is one of its own: `1 row`. */
function oneOf(key: WordKey, facts: Facts): WordKey {
  const one = `${key}.one`
  return isWordKey(one) && Object.values(facts).some(fact => fact === 1 || fact === '1') ? one : key
}

/** The text of a key that is made of what the engine says; null where there is none. */
export const sayIf = (language: Language, key: string, facts: Facts = {}): string | null =>
  isWordKey(key) ? fill(catalogues[language][oneOf(key, facts)], facts) : null

/** A text as it is written, its places in braces. */
export const textOf = (language: Language, key: WordKey): string => catalogues[language][key]

/** A text with its places filled. */
export const fill = (text: string, facts: Facts): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const fact = facts[name] ?? place
    return typeof fact === 'number' && Number.isInteger(fact) ? grouped(fact) : String(fact)
  })

/**
 * Thousands apart, as both languages write them; `toLocaleString` takes longer to start than a short command
 * to run.
 */
const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

export const keysOf = (language: Language): readonly string[] => Object.keys(catalogues[language])

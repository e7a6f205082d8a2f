// Every text of window, menu and command line, in two languages; one file per area, keys checked against each other by the compiler.
import * as cli from './cli.ts'
import * as findings from './findings.ts'
import * as flow from './flow.ts'
import * as frame from './frame.ts'
import * as mapping from './mapping.ts'
import * as menu from './menu.ts'
import * as metrics from './metrics.ts'
import * as panels from './panels.ts'
import * as problems from './problems.ts'
import * as report from './report.ts'
import * as thresholds from './thresholds.ts'

export type Language = 'en' | 'zh'
export const languages = ['en', 'zh'] as const

const en = { ...frame.en, ...problems.en, ...cli.en, ...findings.en, ...metrics.en, ...menu.en, ...panels.en, ...report.en, ...mapping.en, ...flow.en, ...thresholds.en }
const zh: Record<keyof typeof en, string> = { ...frame.zh, ...problems.zh, ...cli.zh, ...findings.zh, ...metrics.zh, ...menu.zh, ...panels.zh, ...report.zh, ...mapping.zh, ...flow.zh, ...thresholds.zh }
const catalogues = { en, zh } as const

export type WordKey = keyof typeof en
export type Facts = Readonly<Record<string, string | number>>

export const isWordKey = (key: string): key is WordKey => Object.hasOwn(en, key)

/** The text of a key with `{fact}` places filled. */
export function say(language: Language, key: WordKey, facts: Facts = {}): string {
  return catalogues[language][key].replace(/\{(\w+)\}/g, (place, name: string) => {
    const fact = facts[name]
    return fact === undefined ? place : typeof fact === 'number' && Number.isInteger(fact) ? grouped(fact) : String(fact)
  })
}

/** Thousands apart, as both languages write them; `toLocaleString` takes longer to start than a short command to run. */
const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

export const keysOf = (language: Language): readonly string[] => Object.keys(catalogues[language])

// Findings of a config.json with the lines that they stand in, for people and for programs.
import type { CollectTarget, ConfigDiagnostic } from '../../../model/index.ts'
import type { Page } from '../tools.ts'
import { Lines } from '../map/lines.ts'
import type { Asked } from '../verb.ts'
import type { CheckFlags } from './index.ts'

export type PlacedDiagnostic = ConfigDiagnostic & { readonly line: number; readonly column: number }

export function placed(text: string, diagnostics: readonly ConfigDiagnostic[]): readonly PlacedDiagnostic[] {
  const lines = new Lines(text)
  return diagnostics.map(one => ({ ...one, ...lines.placeOf(one.from) }))
}

export function printPlaced(file: string, diagnostics: readonly PlacedDiagnostic[], page: Page): void {
  for (const found of diagnostics) {
    const severity = page.say(`cli.severity.${found.severity}`)
    page.line(`${file}:${found.line}:${found.column}: ${severity}: ${page.config(found)}`)
  }
}

/** `-f mindspore` before the verb stands for PyNative where no mode is given. */
export function targetOf({
  flags,
  framework,
}: Pick<Asked<CheckFlags>, 'flags' | 'framework'>): CollectTarget {
  const usual = framework === 'mindspore' ? 'pynative' : 'pytorch'
  return { version: flags.tool ?? '1.2', mode: flags.mode ?? usual }
}

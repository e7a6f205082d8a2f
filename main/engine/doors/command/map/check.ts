// map check: what is wrong with a mapping file, by itself or beside two dumps.
import { firstForeign } from '../../../io/index.ts'
import { readMappingFile } from '../../../layout/index.ts'
import { kindOf, parseMapping } from '../../../mapping/index.ts'
import type { MappingCoverage, MappingDiagnostic, MappingEntry, MappingKind } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'
import type { Asked, Command } from '../verb.ts'
import { coverageLine } from './coverage.ts'
import { deskOf } from './desk.ts'
import type { CheckField, CheckFlags } from './index.ts'
import { Lines } from './lines.ts'

type PlacedDiagnostic = MappingDiagnostic & { readonly line: number; readonly column: number }

interface Checked {
  readonly file: string
  readonly kind: MappingKind
  readonly diagnostics: readonly PlacedDiagnostic[]
  readonly entries: readonly MappingEntry[]
  readonly coverage: MappingCoverage | null
}

export const command: Command<CheckFlags, Checked, CheckField> = {
  run: check,
  print({ file, diagnostics, coverage }, page) {
    for (const found of diagnostics) {
      const severity = page.say(`cli.severity.${found.severity}`)
      page.line(`${file}:${found.line}:${found.column}: ${severity}: ${page.diagnostic(found)}`)
    }
    if (coverage) page.line(coverageLine(page, coverage))
    if (diagnostics.length === 0) page.line(page.say('cli.map.fine', { file }))
  },
  json: checked => ({ ...checked }),
  outcome: ({ diagnostics }) => (diagnostics.some(one => one.severity === 'error') ? 'found' : 'ran'),
}

async function check({ flags, paths }: Asked<CheckFlags>, tools: Tools): Promise<Checked> {
  const [file, debug, bench] = paths
  const read = readMappingFile(tools.files, file)
  const { text } = read
  const kind = flags.kind ?? kindOf(text)
  const lines = new Lines(text)
  const placed = (found: readonly MappingDiagnostic[]): PlacedDiagnostic[] =>
    [...foreignBytes(read), ...found].map(one => ({ ...one, ...lines.placeOf(one.from) }))
  if (debug === undefined)
    return {
      file,
      kind,
      diagnostics: placed(parseMapping(kind, text).diagnostics),
      entries: [],
      coverage: null,
    }
  const desk = await deskOf([debug, bench], flags.rules ?? 'plumbline', tools)
  const { diagnostics, coverage } = desk.check(kind, text)
  return { file, kind, diagnostics: placed(diagnostics), entries: desk.entries(kind, text, null), coverage }
}

function foreignBytes(read: Parameters<typeof firstForeign>[0]): readonly MappingDiagnostic[] {
  const at = firstForeign(read)
  return at < 0 ? [] : [{ from: at, to: at + 1, severity: 'error', code: 'encoding', facts: {}, fixes: [] }]
}

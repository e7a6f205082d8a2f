// config make: a config.json for one purpose, with the code and the commands that belong to it.
import { checkConfig, presetText, snippetsOf } from '../../../collect/index.ts'
import { absolute, baseOf, dirOf, join, openOutput } from '../../../io/index.ts'
import type { Ranges } from '../../../layout/index.ts'
import {
  type CollectSnippet,
  type CollectTarget,
  type ConfigValue,
  type PresetId,
  problem,
  Refusal,
} from '../../../model/index.ts'
import type { Tools } from '../tools.ts'
import { writeText } from '../units.ts'
import type { Asked, Command } from '../verb.ts'
import type { MakeField, MakeFlags } from './index.ts'
import { placed, type PlacedDiagnostic, printPlaced, targetOf } from './lines.ts'

interface Made {
  readonly target: CollectTarget
  readonly preset: PresetId
  readonly text: string
  readonly diagnostics: readonly PlacedDiagnostic[]
  readonly snippets: readonly CollectSnippet[]
  readonly files: readonly string[]
}

export const command: Command<MakeFlags, Made, MakeField> = {
  run: make,
  print({ text, diagnostics, snippets, files }, page, { flags }) {
    if (files.length === 0) page.line(text.trimEnd())
    printPlaced('config.json', diagnostics, { ...page, line: page.note })
    if (!flags.code) return
    for (const snippet of snippets) {
      page.line(`\n# ${page.say(`collect.snippet.${snippet.id}`)}`)
      page.line(snippet.text.trimEnd())
      for (const caveat of snippet.caveats) page.note(page.say(`collect.caveat.${caveat}`))
    }
  },
  json: ({ target, ...rest }) => ({ tool: target.version, mode: target.mode, ...rest }),
  outcome: ({ diagnostics }) => (diagnostics.some(one => one.severity === 'error') ? 'found' : 'ran'),
}

const written = (ranges: Ranges | undefined): readonly ConfigValue[] | undefined =>
  ranges?.map(({ from, to }) => (from === to ? from : `${from}-${to}`))

async function make(asked: Asked<MakeFlags>, { files, written: tell }: Tools): Promise<Made> {
  const { flags } = asked
  const target = targetOf(asked)
  const preset = flags.preset ?? 'statistics'
  const [step, rank] = [written(flags.step), written(flags.rank)]
  const text = presetText(preset, target, {
    ...(flags.dumpPath === undefined ? {} : { dumpPath: flags.dumpPath }),
    ...(step ? { step } : {}),
    ...(rank ? { rank } : {}),
    ...(flags.list ? { list: flags.list } : {}),
    ...(flags.scope ? { scope: flags.scope } : {}),
  })
  if (text === null)
    throw new Refusal(problem('config-no-preset', '', { preset, tool: target.version, mode: target.mode }))
  const { diagnostics, effect } = checkConfig(text, target)
  return {
    target,
    preset,
    text,
    diagnostics: placed(text, diagnostics),
    snippets: snippetsOf(target, effect, flags.dumpPath).filter(one => one.fits),
    files: flags.output === undefined ? [] : write(placeOf(flags.output, files), text, tell),
  }
}

/** In a folder that is there the file gets its usual name. */
function placeOf(given: string, files: Tools['files']): string {
  const path = absolute(given)
  files.allow(path)
  return files.stat(path)?.kind === 'folder' ? join(path, 'config.json') : path
}

function write(path: string, text: string, tell: Tools['written']): readonly string[] {
  const output = openOutput(dirOf(path), [], true)
  try {
    writeText(output, baseOf(path), text)
    const paths = output.commit()
    tell(paths)
    return paths
  } finally {
    output.abandon()
  }
}

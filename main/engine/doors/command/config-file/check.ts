// config check: what the tool would do with a config.json, by itself or beside a dump of the same model.
import { checkBeside, checkConfig, longestConfig, type RunPlaces } from '../../../collect/index.ts'
import { absolute, baseOf, dirOf } from '../../../io/index.ts'
import {
  type CollectTarget,
  type ConfigEffect,
  type ConfigHits,
  inBytes,
  problem,
  Refusal,
} from '../../../model/index.ts'
import { openOne } from '../one-dump.ts'
import type { Tools } from '../tools.ts'
import type { Asked, Command } from '../verb.ts'
import type { CheckField, CheckFlags } from './index.ts'
import { placed, type PlacedDiagnostic, printPlaced, targetOf } from './lines.ts'

interface Checked {
  readonly file: string
  readonly target: CollectTarget
  readonly diagnostics: readonly PlacedDiagnostic[]
  readonly ignored: readonly string[]
  readonly effect: ConfigEffect | null
  readonly hits: ConfigHits | null
}

export const command: Command<CheckFlags, Checked, CheckField> = {
  run: check,
  print({ file, target, diagnostics, effect, hits }, page) {
    printPlaced(file, diagnostics, page)
    const { version: tool, mode } = target
    const count = diagnostics.filter(one => one.severity === 'error').length
    if (effect)
      page.line(page.say('cli.config.takes', { file, tool, mode, task: effect.task, level: effect.level }))
    else page.line(page.say('cli.config.raises', { file, tool, mode, count }))
    if (hits)
      page.line(
        page.say('cli.config.hits', {
          hit: hits.hit,
          calls: hits.calls,
          size: inBytes(hits.bytes),
          files: hits.files,
        }),
      )
  },
  json: ({ file, target, effect, ...rest }) => ({
    file,
    tool: target.version,
    mode: target.mode,
    raises: effect === null,
    effect,
    ...rest,
  }),
  outcome: ({ effect }) => (effect ? 'ran' : 'found'),
}

async function check(asked: Asked<CheckFlags>, tools: Tools): Promise<Checked> {
  const [file, given] = asked.paths
  const path = absolute(file)
  tools.files.allow(dirOf(path))
  if (!tools.files.stat(path)) throw new Refusal(problem('not-found', path))
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(tools.files.readAll(path, longestConfig))
  const target = targetOf(asked)
  const beside =
    given === undefined ? null : checkBeside(text, target, await openOne(given, tools), placesOf(given))
  const { diagnostics, ignored, effect } = beside?.check ?? checkConfig(text, target)
  return { file, target, diagnostics: placed(text, diagnostics), ignored, effect, hits: beside?.hits ?? null }
}

/** A folder `rank` without a number is of a run of one process; others tell nothing of the whole run. */
function placesOf(given: string): RunPlaces | null {
  const dir = absolute(given).replace(/[\\/](?:dump|stack|construct)\.json$/, '')
  return baseOf(dir) === 'rank' ? { steps: [], ranks: [] } : null
}

// Makes a package of configuration from the scripts that start a training.
import { absolute, baseOf, dirOf, type Files, type Sink, zipWriter, type ZipWriter } from '../io/index.ts'
import type { Json } from '../json/index.ts'
import { problem, type Problem, Refusal, type Rules } from '../model/index.ts'
import { ruleSets } from '../rules/index.ts'
import { jsonText } from '../python/index.ts'
import { addSettings, shellSettings, shellSettingsRead, yamlSettings } from './scripts.ts'
import { hidden, isSecret } from './secrets.ts'

export interface PackOrder {
  readonly scripts: readonly string[]
  readonly rules: Rules
  /** Null: not asked for. */
  readonly environment: Readonly<Record<string, string | undefined>> | null
  tell(found: Problem): void
}

const longest = 16 << 20

/** Settings of all scripts, one after the other. */
export function settingsOf(files: Files, { scripts, rules, tell }: PackOrder): ReadonlyMap<string, Json> {
  const exact = !ruleSets[rules].deviates['config-meaning']
  const all = new Map<string, Json>()
  const ofYaml = new Map<string, Json>()
  for (const given of scripts) {
    const path = absolute(given)
    const text = textOf(files, path)
    if (path.endsWith('.sh')) addSettings(all, exact ? shellSettings(text) : shellSettingsRead(text))
    else {
      const found = yamlSettings(text)
      if (!found) tell(problem('config-script-broken', path, {}, 'warning'))
      // msprobe's reader keeps what it read of the yaml files before.
      for (const [key, value] of found ?? []) ofYaml.set(key, value)
      addSettings(all, exact ? ofYaml : (found ?? ofYaml))
    }
  }
  return all
}

function textOf(files: Files, path: string): string {
  if (!/\.(?:sh|ya?ml)$/.test(path)) throw new Refusal(problem('config-script', path))
  files.allow(dirOf(path))
  if (!files.stat(path)) throw new Refusal(problem('not-found', path))
  return new TextDecoder().decode(files.readAll(path, longest))
}

export async function writePackage(files: Files, order: PackOrder, sink: Sink): Promise<void> {
  const settings = settingsOf(files, order)
  const zip = zipWriter(sink)
  try {
    if (order.environment) await member(zip, 'env', jsonText(shownVariables(order.environment)))
    if (settings.size > 0)
      await member(zip, 'hyperparameters/hyperparameters_static.json', jsonText(settings))
    else
      order.tell(
        problem(
          'config-no-settings',
          sink.path,
          { scripts: order.scripts.map(baseOf).join(', ') },
          'warning',
        ),
      )
    zip.close()
  } finally {
    zip.destroy()
  }
}

const shownVariables = (
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, Json> =>
  new Map(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, isSecret(name) ? hidden : value]],
    ),
  )

async function member(zip: ZipWriter, name: string, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text)
  zip.begin(name)
  for (let done = 0; done < bytes.length;) {
    const buffer = await zip.take()
    const many = Math.min(buffer.length, bytes.length - done)
    buffer.set(bytes.subarray(done, done + many))
    zip.put(buffer, many)
    done += many
  }
  await zip.end()
}

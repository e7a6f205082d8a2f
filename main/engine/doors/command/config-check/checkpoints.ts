// config_check -c with two checkpoint folders: a file with the numbers of each parameter, and the furthest in words.
import { checkpointsJson, compareCheckpoints, type CheckpointsCompared } from '../../../config/index.ts'
import { absolute, baseOf, dirOf, openOutput } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import { jsonText } from '../../../python/index.ts'
import type { Page, Tools } from '../tools.ts'
import type { Given } from '../verb.ts'
import type { ConfigFlags } from './index.ts'

interface CheckpointsAnswer {
  readonly checkpoints: CheckpointsCompared
  readonly files: readonly string[]
}

const byDefault = './ckpt_similarity.json'

export async function compareFolders(flags: Given<ConfigFlags>, tools: Tools): Promise<CheckpointsAnswer> {
  const [bench, debug] = flags.compare ?? ['', '']
  const path = absolute(flags.output ?? byDefault)
  tools.files.allow(dirOf(path))
  if (tools.files.stat(path)) throw new Refusal(problem('ckpt-exists', path))
  const { files, job, tell } = tools
  const checkpoints = await compareCheckpoints({
    bench,
    debug,
    rules: flags.rules ?? 'plumbline',
    files,
    job,
    tell,
  })
  const output = openOutput(dirOf(path), [], true)
  try {
    output.create(baseOf(path)).write(new TextEncoder().encode(jsonText(checkpointsJson(checkpoints))))
    const paths = output.commit()
    tools.written(paths)
    return { checkpoints, files: paths }
  } finally {
    output.abandon()
  }
}

type Answer = CheckpointsCompared['parameters'][number]

const differs = ({ l2 }: Answer): boolean => l2 !== 0

export const checkpointsVerdict = ({
  parameters,
  benchOnly,
  debugOnly,
}: CheckpointsCompared): 'error' | 'pass' =>
  benchOnly.length + debugOnly.length > 0 || parameters.some(differs) ? 'error' : 'pass'

const shown = 12

/** What has no number stands first. */
const distance = ({ relativeL2, l2 }: Answer): number => {
  const far = relativeL2 ?? (l2 === null ? NaN : Infinity)
  return Number.isNaN(far) ? Infinity : far
}

export function printCheckpoints(compared: CheckpointsCompared, page: Page): void {
  const { parameters, benchOnly, debugOnly } = compared
  if (checkpointsVerdict(compared) === 'pass') {
    page.line(page.say('config.ckpt.same', { count: parameters.length }))
    return
  }
  const differing = parameters.filter(differs).toSorted((a, b) => distance(b) - distance(a))
  page.line(page.say('config.ckpt.differ', { of: parameters.length, differ: differing.length }))
  for (const one of differing.slice(0, shown)) page.line(`  ${lineOf(one, page)}`)
  if (differing.length > shown)
    page.line(`  ${page.say('config.ckpt.more', { count: differing.length - shown })}`)
  for (const [side, names] of [
    ['bench', benchOnly],
    ['debug', debugOnly],
  ] as const)
    if (names.length > 0)
      page.line(
        page.say('config.ckpt.alone', {
          side: page.say(`config.side.${side}`),
          count: names.length,
          names: names.slice(0, 3).join(', '),
        }),
      )
}

function lineOf(
  { name, benchShape, debugShape, l2, cosine, maxAbs, relativeL2 }: Answer,
  page: Page,
): string {
  if (l2 === null)
    return page.say('config.ckpt.shape', {
      name,
      bench: `[${benchShape.join(', ')}]`,
      debug: `[${debugShape.join(', ')}]`,
    })
  const digits = (value: number | null): string =>
    value === null ? '–' : String(Number(value.toPrecision(4)))
  const share = relativeL2 === null ? '–' : `${digits(relativeL2 * 100)}%`
  return page.say('config.ckpt.row', { name, share, cosine: digits(cosine), most: digits(maxAbs) })
}

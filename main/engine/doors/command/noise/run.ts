// noise: measures it between two healthy runs, or shows what was saved of such; writes a profile.
import { openOutput } from '../../../io/index.ts'
import type { NoiseClass, NoiseProfile, Percentiles } from '../../../model/index.ts'
import { profileText } from '../../../noise/index.ts'
import { stampOf } from '../../../report/index.ts'
import { defaultOptions, profileAt } from '../../../study/index.ts'
import { portsOf } from '../ports.ts'
import type { Page, Tools } from '../tools.ts'
import { writeText } from '../units.ts'
import type { Command } from '../verb.ts'
import type { NoiseField, NoiseFlags } from './index.ts'

interface Answer {
  readonly profile: NoiseProfile
  readonly files: readonly string[]
}

export const command: Command<NoiseFlags, Answer, NoiseField> = {
  async run({ flags, paths }, tools) {
    const options = { ...defaultOptions, rules: flags.rules ?? defaultOptions.rules }
    const ports = { ...portsOf(tools, options.rules), measure: tools.measure }
    const profile = await profileAt(paths, options, ports, tools.job)
    return { profile, files: flags.output === undefined ? [] : write(profile, flags.output, paths, tools) }
  },
  print({ profile }, page) {
    const { debug, bench, calls, alike, margin } = profile
    page.line(page.say('cli.noise.of', { debug, bench, calls, alike, margin: short(margin) }))
    page.line(page.say('cli.noise.head'))
    for (const known of profile.classes) page.line(rowOf(known, page))
  },
  json: ({ profile, files }) => ({ profile: { ...profile, items: undefined }, files }),
}

function rowOf({ op, backward, dtype, length, calls, made, gain }: NoiseClass, page: Page): string {
  const name = op === '' ? page.say('cli.noise.all') : op
  return page.say('cli.noise.row', {
    op: backward ? page.say('cli.noise.backward', { op: name }) : name,
    dtype,
    length,
    calls,
    ...shortened(made),
    gain: gain ? page.say('cli.noise.gain', shortened(gain)) : '-',
  })
}

const short = (value: number): string => String(Number(value.toPrecision(2)))

const shortened = ({
  half,
  ninety,
  most,
  largest,
}: Percentiles): Readonly<Record<keyof Percentiles, string>> => ({
  half: short(half),
  ninety: short(ninety),
  most: short(most),
  largest: short(largest),
})

function write(
  profile: NoiseProfile,
  folder: string,
  dumps: readonly string[],
  { files, written }: Tools,
): readonly string[] {
  const output = openOutput(
    folder,
    dumps.filter(path => files.stat(path)?.kind === 'folder'),
  )
  try {
    writeText(output, `noise_${stampOf(new Date())}.json`, profileText(profile))
    const paths = output.commit()
    written(paths)
    return paths
  } finally {
    output.abandon()
  }
}

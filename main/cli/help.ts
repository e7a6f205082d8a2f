// Help texts, made from the table of verbs.
import { type Flags, type Verb, verbs } from '../engine/doors/command/index.ts'
import { isPlainKey, say, type Language, type PlainKey } from '../../preload/contract/words/index.ts'
import { everywhere, isHead } from './args.ts'

/** Of the command line as a whole. */
export function helpText(language: Language): string {
  const shown = verbs.filter(verb => !verbs.some(head => isHead(head) && isActionOf(verb, head)))
  const summaries = shown.map(({ name, summary }): Line => [name, say(language, summary)])
  return [
    say(language, 'cli.help'),
    '',
    say(language, 'cli.help.usage', { line: `plumbline ${framework} ${say(language, 'cli.help.command')}` }),
    section(language, 'cli.help.commands', columns(summaries)),
    section(language, 'cli.help.everywhere', columns(flagLines(language, everywhere))),
    section(language, 'cli.help.exits', columns(exits.map(([code, key]) => [code, say(language, key)]))),
    section(language, 'cli.help.examples', [
      'plumbline compare ./npu_dump/step0/rank0 ./bench_dump/step0/rank0 -o ./output',
      ...new Set(shown.map(verb => verb.examples[0])),
    ]),
  ].join('\n')
}

const isActionOf = ({ name }: Verb, head: Verb): boolean => name.startsWith(`${head.name} `)

/** Of one verb, or of the actions of one. */
export const verbHelp = (language: Language, named: readonly Verb[]): string =>
  named.map(verb => helpOf(language, verb)).join('\n\n')

const framework = '[-f mindspore|pytorch]'
const exits = [
  ['0', 'cli.exit.ran'],
  ['1', 'cli.exit.found'],
  ['2', 'cli.exit.refused'],
  ['3', 'cli.exit.bug'],
  ['130', 'cli.exit.interrupted'],
] as const

function helpOf(language: Language, verb: Verb): string {
  const { operands, flags, examples, fields } = verb
  const ways = [
    ...(operands.or ? [`${flags[operands.or[0]].names[0]} ${operands.or[1]}`] : []),
    operands.shown ? say(language, operands.shown) : '',
  ]
  const usage = ways.map(way =>
    say(language, 'cli.help.usage', {
      line: [...beginning(language, verb), way, say(language, 'cli.help.options')].filter(Boolean).join(' '),
    }),
  )
  const json: Line = ['--json', say(language, 'cli.help.fields', { fields: fields.join(', ') })]
  const actions = isHead(verb) ? verbs.filter(one => isActionOf(one, verb)) : []
  const listed = actions.map(({ name, summary }): Line => [actionNameOf(name), say(language, summary)])
  return [
    ...usage,
    '',
    say(language, verb.about),
    '',
    ...columns([...flagLines(language, flags), json]),
    ...(listed.length > 0 ? [section(language, 'cli.help.commands', columns(listed))] : []),
    section(language, 'cli.help.examples', [...examples]),
  ].join('\n')
}

/** How a command line of the verb begins; an action of a head stands behind what the head takes. */
function beginning(language: Language, verb: Verb): readonly string[] {
  const head = verbs.find(one => isHead(one) && isActionOf(verb, one))
  return head?.operands.shown
    ? ['plumbline', head.name, say(language, head.operands.shown), actionNameOf(verb.name)]
    : ['plumbline', isHead(verb) ? '' : framework, verb.name]
}

const actionNameOf = (name: string): string => name.slice(name.indexOf(' ') + 1)

type Line = readonly [left: string, right: string]

const section = (language: Language, title: PlainKey, lines: readonly string[]): string =>
  ['', say(language, title), ...lines.map(line => (line.startsWith('  ') ? line : `  ${line}`))].join('\n')

const flagLines = (language: Language, flags: Flags): readonly Line[] =>
  Object.values(flags)
    .filter(({ hidden }) => !hidden)
    .map(({ names, takes, value, repeats, help }): Line => {
      const shown =
        typeof value === 'string' && isPlainKey(value) ? say(language, value) : [value ?? []].flat().join('|')
      const typed = takes === 'maybe' ? `[${shown}]` : repeats ? `${shown}[,…]` : shown
      return [`${names.join(', ')} ${typed}`.trim(), say(language, help)]
    })

const widest = 32

function columns(lines: readonly Line[]): readonly string[] {
  const fitting = lines.map(([left]) => widthOf(left)).filter(width => width <= widest)
  const width = Math.max(0, ...fitting)
  return lines.map(([left, right]) => {
    const missing = width - widthOf(left)
    return missing >= 0
      ? `  ${left}${' '.repeat(missing)}  ${right}`
      : `  ${left}\n${' '.repeat(width + 4)}${right}`
  })
}

/** Chinese characters take two places. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + (/[\u2e80-\uffef]/.test(char) ? 2 : 1), 0)

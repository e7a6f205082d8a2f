// Cards of operators for people.
import type { Described, GeLookup } from '../../../../formats/index.ts'
import type { Page } from '../../tools.ts'
import { aligned } from '../graphs.ts'
import { lookedCells } from '../looked-cells.ts'
import type { Card, Cards } from './run.ts'

export function printCards({ cards, lookup }: Cards, page: Page): void {
  for (const [i, card] of cards.entries()) {
    if (i > 0) page.line('')
    printCard(card, lookup, page)
  }
}

function printCard(card: Card, lookup: GeLookup, page: Page): void {
  page.line(`[${card.type}] ${card.name}`)
  const facts: (readonly [string, string])[] = [
    [page.say('cli.tf.ni.graph'), card.graph],
    ['id', `${card.id}   stream ${card.stream}`],
    [
      page.say('cli.tf.ni.kernel'),
      [card.kernelName, card.kernelLib && `(${card.kernelLib})`].join(' ').trim(),
    ],
    [page.say('cli.tf.ni.pass'), card.passName],
    [
      page.say('cli.tf.ni.originals'),
      card.inserted ? page.say('cli.tf.ni.inserted') : card.originalOps.join(', '),
    ],
    [page.say('cli.tf.ni.subGraphs'), card.subGraphs.join(', ')],
  ]
  for (const line of aligned(facts.filter(([, value]) => value !== ''))) page.line(`  ${line}`)
  rows(page, page.say('cli.tf.ni.inputs'), inputRows(card))
  rows(page, page.say('cli.tf.ni.outputs'), outputRows(card, lookup))
  rows(
    page,
    page.say('cli.tf.ni.npuDump'),
    card.npuDump.map(file => [file]),
    file => lookedLines(card, file, page),
  )
  rows(
    page,
    page.say('cli.tf.ni.tfDump'),
    card.tfDumpOutput.map(file => [file]),
    file => lookedLines(card, file, page),
  )
  rows(page, page.say('cli.tf.ni.script'), scriptRows(card, page))
  rows(
    page,
    page.say('cli.tf.ni.attributes'),
    (card.attributes ?? []).map(({ key, value }) => [key, value]),
  )
}

function rows(
  page: Page,
  title: string,
  table: readonly (readonly string[])[],
  below: (line: string) => readonly string[] = () => [],
): void {
  if (table.length === 0) return
  page.line(`  ${title}`)
  for (const line of aligned(table)) {
    page.line(`    ${line}`)
    for (const more of below(line)) page.line(`      ${more}`)
  }
}

const lookedLines = ({ tensors }: Card, file: string, page: Page): readonly string[] =>
  aligned(
    (tensors ?? [])
      .filter(tensor => tensor.file === file)
      .map(tensor => [`${tensor.io} ${tensor.index}`, ...lookedCells(tensor, page)]),
  )

const scriptRows = ({ script }: Card, page: Page): string[][] =>
  (script ?? []).map(({ name, node }) =>
    node
      ? [`[${node.type}]`, name, `<- ${node.inputs.join(', ')}`]
      : ['', name, page.say('cli.tf.ni.notInScript')],
  )

const described = ({
  dtype,
  format,
  shape,
  originFormat,
  originShape,
  valueRange,
  shapeRange,
}: Described): string[] => [
  dtype,
  format,
  listed(shape),
  originFormat === '' && originShape.length === 0 ? '' : `${originFormat} ${listed(originShape)}`.trim(),
  [shapeRange, valueRange].filter(Boolean).join(' '),
]

const listed = (shape: readonly number[]): string => `(${shape.join(', ')})`

const inputRows = ({ inputs }: Card): string[][] =>
  inputs.map(input => {
    const producer = `<- ${input.producer}:${input.index}`
    return input.index < 0
      ? [`[${input.position}]`, '', '', '', '', '', producer]
      : [`[${input.position}]`, ...described(input), producer]
  })

const outputRows = ({ outputs }: Card, lookup: GeLookup): string[][] =>
  outputs.map(output => {
    const consumers = output.consumers.map(op => lookup.name(op)).join(', ')
    const source = output.source && `= ${output.source.op}:${output.source.output}`
    return [`[${output.index}]`, ...described(output), consumers && `-> ${consumers}`, source ?? '']
  })

// map propose: a mapping of what seems to belong together in two dumps.
import { absolute, baseOf, dirOf, openOutput } from '../../../io/index.ts'
import { editMapping, type MappingDesk, propose, savedText } from '../../../mapping/index.ts'
import {
  type MappingCoverage,
  type MappingKind,
  type MappingProposal,
  problem,
  Refusal,
} from '../../../model/index.ts'
import type { Job } from '../../../work/index.ts'
import type { Page, Tools } from '../tools.ts'
import { writeText } from '../units.ts'
import type { Asked, Command } from '../verb.ts'
import { coverageLine } from './coverage.ts'
import { deskOf } from './desk.ts'
import type { ProposeField, ProposeFlags } from './index.ts'

/** Proposals from this score on are taken. */
const defaultScore = 0.6
const rounds = 8
const mostProposals = 100_000
/** Proposals left out that are shown. */
const shownLeft = 20

interface Proposed {
  readonly text: string
  readonly taken: readonly MappingProposal[]
  readonly left: readonly MappingProposal[]
}

interface Answer extends Proposed {
  readonly kind: MappingKind
  readonly before: MappingCoverage
  readonly after: MappingCoverage
  readonly files: readonly string[]
}

export const command: Command<ProposeFlags, Answer, ProposeField> = {
  run: answer,
  print: printed,
  json: found => ({ ...found }),
}

async function answer({ flags, paths }: Asked<ProposeFlags>, tools: Tools): Promise<Answer> {
  const { kind, score = defaultScore, rules = 'plumbline' } = flags
  const file = flags.output || null
  if (file !== null && !/\.ya?ml$/i.test(file))
    throw new Refusal(problem('mapping-extension', absolute(file)))
  const desk = await deskOf([paths[0], paths[1]], rules, tools)
  const found = await proposed(desk, kind, score, tools.job)
  const coverage = (text: string): MappingCoverage => desk.coverage(desk.pairing(kind, text))
  return {
    kind,
    ...found,
    before: coverage(''),
    after: coverage(found.text),
    files: file === null ? [] : write(file, savedText(kind, found.text), tools),
  }
}

/** Takes proposals as long as there are new ones: one pair of layers opens the way to those below it. */
async function proposed(desk: MappingDesk, kind: MappingKind, score: number, job: Job): Promise<Proposed> {
  const taken: MappingProposal[] = []
  let text = ''
  let left: readonly MappingProposal[] = []
  for (let round = 0; round < rounds; round++) {
    const found = propose(desk, kind, text, mostProposals)
    const good = found.filter(one => one.score >= score)
    left = found.filter(one => one.score < score)
    const changes = good.flatMap(one => one.changes)
    const next = good.length > 0 ? editMapping(kind, text, changes, []) : text
    if (next === text) break
    text = next
    taken.push(...good)
    await job.breathe()
  }
  return { text, taken, left }
}

function write(file: string, text: string, { written }: Tools): readonly string[] {
  const output = openOutput(dirOf(absolute(file)), [], true)
  try {
    writeText(output, baseOf(file), text)
    const paths = output.commit()
    written(paths)
    return paths
  } finally {
    output.abandon()
  }
}

function printed({ text, taken, left, before, after, files }: Answer, page: Page): void {
  for (const proposal of taken)
    page.note(
      page.say('cli.map.taken', {
        what: whatText(proposal, page),
        score: percent(proposal.score),
        ...proposal.fits,
      }),
    )
  for (const proposal of left.slice(0, shownLeft))
    page.note(page.say('cli.map.left', { what: whatText(proposal, page), score: percent(proposal.score) }))
  page.note(`${coverageLine(page, before)} → ${coverageLine(page, after)}`)
  if (files.length === 0) page.line(text.trimEnd())
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

const whatText = (proposal: MappingProposal, page: Page): string =>
  proposal.reasons.some(({ key }) => key === 'part')
    ? `${changesText(proposal)} (${page.say('mapping.reason.part')})`
    : changesText(proposal)

const changesText = ({ changes }: MappingProposal): string =>
  changes
    .map(change => `${change.kind === 'layer' ? `${change.scope}: ` : ''}${change.from} → ${change.to}`)
    .join(', ')

// tf snippets: the changes that a training script needs, with the folder's own paths in them.
import {
  type DataLayout,
  type SnippetFacts,
  snippetFacts,
  snippetKinds,
  snippetsOf,
} from '../../../../formats/index.ts'
import { absolute } from '../../../../io/index.ts'
import { Refusal, type Snippet, type SnippetKind } from '../../../../model/index.ts'
import type { Page, Tools } from '../../tools.ts'
import { type Asked, type Command, UsageError } from '../../verb.ts'
import { openTree } from '../tree.ts'
import type { SnippetField, SnippetFlags } from './index.ts'

interface Answer {
  readonly folder: string
  readonly snippets: readonly Snippet[]
}

export const command: Command<SnippetFlags, Answer, SnippetField> = {
  async run(asked, tools) {
    const kinds = kindsOf(asked.paths[1])
    const facts = await factsOf(asked, tools)
    return { folder: facts.root, snippets: kinds.flatMap(kind => snippetsOf(kind, facts)) }
  },
  print({ snippets }, page) {
    for (const [i, snippet] of snippets.entries()) {
      if (i > 0) page.line('')
      printSnippet(snippet, page)
    }
  },
  json: ({ folder, snippets }) => ({ folder, snippets }),
}

function kindsOf(named: string | undefined): readonly SnippetKind[] {
  if (named === undefined) return snippetKinds
  const kind = snippetKinds.find(one => one === named)
  if (!kind)
    throw new UsageError('cli.usage.choice', {
      option: 'snippets',
      choices: snippetKinds.join(', '),
      value: named,
    })
  return [kind]
}

async function factsOf({ paths, flags }: Asked<SnippetFlags>, tools: Tools): Promise<SnippetFacts> {
  const found = await foundIn(paths[0], tools)
  return snippetFacts(found?.root ?? absolute(paths[0]), flags.layout ?? found?.layout ?? 'r1', flags)
}

/** A folder that does not hold a run yet is where one will lie. */
async function foundIn(path: string, tools: Tools): Promise<{ root: string; layout: DataLayout } | null> {
  try {
    const { base, layout } = await openTree(path, tools)
    return { root: base, layout: layout === 'r0' ? 'r0' : 'r1' }
  } catch (error) {
    if (error instanceof Refusal && ['not-found', 'not-tensorflow'].includes(error.problem.code)) return null
    throw error
  }
}

function printSnippet({ id, file, text }: Snippet, page: Page): void {
  const title = page.say(`tf.snippet.${id}`)
  page.note(file === null ? title : page.say('tf.snippet.file', { title, file }))
  page.line(text.trimEnd())
}

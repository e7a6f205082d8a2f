// A config.json with the code and the commands around it, as one page to be handed on.
import type { CollectSnippet, CollectTarget } from '../../../main/engine/model/shared.ts'
import { type Language, say } from './index.ts'

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`

export function collectPage(
  language: Language,
  { version, mode }: CollectTarget,
  text: string,
  snippets: readonly CollectSnippet[],
): string {
  const pieces = snippets
    .filter(one => one.fits)
    .map(one => {
      const caveats = one.caveats.map(caveat => `- ${say(language, `collect.caveat.${caveat}`)}`)
      const code = fenced(one.language === 'sh' ? 'sh' : 'python', one.text)
      return `## ${say(language, `collect.snippet.${one.id}`)}\n\n${code}${caveats.length > 0 ? `\n${caveats.join('\n')}\n` : ''}`
    })
  return [
    `# ${say(language, 'collect.page.title', { tool: version, mode: say(language, `collect.mode.${mode}`) })}\n`,
    `## config.json\n\n${fenced('json', text)}`,
    ...pieces,
  ].join('\n')
}

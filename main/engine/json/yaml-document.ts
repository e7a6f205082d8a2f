// The yaml parser behind a look at what it cannot bear: it recurses into what is nested, and a deep enough text ends the
// process; long texts that are no plain pairs cost it a minute and gigabytes.
import {
  type Document,
  type DocumentOptions,
  parseDocument,
  type ParseOptions,
  type SchemaOptions,
} from 'yaml'

/** In characters. Texts of plain pairs are read without the parser and may be longer. */
export const longestYaml = 1 << 20
/** Mappings nest three deep. */
const deepest = 100

/** Throws a RangeError where it refuses. */
export const yamlDocument = (
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
): Document.Parsed => {
  if (text.length > longestYaml) throw new RangeError(`more than ${longestYaml} characters`)
  if (depthOf(text) > deepest) throw new RangeError(`nested more than ${deepest} deep`)
  return parseDocument(text, { version: '1.1', schema: 'yaml-1.1', uniqueKeys: false, ...options })
}

/** How deep brackets and indented blocks nest, at least; scalars in quotes and comments are passed over. */
function depthOf(text: string): number {
  const indents: number[] = []
  let [brackets, most] = [0, 0]
  for (const [token] of text.matchAll(tokens)) {
    if (token.startsWith('\n')) nest(indents, token.length)
    else if (token === '[' || token === '{') brackets++
    else if (token === ']' || token === '}') brackets = Math.max(0, brackets - 1)
    // `- - a` opens a block for each.
    else if (token === '- ' || token === '? ') indents.push(indents.at(-1) ?? 0)
    most = Math.max(most, brackets + indents.length)
    if (most > deepest) return most
  }
  return most
}

const tokens = /\n *|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}]|[-?] /g

/** A line begins: what stands further in, or was opened within a line as far in, is closed. */
function nest(indents: number[], indent: number): void {
  while (indents.length > 0 && (indents.at(-1) ?? 0) >= indent) indents.pop()
  indents.push(indent)
}

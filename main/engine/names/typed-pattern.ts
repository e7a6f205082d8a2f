// Patterns that users type: matched in time that grows with the text alone, whatever the pattern is. JavaScript's own
// engine may take years over one name.

export interface TypedPattern {
  readonly test: (text: string) => boolean
  /** Named groups of the first match; null where nothing matches. */
  readonly groups: (text: string) => Readonly<Record<string, string>> | null
}

/** Letter case does not count. Null for what is no pattern, or looks around or back, which takes that promise. */
export async function typedPattern(source: string): Promise<TypedPattern | null> {
  const { RE2JS, RE2JSException } = await import('re2js')
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source), RE2JS.CASE_INSENSITIVE)
    const names = Object.keys(pattern.namedGroups())
    return {
      test: text => pattern.matcher(text).find(),
      groups(text) {
        const matcher = pattern.matcher(text)
        if (!matcher.find()) return null
        const groups: Record<string, string> = {}
        for (const name of names) {
          const value = matcher.group(name)
          if (value !== null) groups[name] = value
        }
        return groups
      },
    }
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

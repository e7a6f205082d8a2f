// Patterns as they are typed: whether the engine will take them. It matches in linear time, and so neither looks around nor
// back, nor counts beyond a thousand.

const isExpression = (text: string): boolean => {
  try {
    return new RegExp(text).source !== ''
  } catch {
    return false
  }
}

/** What is escaped and what stands in brackets means itself. */
const literal = /\\[^1-9kpPuxc]|\[(?:\\.|[^\]\\])*\]/g
const lookingAround = /\(\?<?[=!]/
const lookingBack = /\\[1-9]|\\k/
/** A backspace, a character by its octal number. */
const foreignInBrackets = /\[(?:\\.|[^\]\\])*?\\[bBk1-9]/
const byName = /\\(?:[pPc]|u(?![0-9a-fA-F]{4})|x(?![0-9a-fA-F]{2}))/

export function isTypedPattern(text: string): boolean {
  const bare = text.replace(literal, '')
  return (
    isExpression(text) &&
    !lookingAround.test(bare) &&
    !lookingBack.test(bare) &&
    !byName.test(bare) &&
    !foreignInBrackets.test(text) &&
    [...bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].every(([, least, most]) => Number(most || least) <= 1000)
  )
}

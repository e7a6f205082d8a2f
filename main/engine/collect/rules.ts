// What a value must be, rule by rule; a table says which key has which.
import type { ConfigFacts, ConfigFinding, Span } from '../model/index.ts'
import type { Value } from './python-json.ts'

export type Say = <Code extends keyof ConfigFacts>(
  at: Span,
  severity: ConfigFinding['severity'],
  code: Code,
  facts: Readonly<ConfigFacts[Code]>,
) => void

/** Undefined where the key is not there. */
export type Rule = (value: Value | undefined, key: string, say: Say) => void

const given = (value: Value | undefined): value is Value => value !== undefined && value.kind !== 'null'

/** What the tool takes without a look, and then stumbles over or never finds. */
export const unchecked =
  (rule: Rule): Rule =>
  (value, key, say) =>
    rule(value, key, asWarnings(say))

export const asWarnings =
  (say: Say): Say =>
  (at, _, code, facts) =>
    say(at, 'warning', code, facts)

export const flag: Rule = (value, key, say) => {
  if (value && value.kind !== 'bool') say(value, 'error', 'not-bool', { key, found: value.text })
}

export const maybeFlag: Rule = (value, key, say) => {
  if (given(value)) flag(value, key, say)
}

export const maybeText: Rule = (value, key, say) => {
  if (given(value) && value.kind !== 'text') say(value, 'error', 'not-text', { key, found: value.text })
}

export const texts: Rule = (value, key, say) => {
  if (!given(value)) return
  if (value.kind !== 'list' || value.items.some(one => one.kind !== 'text'))
    say(value, 'error', 'not-text-list', { key, found: value.text })
}

/** What is empty, null, 0 or false counts as not said. */
export const oneOfIfSaid =
  (choices: readonly string[]): Rule =>
  (value, key, say) => {
    if (value?.truthy) oneOf(choices)(value, key, say)
  }

export const oneOfIfGiven =
  (choices: readonly string[]): Rule =>
  (value, key, say) => {
    if (given(value)) oneOf(choices)(value, key, say)
  }

/** Null is no answer either. */
export const oneOf =
  (choices: readonly string[]): Rule =>
  (value, key, say) => {
    if (value && !(value.kind === 'text' && choices.includes(value.text)))
      say(value, 'error', 'not-one-of', { key, found: value.text, choices: choices.join(', ') })
  }

/** One of some texts, or a list of others; anything that is neither text nor list passes. */
export const oneOrListOf =
  (choices: readonly string[], listed: readonly string[]): Rule =>
  (value, key, say) => {
    if (value?.kind === 'text') oneOf(choices)(value, key, say)
    if (value?.kind === 'list') for (const item of value.items) oneOf(listed)(item, key, say)
  }

export const intIfGiven: Rule = (value, key, say) => {
  if (given(value) && value.kind !== 'int') say(value, 'error', 'not-int', { key, found: value.text })
}

/** To Python, true and false are whole numbers too. */
export const intOrFlagIfGiven: Rule = (value, key, say) => {
  if (value?.kind !== 'bool') intIfGiven(value, key, say)
}

/** -1 for no end, or at least one. */
export const countIfGiven: Rule = (value, key, say) => {
  intIfGiven(value, key, say)
  if (value?.kind === 'int' && value.number !== -1 && value.number <= 0)
    say(value, 'error', 'too-small', { key, found: value.text, least: 1 })
}

export const positive: Rule = (value, key, say) => {
  if (!value) return
  if (value.kind !== 'int') say(value, 'error', 'not-int', { key, found: value.text })
  else if (value.number <= 0) say(value, 'error', 'too-small', { key, found: value.text, least: 1 })
}

export const list: Rule = (value, key, say) => {
  if (value && value.kind !== 'list') say(value, 'error', 'not-list', { key, found: value.text })
}

export const listIfGiven: Rule = (value, key, say) => {
  if (given(value)) list(value, key, say)
}

/** The same, where true counts as 1. */
export const countOrTrueIfGiven: Rule = (value, key, say) => {
  if (!(value?.kind === 'bool' && value.truthy)) countIfGiven(value, key, say)
}

/** A list, and what must hold of it. */
export const listOf =
  (rule: Rule): Rule =>
  (value, key, say) => {
    listIfGiven(value, key, say)
    if (value?.kind === 'list') rule(value, key, say)
  }

const highestBound = 2 ** 63
/** Numbers that rise; `strictly`, whole or not, within int64. */
export const rising =
  (strictly: boolean): Rule =>
  (value, key, say) => {
    if (!value) return
    const isList = value.kind === 'list' || (!strictly && value.kind === 'text' && value.text === '')
    if (!isList) {
      say(value, 'error', 'not-list', { key, found: value.text })
      return
    }
    for (const item of value.items) {
      const isNumber = item.kind === 'int' || item.kind === 'float' || (item.kind === 'bool' && !strictly)
      if (!isNumber) say(item, 'error', 'not-number', { key, found: item.text })
      else if (strictly && !(item.number >= -highestBound && item.number < highestBound))
        say(item, 'error', 'out-of-range', { key, found: item.text, range: '-2^63 … 2^63 - 1' })
    }
    const numbers = value.items.map(item => item.number)
    if (numbers.some((one, i) => i > 0 && (strictly ? one <= numbers[i - 1] : one < numbers[i - 1])))
      say(value, 'error', 'not-ascending', { key })
  }

export const dataMode =
  (choices: readonly string[]): Rule =>
  (value, key, say) => {
    if (!given(value)) return
    if (value.kind !== 'list') {
      say(value, 'error', 'not-list', { key, found: value.text })
      return
    }
    if (value.items.length > 1 && value.items.some(one => one.kind === 'text' && one.text === 'all'))
      say(value, 'error', 'all-alone', {})
    if (value.items.length >= choices.length)
      say(value, 'error', 'too-many-modes', { limit: choices.length - 1 })
    for (const item of value.items) oneOf(choices)(item, key, say)
  }

/** One of some words at most, in a list. */
export const oneMode =
  (choices: readonly string[]): Rule =>
  (value, key, say) => {
    listIfGiven(value, key, say)
    if (value?.kind !== 'list' || value.items.length === 0) return
    const [only] = value.items
    if (value.items.length > 1 || only?.kind !== 'text' || !choices.includes(only.text))
      say(value, 'error', 'mode-of-data', { found: value.text, choices: choices.join(', ') })
  }

export const slice: Rule = (value, key, say) => {
  if (!value?.truthy) return
  if (value.kind !== 'list') {
    say(value, 'error', 'not-list', { key, found: value.text })
    return
  }
  for (const item of value.items) {
    if (item.kind !== 'object') say(item, 'error', 'not-object', { key, found: item.text })
    for (const { name, value: of } of item.members.values()) {
      if (of.kind !== 'int' && of.kind !== 'bool')
        say(of, 'error', 'not-int', { key: `slice.${name}`, found: of.text })
      else if ((name === 'dim' || name === 'size') && of.number < 0)
        say(of, 'error', 'too-small', { key: `slice.${name}`, found: of.text, least: 0 })
    }
  }
}

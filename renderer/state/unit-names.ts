// What steps and ranks are called in a sentence.
import { runsOf, type UnitInfo } from '../../preload/contract/engine.ts'
import { say, type Language } from '../../preload/contract/words/index.ts'

/** So many steps are named one by one. */
const mostSteps = 3

/** `chosen` by the places of units among all; steps or ranks that all have alike are not named. */
export function unitsName(language: Language, units: readonly UnitInfo[], chosen: readonly number[]): string {
  const some = chosen.flatMap(at => units[at] ?? [])
  if (new Set(units.map(unit => unit.name)).size > 1) return runsName(language, units, some)
  const varies = (of: 'step' | 'rank'): boolean => new Set(units.map(unit => unit[of])).size > 1
  if (!varies('step')) return numbered(language, 'rank', some)
  if (!varies('rank')) return numbered(language, 'step', some)
  if (some.length === units.length) return say(language, 'units.all', { count: some.length })
  const steps = [...new Set(some.map(({ step }) => step))]
  if (steps.length > mostSteps) return say(language, 'units.many', { count: some.length })
  const parts = steps.map(step => {
    const of = some.filter(unit => unit.step === step)
    return say(language, 'units.of-step', {
      step: numbered(language, 'step', of.slice(0, 1)),
      ranks: numbered(language, 'rank', of),
    })
  })
  return parts.join(say(language, 'units.join'))
}

/** Runs have names of their own, and steps and ranks in them. */
function runsName(language: Language, units: readonly UnitInfo[], some: readonly UnitInfo[]): string {
  const [only, more] = some
  if (only && !more)
    return [
      only.name,
      ...(only.step === null ? [] : [say(language, 'toolbar.step-n', { n: only.step })]),
      ...(only.rank === null ? [] : [say(language, 'toolbar.rank-n', { n: only.rank })]),
    ].join(' · ')
  const isAll = some.length === units.length
  return say(language, isAll ? 'units.all' : 'units.many', { count: some.length })
}

function numbered(language: Language, of: 'step' | 'rank', units: readonly UnitInfo[]): string {
  const numbers = units.map(unit => unit[of] ?? 0)
  return numbers.length === 1
    ? say(language, `toolbar.${of}-n`, { n: numbers[0] ?? '' })
    : say(language, `units.${of}s`, { list: runsOf(numbers) })
}

// Whose the gradients of parameters are: they are recorded by module, and shown at one of its calls.
import { Direction, type NameGrammar } from '../model/index.ts'

/**
 * The call that a record of gradients belongs to: the last backward call of its module, else its first forward
 * call. Null for any other name, and where no such call is known.
 */
export function callOfGradients(
  names: NameGrammar,
  record: string,
  isCall: (name: string) => boolean,
): string | null {
  const { form, owner } = names.parse(record)
  if (form !== 'gradients') return null
  let last: string | null = null
  for (let call = 0; ; call++) {
    const name = names.moduleCall(owner, Direction.backward, call)
    if (!isCall(name)) break
    last = name
  }
  if (last !== null) return last
  const forward = names.moduleCall(owner, Direction.forward, 0)
  return isCall(forward) ? forward : null
}

// Keys of steps as numbers: equal keys have equal numbers, as long as the session lives.
import { stepNames, type StepValues, type StepVersions } from '../model/index.ts'

export class Versions {
  readonly #numbers = new Map<string, number>()

  of(keys: StepValues<string>): StepVersions {
    return Object.fromEntries(
      stepNames.flatMap(step => {
        const key = keys[step]
        return key === undefined ? [] : [[step, this.#number(key)]]
      }),
    )
  }

  #number(key: string): number {
    let number = this.#numbers.get(key)
    if (number === undefined) this.#numbers.set(key, (number = this.#numbers.size + 1))
    return number
  }
}

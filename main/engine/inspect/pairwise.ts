// A sum as numpy takes it: blocks of 128 in eight running sums, blocks added in pairs. Of numbers beyond 2^53 another
// order of adding gives another sum.

const block = 128

export class PairwiseSum {
  readonly #leaves: Generator<readonly [length: number, depth: number]>
  readonly #sums: { sum: number; depth: number }[] = []
  readonly #held: number[] = []
  #leaf: readonly [length: number, depth: number]

  /** `size`: how many numbers there will be. */
  constructor(size: number) {
    this.#leaves = leavesOf(size, 0)
    this.#leaf = this.#next()
  }

  add(values: Float64Array, count: number): void {
    for (let i = 0; i < count; i++) {
      this.#held.push(values[i])
      if (this.#held.length === this.#leaf[0]) this.#close()
    }
  }

  get sum(): number {
    return this.#sums.reduce((all, { sum }) => all + sum, 0)
  }

  #close(): void {
    let [sum, depth] = [blockSum(this.#held), this.#leaf[1]]
    this.#held.length = 0
    for (let last = this.#sums.at(-1); last?.depth === depth && depth > 0; last = this.#sums.at(-1)) {
      this.#sums.pop()
      sum = last.sum + sum
      depth--
    }
    this.#sums.push({ sum, depth })
    this.#leaf = this.#next()
  }

  #next(): readonly [number, number] {
    const next = this.#leaves.next()
    return next.done ? [Infinity, 0] : next.value
  }
}

function* leavesOf(size: number, depth: number): Generator<readonly [number, number]> {
  if (size <= block) return yield [size, depth]
  const half = Math.floor(size / 2)
  const left = half - (half % 8)
  yield* leavesOf(left, depth + 1)
  yield* leavesOf(size - left, depth + 1)
}

function blockSum(values: readonly number[]): number {
  if (values.length < 8) return values.reduce((sum, x) => sum + x, 0)
  const whole = values.length - (values.length % 8)
  const r = values.slice(0, 8)
  for (let i = 8; i < whole; i += 8) for (let k = 0; k < 8; k++) r[k] += values[i + k]
  const sum = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]))
  return values.slice(whole).reduce((all, x) => all + x, sum)
}

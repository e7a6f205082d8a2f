// How often a fuzz test tries: always the same few seeds, or as many new ones as `npm run fuzz` asks for.

const asked = Number(process.env['FUZZ_RUNS'] ?? 0)

/** Where the seeds begin; `npm run fuzz -- --seed N --runs 1` tries one again. */
export const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1)

/** `weight`: as many runs of a parser take as long as one of these. */
export const fuzzRuns = (usual: number, weight = 1): number => (asked > 0 ? Math.ceil(asked / weight) : usual)

export function* seedsOf(usual: number): Generator<number> {
  for (let seed = firstSeed; seed < firstSeed + fuzzRuns(usual); seed++) yield seed
}

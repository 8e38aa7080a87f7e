// How many cases a property test draws, and from which seed. Both are printed, so that a failure can be repeated:
// PARAPH_CASES=100000 draws more, PARAPH_SEED=7 the same again.

// biome-ignore lint/style/noProcessEnv: `PARAPH_CASES` asks for more cases than a CI run has time for.
const { PARAPH_CASES, PARAPH_SEED } = process.env

export type Cases = { readonly numRuns: number; readonly seed: number }

export function casesOf(property: string, byDefault: number): Cases {
  const numRuns = Number(PARAPH_CASES ?? byDefault)
  const seed = Number(PARAPH_SEED ?? Date.now() % 2 ** 31)
  process.stdout.write(`${property}: ${numRuns} cases, seed ${seed}\n`)
  return { numRuns, seed }
}

/**
 * Seeds that once broke something, each with what it was. A seed draws the same run for as long as the simulation draws in the same
 * order: whoever changes that runs them once more on the code of before, or finds others.
 */
export const KEPT_SEEDS: readonly { readonly seed: number; readonly why: string }[] = [
  {
    seed: 2558,
    why: "a value was put into a mark that another worker had prepared anew while it was stamped",
  },
  { seed: 3230, why: "the same, where the other worker had its value already" },
  { seed: 5450, why: "the same, on a document that came with the request" },
  { seed: 7214, why: "the same, on the second of two documents" },
  {
    seed: 4790,
    why: "a reminder that changed nothing, whose answer was lost, was answered in two ways by the simulated door",
  },
  {
    seed: 93766,
    why: "a simulated database that is away for three days is asked for more often than a run has steps",
  },
]

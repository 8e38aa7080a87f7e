/** One line of the table: what was measured, ours and bare in one run, and what was set out. */
export type Figure = {
  readonly path: string
  readonly unit: string
  readonly ours: number
  readonly bare: number
  /** What `bare` is. */
  readonly beside: string
  readonly ratio: number
  /** "at most 1.5" and the like, and whether it is so. */
  readonly target: string
  readonly isMet: boolean
}

type Measured = Pick<Figure, "path" | "unit" | "ours" | "bare" | "beside">

export function atMost(target: number, measured: Measured): Figure {
  const ratio = measured.ours / measured.bare
  return { ...measured, ratio, target: `at most ${target} ×`, isMet: ratio <= target }
}

export function atLeast(target: number, measured: Measured): Figure {
  const ratio = measured.ours / measured.bare
  return { ...measured, ratio, target: `at least ${target} ×`, isMet: ratio >= target }
}

export const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

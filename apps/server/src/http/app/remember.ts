import type { Parts } from "../../parts.ts"

type OfBusiness = Pick<Parts, "originsOf" | "brandOf">

/** The same answers, asked for once in a while: whoever watches a request is told of it anew at each of its changes. */
export const rememberingBusinesses = ({ originsOf, brandOf }: OfBusiness, forMs: number): OfBusiness => ({
  originsOf: remembering(originsOf, forMs),
  brandOf: remembering(brandOf, forMs),
})

const KEPT_AT_MOST = 1000

/** What failed is not kept. The time is the machine's own: it is about load, and nothing that is judged depends on it. */
export function remembering<T>(
  ask: (id: string) => Promise<T>,
  forMs: number,
  nowMs: () => number = () => performance.now(),
): (id: string) => Promise<T> {
  const kept = new Map<string, { readonly answer: Promise<T>; readonly untilMs: number }>()
  return (id) => {
    const known = kept.get(id)
    if (known !== undefined && known.untilMs > nowMs()) return known.answer
    const answer = ask(id)
    const one = { answer, untilMs: nowMs() + forMs }
    kept.delete(id)
    kept.set(id, one)
    const [oldest] = kept.keys()
    if (kept.size > KEPT_AT_MOST && oldest !== undefined) kept.delete(oldest)
    answer.catch(() => kept.get(id) === one && kept.delete(id))
    return answer
  }
}

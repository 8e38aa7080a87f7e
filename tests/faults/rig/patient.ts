import { setTimeout as pause } from "node:timers/promises"
import type { Answer } from "../../service/api.ts"
import type { Journal } from "./journal.ts"

/** As long as a client goes on asking; by then at least 99.95 % of its calls shall have succeeded. */
export const BUDGET_MS = 30_000

/**
 * One call as a good client makes it: the same again, by the same key, until there is an answer that says what became of it.
 * Null when the budget is spent.
 */
export async function patiently(
  journal: Journal,
  what: string,
  ask: () => Promise<Answer>,
  budgetMs = BUDGET_MS,
): Promise<Answer | null> {
  const started = performance.now()
  const note = (done: boolean, tries: number) =>
    journal.calls.push({ what, ms: Math.round(performance.now() - started), tries, done })
  for (let tries = 1; ; tries += 1) {
    const answer = await within(ask, 20_000)
    if (answer instanceof Error && /does not tell of/.test(answer.message)) journal.wrong.push(answer.message)
    if (!(answer instanceof Error) && !isForLater(answer)) {
      note(true, tries)
      return answer
    }
    if (performance.now() - started > budgetMs) {
      note(false, tries)
      return null
    }
    await pause(Math.min(1_000, 50 * 2 ** tries))
  }
}

/** Whoever asks again may get another answer. 409 by an idempotency key: the first try is still under way. */
const isForLater = ({ status, headers }: Answer): boolean =>
  status === 429 || status >= 500 || (status === 409 && headers.get("retry-after") !== null)

async function within(ask: () => Promise<Answer>, ms: number): Promise<Answer | Error> {
  const over = new AbortController()
  const late = pause(ms, new Error("No answer."), { signal: over.signal }).catch(() => new Error("over"))
  try {
    return await Promise.race([ask(), late])
  } catch (error) {
    return error as Error
  } finally {
    over.abort()
  }
}

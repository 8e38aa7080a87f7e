import { Worker } from "node:worker_threads"
import type { EstimateGuesses } from "@paraph/core/account/ports"
import { accountOwner } from "@paraph/core/fair-share/owner"
import { Refusal } from "@paraph/core/refusal"
import { createQueue } from "@paraph/gateways/fair-queue"
import type { Answer, Question } from "./messages.ts"

/** The dictionaries take about 150 MB of this. */
const LIMITS = { maxOldGenerationSizeMb: 256 }
/**
 * Loading the dictionaries takes about 1.7 s of CPU, and a check 20 ms after that. Both are bounded by the length that is estimated:
 * this is only for a machine that is so busy that an answer would come too late.
 */
const WITHIN_MS = 60_000
const IDLE_MS = 60_000

/**
 * Estimates passwords with zxcvbn and its dictionaries, offline, one at a time. The thread starts with the first password and ends
 * after a minute without one.
 */
export function createEstimateGuesses(idleMs = IDLE_MS, start = startThread): EstimateGuesses {
  const queue = createQueue({ slots: 1, maxWaiting: 100, maxWaitMs: 60_000, busy })
  let thread: Worker | null = null
  let ending: NodeJS.Timeout | undefined
  let asked = 0
  const end = () => {
    void thread?.terminate()
    thread = null
  }
  const started = () => {
    const one = start()
    one.on("exit", () => {
      if (thread === one) thread = null
    })
    return one
  }
  return (account, password, words) =>
    queue(accountOwner(account), async () => {
      clearTimeout(ending)
      thread ??= started()
      asked += 1
      try {
        return await answerOf(thread, { id: asked, password, words })
      } catch (error) {
        end()
        throw error
      } finally {
        ending = setTimeout(end, idleMs).unref()
      }
    })
}

export function startThread(): Worker {
  const thread = new Worker(new URL("./thread.ts", import.meta.url), { resourceLimits: LIMITS })
  // It does not keep a process alive that is to end.
  thread.unref()
  // Without a listener, a failure while nothing is asked would end the process. The next password starts another thread.
  thread.on("error", () => undefined)
  return thread
}

async function answerOf(thread: Worker, question: Question): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const onMessage = ({ id, guessesLog10 }: Answer) => void (id === question.id && resolve(guessesLog10))
  const onExit = () => reject(new Error("The thread that estimates passwords ended."))
  const late = setTimeout(() => reject(busy()), WITHIN_MS)
  thread.on("message", onMessage).on("error", reject).on("exit", onExit)
  thread.postMessage(question)
  try {
    return await promise
  } finally {
    clearTimeout(late)
    thread.off("message", onMessage).off("error", reject).off("exit", onExit)
  }
}

const busy = () => new Refusal("part-down", "Too many passwords are being checked.", { retryAfterSeconds: 5 })

import { setTimeout as pause } from "node:timers/promises"
import type { Answer } from "../service/api.ts"

/** What one request came to; status 0 says that there was no answer. */
export type Noted = {
  readonly what: string
  readonly status: number
  readonly retryAfter: string | null
  readonly ms: number
  readonly detail: string
}

export type Load = {
  readonly answers: readonly Noted[]
  /** Lets the requests under way come to their end. */
  readonly stop: () => Promise<void>
}

/** So many clients, each with one request after the other and no pause between them. */
export function startLoad(
  operations: Readonly<Record<string, () => Promise<Answer>>>,
  clients: number,
): Load {
  const answers: Noted[] = []
  const list = Object.entries(operations)
  let stopped = false
  const client = async (first: number) => {
    for (let turn = first; !stopped; turn += 1) {
      const [what, operation] = list[turn % list.length] ?? ["", () => Promise.reject(new Error("nothing"))]
      const noted = await note(what, operation)
      answers.push(noted)
      // A server that is gone refuses at once; asking it without a pause would only heat the machine.
      if (noted.status === 0) await pause(20)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
  return {
    answers,
    stop: async () => {
      stopped = true
      await running
    },
  }
}

export async function note(what: string, operation: () => Promise<Answer>): Promise<Noted> {
  const started = performance.now()
  const ms = () => Math.round(performance.now() - started)
  try {
    const { status, headers, bytes } = await operation()
    const detail = status < 300 ? "" : bytes.toString().slice(0, 300)
    return { what, status, retryAfter: headers.get("retry-after"), ms: ms(), detail }
  } catch (error) {
    const { message, cause } = error as Error
    return { what, status: 0, retryAfter: null, ms: ms(), detail: `${message}: ${cause}` }
  }
}

export const isGood = ({ status }: Noted): boolean => status >= 200 && status < 400

/** Anything but success, or "come back in so many seconds". */
export const faultsOf = (answers: readonly Noted[]): readonly Noted[] =>
  answers.filter((a) => !isGood(a) && !(a.status === 503 && Number(a.retryAfter) > 0))

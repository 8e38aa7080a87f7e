import pg from "pg"
import { nameOf } from "./named.ts"

/** The change may have been made, or not: whoever asked asks again, by the same idempotency key. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown"
}

/** PostgreSQL's own limits do not end a commit that waits for its standby (measured: security, finding 2). */
const COMMIT_MS = 5_000

type Callback = (error: Error | undefined | null, result?: unknown) => void
type Query = (config: unknown, values?: unknown, callback?: Callback) => unknown

/**
 * A client whose success means that the standby has it, too (R31). A commit whose wait for the standby is cancelled is answered
 * with success and a mere warning (security, finding 1); here that is an error, and so is one that takes too long. The connection
 * is not used again: nobody knows what it still waits for.
 */
export class SureClient extends pg.Client {
  #isUnsure = false
  /** Whatever is asked after it gets the same answer: a rollback must not hide it. */
  #lost: OutcomeUnknown | undefined

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // By the function that warns: the words of the warning are in the server's language.
    this.on("notice", (notice) => {
      if (notice.routine === "SyncRepWaitForLSN") this.#isUnsure = true
    })
    const ask = super.query.bind(this) as Query
    this.query = ((config: unknown, values?: unknown, callback?: Callback) => {
      const asked = config === "commit" ? { text: "commit", query_timeout: COMMIT_MS } : asNamed(config)
      if (typeof values === "function") return ask(asked, this.#sure(values as Callback))
      if (callback !== undefined) return ask(asked, values, this.#sure(callback))
      const answer = ask(asked, values)
      if (!(answer instanceof Promise)) return answer
      return new Promise((resolve, reject) => {
        const settle = this.#sure((error, result) => (error ? reject(error) : resolve(result)), config)
        answer.then((result) => settle(null, result), settle)
      })
    }) as typeof this.query
  }

  #sure(callback: Callback, asked?: unknown): Callback {
    return (error, result) => {
      if (this.#lost !== undefined) return callback(this.#lost, undefined)
      if (this.#isUnsure) return callback(this.#unknown("The standby does not have it."), undefined)
      if (asked === "commit" && error?.message === "Query read timeout")
        return callback(this.#unknown("The commit was not confirmed in time."), undefined)
      // Or whoever has this connection next would go on with what was to be taken back.
      if (asked === "rollback" && error) this.#stream().destroy()
      return callback(error, result)
    }
  }

  #stream(): { destroy: () => void } {
    return (this as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream
  }

  #unknown(why: string): OutcomeUnknown {
    this.#stream().destroy()
    this.#lost = new OutcomeUnknown(why)
    return this.#lost
  }
}

function asNamed(config: unknown): unknown {
  const name = typeof config === "string" ? nameOf(config) : null
  return name === null ? config : { name, text: config }
}

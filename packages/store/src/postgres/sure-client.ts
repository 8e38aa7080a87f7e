import pg from "pg"
import { inOneMessage } from "./in-one-message.ts"
import { nameOf } from "./named.ts"

/** The change may have been made, or not: whoever asked asks again, by the same idempotency key. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown"
}

/** PostgreSQL's own limits do not end a commit that waits for its standby (measured: security, finding 2). */
const COMMIT_MS = 5_000

/** Each keeps some ten kilobytes in the server, for as long as the connection lives. */
const MOST_NAMES = 200

/** How a transaction of one business begins (of-the-business.ts). */
const BEGINS =
  /^(start transaction[a-z ]*); set local paraph\.business = '([0-9a-f-]{36})'; select act_for\('\2'\)$/
const OF_THE_BUSINESS = "select set_config('paraph.business', $1, true), act_for($2)"
const NOTHING = { command: "", rowCount: 0, rows: [] }

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

  /** Said, but not to the server yet. */
  #begin: RegExpExecArray | undefined
  #ask: Query = () => undefined
  /** What this connection has planned and keeps, as far as it was asked to. */
  readonly #names = new Set<string>()

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // By the function that warns: the words of the warning are in the server's language.
    this.on("notice", (notice) => {
      if (notice.routine === "SyncRepWaitForLSN") this.#isUnsure = true
    })
    const ask = super.query.bind(this) as Query
    this.#ask = ask
    this.query = ((config: unknown, values?: unknown, callback?: Callback) => {
      if (typeof config === "string" && typeof values !== "function" && callback === undefined) {
        const begins = BEGINS.exec(config)
        if (begins !== null || this.#begin !== undefined) return this.#begun(config, values, begins)
      }
      const asked = config === "commit" ? { text: "commit", query_timeout: COMMIT_MS } : this.#asNamed(config)
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

  /**
   * What a transaction begins with goes to the server in one message with its first statement: each way there and back costs as much
   * as a small read. One that asks for nothing is never begun.
   */
  #begun(text: string, values: unknown, begins: RegExpExecArray | null): Promise<unknown> {
    if (begins !== null) {
      this.#begin = begins
      return Promise.resolve(NOTHING)
    }
    const [, begin = "", business = ""] = this.#begin ?? []
    this.#begin = undefined
    if (text === "commit" || text === "rollback") return Promise.resolve(NOTHING)
    const before = [
      { name: begin.replaceAll(" ", "-"), text: begin, values: [] },
      { name: "of-the-business", text: OF_THE_BUSINESS, values: [business, business] },
    ]
    return new Promise((resolve, reject) => {
      const settle = this.#sure((error, result) => (error ? reject(error) : resolve(result)))
      const name = this.#nameFor(text)
      const config = { text, values: values as unknown[], ...(name !== null && { name }) }
      this.#ask(inOneMessage(before, config, settle))
    })
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

  #asNamed(config: unknown): unknown {
    const name = typeof config === "string" ? this.#nameFor(config) : null
    return name === null ? config : { name, text: config }
  }

  #nameFor(text: string): string | null {
    const name = nameOf(text)
    if (name === null || this.#names.has(name)) return name
    if (this.#names.size === MOST_NAMES) return null
    this.#names.add(name)
    return name
  }
}

import pg from "pg"
import { inOneMessage, type Said } from "./in-one-message.ts"
import { asWritten, isLater } from "./later.ts"
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
  /^(start transaction[a-z ]*|one statement); set local paraph\.business = '([0-9a-f-]{36})'; select act_for\('\2'\)$/
const OF_THE_BUSINESS = "select set_config('paraph.business', $1, true), act_for($2)"
const ONCE = "one statement"
/** The two that a transaction begins with. */
const BEGINNING = 2
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

  /** Said in the transaction of a business, but not to the server yet: how it begins, and what nobody waits for. */
  #unsaid: readonly Said[] = []
  /** Nothing of that transaction was said to the server. */
  #isUnbegun = false
  #isWithin = false
  /** It has no transaction around it: what is said up to one Sync is one by itself. */
  #isOnce = false
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
        if (begins !== null) return this.#begins(begins)
        const said = this.#isWithin ? this.#said(config, values) : null
        if (said !== null) return said
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

  #begins([, begin = "", business = ""]: RegExpExecArray): Promise<unknown> {
    const ofTheBusiness = { name: "of-the-business", text: OF_THE_BUSINESS, values: [business, business] }
    this.#isOnce = begin === ONCE
    this.#unsaid = this.#isOnce
      ? [ofTheBusiness]
      : [{ name: begin.replaceAll(" ", "-"), text: begin, values: [] }, ofTheBusiness]
    this.#isUnbegun = true
    this.#isWithin = true
    return Promise.resolve(NOTHING)
  }

  /**
   * What a transaction begins with, and what is written in it without anybody waiting, goes to the server in one message with the next
   * statement: each way there and back costs as much as a small read. One that asks for nothing is never begun. Null where it is
   * said as any other.
   */
  #said(text: string, values: unknown): Promise<unknown> | null {
    const isEnd = text === "commit" || text === "rollback"
    if (isEnd) this.#isWithin = false
    if (this.#isOnce) return this.#once(text, values, isEnd)
    // What was never begun has nothing to end: but for writes, it has asked for nothing.
    const isNothing = this.#isUnbegun && (text === "rollback" || this.#unsaid.length === BEGINNING)
    if (text === "rollback" || (isEnd && isNothing)) this.#unsaid = []
    if (isEnd && isNothing) return Promise.resolve(NOTHING)
    if (isLater(text)) {
      const written = (values as readonly unknown[] | undefined)?.map(asWritten) ?? []
      this.#unsaid = [...this.#unsaid, { name: this.#nameFor(text) ?? "", text, values: written }]
      return Promise.resolve(NOTHING)
    }
    return this.#unsaid.length === 0 ? null : this.#sayAll(text, values)
  }

  /** With no transaction, a second statement would be nobody's, and see nothing. */
  #once(text: string, values: unknown, isEnd: boolean): Promise<unknown> {
    if (isEnd) {
      this.#unsaid = []
      return Promise.resolve(NOTHING)
    }
    return this.#isUnbegun
      ? this.#sayAll(text, values)
      : Promise.reject(new Error("It was said that there is one question alone."))
  }

  #sayAll(text: string, values: unknown): Promise<unknown> {
    const before = this.#unsaid
    this.#unsaid = []
    this.#isUnbegun = false
    return new Promise((resolve, reject) => {
      const settle = this.#sure((error, result) => (error ? reject(error) : resolve(result)), text)
      const name = this.#nameFor(text)
      const config = { text, values: values as unknown[], ...(name !== null && { name }) }
      const query = inOneMessage(before, config, settle)
      this.#ask(text === "commit" ? Object.assign(query, { query_timeout: COMMIT_MS }) : query)
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

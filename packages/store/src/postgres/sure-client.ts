import pg from "pg"
import { inOneMessage, type Said } from "./in-one-message.ts"
import { nameOf } from "./named.ts"
import { afterRunning } from "./time-run.ts"
import { createUnsaid } from "./unsaid.ts"

/** The change may have been made, or not: whoever asked asks again, by the same idempotency key. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown"
}

/** PostgreSQL's own limits do not end a commit that waits for its standby (measured: security, finding 2). */
const COMMIT_MS = 5_000

/** Each keeps some ten kilobytes in the server, for as long as the connection lives. */
const MOST_NAMES = 200

/** Several statements in one text, or a comment that looks like it. They have no values, and cannot be put behind others. */
const SEVERAL = /;\s*\S/
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

  /** Whether statements and transactions set the service scope (ADR 0091), in the same message; those of a business never do. */
  inServiceScope = false

  readonly #unsaid = createUnsaid(
    (text) => this.#nameFor(text),
    () => this.inServiceScope,
  )
  #ask: Query = () => undefined
  /** What this connection has planned and keeps, as far as it was asked to. */
  readonly #names = new Set<string>()

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // By the function that warns: the words of the warning are in the server's language.
    this.on("notice", (notice) => {
      if (notice.routine === "SyncRepWaitForLSN") this.#isUnsure = true
    })
    this.#ask = super.query.bind(this) as Query
    this.query = ((config: unknown, values?: unknown, callback?: Callback) => {
      if (typeof config !== "string" || typeof values === "function" || callback !== undefined) {
        this.#sayFirst()
        return this.#plainly(config, values, callback)
      }
      const given = (values ?? []) as readonly unknown[]
      const turn = this.#unsaid(config, given)
      if (turn.is === "kept") return Promise.resolve(NOTHING)
      if (turn.is === "refused") return Promise.reject(new Error(turn.why))
      if (turn.before.length === 0) return this.#plainly(config, values)
      if (given.length > 0 || !SEVERAL.test(config)) return this.#together(turn.before, config, values)
      return this.#together(turn.before, "select", []).then(() => this.#plainly(config, values))
    }) as typeof this.query
  }

  /** Before what cannot be put behind others. What fails here fails the transaction, and so whatever is asked next. */
  #sayFirst(): void {
    const turn = this.#unsaid("select", [])
    if (turn.is === "said" && turn.before.length > 0)
      this.#together(turn.before, "select", []).catch(() => undefined)
  }

  #plainly(config: unknown, values?: unknown, callback?: Callback): unknown {
    const ask = this.#ask
    const asked = this.#asNamed(config)
    if (typeof values === "function") return ask(asked, this.#sure(values as Callback))
    if (callback !== undefined) return ask(asked, values, this.#sure(callback))
    const answer = ask(asked, values)
    if (!(answer instanceof Promise)) return answer
    return new Promise((resolve, reject) => {
      const settle = this.#sure((error, result) => (error ? reject(error) : resolve(result)), config)
      answer.then((result) => settle(null, result), settle)
    })
  }

  #together(before: readonly Said[], text: string, values: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = this.#sure((error, result) => (error ? reject(error) : resolve(result)), text)
      const name = this.#nameFor(text)
      const config = { text, values: values as unknown[], ...(name !== null && { name }) }
      this.#ask(inOneMessage(before, config, settle))
    })
  }

  #sure(callback: Callback, asked?: unknown): Callback {
    const late = () => callback(this.#unknown("The commit was not confirmed in time."), undefined)
    const callOff = asked === "commit" ? afterRunning(COMMIT_MS, late) : undefined
    return (error, result) => {
      callOff?.()
      if (this.#lost !== undefined) return callback(this.#lost, undefined)
      if (this.#isUnsure) return callback(this.#unknown("The standby does not have it."), undefined)
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

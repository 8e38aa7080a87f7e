import type { EventEmitter } from "node:events"
import pg from "pg"

/** A statement that each connection plans once, by its name; or, with none, each time. */
export type Said = {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
}

/** What a client of `pg` writes with; of it as much as is needed here. */
type Wire = EventEmitter & {
  readonly stream: { readonly cork: () => void; readonly uncork: () => void }
  readonly parsedStatements: Record<string, string>
  readonly parse: (statement: { name: string; text: string; types: readonly string[] }) => void
  readonly bind: (statement: { statement: string; values: Said["values"] }) => void
  readonly execute: (portal: { portal: string }) => void
}
type Answers = {
  submit: (wire: Wire) => Error | null
  handleDataRow: (message: unknown) => void
  handleCommandComplete: (message: unknown, wire: Wire) => void
  handleReadyForQuery: (wire: Wire) => void
  handleError: (error: Error, wire: Wire) => void
}
type Answer = (error: Error | null, result?: unknown) => void

/**
 * A statement, and what is said before it, in one message: all of them up to the one Sync behind the last. Where one fails, the
 * server leaves out the others (PostgreSQL, "extended query overview"): so nothing is done without what was said before it.
 */
export function inOneMessage(before: readonly Said[], config: pg.QueryConfig, answer: Answer): pg.Query {
  const asked = { ...config, queryMode: "extended", callback: answer }
  const query = new pg.Query(asked as pg.QueryConfig)
  const usual = Object.getPrototypeOf(query) as Answers
  let unanswered = before.length
  let settle: () => void = () => undefined
  const own: Answers = {
    submit(wire) {
      settle = noteUnderstood(
        wire,
        [...before, config].map(({ name }) => name ?? ""),
      )
      wire.stream.cork()
      try {
        for (const one of before) say(wire, one)
        return usual.submit.call(query, wire)
      } finally {
        wire.stream.uncork()
      }
    },
    handleDataRow(message) {
      if (unanswered === 0) usual.handleDataRow.call(query, message)
    },
    handleCommandComplete(message, wire) {
      if (unanswered > 0) unanswered -= 1
      else usual.handleCommandComplete.call(query, message, wire)
    },
    handleReadyForQuery(wire) {
      settle()
      usual.handleReadyForQuery.call(query, wire)
    },
    handleError(error, wire) {
      settle()
      usual.handleError.call(query, error, wire)
    },
  }
  return Object.assign(query, own)
}

function say(wire: Wire, { name, text, values }: Said): void {
  if (name === "" || wire.parsedStatements[name] === undefined) {
    wire.parse({ name, text, types: [] })
    if (name !== "") wire.parsedStatements[name] = text
  }
  wire.bind({ statement: name, values })
  wire.execute({ portal: "" })
}

/**
 * Which of the new statements the server has understood, and keeps from now on. `pg` counts whatever is understood as the statement
 * that was asked for; of those that were not, the note is taken back, or they would be asked for by a name that nobody knows.
 */
function noteUnderstood(wire: Wire, names: readonly string[]): () => void {
  // Those without a name are said each time; of the others each new one, once.
  const waiting = names.filter(
    (name, n) => name === "" || (wire.parsedStatements[name] === undefined && names.indexOf(name) === n),
  )
  if (waiting.every((name) => name === "")) return () => undefined
  const next = () => void waiting.shift()
  wire.on("parseComplete", next)
  return () => {
    wire.off("parseComplete", next)
    for (const name of waiting) if (name !== "") delete wire.parsedStatements[name]
  }
}

import type { Said } from "./in-one-message.ts"
import { asWritten, isLater } from "./later.ts"

/** How a transaction of one business begins (of-the-business.ts); `one statement`: with none around it. */
const OF_A_BUSINESS =
  /^(start transaction[a-z ]*|one statement); set local paraph\.business = '([0-9a-f-]{36})'; select act_for\('\2'\)$/
const ONCE = "one statement"
const FOR_THE_BUSINESS = "select set_config('paraph.business', $1, true), act_for($2)"

/** How Kysely begins a transaction. */
const BEGIN = /^(begin|start transaction[a-z ]*)$/
/** Until the end of the transaction, which is that of the one statement behind it where there is no other. */
const SERVICE_SCOPE: Said = {
  name: "service-scope",
  text: "select set_config('paraph.scope', 'service', true)",
  values: [],
}

/** What becomes of a statement: it is said, with others before it; or answered with nothing, since it is said later or never. */
export type Turn =
  | { readonly is: "said"; readonly before: readonly Said[] }
  | { readonly is: "kept" }
  | { readonly is: "refused"; readonly why: string }

const KEPT: Turn = { is: "kept" }

/**
 * What a connection was told, but has not told the server yet. How a transaction begins, and what is written in it without anybody
 * waiting, goes to the server in one message with the next statement, or with the commit: each way there and back costs as much as a small
 * read. One that asks for nothing is never begun.
 */
export function createUnsaid(nameFor: (text: string) => string | null, isInServiceScope: () => boolean) {
  let within: "transaction" | "once" | null = null
  let isBegun = false
  let beginning: readonly Said[] = []
  let unsaid: readonly Said[] = []
  const begin = (as: "transaction" | "once", said: readonly Said[]): Turn => {
    within = as
    isBegun = false
    beginning = said
    unsaid = said
    return KEPT
  }
  const say = (): Turn => {
    const before = unsaid
    unsaid = []
    isBegun = true
    return { is: "said", before }
  }
  const end = (text: "commit" | "rollback"): Turn => {
    const wasOnce = within === "once"
    within = null
    // What was never begun has nothing to take back; and with nothing written, nothing to keep.
    const isNothing = !isBegun && (text === "rollback" || unsaid === beginning)
    if (text === "rollback" || wasOnce || isNothing) unsaid = []
    return wasOnce || isNothing ? KEPT : say()
  }
  return (text: string, values: readonly unknown[]): Turn => {
    const business = OF_A_BUSINESS.exec(text)
    if (business !== null) return begin(business[1] === ONCE ? "once" : "transaction", saidFor(business))
    const scope = isInServiceScope() ? [SERVICE_SCOPE] : []
    if (BEGIN.test(text)) return begin("transaction", [statement(text), ...scope])
    if (within === null) return { is: "said", before: scope }
    if (text === "commit" || text === "rollback") return end(text)
    // It would be in nobody's name, and see nothing.
    if (within === "once" && isBegun)
      return { is: "refused", why: "It was said that there is one question alone." }
    if (within === "once" || !isLater(text)) return say()
    unsaid = [...unsaid, { name: nameFor(text) ?? "", text, values: values.map((value) => asWritten(value)) }]
    return KEPT
  }
}

const statement = (text: string): Said => ({ name: text.replaceAll(" ", "-"), text, values: [] })

function saidFor([, begins = "", business = ""]: RegExpExecArray): readonly Said[] {
  const forTheBusiness = { name: "of-the-business", text: FOR_THE_BUSINESS, values: [business, business] }
  return begins === ONCE ? [forTheBusiness] : [statement(begins), forTheBusiness]
}

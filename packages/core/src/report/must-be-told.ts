import type { ToldEvent } from "../evidence/model.ts"
import { type Signature, type SignatureRequest, statusOf } from "../signature-request/model.ts"

/**
 * What a row says of who signed, declined or was identified, and of how it ended, must have been logged: a seal says it to everybody,
 * and whoever can write to the database can write rows, but not into the log (ADR 0053).
 */
export function mustBeTold(request: SignatureRequest, events: readonly ToldEvent[]): void {
  const status = statusOf(request)
  const isOver = status !== "DRAFT" && status !== "OPEN"
  const isEnded = events.some(
    ({ type, data }) => ENDINGS.has(type) && (data.status ?? "WITHDRAWN") === status,
  )
  const wrong = [
    ...(isOver && !isEnded ? [`that it is ${status}`] : []),
    ...request.signatures.flatMap((signature) => untold(signature, events)),
  ]
  if (wrong.length > 0)
    throw new Error(`The rows of request ${request.id} say what was never logged: ${wrong.join(", ")}.`)
}

/** A draft is withdrawn without having been anything else before. */
const ENDINGS: ReadonlySet<string> = new Set(["request.completed", "request.ended", "request.withdrawn"])

function untold({ id, state, identification }: Signature, events: readonly ToldEvent[]): readonly string[] {
  const was = (type: string) => events.some((event) => event.type === type && event.signatureId === id)
  return [
    ...((state === "signed") !== was("signature.signed") ? [`that ${id} signed, or did not`] : []),
    ...((state === "declined") !== was("signature.declined") ? [`that ${id} declined, or did not`] : []),
    ...(identification?.state === "ACCEPTED" && !was("identification.accepted") ? [`who ${id} is`] : []),
  ]
}

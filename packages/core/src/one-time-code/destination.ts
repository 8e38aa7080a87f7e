import type { Kind, Signature } from "../signature-request/model.ts"
import { readNumber, shortenedNumber, type TelephoneNumber } from "../telephone/number.ts"
import type { SmsReach } from "./ports.ts"

/** Where a code is sent to. */
export type Destination =
  | { readonly channel: "mail"; readonly email: string }
  | { readonly channel: "sms"; readonly number: TelephoneNumber; readonly kind: Kind }

type Reached = Pick<Signature, "email" | "identity">

/** Decisions, "signer_identity_data": the mailbox, and for somebody without one the telephone. Null where we can reach neither. */
export function mailboxOf(kind: Kind, signature: Reached, reach: SmsReach): Destination | null {
  const { email } = signature
  return email === null ? telephoneOf(kind, signature, reach) : { channel: "mail", email }
}

export function telephoneOf(kind: Kind, { identity }: Reached, reach: SmsReach): Destination | null {
  const number = readNumber(identity?.mobileNumber ?? "")
  return number !== null && reach.reaches(kind, number) ? { channel: "sms", number, kind } : null
}

/** As evidence has it: whom we reached, in full. */
export const addressOf = (to: Destination): string => (to.channel === "mail" ? to.email : to.number)

/** As whoever holds the link may see it: its owner knows it again, and nobody else learns it. */
export const shownDestination = (to: Destination): string =>
  to.channel === "mail" ? shortenedAddress(to.email) : shortenedNumber(to.number)

export function shortenedAddress(email: string): string {
  const at = email.lastIndexOf("@")
  const [first = ""] = email
  return `${at > 0 ? first : ""}•••${email.slice(at)}`
}

/**
 * Under which a destination is counted. What a demo key does to a number counts apart: it sends nothing there, and whoever has a demo
 * key could use up what somebody else's signature needs.
 */
export function countedAs(to: Destination): string {
  if (to.channel === "mail") return to.email.toLowerCase()
  return to.kind === "demo" ? `demo ${to.number}` : to.number
}

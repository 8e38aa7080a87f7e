import type { Kind, Signature } from "../signature-request/model.ts"
import { readNumber, shortenedNumber, type TelephoneNumber } from "../telephone/number.ts"
import type { SmsReach } from "./ports.ts"

/** Where a code is sent to. */
export type Destination =
  | { readonly channel: "mail"; readonly email: string; readonly kind: Kind }
  | { readonly channel: "sms"; readonly number: TelephoneNumber; readonly kind: Kind }

type Reached = Pick<Signature, "email" | "identity">

/** Decisions, "signer_identity_data": the mailbox, and for somebody without one the telephone. Null where we can reach neither. */
export function mailboxOf(kind: Kind, signature: Reached, reach: SmsReach): Destination | null {
  const { email } = signature
  return email === null ? telephoneOf(kind, signature, reach) : { channel: "mail", email, kind }
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
 * The key under which a destination is counted over all businesses. What a demo key causes counts apart: otherwise its caller could
 * use up what a production signature needs.
 */
export function countedAs(to: Destination): string {
  const destination = to.channel === "mail" ? to.email.toLowerCase() : to.number
  return to.kind === "demo" ? `demo ${destination}` : destination
}

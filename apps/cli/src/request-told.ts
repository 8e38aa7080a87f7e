import type { AnyRequest } from "@paraph/sdk"

/** What scripts ask by: is it signed, can it still be, or not any more? */
export const EXIT_CODES = {
  SIGNED: 0,
  DRAFT: 3,
  OPEN: 3,
  DECLINED: 4,
  EXPIRED: 4,
  WITHDRAWN: 4,
  ERROR: 4,
} as const satisfies Record<string, number>

type Signature = AnyRequest["signatures"][number]

export const exitCodeOf = ({ status_overall }: AnyRequest): number =>
  EXIT_CODES[status_overall as keyof typeof EXIT_CODES] ?? 4

/** A request and its people, as lines. */
export const requestTold = (request: AnyRequest): string =>
  [
    `${request.id}  ${request.status_overall}  ${request.title}`,
    ...request.signatures.map((one) => `  ${personTold(one)}`),
  ].join("\n")

export function personTold(signature: Signature): string {
  const name = nameOf(signature)
  if (signature.status_code === "SIGNED") {
    const quality = signature.signed_quality ? ` (${signature.signed_quality})` : ""
    return `${name}: signed${quality} at ${signature.signed_at}`
  }
  if (signature.status_code === "DECLINED") return `${name}: declined`
  if (signature.status_code === "ERROR") return `${name}: could not be signed`
  const problem = signature.mail_problem ? `; the mail did not arrive: ${signature.mail_problem}` : ""
  const waiting = signature.waiting_for ? `; waits for ${signature.waiting_for}` : ""
  const seen = signature.last_viewed_at
    ? `has looked at it at ${signature.last_viewed_at}`
    : "has not opened it yet"
  return `${name}: ${seen}${problem}${waiting}`
}

const nameOf = ({ account_email, signer_identity_data: person, sid }: Signature): string =>
  person?.email_address ?? account_email ?? sid

/** What is another since the last look, a line each. */
export function changesTold(before: AnyRequest | null, now: AnyRequest): readonly string[] {
  const told = new Set((before?.signatures ?? []).map(personTold))
  return now.signatures.map(personTold).filter((line) => !told.has(line))
}

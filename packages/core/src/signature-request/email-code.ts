import type { Language } from "../language.ts"
import { LIMITS } from "../limits.ts"
import type { HashCode, NewCode, SignerCode } from "../login/ports.ts"
import type { SignerSession } from "../login/signer.ts"
import type { Clock, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Signature, SignatureRequest } from "./model.ts"
import { screenOf } from "./view.ts"

/**
 * Decisions, "what a quality means here": a signer proves control of the e-mail address. Who came by the link in our mail has;
 * who came by an address that others can read has not, and is mailed a code. Nothing here tells more than that a mail is on
 * its way; the code itself is made by the worker that mails it, and is nowhere but in that mail.
 */
export async function askForCode(
  parts: { readonly transact: Transact; readonly now: Clock },
  session: SignerSession,
  network: string,
): Promise<void> {
  const { businessId, signatureId, idHash } = session
  if (session.way !== "preview") return
  await parts.transact(businessId, async (tx) => {
    const at = parts.now()
    const { request, signature } = await theirs(tx, session, at)
    if (signature.email === null) throw noAddress()
    const before = await tx.lockCode(signatureId)
    mustMayAsk(before, at)
    await mustMaySend(tx, signature.email, network, at)
    const number = (before?.number ?? 0) + 1
    const asked = [...within(before, at), at]
    const of = { signatureId, sessionHash: idHash, number, codeHash: null, askedAt: at }
    await tx.saveCode({ ...of, attemptsLeft: LIMITS.codeAttempts, asked, wrong: before?.wrong ?? 0 })
    await tx.enqueue(request, [{ type: "send-code", signatureId, number }])
  })
}

export type CodeToMail = {
  readonly code: string
  readonly email: string
  readonly language: Language
  readonly request: SignatureRequest
}

/** The worker's half: null where the code is no longer wanted. Each attempt makes a new one, since only its hash is kept. */
export async function makeCode(
  parts: {
    readonly transact: Transact
    readonly now: Clock
    readonly newSignerCode: NewCode
    readonly hashSignerCode: HashCode
  },
  job: {
    readonly businessId: string
    readonly requestId: string
    readonly signatureId: string
    readonly number: number
  },
): Promise<CodeToMail | null> {
  return parts.transact(job.businessId, async (tx) => {
    const request = await tx.lockRequest(job.requestId)
    const signature = request?.signatures.find((s) => s.id === job.signatureId)
    if (!request || !signature || signature.email === null) return null
    const asked = await tx.lockCode(job.signatureId)
    const isWanted = asked?.number === job.number && !isOver(asked, parts.now())
    if (!isWanted || screenOf(request, signature, parts.now()) !== "read") return null
    const code = parts.newSignerCode()
    await tx.saveCode({ ...asked, codeHash: parts.hashSignerCode(asked, code) })
    const language = (await tx.sessionLanguage(asked.sessionHash)) ?? signature.language
    return { code, email: signature.email, language, request }
  })
}

type Judged = "right" | "locked" | { readonly left: number }

/** A wrong code is counted before anybody hears that it was wrong. */
export async function checkCode(
  parts: { readonly transact: Transact; readonly now: Clock; readonly hashSignerCode: HashCode },
  session: SignerSession,
  code: string,
): Promise<void> {
  if (session.way !== "preview") return
  const judged = await parts.transact(session.businessId, async (tx): Promise<Judged> => {
    const { signature } = await theirs(tx, session, parts.now())
    const known = await tx.lockCode(session.signatureId)
    if (known === null || !isOf(known, session) || known.codeHash === null) return "locked"
    const at = parts.now()
    if (isOver(known, at) || known.attemptsLeft === 0) return "locked"
    // Whoever has us ask one person for many signatures does not guess more often for it.
    const address = (signature.email ?? "").toLowerCase()
    const tries = await tx.addToday("code wrong", address, at, 1)
    if (tries > LIMITS.codesWrongPerAddress || known.wrong >= LIMITS.codesWrongEver) return "locked"
    if (!isSame(known.codeHash, parts.hashSignerCode(known, code))) {
      const left = known.attemptsLeft - 1
      await tx.saveCode({ ...known, attemptsLeft: left, wrong: known.wrong + 1 })
      return { left }
    }
    await tx.addToday("code wrong", address, at, -1)
    await tx.saveCode({ ...known, codeHash: null })
    await tx.proveSession(session.idHash)
    const data = { kind: "e-mail-code", to: signature.email }
    const { signatureId } = session
    await tx.appendEvidence(session.requestId, [{ type: "factor.passed", at, signatureId, data }])
    return "right"
  })
  if (judged === "right") return
  if (judged === "locked" || judged.left === 0)
    throw new Refusal("code-locked", "This code is not good any more. Please ask for a new one.")
  throw new Refusal("code-wrong", `The code is wrong. Attempts left: ${judged.left}.`)
}

/** What the page shows of it; another session's asking shows as little as none. */
export type Proof = {
  readonly sentAt: Date | null
  readonly resendAt: Date | null
  readonly attemptsLeft: number
}

export function proofOf(code: SignerCode | null, session: SignerSession, now: Date): Proof {
  if (code === null || !isOf(code, session) || isOver(code, now))
    return { sentAt: null, resendAt: null, attemptsLeft: LIMITS.codeAttempts }
  const resendAt = new Date(code.askedAt.getTime() + LIMITS.codeResendMs)
  return { sentAt: code.askedAt, resendAt, attemptsLeft: code.attemptsLeft }
}

/** The address as far as its owner knows it again, and nobody else learns it. */
export function shortenedAddress(email: string): string {
  const at = email.lastIndexOf("@")
  const [first = ""] = email
  return `${at > 0 ? first : ""}•••${email.slice(at)}`
}

export const noAddress = () =>
  new Refusal("proof-needed", "We know no e-mail address of yours. Please ask the sender for an invitation.")

async function theirs(
  tx: Tx,
  { requestId, signatureId }: SignerSession,
  now: Date,
): Promise<{ request: SignatureRequest; signature: Signature }> {
  const request = await tx.lockRequest(requestId)
  const signature = request?.signatures.find((s) => s.id === signatureId)
  if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
  if (screenOf(request, signature, now) !== "read")
    throw new Refusal("signature-not-open", "There is nothing to sign just now.")
  return { request, signature }
}

function mustMayAsk(before: SignerCode | null, at: Date): void {
  if (before === null) return
  if (before.wrong >= LIMITS.codesWrongEver)
    throw new Refusal("code-locked", "Too many codes were wrong. Please sign by the link in our e-mail.")
  const again = before.askedAt.getTime() + LIMITS.codeResendMs
  const recent = within(before, at)
  const oldest = recent.at(-LIMITS.codesPerHour)
  const free = oldest === undefined ? 0 : oldest.getTime() + HOUR_MS
  const waitMs = Math.max(again, free) - at.getTime()
  if (waitMs > 0)
    throw new Refusal("rate-limited", "A code is on its way. Please wait before you ask for another.", {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    })
}

/**
 * Strangers who know addresses of previews can have mails sent to their signers. What comes from one network has a limit of its own
 * below that of all, so that it takes many of them before the signer is sent none.
 */
async function mustMaySend(tx: Tx, email: string, network: string, at: Date): Promise<void> {
  const address = email.toLowerCase()
  const fromHere = await tx.addToday("code sent from network", `${address} ${network}`, at, 1)
  const inAll = await tx.addToday("code sent", address, at, 1)
  if (fromHere <= LIMITS.codesPerNetwork && inAll <= LIMITS.codesPerAddress) return
  const untilTomorrowMs = DAY_MS - (at.getTime() % DAY_MS)
  throw new Refusal("rate-limited", "Many codes were sent today. Please sign by the link in our e-mail.", {
    retryAfterSeconds: Math.ceil(untilTomorrowMs / 1000),
  })
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const within = (code: SignerCode | null, at: Date): readonly Date[] =>
  (code?.asked ?? []).filter((each) => each.getTime() > at.getTime() - HOUR_MS)

const isOver = ({ askedAt }: SignerCode, now: Date): boolean =>
  now.getTime() - askedAt.getTime() >= LIMITS.codeMs

const isOf = (code: SignerCode, { signatureId, idHash }: SignerSession): boolean =>
  code.signatureId === signatureId && isSame(code.sessionHash, idHash)

/** Looks at every byte, whichever is the first that differs. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let differs = one.length ^ other.length
  for (let at = 0; at < one.length; at += 1) differs |= (one[at] ?? 0) ^ (other[at] ?? 0)
  return differs === 0
}

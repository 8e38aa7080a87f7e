import { LIMITS } from "../limits.ts"
import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { countedAs, type Destination } from "./destination.ts"
import { askedAnew, type CodeOf, type OneTimeCode } from "./model.ts"
import type { SmsReach } from "./ports.ts"

export type Asking = {
  readonly of: CodeOf
  readonly to: Destination
  /** As it was read under its lock, which the caller's transaction holds. */
  readonly request: SignatureRequest
  /** Where the asking comes from, as far as networks are told apart. */
  readonly network: string
}

/**
 * Asks for a code, within the limits. Nothing here tells more than that a message is on its way; the code itself is made by the
 * worker that sends it, and is nowhere but in that message.
 */
export async function askCode(tx: Tx, reach: SmsReach, asking: Asking, at: Date): Promise<void> {
  const { of, request } = asking
  const before = await tx.lockCode(of.purpose, of.signatureId)
  const code = askedAnew(before, of, at)
  await mustMaySend(tx, reach, asking, code, at)
  await tx.saveCode(code)
  const { signatureId, purpose } = of
  await tx.enqueue(request, [{ type: "send-code", signatureId, number: code.number, purpose }])
}

const MOST = {
  mail: { inAll: LIMITS.codesPerAddress, fromNetwork: LIMITS.codesPerNetwork },
  sms: { inAll: LIMITS.smsPerNumber, fromNetwork: LIMITS.smsPerNetwork },
} as const

/**
 * Strangers who know addresses of previews can have messages sent to their signers. What comes from one network has a limit of its
 * own below that of all, so that it takes many of them before the signer is sent none. A text message costs money besides, and some
 * numbers pay their owner for each: so a signature has its share, and a business.
 */
async function mustMaySend(
  tx: Tx,
  reach: SmsReach,
  { to, request, network }: Asking,
  { number }: OneTimeCode,
  at: Date,
): Promise<void> {
  if (to.channel === "sms" && number > LIMITS.smsPerSignature)
    throw new Refusal("code-locked", "Too many codes were sent for this signature. Please ask the sender.")
  const key = countedAs(to)
  const most = MOST[to.channel]
  const fromHere = await tx.addToday("code sent from network", `${key} ${network}`, at, 1)
  const inAll = await tx.addToday("code sent", key, at, 1)
  const tooMany = fromHere > most.fromNetwork || inAll > most.inAll
  if (tooMany || (await isBusinessOver(tx, reach, to, request, at))) throw tomorrow(at)
}

/** The last to be counted: those who ask for one business wait for each other, and for nobody who waits for them. */
async function isBusinessOver(
  tx: Tx,
  { perBusiness }: SmsReach,
  to: Destination,
  { businessId, kind }: SignatureRequest,
  at: Date,
): Promise<boolean> {
  if (to.channel !== "sms" || kind === "demo") return false
  return (await tx.addToday("sms of business", businessId, at, 1)) > perBusiness
}

const DAY_MS = 86_400_000

function tomorrow(at: Date): Refusal {
  const retryAfterSeconds = Math.ceil((DAY_MS - (at.getTime() % DAY_MS)) / 1000)
  return new Refusal("rate-limited", "Many codes were sent today. Please try again tomorrow.", {
    retryAfterSeconds,
  })
}

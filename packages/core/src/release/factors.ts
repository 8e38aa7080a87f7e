import { isHeld } from "../account/factor-hold.ts"
import { asksSecondFactor, type Credentials } from "../account/model.ts"
import { isIdentifiedBrowser } from "../identification/browser.ts"
import type { SignerSession } from "../login/signer.ts"
import type { SmsReach } from "../one-time-code/ports.ts"
import { releaseNumber } from "../one-time-code/release.ts"
import type { Kind, Signature, SignatureRequest } from "../signature-request/model.ts"
import { readNumber } from "../telephone/number.ts"
import type { FactorKind } from "./model.ts"

/** With what the signer can activate the key now, and when more of it may; an address alone is never enough (security, T05). */
export type Factors = {
  readonly kinds: readonly FactorKind[]
  /** When a factor that is held can first be used; null where none is held. */
  readonly heldUntil: Date | null
}

export type FactorsOf = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly session: Pick<SignerSession, "browserHash">
  readonly account: Credentials | null
}

/**
 * A new factor of an account is held for 72 hours, unless the browser is the one in which a provider identified the signer for this
 * signature. A code by SMS counts only in that browser, or where a member reached the signer at the number when vouching. With a
 * demo key every factor counts at once.
 */
export function factorsOf(
  { request, signature, session, account }: FactorsOf,
  reach: SmsReach,
  now: Date,
): Factors {
  const number = releaseNumber({ request, signature }, reach)
  const own = ownFactors(account)
  if (request.kind === "demo")
    return {
      kinds: own.length > 0 || number === null ? own.map(({ kind }) => kind) : ["sms"],
      heldUntil: null,
    }
  const isIdentified = isIdentifiedBrowser(signature, session)
  const usable = own.filter(({ heldUntil }) => isIdentified || !isHeld(heldUntil, now))
  const held = own.flatMap(({ heldUntil }) => (isHeld(heldUntil, now) && heldUntil) || [])
  const heldUntil = held.length === 0 || usable.length > 0 ? null : earliest(held)
  if (usable.length > 0) return { kinds: usable.map(({ kind }) => kind), heldUntil }
  const isConfirmed = number !== null && (isIdentified || isVouchedNumber(signature))
  return { kinds: isConfirmed ? ["sms"] : [], heldUntil }
}

/** Whether this very factor may activate the key: of several passkeys one may still be held. */
export const mayActivate = (
  { request, signature, session }: Omit<FactorsOf, "account">,
  heldUntil: Date | null,
  now: Date,
): boolean => isDemo(request) || isIdentifiedBrowser(signature, session) || !isHeld(heldUntil, now)

type Own = { readonly kind: FactorKind; readonly heldUntil: Date | null }

const ownFactors = (account: Credentials | null): readonly Own[] => [
  ...(account !== null && account.passkeyCount > 0
    ? [{ kind: "passkey", heldUntil: account.passkeysHeldUntil } as const]
    : []),
  ...(account !== null && asksSecondFactor(account)
    ? [{ kind: "totp", heldUntil: account.totp?.heldUntil ?? null } as const]
    : []),
]

/** The member who vouched reached the signer at the number to which the code goes. */
function isVouchedNumber({ identity, vouch }: Pick<Signature, "identity" | "vouch">): boolean {
  const number = readNumber(identity?.mobileNumber ?? "")
  return number !== null && vouch !== null && vouch.mobileNumber === number
}

const isDemo = ({ kind }: { readonly kind: Kind }): boolean => kind === "demo"

const earliest = (dates: readonly Date[]): Date => new Date(Math.min(...dates.map(Number)))

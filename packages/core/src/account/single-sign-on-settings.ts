import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import { LIMITS } from "../limits.ts"
import type { Audited, Clock } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { SingleSignOn } from "./single-sign-on.ts"

export type SingleSignOnParts = {
  readonly now: Clock
  /** What the provider at this address calls itself; refuses one that is none, or that cannot be reached. */
  readonly findProvider: (issuer: string) => Promise<string>
  readonly changeSingleSignOn: <T>(businessId: string, work: (tx: SingleSignOnTx) => Promise<T>) => Promise<T>
}

/** One transaction on the single sign-on of one business. */
export type SingleSignOnTx = {
  /** Holds it until the transaction ends: whoever logs in by it was before, or comes after. */
  readonly lock: () => Promise<SingleSignOn | null>
  readonly domains: () => Promise<readonly string[]>
  readonly save: (settings: SingleSignOn) => Promise<void>
  readonly remove: () => Promise<void>
  /** Every login that it opened or was about to, and by which names the provider knew people. */
  readonly endLogins: (now: Date) => Promise<void>
  /** The logins of whoever is to come by nothing else, and did not. */
  readonly endOtherLogins: () => Promise<void>
  /** Whether this login was opened by it. */
  readonly hasOpened: (sessionId: string) => Promise<boolean>
  readonly appendAudit: (entry: Audited) => Promise<void>
}

export type SingleSignOnSeen = {
  readonly settings: SingleSignOn | null
  readonly domains: readonly string[]
}

export type WantedSingleSignOn = {
  readonly issuer: string
  readonly clientId: string
  /** Left out: the one that is there. */
  readonly clientSecret?: string
  readonly enforced: boolean
  readonly joins: boolean
}

export function readSingleSignOn(parts: SingleSignOnParts, caller: Caller): Promise<SingleSignOnSeen> {
  mustHaveRole(caller, ["owner", "admin"])
  return parts.changeSingleSignOn(caller.businessId, async (tx) => ({
    settings: await tx.lock(),
    domains: await tx.domains(),
  }))
}

/** By owners alone: whoever names the provider can come in as anybody of the granted domains, an owner too. */
export async function changeSingleSignOn(
  parts: SingleSignOnParts,
  caller: Caller,
  wanted: WantedSingleSignOn,
): Promise<SingleSignOnSeen> {
  mustHaveRole(caller, ["owner"])
  const issuer = await parts.findProvider(readIssuer(wanted.issuer))
  const { businessId } = caller
  return parts.changeSingleSignOn(businessId, async (tx) => {
    const before = await tx.lock()
    const kept = before?.issuer === issuer && before.clientId === wanted.clientId ? before : null
    // A secret that is there was given for that provider, and is told to no other.
    const clientSecret = wanted.clientSecret ?? kept?.clientSecret
    if (clientSecret === undefined)
      throw new Refusal("constraint-violated", "A new issuer or client_id needs its client_secret.")
    // Whoever locks everybody out is locked out too: first it must have worked.
    if (wanted.enforced && kept?.enforced !== true && (kept === null || !(await tx.hasOpened(caller.keyId))))
      throw new Refusal(
        "single-sign-on-first",
        "Log in by single sign-on once before nothing else opens your accounts.",
      )
    if (before !== null && kept === null) await tx.endLogins(parts.now())
    const settings = { ...wanted, businessId, issuer, clientSecret, updatedAt: parts.now() }
    await tx.save(settings)
    if (settings.enforced) await tx.endOtherLogins()
    await tx.appendAudit({
      at: settings.updatedAt,
      by: caller.username,
      act: "set-single-sign-on",
      target: `business ${businessId}`,
      ...(before !== null && { before: onRecord(before) }),
      after: { ...onRecord(settings), newSecret: wanted.clientSecret !== undefined },
    })
    return { settings, domains: await tx.domains() }
  })
}

/** Who came by it is logged out; whoever has nothing else to come in by proves the mailbox. */
export function removeSingleSignOn(parts: SingleSignOnParts, caller: Caller): Promise<void> {
  mustHaveRole(caller, ["owner"])
  const { businessId } = caller
  return parts.changeSingleSignOn(businessId, async (tx) => {
    const before = await tx.lock()
    if (before === null) throw new Refusal("not-found", "There is no single sign-on.")
    await tx.endLogins(parts.now())
    await tx.remove()
    await tx.appendAudit({
      at: parts.now(),
      by: caller.username,
      act: "remove-single-sign-on",
      target: `business ${businessId}`,
      before: onRecord(before),
    })
  })
}

/** OpenID Connect Discovery, 3: https, and nothing behind its path. */
function readIssuer(given: string): string {
  const url = URL.parse(given.trim())
  if (
    url === null ||
    url.protocol !== "https:" ||
    `${url.username}${url.password}${url.search}${url.hash}` !== "" ||
    url.href.length > LIMITS.issuerCharacters ||
    // Then nobody would look whether it calls itself by this name.
    url.href.includes("/.well-known/")
  )
    throw new Refusal(
      "constraint-violated",
      "issuer is an address such as https://login.example.org/realms/acme.",
    )
  return url.href
}

const onRecord = ({ issuer, clientId, enforced, joins }: SingleSignOn) => ({
  issuer,
  clientId,
  enforced,
  joins,
})

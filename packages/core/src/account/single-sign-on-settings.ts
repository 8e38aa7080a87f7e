import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import { withRoleOfNow } from "../business/managing.ts"
import type { Role } from "../business/model.ts"
import { ADMINISTRATORS } from "../business/model.ts"
import type { Audited, WritesToOwners } from "../business/ports.ts"
import type { Language } from "../language.ts"
import { LIMITS } from "../limits.ts"
import type { Clock } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { ProviderChange } from "./model.ts"
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
  /** What the member who is this user may do now. */
  readonly roleOf: (userId: string) => Promise<Role | null>
  /** When this login was opened; null where it is over. */
  readonly loggedInAt: (sessionId: string) => Promise<Date | null>
  /** Whether this login was opened by it. */
  readonly hasOpened: (sessionId: string) => Promise<boolean>
  readonly appendAudit: (entry: Audited) => Promise<void>
} & WritesToOwners

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
  mustHaveRole(caller, ADMINISTRATORS)
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
  language: Language,
): Promise<SingleSignOnSeen> {
  mustHaveRole(caller, ["owner"])
  const issuer = await parts.findProvider(readIssuer(wanted.issuer))
  const { businessId } = caller
  return parts.changeSingleSignOn(businessId, async (tx) => {
    const before = await tx.lock()
    await mustBeOwnerHere(parts, tx, caller)
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
    const changes = changesBetween(before, settings, wanted.clientSecret !== undefined)
    await tellOwners(tx, caller, settings.updatedAt, changes, language)
    return { settings, domains: await tx.domains() }
  })
}

/** Who came by it is logged out; whoever has nothing else to come in by proves the mailbox. */
export function removeSingleSignOn(
  parts: SingleSignOnParts,
  caller: Caller,
  language: Language,
): Promise<void> {
  mustHaveRole(caller, ["owner"])
  const { businessId } = caller
  return parts.changeSingleSignOn(businessId, async (tx) => {
    const before = await tx.lock()
    await mustBeOwnerHere(parts, tx, caller)
    if (before === null) throw new Refusal("not-found", "There is no single sign-on.")
    const at = parts.now()
    await tellOwners(tx, caller, at, [{ what: "removed", to: null }], language)
    await tx.endLogins(at)
    await tx.remove()
    await tx.appendAudit({
      at,
      by: caller.username,
      act: "remove-single-sign-on",
      target: `business ${businessId}`,
      before: onRecord(before),
    })
  })
}

/** An owner still, and at the keys: whoever finds an open window, or holds an old token, does not say who comes in. */
async function mustBeOwnerHere(
  { now }: SingleSignOnParts,
  tx: SingleSignOnTx,
  caller: Caller,
): Promise<void> {
  mustHaveRole(await withRoleOfNow(tx, caller), ["owner"])
  const since = await tx.loggedInAt(caller.keyId)
  if (since === null || now().getTime() - since.getTime() > LIMITS.accountProofMs)
    throw new Refusal("login-again", "Log in again to change this.")
}

const changesBetween = (
  before: SingleSignOn | null,
  after: SingleSignOn,
  newSecret: boolean,
): readonly ProviderChange[] => [
  ...(before?.issuer === after.issuer ? [] : [{ what: "issuer", to: after.issuer } as const]),
  ...(before?.clientId === after.clientId ? [] : [{ what: "client", to: after.clientId } as const]),
  ...(newSecret ? [{ what: "secret", to: null } as const] : []),
  ...((before?.enforced ?? false) === after.enforced
    ? []
    : [{ what: "enforced", to: after.enforced } as const]),
  ...((before?.joins ?? false) === after.joins ? [] : [{ what: "joins", to: after.joins } as const]),
]

async function tellOwners(
  tx: SingleSignOnTx,
  { businessId, username: by }: Caller,
  at: Date,
  changes: readonly ProviderChange[],
  language: Language,
): Promise<void> {
  if (changes.length === 0) return
  const letter = { letter: "single-sign-on-changed", businessId, by, at: at.toISOString(), changes } as const
  await tx.writeToOwners(letter, language)
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

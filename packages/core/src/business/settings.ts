import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import { readAccent } from "../branding/accent.ts"
import type { Branding } from "../branding/model.ts"
import { LIMITS } from "../limits.ts"
import { readName } from "../names/read-name.ts"
import type { Clock, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { originOf } from "../signature-request/exits.ts"
import type { Quality } from "../signature-request/model.ts"
import { managing } from "./managing.ts"
import { ADMINISTRATORS, type BusinessSettings, type MemberSecondFactor, ROLES } from "./model.ts"

/** Which addresses of others a business speaks for: those that people leave to, and those that show its pages in a frame. */
export type Origins = { readonly exitOrigins: readonly string[]; readonly embedOrigins: readonly string[] }

export type AgreedSettings = BusinessSettings &
  Origins & {
    /** Said by the operator, as the features are. */
    readonly keyLifetimeDays: number
    readonly branding: Branding
    /** Whether its people log in by a provider of the business. */
    readonly singleSignOn: boolean
    readonly memberSecondFactor: MemberSecondFactor
  }

export type ChangedSettings = {
  readonly retentionDays?: number | null
  readonly defaultQuality?: Quality
  readonly keyLifetimeDays?: number
  readonly exitOrigins?: readonly string[]
  readonly embedOrigins?: readonly string[]
  readonly accent?: string | null
  readonly senderName?: string | null
  readonly memberSecondFactor?: MemberSecondFactor
}

/** How the member who acts logged in; null where the session is over, or where the caller is an API key. */
export type MemberLogin = {
  readonly createdAt: Date
  readonly strong: boolean
  readonly providerFactor: boolean
}

/** Choice 262: every member may know how the business is set up. */
export function readSettings(parts: { readonly read: Read }, caller: Caller): Promise<AgreedSettings> {
  mustHaveRole(caller, ROLES)
  return parts.read(caller.businessId, (reading) => reading.agreedSettings())
}

/** What a business may say of itself; one row of the audit log for each thing that is another afterwards. */
export async function changeSettings(
  parts: {
    readonly transact: Transact
    readonly now: Clock
    readonly findLogin: (sessionId: string) => Promise<MemberLogin | null>
  },
  caller: Caller,
  wanted: Omit<ChangedSettings, "keyLifetimeDays">,
): Promise<AgreedSettings> {
  mustHaveRole(caller, ADMINISTRATORS)
  const changes = understood(wanted)
  const { memberSecondFactor: factor } = wanted
  const login = factor === undefined ? null : await parts.findLogin(caller.keyId)
  return managing(parts, caller, async (tx, acting, before) => {
    mustHaveRole(acting, ADMINISTRATORS)
    if (factor !== undefined && factor !== before.memberSecondFactor)
      mustHaveProved(login, factor, parts.now())
    await tx.saveSettings(changes)
    const after = await tx.lockSettings()
    const target = `business ${caller.businessId}`
    for (const change of changesBetween(before, after))
      await tx.appendAudit({ at: parts.now(), by: caller.username, target, ...change })
    return after
  })
}

/**
 * The rule is changed soon after a login with a second factor. So the member who switches it on can go on, and a thief of a password
 * cannot switch it off.
 */
function mustHaveProved(login: MemberLogin | null, wanted: MemberSecondFactor, now: Date): void {
  const isProved = login?.strong || (login?.providerFactor && wanted === "REQUIRED_OR_PROVIDER")
  if (!isProved)
    throw new Refusal(
      "second-factor-needed",
      "Log in with a passkey, or with an authenticator app beside the password, to change this.",
    )
  if (now.getTime() - login.createdAt.getTime() > LIMITS.accountProofMs)
    throw new Refusal("login-again", "Log in again to change this.")
}

function understood(wanted: ChangedSettings): ChangedSettings {
  const { exitOrigins, embedOrigins, accent, senderName } = wanted
  return {
    ...wanted,
    ...(exitOrigins !== undefined && { exitOrigins: readOrigins(exitOrigins) }),
    ...(embedOrigins !== undefined && { embedOrigins: readOrigins(embedOrigins) }),
    ...(typeof accent === "string" && { accent: readAccent(accent) }),
    ...(typeof senderName === "string" && { senderName: readSenderName(senderName) }),
  }
}

/** Each once; whoever lists one that is none would believe it to be there. */
export function readOrigins(listed: readonly string[]): readonly string[] {
  const origins = listed.map((each) => {
    const origin = originOf(each)
    if (origin === null)
      throw new Refusal("constraint-violated", `${each.trim()} is no origin, such as https://app.example.`)
    return origin
  })
  if (origins.length > LIMITS.originsPerList)
    throw new Refusal("constraint-violated", `At most ${LIMITS.originsPerList} origins.`)
  return [...new Set(origins)]
}

/**
 * It stands in the head of a mail and beside our own name: one line, nothing that looks like an address, in whichever letters
 * that is written, and not our name.
 */
function readSenderName(given: string): string {
  const name = given.normalize("NFKC").trim().replace(/\s+/g, " ")
  if (name === "" || name.length > LIMITS.senderNameCharacters)
    throw new Refusal(
      "constraint-violated",
      `sender_name has 1 to ${LIMITS.senderNameCharacters} characters.`,
    )
  if (/[\p{C}<>@"\\]|\p{L}\.\p{L}{2}/u.test(given.normalize("NFKC").trim()) || /\bparaph\b/i.test(name))
    throw new Refusal("constraint-violated", "sender_name is your own name, and no address.")
  return readName("sender_name", name, "company")
}

type Change = { readonly act: string; readonly before: object; readonly after: object }

/** Called what `paraph admin` calls them. */
const ACTS: Readonly<Record<string, (of: AgreedSettings) => object>> = {
  "set-retention": ({ retentionDays: days }) => ({ days }),
  "set-default-quality": ({ defaultQuality: quality }) => ({ quality }),
  "set-exit-origins": ({ exitOrigins: origins }) => ({ origins }),
  "set-embed-origins": ({ embedOrigins: origins }) => ({ origins }),
  "set-member-second-factor": ({ memberSecondFactor: members }) => ({ members }),
  "set-branding": ({ branding: { accent, senderName } }) => ({ accent, senderName }),
}

const changesBetween = (before: AgreedSettings, after: AgreedSettings): readonly Change[] =>
  Object.entries(ACTS).flatMap(([act, of]) =>
    JSON.stringify(of(before)) === JSON.stringify(of(after))
      ? []
      : [{ act, before: of(before), after: of(after) }],
  )

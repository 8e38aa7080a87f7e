import type { I18n } from "@lingui/core"
import type { AuditEntry } from "../../api/audit.ts"
import { sayTime } from "../../parts/said.ts"
import { ROLES, sayRole } from "../../session/roles.ts"

/** In the reader's language where the act is known; else by the name that it has in the log. */
export const sayAct = (i18n: I18n, act: string): string =>
  ofPeople(i18n, act) ??
  ofKeys(i18n, act) ??
  ofTemplates(i18n, act) ??
  ofSeals(i18n, act) ??
  ofSettings(i18n, act) ??
  act

function ofPeople(i18n: I18n, act: string): string | null {
  switch (act) {
    case "add-member":
      return i18n._("Added a member")
    case "invite-member":
      return i18n._("Invited a member")
    case "accept-membership":
      return i18n._("Accepted the invitation")
    case "decline-membership":
      return i18n._("Declined the invitation")
    case "join-by-single-sign-on":
      return i18n._("Joined through single sign-on")
    case "change-role":
      return i18n._("Changed a role")
    case "remove-member":
      return i18n._("Removed a member")
    case "create-user":
      return i18n._("Created an API user")
    case "remove-user":
      return i18n._("Removed an API user")
    default:
      return null
  }
}

function ofKeys(i18n: I18n, act: string): string | null {
  switch (act) {
    case "create-key":
      return i18n._("Created an API key")
    case "rename-key":
      return i18n._("Renamed an API key")
    case "reset-key":
      return i18n._("Reset an API key")
    case "end-key-for-reset":
      return i18n._("Ended an API key that others may know")
    case "claim-key":
      return i18n._("Got the new key for one that was ended")
    case "revoke-key":
      return i18n._("Revoked an API key")
    default:
      return null
  }
}

function ofTemplates(i18n: I18n, act: string): string | null {
  switch (act) {
    case "create-template":
      return i18n._("Created a template")
    case "change-template":
      return i18n._("Changed a template")
    case "remove-template":
      return i18n._("Deleted a template")
    default:
      return null
  }
}

function ofSeals(i18n: I18n, act: string): string | null {
  switch (act) {
    case "seal create":
      return i18n._("Made a seal")
    case "seal request":
      return i18n._("Asked for the certificate of a seal")
    case "seal install":
      return i18n._("Installed the certificate of a seal")
    case "seal certify":
      return i18n._("Renewed the certificate of a seal")
    case "seal set-image":
      return i18n._("Changed what a seal shows")
    case "seal end":
      return i18n._("Ended a seal")
    default:
      return null
  }
}

function ofSettings(i18n: I18n, act: string): string | null {
  switch (act) {
    case "create-business":
      return i18n._("Created the business")
    case "look-at-business":
      return i18n._("Viewed keys and members")
    case "set-feature":
      return i18n._("Switched a feature on or off")
    case "set-credits":
      return i18n._("Changed what is agreed on credits")
    case "set-retention":
      return i18n._("Changed how long requests are kept")
    case "set-default-quality":
      return i18n._("Changed the default quality")
    case "set-member-second-factor":
      return i18n._("Changed whether members need a second factor")
    case "set-key-lifetime":
      return i18n._("Changed how long API keys are valid")
    case "set-exit-origins":
      return i18n._("Changed where signers go afterwards")
    case "set-embed-origins":
      return i18n._("Changed who may embed the signing page")
    case "set-branding":
    case "set-logo":
    case "remove-branding":
      return i18n._("Changed the branding")
    case "confirm-sender-name":
      return i18n._("Confirmed the sender’s name")
    case "refuse-sender-name":
      return i18n._("Refused the sender’s name")
    case "set-single-sign-on":
      return i18n._("Set up single sign-on")
    case "remove-single-sign-on":
      return i18n._("Removed single sign-on")
    case "grant-domain":
      return i18n._("Granted a domain")
    case "revoke-domain":
      return i18n._("Removed a domain")
    default:
      return null
  }
}

/** Those whose names the log does not hold are known by their ids. */
type Known = ReadonlyMap<string, string>

/** The kind of what was acted on stands before its id or name. */
export function sayTarget(i18n: I18n, target: string, known: Known): string {
  const [, kind = "", which = ""] = /^(\S+) (.+)$/.exec(target) ?? []
  switch (kind) {
    case "person":
    case "domain":
      return which
    case "user":
      return i18n._("API user {username}", { username: which })
    case "key":
    case "business":
    case "template":
      return known.get(which) ?? short(which)
    default:
      return target
  }
}

export type Change = { readonly name: string; readonly before: string | null; readonly after: string | null }

/** What is another one now, or was there before it was removed. What stands in `before` alone says only what it was about. */
export function changesOf(
  i18n: I18n,
  { before, after }: Pick<AuditEntry, "before" | "after">,
  known: Known,
): readonly Change[] {
  const names = new Map([...known, ...valueNames(i18n)])
  const write = (value: unknown) => written(i18n, value, names)
  const isAnother = (name: string) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name])
  return Object.keys(after ?? before ?? {})
    .filter(isAnother)
    .map((name) => ({
      name: sayMember(i18n, name),
      before: write(before?.[name]),
      after: write(after?.[name]),
    }))
    .filter((change) => change.before !== null || change.after !== null)
}

function sayMember(i18n: I18n, name: string): string {
  switch (name) {
    case "role":
      return i18n._("Role")
    case "name":
      return i18n._("Name")
    case "user":
      return i18n._("API user")
    case "key":
      return i18n._("API key")
    case "kind":
      return i18n._("What it is for")
    case "expires":
      return i18n._("Expires")
    case "revoked":
      return i18n._("Revoked")
    case "quality":
      return i18n._("Quality")
    case "days":
      return i18n._("Days")
    case "documents":
      return i18n._("Documents")
    case "accent":
      return i18n._("Colour")
    case "logo":
      return i18n._("Logo")
    case "origins":
      return i18n._("Web addresses")
    default:
      return `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`
  }
}

const valueNames = (i18n: I18n): Known =>
  new Map([
    ...ROLES.map((role) => [role, sayRole(i18n, role)[0]] as const),
    ["demo", i18n._("Test")],
    ["production", i18n._("Production")],
  ])

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** Nobody reads a whole id. */
const short = (text: string): string => (ID.test(text) ? `${text.slice(0, 8)} …` : text)
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function written(i18n: I18n, value: unknown, known: Known): string | null {
  if (value === undefined || value === null) return null
  // Of things without a name their number says more than their ids.
  if (Array.isArray(value) && value.length > 0 && value.every((each) => ID.test(String(each))))
    return String(value.length)
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((each) => written(i18n, each, known)).join(", ")
  if (typeof value === "object") return JSON.stringify(value)
  const text = String(value)
  if (TIME.test(text)) return sayTime(i18n, text)
  return known.get(text) ?? short(text)
}

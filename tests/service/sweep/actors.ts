import { MANAGED, type PersonRole } from "../managed-operations.ts"
import { MATRIX, type Rule } from "../operations.ts"
import { type Known, RULES } from "../rules.ts"
import type { CanaryKind, Mode } from "./canaries.ts"
import type { Described } from "./described-operations.ts"
import type { WebRule } from "./web-routes.ts"

/** A caller of the sweep, and what it may do and know. */
export type Actor = {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** The mode of the victim's objects that it calls about. */
  readonly mode: Mode
  /** Whether it belongs to the victim business, and so may add rows to it. */
  readonly isInsider: boolean
  /** Ids of its own business and account, whose rows it may change. */
  readonly own?: readonly string[]
  /** A rightful caller, by whom the oracle is tested. */
  readonly isOracleTest?: boolean
  readonly mayCall: (operation: Described) => boolean
  readonly mayUse: (rule: WebRule) => boolean
  readonly mayKnow: (kind: CanaryKind, mode: Mode) => boolean
  /** Answers 2xx as long as its session or token is valid; null for a caller without one. */
  readonly alive: string | null
}

/** Rules of the operations that the matrix of the other versions does not have: a validation belongs to its maker alone. */
const VALIDATION: Readonly<Record<string, "public" | "anybody" | "own">> = {
  ...{ login: "public", validateDocument: "anybody" },
  ...{ getCreditInfos: "anybody", getInvoicedCredits: "anybody", getCreditUsage: "anybody" },
  ...{ getDifference: "own", getFormatInfo: "own", getSignerInfos: "own", getValidationInfo: "own" },
  ...{ getEtsiReport: "own", getPdfReport: "own", deleteValidation: "own" },
}

/**
 * In the matrix sealing is switched off and nothing was deleted; here a user of the business may seal what it may read, and read each
 * receipt of a deletion, which has neither a title nor a name (ADR 0055).
 */
const HERE: Readonly<Record<string, Rule>> = {
  sealDocument: "of the business",
  createSealBatch: "use document",
  getDeletionReceipt: "of the business",
  getDeletionReceiptStory: "of the business",
}

export function ruleOf({ scope, id }: Described) {
  const rule = scope === "validation/v1" ? VALIDATION[id] : (HERE[id] ?? MATRIX[id]?.rule)
  if (rule === undefined) throw new Error(`${scope} ${id} has no rule: add it to the matrix of operations.`)
  return rule
}

/** By a token of a role of the matrix. */
export const byRole =
  (role: Known) =>
  (operation: Described): boolean =>
    RULES[ruleOf(operation)][role] === "ok"

/** Owners and admins change each group (choice 200), and see whether a request that they may hold is held. */
const MANAGERS_TOO = ["changeGroup", "deleteGroup", "getSignatureRequestHold"]

/** A person of the victim business: what its role manages, and otherwise what a colleague may. */
export const byPerson =
  (role: PersonRole) =>
  (operation: Described): boolean => {
    const managed = operation.scope === "v3" ? MANAGED[operation.id] : undefined
    if (managed !== undefined) return managed.roles.includes(role)
    return byRole("a colleague")(operation) || (role === "admin" && MANAGERS_TOO.includes(operation.id))
  }

/** A person of another business may do in its own business what an owner may. */
export const byForeignPerson = (operation: Described): boolean => {
  const hasObject = operation.path.includes("{")
  if (operation.scope === "v3" && MANAGED[operation.id] !== undefined) return !hasObject
  return byRole("another business")(operation)
}

/** A cookie opens no operation of the interface. */
export const withoutToken = (operation: Described): boolean => ruleOf(operation) === "public"

export const webRules =
  (...rules: readonly WebRule[]) =>
  (rule: WebRule): boolean =>
    rule === "public" || rules.includes(rule)

export const nothing = (): boolean => false

/** A call that is answered 2xx as long as the token or session of the actor is valid. */
export const ALIVE = { token: "/v3/groups", account: "/app/api/account", signer: "/app/api/signature" }

export const bearer = ({ token }: { readonly token: string }) => ({ authorization: `Bearer ${token}` })

import { asksSecondFactor, type Credentials } from "../account/model.ts"
import type { FactorKind } from "./model.ts"

/** What this person can release a key with; an address alone is never enough (security, T05). */
export const factorsOf = (account: Credentials | null): readonly FactorKind[] => [
  ...(account !== null && account.passkeyCount > 0 ? (["passkey"] as const) : []),
  ...(account !== null && asksSecondFactor(account) ? (["totp"] as const) : []),
]

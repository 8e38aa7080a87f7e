import { asksSecondFactor, type Credentials } from "../account/model.ts"
import type { FactorKind } from "./model.ts"

/**
 * What this person can release a key with; an address alone is never enough (security, T05). `number` is where a code by SMS would
 * go to, as it is shown; null where none would arrive. Whoever has a passkey or an app is not released by a telephone, which others
 * can take over.
 */
export function factorsOf(account: Credentials | null, number: string | null): readonly FactorKind[] {
  const own: readonly FactorKind[] = [
    ...(account !== null && account.passkeyCount > 0 ? (["passkey"] as const) : []),
    ...(account !== null && asksSecondFactor(account) ? (["totp"] as const) : []),
  ]
  return own.length > 0 || number === null ? own : ["sms"]
}

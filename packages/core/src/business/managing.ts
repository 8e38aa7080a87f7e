import type { Caller } from "../access/caller.ts"
import type { Transact, Tx } from "../ports.ts"
import type { MemberRows } from "./ports.ts"
import type { AgreedSettings } from "./settings.ts"

/** Holds the business while something of it is changed; `acting` is the caller with the role that they have by then. */
export const managing = <T>(
  parts: { readonly transact: Transact },
  caller: Caller,
  work: (tx: Tx, acting: Caller, settings: AgreedSettings) => Promise<T>,
): Promise<T> =>
  parts.transact(caller.businessId, async (tx) => {
    const settings = await tx.lockSettings()
    return work(tx, await withRoleOfNow(tx, caller), settings)
  })

/** The token was looked at up to a second ago. Roles change under the lock of the business, so what is read here counts to the end. */
export async function withRoleOfNow(tx: Pick<MemberRows, "roleOf">, caller: Caller): Promise<Caller> {
  const { role: before, ...rest } = caller
  const role = before === undefined ? null : await tx.roleOf(caller.userId)
  return role === null ? rest : { ...rest, role }
}

import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import { managing } from "../business/managing.ts"
import { ADMINISTRATORS, ROLES } from "../business/model.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Logo } from "./model.ts"

type Changing = { readonly transact: Transact; readonly now: Clock }

/** Before anything is read of a picture, so that nobody else's is looked at. */
export const mustChangeLogo = (caller: Caller): unknown => mustHaveRole(caller, ADMINISTRATORS)

/** Cleaned already; it takes the place of the one before. */
export function keepLogo(
  parts: Changing & { readonly newId: NewId },
  caller: Caller,
  cleaned: Omit<Logo, "id">,
): Promise<void> {
  mustChangeLogo(caller)
  return managing(parts, caller, async (tx, acting, { branding }) => {
    mustChangeLogo(acting)
    const logo = { ...cleaned, id: parts.newId() }
    const at = parts.now()
    await tx.keepLogo(logo, at)
    await tx.appendAudit({ ...of(caller), at, act: "set-logo", ...between(branding.logoId, logo.id) })
  })
}

export function removeLogo(parts: Changing, caller: Caller): Promise<void> {
  mustChangeLogo(caller)
  return managing(parts, caller, async (tx, acting, { branding }) => {
    mustChangeLogo(acting)
    if (branding.logoId === null) throw new Refusal("not-found", "The business has no logo.")
    await tx.removeLogo()
    await tx.appendAudit({
      ...of(caller),
      at: parts.now(),
      act: "set-logo",
      ...between(branding.logoId, null),
    })
  })
}

export async function readLogo(parts: { readonly read: Read }, caller: Caller): Promise<Logo> {
  mustHaveRole(caller, ROLES)
  const logo = await parts.read(caller.businessId, (reading) => reading.findLogo())
  if (logo === null) throw new Refusal("not-found", "The business has no logo.")
  return logo
}

const of = (caller: Caller) => ({ by: caller.username, target: `business ${caller.businessId}` })

const between = (before: string | null, after: string | null) => ({
  before: { logo: before },
  after: { logo: after },
})

import type { Account } from "../account/model.ts"
import type { Clock, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { leaveBusiness } from "./change-members.ts"
import type { Member } from "./member.ts"
import type { Role } from "./model.ts"

type Parts = { readonly transact: Transact; readonly now: Clock }
type Invited = { readonly account: Account; readonly businessId: string }

/** As what they were asked to be: `role` is the one that the person was shown. Nobody but the person does this. */
export function acceptInvitation(parts: Parts, { account, businessId }: Invited, role: Role): Promise<void> {
  return parts.transact(businessId, async (tx) => {
    await tx.lockSettings()
    const invited = open(await tx.findMember(account.id))
    if (invited.role !== role)
      throw new Refusal("constraint-violated", "The invitation is another one by now. Look at it again.")
    const at = parts.now()
    await tx.acceptMembership(account.id, at)
    const target = `person ${account.email}`
    await tx.appendAudit({ at, by: account.email, act: "accept-membership", target, after: { role } })
  })
}

export function declineInvitation(parts: Parts, { account, businessId }: Invited): Promise<void> {
  return parts.transact(businessId, async (tx) => {
    await tx.lockSettings()
    const invited = open(await tx.findMember(account.id))
    const at = parts.now()
    const change = await leaveBusiness(tx, invited, at)
    await tx.appendAudit({ at, by: account.email, act: "decline-membership", ...change })
  })
}

function open(member: Member | null): Member {
  if (member === null || member.acceptedAt !== null)
    throw new Refusal("not-found", "There is no such invitation.")
  return member
}

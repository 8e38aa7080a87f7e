import type { Caller } from "../access/caller.ts"
import type { Language } from "../language.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { managing } from "./managing.ts"
import { type Member, mustKeepAnOwner, mustManage } from "./member.ts"
import type { Role } from "./model.ts"
import type { MemberRows } from "./ports.ts"

type Parts = { readonly transact: Transact; readonly now: Clock; readonly newId: NewId }

export type AddMember = {
  readonly email: string
  readonly role: Role
  readonly name: string | null
  /** Of the letter that tells the person. */
  readonly language: Language
}

/** The account is made where there is none. The person is written to, and is a member once they accept. */
export function addMember(parts: Parts, caller: Caller, wanted: AddMember): Promise<Member> {
  const { role, language } = wanted
  mustManage(caller, [role])
  return managing(parts, caller, async (tx, acting) => {
    mustManage(acting, [role])
    const at = parts.now()
    if ((await tx.listMembers()).length >= LIMITS.membersPerBusiness)
      throw new Refusal("constraint-violated", `A business has at most ${LIMITS.membersPerBusiness} members.`)
    const invitedBy = caller.username
    const { member, was } = await joinBusiness(tx, { ...wanted, id: parts.newId(), invitedBy, at })
    if (was !== null) throw new Refusal("constraint-violated", "This person is a member already, or invited.")
    const target = `person ${member.email}`
    await tx.appendAudit({ at, by: caller.username, act: "invite-member", target, after: { role } })
    const { businessId, username: by } = caller
    await tx.writeToMember({ letter: "invited", email: member.email, language, businessId, by })
    return member
  })
}

export type Joining = {
  /** Of the account, where it is a new one. */
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  /** By whom of the business; null where an operator vouches for the person, who is a member at once. */
  readonly invitedBy: string | null
  readonly at: Date
}

/** Whoever is a member already has the new role from here on. The business is held. */
export async function joinBusiness(
  tx: MemberRows,
  { id, email, name, role, invitedBy, at }: Joining,
): Promise<{ readonly member: Member; readonly was: Role | null }> {
  const account = await tx.ensureAccount({ id, email }, at)
  // Access lists name people by their address: they would read what is the user's, and the user what is theirs.
  if (await tx.isNameOfKeys(account.email))
    throw new Refusal("constraint-violated", "An API user of this business has, or had, this name.")
  const before = await tx.findMember(account.id)
  if (before !== null && before.role !== role) mustKeepAnOwner(before, await tx.countOtherOwners(account.id))
  await tx.setMember(account.id, { role, name, invitedBy }, at)
  return { member: there(await tx.findMember(account.id)), was: before?.role ?? null }
}

export function changeRole(parts: Parts, caller: Caller, accountId: string, role: Role): Promise<Member> {
  mustManage(caller, [role])
  return managing(parts, caller, async (tx, acting) => {
    mustManage(acting, [role])
    const before = there(await tx.findMember(accountId))
    mustManage(acting, [before.role])
    if (before.role === role) return before
    mustKeepAnOwner(before, await tx.countOtherOwners(accountId))
    const at = parts.now()
    await tx.setMember(accountId, { role, name: null, invitedBy: caller.username }, at)
    const change = { before: { role: before.role }, after: { role } }
    const target = `person ${before.email}`
    await tx.appendAudit({ at, by: caller.username, act: "change-role", target, ...change })
    return { ...before, role }
  })
}

/** Everybody may leave; an admin removes those whom an admin may add. */
export function removeMember(parts: Parts, caller: Caller, accountId: string): Promise<void> {
  return managing(parts, caller, async (tx, acting) => {
    const member = await tx.findMember(accountId)
    if (member?.userId !== caller.userId) mustManage(acting, member === null ? [] : [member.role])
    const leaving = there(member)
    const at = parts.now()
    const change = await leaveBusiness(tx, leaving, at)
    await tx.appendAudit({ at, by: caller.username, act: "remove-member", ...change })
  })
}

/** The tokens are dead within a second, and what the person set up to go on without them stops. */
export async function leaveBusiness(tx: MemberRows, member: Member, at: Date) {
  const { accountId, email, role } = member
  mustKeepAnOwner(member, await tx.countOtherOwners(accountId))
  const stopped = await tx.removeMember(accountId, at)
  const after = { role: null, ...(stopped.length > 0 && { stoppedWebhooks: stopped }) }
  return { target: `person ${email}`, before: { role }, after }
}

function there(member: Member | null): Member {
  if (member === null) throw new Refusal("not-found", "There is no such member.")
  return member
}

import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import type { Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { ADMINISTRATORS, ROLES, type Role } from "./model.ts"

/** Decisions, "roles": an account with a role in a business. */
export type Member = {
  readonly accountId: string
  /** The user of the interface that this member is. */
  readonly userId: string
  readonly email: string
  /** The person's own once they have been here; before, what they were called by who added them (choice 251). */
  readonly name: string
  readonly role: Role
  /** Whether the person has something to log in with. */
  readonly registered: boolean
  /** When they were invited, or came. */
  readonly joinedAt: Date
  /** Null while the person is invited: then they can do nothing here yet. */
  readonly acceptedAt: Date | null
  /** In this business. */
  readonly lastSeenAt: Date | null
}

/** By name. Everybody in a business may know who else is there. */
export function listMembers(parts: { readonly read: Read }, caller: Caller): Promise<readonly Member[]> {
  mustHaveRole(caller, ROLES)
  return parts.read(caller.businessId, (reading) => reading.listMembers())
}

const MANAGED_BY: Readonly<Record<Role, readonly Role[]>> = {
  owner: ["owner"],
  admin: ["owner"],
  developer: ADMINISTRATORS,
  member: ADMINISTRATORS,
}

/** Only an owner makes, changes or removes owners and admins: so nobody gives themselves more than they have. */
export function mustManage(caller: Caller, roles: readonly Role[]): void {
  mustHaveRole(caller, ADMINISTRATORS)
  for (const role of roles) mustHaveRole(caller, MANAGED_BY[role])
}

/** Whoever is left could not give anybody a role any more. */
export function mustKeepAnOwner(member: Member, others: number): void {
  if (member.role === "owner" && member.acceptedAt !== null && others === 0)
    throw new Refusal("last-owner", "Make somebody else an owner first.")
}

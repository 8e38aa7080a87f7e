import { type Caller, ownedBy } from "../access/caller.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Group, GroupMember } from "./model.ts"
import { mustBeOurs } from "./read.ts"

export type GroupParts = { readonly transact: Transact; readonly now: Clock; readonly newId: NewId }

export type NewGroup = { readonly name: string; readonly members: readonly GroupMember[] }
export type ChangeGroup = NewGroup & {
  /** The version that the caller has seen; null: whichever it is. */
  readonly versionId: string | null
}

export function createGroup(parts: GroupParts, caller: Caller, wanted: NewGroup): Promise<Group> {
  mustBePossible(wanted)
  const now = parts.now()
  const group: Group = {
    id: parts.newId(),
    ...ownedBy(caller),
    name: wanted.name,
    members: wanted.members,
    versionId: parts.newId(),
    createdAt: now,
    updatedAt: now,
  }
  return parts.transact(caller.businessId, async (tx) => {
    await tx.insertGroup(group)
    return group
  })
}

/** The whole of it anew. Requests that were initiated keep the members they had then; drafts and observers follow. */
export function changeGroup(
  parts: GroupParts,
  caller: Caller,
  id: string,
  { name, members, versionId }: ChangeGroup,
): Promise<Group> {
  mustBePossible({ name, members })
  return parts.transact(caller.businessId, async (tx) => {
    const group = await mustManage(tx, caller, id)
    if (versionId !== null && versionId !== group.versionId)
      throw new Refusal("group-changed", "Somebody has changed the group since that version.")
    // Whoever joins reads what the group observes, or is asked to sign: that is for those who may change these requests.
    if (await tx.isGroupOfOthers(caller, id))
      throw new Refusal("write-access-needed", "A request that you may not change needs this group.")
    const changed = { ...group, name, members, versionId: parts.newId(), updatedAt: parts.now() }
    await tx.saveGroup(changed)
    return changed
  })
}

/** Under its lock, which whoever is about to need it takes too. */
export function removeGroup(parts: GroupParts, caller: Caller, id: string): Promise<void> {
  return parts.transact(caller.businessId, async (tx) => {
    await mustManage(tx, caller, id)
    if (await tx.isGroupNeeded(id))
      throw new Refusal("group-in-use", "A draft asks this group to sign, or it observes a request.")
    await tx.removeGroup(id)
  })
}

/**
 * Choice 200: who joins a group reads and signs whatever it is named for next, so a colleague must not be able to join one by
 * themselves. Beside who made it, the administrators of the business, since that user may be gone.
 */
async function mustManage(tx: Tx, caller: Caller, id: string): Promise<Group> {
  const group = mustBeOurs(caller, await tx.lockGroup(id))
  if (group.ownerId !== caller.userId && !(await isAdministrator(tx, caller)))
    throw new Refusal("write-access-needed", `The group is changed by ${group.owner}, who made it.`)
  return group
}

/** A role is a person's: a key of whatever name has none. */
const isAdministrator = async (tx: Tx, { via, userId }: Caller): Promise<boolean> =>
  via === "session" && (await tx.isAdministrator(userId))

function mustBePossible({ members }: NewGroup): void {
  if (members.length > LIMITS.membersPerGroup)
    throw new Refusal("constraint-violated", `A group has at most ${LIMITS.membersPerGroup} members.`)
  // However they are written: one person would be asked to sign twice for the same group.
  const emails = new Set(members.map(({ email }) => email.toLowerCase()))
  if (emails.size < members.length)
    throw new Refusal("constraint-violated", "An e-mail address stands twice among the members.")
}

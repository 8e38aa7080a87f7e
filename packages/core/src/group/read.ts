import type { Caller } from "../access/caller.ts"
import type { ListDocuments } from "../document/model.ts"
import type { Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Group, GroupPage } from "./model.ts"

type Parts = { readonly read: Read }

export async function readGroup(parts: Parts, caller: Caller, id: string): Promise<Group> {
  const [group] = await parts.read(caller.businessId, (reading) => reading.findGroups([id]))
  return mustBeOurs(caller, group ?? null)
}

export function listGroups(parts: Parts, caller: Caller, asked: ListDocuments): Promise<GroupPage> {
  return parts.read(caller.businessId, (reading) => reading.listGroups(caller, asked))
}

/** Everybody in the business reads and names them; of the kind of the key, as all else is (choice 191). */
export function mustBeOurs(caller: Caller, group: Group | null): Group {
  if (group === null || group.businessId !== caller.businessId || group.kind !== caller.kind)
    throw new Refusal("not-found", "There is no such object.")
  return group
}

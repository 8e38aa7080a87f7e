import type { Caller } from "../access/caller.ts"
import type { ListDocuments } from "../document/model.ts"
import type { Group, GroupPage } from "./model.ts"

export type GroupsReading = {
  /** In the order asked for; those that are not there are left out. */
  readonly findGroups: (ids: readonly string[]) => Promise<readonly Group[]>
  /** Of the kind of the caller's key. */
  readonly listGroups: (caller: Caller, asked: ListDocuments) => Promise<GroupPage>
}

export type GroupsTx = {
  /** Nobody removes or changes them before the transaction ends. */
  readonly findGroups: GroupsReading["findGroups"]
  /** Reads the group and holds it until the transaction ends; null when there is none. */
  readonly lockGroup: (id: string) => Promise<Group | null>
  readonly insertGroup: (group: Group) => Promise<void>
  readonly saveGroup: (group: Group) => Promise<void>
  /** Whether a draft, or an observer, still needs it. */
  readonly isGroupNeeded: (id: string) => Promise<boolean>
  /** Whether a request that the caller may not change is observed by the group, or asks it to sign. */
  readonly isGroupOfOthers: (caller: Caller, id: string) => Promise<boolean>
  readonly removeGroup: (id: string) => Promise<void>
}

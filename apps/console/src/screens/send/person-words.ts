import type { I18n } from "@lingui/core"
import { useGroups } from "../../api/groups.ts"
import type { DraftPerson } from "./draft.ts"

export function useGroupNames(): ReadonlyMap<string, string> {
  const { data: groups = [] } = useGroups()
  return new Map(groups.map(({ id, name }) => [id, name]))
}

/** How a person is called while the request is prepared. */
export function calledIn(
  i18n: I18n,
  { groupId, firstName, lastName, email }: DraftPerson,
  index: number,
  groups: ReadonlyMap<string, string>,
): string {
  if (groupId !== null) return groups.get(groupId) ?? i18n._("Group")
  const name = `${firstName} ${lastName}`.trim()
  return name || email || i18n._("Person {number}", { number: index + 1 })
}

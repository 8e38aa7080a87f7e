import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Kind } from "../signature-request/model.ts"
import type { Group } from "./model.ts"

/** The groups that a body names, by their ids; nobody removes or changes them before the transaction ends. */
export async function mustFindGroups(
  tx: Pick<Tx, "findGroups">,
  kind: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Group>> {
  const found = await tx.findGroups([...new Set(ids)])
  const groups = new Map(found.filter((group) => group.kind === kind).map((group) => [group.id, group]))
  const missing = ids.find((id) => !groups.has(id))
  if (missing !== undefined) throw new Refusal("constraint-violated", `There is no group ${missing}.`)
  return groups
}

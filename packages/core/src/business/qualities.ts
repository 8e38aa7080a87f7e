import type { Caller } from "../access/caller.ts"
import type { Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Quality } from "../signature-request/model.ts"
import { qualitiesOf } from "../signature-request/terms.ts"

export type UserQualities = { readonly username: string; readonly qualities: readonly Quality[] }

/**
 * Decisions, "user qualities": what may be asked for with this key. The name is that of a user or a member of the same
 * business, the caller's own unless given; nobody is told who else there is.
 */
export async function readQualities(
  parts: { readonly read: Read; readonly productionQualities: readonly Quality[] },
  caller: Caller,
  asked: string | null,
): Promise<UserQualities> {
  const username = asked ?? caller.username
  const isKnown = await parts.read(
    caller.businessId,
    async (reading) => (await reading.isUser(username)) || (await reading.isMember(username)),
  )
  if (!isKnown) throw new Refusal("not-found", "There is no such object.")
  return { username, qualities: qualitiesOf(caller.kind, parts.productionQualities) }
}

import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { World } from "../world.ts"
import { checkAcknowledged, checkKeys } from "./acknowledged.ts"
import { checkDelivered, checkOwed } from "./deliveries.ts"
import { checkIntents, checkMarks, checkVersions } from "./documents.ts"
import { checkLiveness } from "./liveness.ts"
import { checkMails } from "./mails.ts"
import { checkEvidence, checkTransitions } from "./story.ts"

/** The invariants that can be seen from here, each breach a sentence; none: all hold. */
export function breachesOf(world: World, isQuiet: boolean): readonly string[] {
  const lastOf = new Map<string, SignatureRequest>()
  for (const { after } of world.records.changes) if (after !== null) lastOf.set(after.id, after)
  return [
    ...checkAcknowledged(world, lastOf),
    ...checkKeys(world),
    ...checkMarks(world, lastOf),
    ...checkIntents(world),
    ...checkVersions(world),
    ...checkTransitions(world),
    ...checkEvidence(world, lastOf),
    ...checkOwed(world),
    ...checkDelivered(world),
    ...checkMails(world),
    ...checkLiveness(world, isQuiet),
  ]
}

import type { Tx } from "@paraph/core/ports"
import type { Intent } from "@paraph/core/signature-request/intent"
import type { World } from "../world.ts"
import { lock } from "./database.ts"
import { type Asking, mustHaveSignature } from "./signatures.ts"
import { get, put, type Transaction } from "./transaction.ts"

export const intentKey = ({
  signatureId,
  documentId,
  baseId,
}: Pick<Intent, "signatureId" | "documentId" | "baseId">) => `${signatureId} ${documentId} ${baseId}`

/** As `store/postgres/intents`: one for a signature, a document and the version that it is made on. */
export function changingIntents(
  world: World,
  tx: Transaction,
  asking: Asking,
): Pick<Tx, "keepIntent" | "keepValue" | "keepStamp"> {
  const { intents, documents } = world.state
  const kept = (intent: Intent): Intent => {
    const row = get(tx, intents, intentKey(intent))
    if (row === null) throw new Error("The intent that was just kept is gone.")
    return row
  }
  const locked = (intent: Intent) => lock(world, tx, `intent ${intentKey(intent)}`)
  /** Of this very intent: what was made for another one is not its. */
  const isIts = (row: Intent, intent: Intent) =>
    row.versionId === intent.versionId || world.plant === "a value is kept for whatever was prepared last"
  return {
    keepIntent: asking("keep intent", async (intent, insteadOf) => {
      await mustHaveSignature(world, tx, intent.signatureId)
      if (!documents.has(intent.baseId)) throw new Error("violates foreign key constraint: document")
      await locked(intent)
      const known = get(tx, intents, intentKey(intent))
      const isOfThePast =
        known?.value === null && known.prepared.certificateSha256 !== intent.prepared.certificateSha256
      const givesWay = known === null || known.versionId === insteadOf || isOfThePast
      if (givesWay || world.plant === "an intent gives way to any other")
        put(tx, intents, intentKey(intent), { ...intent, value: null, stamp: null })
      return kept(intent)
    }),
    keepValue: asking("keep value", async (intent, value) => {
      await locked(intent)
      const row = get(tx, intents, intentKey(intent))
      if (row !== null && isIts(row, intent) && row.value === null)
        put(tx, intents, intentKey(intent), { ...row, value })
      return kept(intent)
    }),
    keepStamp: asking("keep stamp", async (intent, stamp) => {
      await locked(intent)
      const row = get(tx, intents, intentKey(intent))
      if (row !== null && row.versionId === intent.versionId && row.value !== null && row.stamp === null)
        put(tx, intents, intentKey(intent), { ...row, stamp })
      return kept(intent)
    }),
  }
}

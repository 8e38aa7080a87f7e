import type { Signer } from "../login/signer.ts"
import type { Clock, Read, Transact } from "../ports.ts"
import type { Release } from "./model.ts"
import type { DestroySignerKey, SignerKey } from "./ports.ts"

type Parts = {
  readonly transact: Transact
  readonly read: Read
  readonly now: Clock
  readonly destroySignerKey: DestroySignerKey
}

/**
 * The key goes as soon as every value that it was released for is on record. That it is to go is written down first: whatever dies
 * in between, or a token that does not answer, leaves it to the sweep, and no signature waits for it.
 */
export async function destroyOnceUsed(parts: Parts, signer: Signer, release: Release): Promise<void> {
  const { businessId, requestId, signatureId } = signer
  const { key, kind, marks } = release
  // A provider looks after its own.
  if (key.at === "provider") return
  const { label: keyLabel } = key
  const isUsed = await parts.read(businessId, async (reading) => {
    for (const { documentId, onto } of marks) {
      const intent = await reading.findIntent(signatureId, documentId, onto)
      if (intent?.value == null) return false
    }
    return true
  })
  if (!isUsed) return
  await parts.transact(businessId, (tx) => tx.noteSignerKey({ keyLabel, kind, dueAt: parts.now() }))
  const gone = await parts.destroySignerKey(kind, keyLabel).then(
    () => true,
    () => false,
  )
  if (!gone) return
  await parts.transact(businessId, async (tx) => {
    await tx.forgetSignerKey(keyLabel)
    const data = { release: release.id }
    await tx.appendEvidence(requestId, [{ type: "key.destroyed", at: parts.now(), signatureId, data }])
  })
}

/** Of a signature that was never made, or whose key could not be destroyed at once. */
export async function destroyDue(
  parts: Pick<Parts, "destroySignerKey"> & { readonly forgetSignerKey: (keyLabel: string) => Promise<void> },
  { kind, keyLabel }: Pick<SignerKey, "kind" | "keyLabel">,
): Promise<void> {
  await parts.destroySignerKey(kind, keyLabel)
  await parts.forgetSignerKey(keyLabel)
}

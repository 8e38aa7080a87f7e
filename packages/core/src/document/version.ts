import type { Document, Inspection, SealedBlob } from "./model.ts"
import type { Bytes, Held, HoldBytes, InspectPdf, KeepHeld, ReadHeld } from "./ports.ts"

export type VersionParts = {
  readonly holdBytes: HoldBytes
  readonly readHeld: ReadHeld
  readonly inspectPdf: InspectPdf
  readonly keepHeld: KeepHeld
}

/** A new version before it has a row: what it is, and where its bytes lie. */
export type NewVersion = Pick<Document, "sizeBytes" | "sha256"> & {
  readonly inspection: Inspection
  readonly blob: SealedBlob
}

/**
 * A PDF only ever grows: the parent's bytes and what is appended are sealed together, with a key of their own. What
 * came out is looked at as a stranger's would be before any row names it (security, R22).
 */
export async function appended(parts: VersionParts, parent: Held, tail: Uint8Array): Promise<NewVersion> {
  const held = await parts.holdBytes(parent, inTwo(parts.readHeld(parent), tail))
  try {
    if (held.sizeBytes !== parent.sizeBytes + tail.length)
      throw new Error("The stored document has another size than its row says.")
    const inspection = await parts.inspectPdf(held, true)
    const blob = await parts.keepHeld(held)
    return { sizeBytes: held.sizeBytes, sha256: held.sha256, inspection, blob }
  } finally {
    await held.release()
  }
}

async function* inTwo(base: Bytes, tail: Uint8Array) {
  yield* base
  yield tail
}

/** DOC-09: owner and access pass from parent to child. */
export function childOf(parent: Document, id: string, version: NewVersion, at: Date): Document {
  const { inspection, ...bytes } = version
  const { locked: _, active: __, view: ___, ...description } = inspection
  const own = { id, parentId: parent.id, createdAt: at, updatedAt: at, removingSince: null }
  return { ...parent, ...description, ...bytes, ...own }
}

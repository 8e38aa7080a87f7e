import type { Evidence } from "../evidence/model.ts"
import { type NameWarning, nameWarning } from "../names/scripts.ts"
import type { Signature, SignatureRequest } from "./model.ts"

/** What readers are warned of in the names that the sender stated or the signer signed with; null where nothing is. */
export const warningOf = (signature: Signature): NameWarning | null =>
  flaggedIn(signature)[0]?.warning ?? null

/**
 * Evidence of the names that carry a warning, for those that the request did not hold before: when a signer is added, and when a
 * signer chooses another name to sign with.
 */
export function evidenceOfNames(
  before: Pick<SignatureRequest, "signatures"> | null,
  after: Pick<SignatureRequest, "signatures">,
  at: Date,
): readonly Evidence[] {
  const known = new Map(before?.signatures.map((signature) => [signature.id, signature]))
  return after.signatures.flatMap((signature) => {
    const earlier = known.get(signature.id)
    if (earlier === signature) return []
    const recorded = new Set(earlier && namesOf(earlier))
    return flaggedIn(signature)
      .filter(({ name }) => !recorded.has(name))
      .map((data): Evidence => ({ type: "signature.name-flagged", at, signatureId: signature.id, data }))
  })
}

function flaggedIn(signature: Signature) {
  return namesOf(signature).flatMap((name) => {
    const warning = nameWarning(name)
    return warning === null ? [] : [{ name, warning }]
  })
}

/** Each once: most people sign with the name that the sender stated. */
function namesOf({ identity, consent, turn }: Signature): readonly string[] {
  const stated = [identity?.firstName, identity?.lastName].filter((part) => part).join(" ")
  const names = [stated, consent?.name ?? "", turn?.name.name ?? ""].filter((name) => name !== "")
  return [...new Set(names)]
}

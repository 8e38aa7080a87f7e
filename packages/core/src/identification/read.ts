import type { Caller } from "../access/caller.ts"
import { mustReadRequest, mustWriteRequest } from "../access/may.ts"
import type { StoredAttachment } from "../attachment/ports.ts"
import type { BusinessSettings } from "../business/model.ts"
import type { Clock, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"
import type { Signature, SignatureRequest } from "../signature-request/model.ts"
import type { Identification, IdentificationStatus } from "./model.ts"
import { identificationOf, statusOfEvidence } from "./needed.ts"

export type EvidenceAsked = { readonly requestId: string; readonly evidenceId: string }

export type Evidence = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly identification: Identification
  readonly status: IdentificationStatus
}

type Parts = { readonly read: Read; readonly now: Clock }

/** XQ-03: said before anything else, so that it tells nothing of what is there. */
export function mustHaveExpressQes({ features }: Pick<BusinessSettings, "features">): void {
  if (!features.includes("express_qes"))
    throw new Refusal("feature-not-enabled", "Express QES is not enabled for this business.")
}

/** How far it has come is for everybody who may read the request. */
export const readStatus = (parts: Parts, caller: Caller, asked: EvidenceAsked): Promise<Evidence> =>
  parts.read(caller.businessId, async (reading) => {
    mustHaveExpressQes(await reading.settings())
    return evidenceIn(mustReadRequest(caller, await reading.findRequest(asked.requestId)), asked, parts.now())
  })

/**
 * Who the person is, with a birthday and pictures of a passport, is for those who may write the request: others are asked to read a
 * contract, not to know that (choice 386).
 */
export const readEvidence = (
  parts: Parts,
  caller: Caller,
  asked: EvidenceAsked,
): Promise<Evidence & { readonly files: readonly StoredAttachment[] }> =>
  parts.read(caller.businessId, async (reading) => {
    mustHaveExpressQes(await reading.settings())
    const request = mustWriteRequest(caller, await reading.findRequest(asked.requestId))
    const evidence = evidenceIn(request, asked, parts.now())
    return { ...evidence, files: await reading.evidenceFiles(evidence.identification.id) }
  })

/** The names differ, and whoever asked for the signature says whether this is the person. */
export const reviewIdentification = (
  parts: { readonly transact: Transact; readonly now: Clock },
  caller: Caller,
  asked: EvidenceAsked,
  isThePerson: boolean,
): Promise<Evidence> =>
  parts.transact(caller.businessId, async (tx) => {
    mustHaveExpressQes(await tx.settings())
    const at = parts.now()
    const request = mustWriteRequest(caller, await tx.lockRequest(asked.requestId))
    const { signature } = evidenceIn(request, asked, at)
    const step = { type: "review", isThePerson } as const
    const event = { type: "identify", signatureId: signature.id, step, at } as const
    return evidenceIn(await apply(tx, request.id, event, caller), asked, at)
  })

function evidenceIn(request: SignatureRequest, { evidenceId }: EvidenceAsked, now: Date): Evidence {
  for (const signature of request.signatures) {
    const identification = identificationOf(request, signature)
    if (identification?.id === evidenceId)
      return { request, signature, identification, status: statusOfEvidence(identification, signature, now) }
  }
  throw new Refusal("not-found", "There is no such object.")
}

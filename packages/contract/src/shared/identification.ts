import type { StoredAttachment } from "@paraph/core/attachment/ports"
import { IDENTIFICATION_REASONS, IDENTIFICATION_STATUSES } from "@paraph/core/identification/model"
import type { Evidence, EvidenceAsked } from "@paraph/core/identification/read"
import { Type } from "typebox"
import { closed, DateTime, orNull, Uuid } from "./fields.ts"

/** Decisions, "express QES": the same in v2 and v3, but that v3 refuses what it does not know. */
export const EvidenceParams = Type.Object({ id: Uuid, evidence_id: Uuid })
export type EvidenceParams = Type.Static<typeof EvidenceParams>
export const EvidenceFileParams = Type.Object({
  id: Uuid,
  evidence_id: Uuid,
  name: Type.String({ minLength: 1, maxLength: 100 }),
})
export type EvidenceFileParams = Type.Static<typeof EvidenceFileParams>

export const readAsked = ({ id, evidence_id }: EvidenceParams): EvidenceAsked => ({
  requestId: id.toLowerCase(),
  evidenceId: evidence_id.toLowerCase(),
})

const REASONS = IDENTIFICATION_REASONS.map(spelled)
function spelled(reason: string): string {
  return reason.toUpperCase().replaceAll("-", "_")
}

const statusMembers = {
  evidence_id: Uuid,
  // Named, since generators would call it IdentificationStatus, and that is the answer which it is a part of.
  status: Type.Enum([...IDENTIFICATION_STATUSES], { title: "IdentificationState" }),
  reason: orNull(
    Type.Enum(REASONS, { description: "What a review waits for, or why the identification was rejected." }),
  ),
}
export const IdentificationStatus = Type.Object(statusMembers)
export type IdentificationStatus = Type.Static<typeof IdentificationStatus>

export const EvidenceFile = Type.Object({
  name: Type.String(),
  content_type: Type.String(),
  size: Type.Integer({ description: "Bytes." }),
  sha256: Type.String({ description: "In hex." }),
})
export type EvidenceFile = Type.Static<typeof EvidenceFile>

export const Identification = Type.Object({
  ...statusMembers,
  signature_request_id: Uuid,
  signature_id: Uuid,
  provider: Type.String(),
  attempts: Type.Integer({ description: "How often the signer was sent to the provider." }),
  started_at: orNull(DateTime),
  decided_at: orNull(DateTime),
  expires_at: orNull(DateTime),
  name: orNull(Type.String({ description: "The signer, as the provider has verified." })),
  verified_claims: orNull(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "As the provider told them: OpenID Connect for Identity Assurance, verified_claims.",
    }),
  ),
  files: Type.Array(EvidenceFile),
})
export type Identification = Type.Static<typeof Identification>

const reviewMembers = {
  decision: Type.Enum(["ACCEPTED", "REJECTED"], {
    description: "Whether the person whom the provider has verified is the one who was meant.",
  }),
}
export const ReviewBody = Type.Object(reviewMembers)
export const ClosedReviewBody = Type.Object(reviewMembers, closed)
export type ReviewBody = Type.Static<typeof ReviewBody>

export const writeStatus = ({ identification: { id, reason }, status }: Evidence): IdentificationStatus => ({
  evidence_id: id,
  status,
  reason: reason === null ? null : spelled(reason),
})

export const writeFile = ({ filename, contentType, sizeBytes, sha256 }: StoredAttachment): EvidenceFile => ({
  name: filename,
  content_type: contentType,
  size: sizeBytes,
  sha256,
})

export function writeIdentification(
  evidence: Evidence & { readonly files: readonly StoredAttachment[] },
  claims: Readonly<Record<string, unknown>> | null,
): Identification {
  const { request, signature, identification, files } = evidence
  return {
    ...writeStatus(evidence),
    signature_request_id: request.id,
    signature_id: signature.id,
    provider: identification.provider,
    attempts: identification.attempt,
    started_at: identification.startedAt?.toISOString() ?? null,
    decided_at: identification.decidedAt?.toISOString() ?? null,
    expires_at: signature.consent === null ? (identification.until?.toISOString() ?? null) : null,
    name: identification.name,
    verified_claims: claims === null ? null : { ...claims },
    files: files.map(writeFile),
  }
}

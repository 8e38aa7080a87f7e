import { identificationOf } from "@paraph/core/identification/needed"
import type { SignatureRequest as Model } from "@paraph/core/signature-request/model"
import { Type } from "typebox"
import { Email, Legislation, orNull, Quality, Uuid } from "../shared/fields.ts"
import { SignerIdentity, writeIdentity } from "../shared/signer-identity.ts"

/** Decisions, "dry run": who would be invited when, in which quality, and what it costs. */
export const PlannedInvitation = Type.Object({
  account_email: orNull(Email),
  signer_identity_data: orNull(SignerIdentity),
  signer_group_id: orNull(Uuid),
  step: Type.Integer({ minimum: 1, description: "Steps sign one after the other." }),
  mails: Type.Array(Type.Enum(["ON_INITIATE", "ON_TURN"])),
})
export type PlannedInvitation = Type.Static<typeof PlannedInvitation>

export const RequestPlan = Type.Object({
  dry_run: Type.Literal(true),
  quality: Quality,
  legislation: orNull(Legislation),
  invitations: Type.Array(PlannedInvitation),
  credits: Type.Integer({ minimum: 0 }),
})
export type RequestPlan = Type.Static<typeof RequestPlan>

/** Of a request as it would be made. Who has no place signs with the first step. */
export function writePlan(request: Model): RequestPlan {
  const entries = [...request.signatures, ...request.groups]
  const places = [...new Set(entries.flatMap(({ place }) => place ?? []))].sort((a, b) => a - b)
  const when = ({ place, notify }: { readonly place: number | null; readonly notify: boolean }) => {
    const step = place === null ? 1 : places.indexOf(place) + 1
    const mails: PlannedInvitation["mails"] = step === 1 ? ["ON_INITIATE"] : ["ON_INITIATE", "ON_TURN"]
    return { step, mails: notify ? mails : [] }
  }
  const people = request.signatures.map((signature) => ({
    account_email: signature.email,
    signer_identity_data:
      signature.identity &&
      writeIdentity(signature.identity, signature.email, identificationOf(request, signature)),
    signer_group_id: null,
    ...when(signature),
  }))
  const groups = request.groups.map((entry) => ({
    account_email: null,
    signer_identity_data: null,
    signer_group_id: entry.groupId,
    ...when(entry),
  }))
  return {
    dry_run: true,
    quality: request.quality,
    legislation: request.legislation,
    invitations: [...people, ...groups],
    // Choice 109: nothing has a price yet.
    credits: 0,
  }
}

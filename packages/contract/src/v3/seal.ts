import { LIMITS } from "@paraph/core/limits"
import { certificateOf, type Seal as Model, stateOf } from "@paraph/core/seal/model"
import { Type } from "typebox"
import { closed, DateTime, orNull, Uuid } from "../shared/fields.ts"
import * as shared from "../shared/seal.ts"
import { positionMembers } from "../shared/visual-signature.ts"

/** Part 2.6, in v3: what it does not know it refuses. */
export const SealVisual = Type.Object(
  {
    position: Type.Object(positionMembers, closed),
    image: Type.Optional(orNull(Type.Object(shared.imageMembers, closed))),
  },
  { ...closed, ...shared.VISUAL },
)

export const SealBody = Type.Object(
  { ...shared.sealMembers, visual_signature: Type.Optional(orNull(SealVisual)) },
  closed,
)
export type SealBody = Type.Static<typeof SealBody>

export const SealAnswer = shared.SealAnswer
export type SealAnswer = shared.SealAnswer

export const readSeal = shared.readSeal

/** A documented addition: which seals there are for the key that asks. */
export const Seal = Type.Object({
  id: Uuid,
  account_name: Type.String({ maxLength: LIMITS.sealNameCharacters }),
  organization: Type.String({ description: "As the certificate names the company." }),
  organization_identifier: orNull(Type.String()),
  country: orNull(Type.String()),
  status: Type.Enum(["REQUESTED", "ACTIVE"], {
    description: "REQUESTED: its certificate is not there yet, and it seals nothing.",
  }),
  has_image: Type.Boolean({ description: "Whether it shows a picture where an order names none." }),
  valid_until: orNull(
    Type.String({ ...DateTime, description: "The end of its certificate, which is replaced before that." }),
  ),
  created_at: DateTime,
})
export type Seal = Type.Static<typeof Seal>

export const writeSeal = (seal: Model, now: Date): Seal => ({
  id: seal.id,
  account_name: seal.name,
  organization: seal.holder.organization,
  organization_identifier: seal.holder.identifier,
  country: seal.holder.country,
  status: stateOf(seal, now) === "active" ? "ACTIVE" : "REQUESTED",
  has_image: seal.imageId !== null,
  valid_until: certificateOf(seal, now)?.issued.notAfter.toISOString() ?? null,
  created_at: seal.createdAt.toISOString(),
})

import { Type } from "typebox"
import { orNull } from "../shared/fields.ts"
import * as shared from "../shared/seal.ts"
import { positionMembers } from "../shared/visual-signature.ts"

/** Part 2.6, in v2. Unknown members are ignored (choice 8). */
export const SealVisual = Type.Object(
  {
    position: Type.Object(positionMembers),
    image: Type.Optional(orNull(Type.Object(shared.imageMembers))),
  },
  shared.VISUAL,
)

export const SealBody = Type.Object({
  ...shared.sealMembers,
  visual_signature: Type.Optional(orNull(SealVisual)),
})
export type SealBody = Type.Static<typeof SealBody>

export const SealAnswer = shared.SealAnswer
export type SealAnswer = shared.SealAnswer

export const readSeal = shared.readSeal

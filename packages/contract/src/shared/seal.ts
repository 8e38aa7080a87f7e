import type { Held } from "@paraph/core/document/ports"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import type { OrderSeal } from "@paraph/core/seal/order"
import type { Position } from "@paraph/core/signature-request/model"
import { Type } from "typebox"
import { readSource } from "./document-input.ts"
import { type Members, orNull, TEXT, Title, Uuid } from "./fields.ts"
import { type positionMembers, readPosition } from "./visual-signature.ts"

/** Part 2.6; decisions, "seal". A version makes its schemas of these members; the readers are the same in all. */

/** Base64 writes three bytes as four characters. */
const IMAGE_CHARACTERS = 4 * Math.ceil(LIMITS.sealImageBytes / 3)

export const imageMembers = {
  content_type: Type.Optional(Type.String({ maxLength: 255, description: "image/png or image/jpeg" })),
  content: Type.String({
    minLength: 1,
    maxLength: IMAGE_CHARACTERS,
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    description: "Base64 of a PNG or a JPEG, of at most 512 KB.",
  }),
}

export const AccountName = Type.String({
  minLength: 1,
  maxLength: LIMITS.sealNameCharacters,
  pattern: TEXT,
  description: "Which of the company's seals; its first one unless said.",
})

export const sealMembers = {
  title: Type.Optional(Title),
  content: Type.String({ description: "Base64 of the PDF" }),
  content_type: Type.Optional(Type.String({ maxLength: 255 })),
  account_name: Type.Optional(orNull(AccountName)),
}

export const VISUAL = { description: "Where the seal is seen. When absent, it is not seen on any page." }

/** SEAL-01. */
export const SealAnswer = Type.Object({
  document_id: Type.String({ ...Uuid, description: "Of the new, sealed document." }),
})
export type SealAnswer = Type.Static<typeof SealAnswer>

type GivenVisual = {
  readonly position: Members<typeof positionMembers>
  readonly image?: Members<typeof imageMembers> | null
}
type Given = {
  readonly title?: string
  readonly content_type?: string
  readonly account_name?: string | null
  readonly visual_signature?: GivenVisual | null
}

/** What the picture is, is for a limited process to say: what it says of itself does not count. */
export type AskedVisual = { readonly position: Position | null; readonly picture: Uint8Array | null }

export type AskedSeal = Pick<OrderSeal, "title" | "source" | "accountName"> & { readonly visual: AskedVisual }

/** Choice 370. */
const UNTITLED = "Sealed document"

export const readSeal = (given: Given, received: Held | null): AskedSeal => ({
  title: given.title ?? UNTITLED,
  source: readSource(
    { ...(given.content_type !== undefined && { content_type: given.content_type }) },
    received,
  ),
  accountName: given.account_name ?? null,
  visual: readSealVisual(given.visual_signature),
})

export const readSealVisual = (given: GivenVisual | null | undefined): AskedVisual => ({
  position: given ? readPosition(given.position) : null,
  picture: given?.image ? readPicture(given.image.content) : null,
})

function readPicture(content: string): Uint8Array {
  const bytes = Buffer.from(content, "base64")
  if (bytes.length > LIMITS.sealImageBytes)
    throw new Refusal("body-too-large", "The picture is larger than 512 KB.")
  return bytes
}

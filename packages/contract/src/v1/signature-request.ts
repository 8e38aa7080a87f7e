import type { Held } from "@paraph/core/document/ports"
import { LIMITS } from "@paraph/core/limits"
import type { SignatureRequest as Model } from "@paraph/core/signature-request/model"
import type { CreateRequest, UpdateRequest } from "@paraph/core/signature-request/new-request"
import { Type } from "typebox"
import type { Addresses } from "../shared/fields.ts"
import * as v2 from "../v2/signature-request.ts"
import { NewSignature, readSignature, Signature, writeSignature } from "./signature.ts"

/** v1 is v2 with its own names of a signer, and without attachments (parts 2.2 and 9). */

const NewSignatures = Type.Array(NewSignature, { maxItems: LIMITS.signersPerRequest })

export const CreateBody = Type.Object({
  ...v2.CreateBody.properties,
  signatures: Type.Optional(NewSignatures),
})
export type CreateBody = Type.Static<typeof CreateBody>

export const PatchBody = Type.Object({ ...v2.PatchBody.properties, signatures: Type.Optional(NewSignatures) })
export type PatchBody = Type.Static<typeof PatchBody>

export const UpdateBody = Type.Object({
  ...v2.UpdateBody.properties,
  signatures: Type.Optional(NewSignatures),
})
export type UpdateBody = Type.Static<typeof UpdateBody>

export const WithdrawBody = v2.WithdrawBody
export type WithdrawBody = v2.WithdrawBody
export const RemindBody = v2.RemindBody
export type RemindBody = v2.RemindBody
export const ListQuery = v2.ListQuery
export type ListQuery = v2.ListQuery

const { attachments: _, ...told } = v2.SignatureRequest.properties
export const SignatureRequest = Type.Object({ ...told, signatures: Type.Array(Signature) })
export type SignatureRequest = Type.Static<typeof SignatureRequest>

export const readCreate = (
  { signatures = [], ...rest }: CreateBody,
  received: Held | null,
): CreateRequest => ({
  ...v2.readCreate(rest, received),
  entries: signatures.map(readSignature),
})

export const readPatch = (id: string, { signatures, ...rest }: PatchBody): UpdateRequest => ({
  ...v2.readPatch(id, rest),
  ...(signatures !== undefined && { entries: signatures.map(readSignature) }),
})

export const readUpdate = ({ id, ...rest }: UpdateBody): UpdateRequest => readPatch(id, rest)

export const readWithdraw = v2.readWithdraw
export const readRemind = v2.readRemind
export const readList = v2.readList
export const writeLinks = v2.writeLinks

export function writeSignatureRequest(request: Model, addresses: Addresses): SignatureRequest {
  const { attachments: _, ...rest } = v2.writeSignatureRequest(request, addresses)
  return { ...rest, signatures: request.signatures.map((one) => writeSignature(one, request, addresses)) }
}

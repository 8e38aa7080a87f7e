import type { Held } from "@paraph/core/document/ports"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import type { SignatureRequest as Model } from "@paraph/core/signature-request/model"
import type { CreateRequest, UpdateRequest } from "@paraph/core/signature-request/new-request"
import { Type } from "typebox"
import { readSource } from "../shared/document-input.ts"
import * as fields from "../shared/fields.ts"
import * as actions from "../shared/request-actions.ts"
import * as list from "../shared/request-list.ts"
import * as terms from "../shared/request-terms.ts"
import { NewSignature, readSignature, Signature, writeSignature } from "./signature.ts"

const NewSignatures = Type.Array(NewSignature, { maxItems: LIMITS.signersPerRequest })

/** Part 2.1: `title` plus a document by exactly one of `content`, `file_url` and `document_id`. */
export const CreateBody = Type.Object({
  ...terms.createMembers,
  document_id: Type.Optional(fields.Uuid),
  content: Type.Optional(Type.String({ description: "Base64 of the PDF" })),
  content_type: Type.Optional(Type.String({ maxLength: 255 })),
  file_url: Type.Optional(fields.Url),
  signatures: Type.Optional(NewSignatures),
  cc_email_addresses: Type.Optional(fields.EmailList),
})
export type CreateBody = Type.Static<typeof CreateBody>

/** Decisions, "update". */
export const PatchBody = Type.Object({
  ...terms.updateMembers,
  signatures: Type.Optional(NewSignatures),
  cc_email_addresses: Type.Optional(fields.EmailList),
})
export type PatchBody = Type.Static<typeof PatchBody>

export const UpdateBody = Type.Object({ id: fields.Uuid, ...PatchBody.properties })
export type UpdateBody = Type.Static<typeof UpdateBody>

export const WithdrawBody = Type.Object(actions.withdrawMembers)
export type WithdrawBody = Type.Static<typeof WithdrawBody>
export const RemindBody = Type.Object(actions.remindMembers)
export type RemindBody = Type.Static<typeof RemindBody>
export const ListQuery = Type.Object(list.requestListMembers)
export type ListQuery = Type.Static<typeof ListQuery>

export const Attachment = terms.AttachmentEntry
export const SignatureRequest = Type.Object({
  ...terms.answerMembers,
  signatures: Type.Array(Signature),
  attachments: Type.Array(Attachment),
})
export type SignatureRequest = Type.Static<typeof SignatureRequest>

export function readCreate(body: CreateBody, received: Held | null): CreateRequest {
  return {
    ...terms.readCreateTerms(body),
    document: readDocument(body, received),
    entries: (body.signatures ?? []).map(readSignature),
    ccEmailAddresses: body.cc_email_addresses ?? [],
    expiresOn: null,
    // Part 3.1: v2 is OPEN at once, and its notifications follow the order of the signers.
    startAs: "started",
    inviting: "in-order",
  }
}

function readDocument(body: CreateBody, received: Held | null): CreateRequest["document"] {
  const { document_id: id, file_url: url } = body
  if (id === undefined && (received === null) !== (url === undefined)) return readSource(body, received)
  if (id !== undefined && received === null && url === undefined)
    return { type: "documents", ids: [id.toLowerCase()] }
  throw new Refusal("constraint-violated", "Exactly one of content, file_url and document_id is needed.")
}

export function readPatch(id: string, body: PatchBody): UpdateRequest {
  const { signatures, cc_email_addresses: ccEmailAddresses } = body
  return {
    id,
    changes: {
      ...terms.readUpdateTerms(body),
      ...(ccEmailAddresses !== undefined && { ccEmailAddresses }),
    },
    ...(signatures !== undefined && { entries: signatures.map(readSignature) }),
  }
}

export const readUpdate = ({ id, ...rest }: UpdateBody): UpdateRequest => readPatch(id, rest)

export const readWithdraw = actions.readWithdraw
export const readRemind = actions.readRemind
export const readList = list.readRequestList
export const writeLinks = list.writeRequestLinks

export const writeSignatureRequest = (request: Model, addresses: fields.Addresses): SignatureRequest => ({
  ...terms.writeTerms(request, addresses),
  signatures: request.signatures.map((signature) => writeSignature(signature, request, addresses)),
  attachments: terms.writeAttachments(request),
})

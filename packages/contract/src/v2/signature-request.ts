import { LIMITS } from "@paraph/core/limits"
import type { Held } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import type { CreateRequest } from "@paraph/core/signature-request/create"
import { firstDocument, type SignatureRequest as Model, statusOf } from "@paraph/core/signature-request/model"
import { Type } from "typebox"
import { readSource } from "../shared/document-input.ts"
import * as fields from "../shared/fields.ts"
import { NewSignature, readSignature, Signature, writeSignature } from "./signature.ts"

/** Part 2.1: `title` plus a document by exactly one of `content`, `file_url` and `document_id`. */
export const CreateBody = Type.Object({
  title: fields.Title,
  message: Type.Optional(fields.Message),
  document_id: Type.Optional(fields.Uuid),
  content: Type.Optional(Type.String({ description: "Base64 of the PDF" })),
  content_type: Type.Optional(Type.String({ maxLength: 255 })),
  file_url: Type.Optional(fields.Url),
  signatures: Type.Optional(Type.Array(NewSignature, { maxItems: LIMITS.signersPerRequest })),
  callback_success_url: Type.Optional(fields.Url),
  callback_update_url: Type.Optional(fields.Url),
  callback_error_url: Type.Optional(fields.Url),
  quality: Type.Optional(fields.Quality),
  legislation: Type.Optional(fields.Legislation),
  read_access: Type.Optional(fields.AccessList),
  write_access: Type.Optional(fields.AccessList),
})
export type CreateBody = Type.Static<typeof CreateBody>

const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const SignatureRequest = Type.Object({
  id: fields.Uuid,
  title: Type.String(),
  message: orNull(Type.String()),
  document_id: fields.Uuid,
  signing_url: fields.Url,
  status_overall: Type.Enum(["DRAFT", "OPEN", "SIGNED", "DECLINED", "ERROR", "EXPIRED", "WITHDRAWN"]),
  signatures: Type.Array(Signature),
  owner: Type.String(),
  read_access: fields.AccessList,
  write_access: fields.AccessList,
  cc_email_addresses: fields.AccessList,
  callback_success_url: orNull(Type.String()),
  callback_update_url: orNull(Type.String()),
  callback_error_url: orNull(Type.String()),
  quality: fields.Quality,
  legislation: orNull(fields.Legislation),
  created_at: fields.DateTime,
  updated_at: fields.DateTime,
})
export type SignatureRequest = Type.Static<typeof SignatureRequest>

export function readCreate(body: CreateBody, received: Held | null): CreateRequest {
  return {
    title: body.title,
    message: body.message ?? null,
    document: readDocument(body, received),
    signers: (body.signatures ?? []).map(readSignature),
    callbacks: {
      ...(body.callback_success_url !== undefined && { success: body.callback_success_url }),
      ...(body.callback_update_url !== undefined && { update: body.callback_update_url }),
      ...(body.callback_error_url !== undefined && { error: body.callback_error_url }),
    },
    quality: body.quality ?? null,
    legislation: body.legislation ?? null,
    readAccess: body.read_access ?? [],
    writeAccess: body.write_access ?? [],
    // Part 3.1: v2 is OPEN at once, and its notifications follow the order of the signers.
    startAs: "started",
    inviting: "in-order",
  }
}

function readDocument(body: CreateBody, received: Held | null): CreateRequest["document"] {
  const { document_id: id, file_url: url } = body
  if (id === undefined && (received === null) !== (url === undefined)) return readSource(body, received)
  if (id !== undefined && received === null && url === undefined) return { type: "document", id }
  throw new Refusal("constraint-violated", "Exactly one of content, file_url and document_id is needed.")
}

export function writeSignatureRequest(request: Model, addresses: fields.Addresses): SignatureRequest {
  return {
    id: request.id,
    title: request.title,
    message: request.message,
    document_id: firstDocument(request).newestId,
    signing_url: `${addresses.signingAppUrl}/view/${request.id}`,
    status_overall: statusOf(request),
    signatures: request.signatures.map((signature) => writeSignature(signature, request)),
    owner: request.owner,
    read_access: [...request.readAccess],
    write_access: [...request.writeAccess],
    cc_email_addresses: [...request.ccEmailAddresses],
    callback_success_url: request.callbacks.success ?? null,
    callback_update_url: request.callbacks.update ?? null,
    callback_error_url: request.callbacks.error ?? null,
    quality: request.quality,
    legislation: request.legislation,
    created_at: request.createdAt.toISOString(),
    updated_at: request.updatedAt.toISOString(),
  }
}

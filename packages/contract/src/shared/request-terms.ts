import { LIMITS } from "@paraph/core/limits"
import { firstDocument, type SignatureRequest as Model, statusOf } from "@paraph/core/signature-request/model"
import type { UpdateRequest } from "@paraph/core/signature-request/new-request"
import { Type } from "typebox"
import * as fields from "./fields.ts"

/** What a signature request says beside its documents and signers: equal in every version (part 2.1). */

const { orNull } = fields
const Custom = Type.String({ maxLength: LIMITS.customCharacters, pattern: fields.TEXT })
const AttachOnSuccess = Type.Array(Type.Enum(["SIGNED_DOCUMENT", "SIGNATURE_PROTOCOL"]), {
  maxItems: 2,
  uniqueItems: true,
  description: "Mailed on completion.",
})

const CallbackUrl = orNull(Type.String({ description: "Null to whom the request is read-only." }))

const termMembers = {
  message: Type.Optional(orNull(fields.Message)),
  callback_success_url: Type.Optional(orNull(fields.Url)),
  callback_update_url: Type.Optional(orNull(fields.Url)),
  callback_error_url: Type.Optional(orNull(fields.Url)),
  legislation: Type.Optional(orNull(fields.Legislation)),
  custom: Type.Optional(orNull(Custom)),
  attach_on_success: Type.Optional(AttachOnSuccess),
  read_access: Type.Optional(fields.AccessList),
  write_access: Type.Optional(fields.AccessList),
}

export const createMembers = {
  title: fields.Title,
  ...termMembers,
  quality: Type.Optional(orNull(fields.Quality)),
  creator: Type.Optional(orNull(fields.Email)),
}
type CreateTerms = fields.Members<typeof createMembers>

/** Decisions, "update": what is absent stays as it is; null takes away what may be missing. */
export const updateMembers = {
  title: Type.Optional(fields.Title),
  ...termMembers,
  quality: Type.Optional(fields.Quality),
}
type UpdateTerms = fields.Members<typeof updateMembers>

export const readCreateTerms = (body: CreateTerms) => ({
  title: body.title,
  message: body.message ?? null,
  callbacks: {
    ...(typeof body.callback_success_url === "string" && { success: body.callback_success_url }),
    ...(typeof body.callback_update_url === "string" && { update: body.callback_update_url }),
    ...(typeof body.callback_error_url === "string" && { error: body.callback_error_url }),
  },
  quality: body.quality ?? null,
  legislation: body.legislation ?? null,
  readAccess: body.read_access ?? [],
  writeAccess: body.write_access ?? [],
  creator: body.creator ?? null,
  custom: body.custom ?? null,
  attachOnSuccess: body.attach_on_success ?? [],
})

export function readUpdateTerms(body: UpdateTerms): UpdateRequest["changes"] {
  const callbacks = {
    ...(body.callback_success_url !== undefined && { success: body.callback_success_url }),
    ...(body.callback_update_url !== undefined && { update: body.callback_update_url }),
    ...(body.callback_error_url !== undefined && { error: body.callback_error_url }),
  }
  return {
    ...(body.title !== undefined && { title: body.title }),
    ...(body.message !== undefined && { message: body.message }),
    ...(Object.keys(callbacks).length > 0 && { callbacks }),
    ...(body.quality !== undefined && { quality: body.quality }),
    ...(body.legislation !== undefined && { legislation: body.legislation }),
    ...(body.custom !== undefined && { custom: body.custom }),
    ...(body.attach_on_success !== undefined && { attachOnSuccess: body.attach_on_success }),
    ...(body.read_access !== undefined && { readAccess: body.read_access }),
    ...(body.write_access !== undefined && { writeAccess: body.write_access }),
  }
}

/** SR-04: every member of part 2.1 that all versions answer. */
export const answerMembers = {
  id: fields.Uuid,
  title: Type.String(),
  message: orNull(Type.String()),
  document_id: fields.Uuid,
  signing_url: fields.Url,
  status_overall: Type.Enum(["DRAFT", "OPEN", "SIGNED", "DECLINED", "ERROR", "EXPIRED", "WITHDRAWN"]),
  owner: Type.String(),
  creator: orNull(Type.String()),
  read_access: Type.Array(Type.String()),
  write_access: Type.Array(Type.String()),
  cc_email_addresses: Type.Array(Type.String()),
  callback_success_url: CallbackUrl,
  callback_update_url: CallbackUrl,
  callback_error_url: CallbackUrl,
  quality: fields.Quality,
  legislation: orNull(fields.Legislation),
  custom: orNull(Type.String()),
  attach_on_success: AttachOnSuccess,
  created_at: fields.DateTime,
  updated_at: fields.DateTime,
}
type AnswerMembers = fields.Members<typeof answerMembers>

const callbackUrl = (url: string | undefined, { callbackUrl }: fields.Addresses): string | null =>
  url === undefined ? null : callbackUrl(url)

export const writeTerms = (request: Model, addresses: fields.Addresses): AnswerMembers => ({
  id: request.id,
  title: request.title,
  message: request.message,
  document_id: firstDocument(request).newestId,
  signing_url: `${addresses.signingAppUrl}/view/${request.id}`,
  status_overall: statusOf(request),
  owner: request.owner,
  creator: request.creator,
  read_access: [...request.readAccess],
  write_access: [...request.writeAccess],
  cc_email_addresses: [...request.ccEmailAddresses],
  callback_success_url: callbackUrl(request.callbacks.success, addresses),
  callback_update_url: callbackUrl(request.callbacks.update, addresses),
  callback_error_url: callbackUrl(request.callbacks.error, addresses),
  quality: request.quality,
  legislation: request.legislation,
  custom: request.custom,
  attach_on_success: [...request.attachOnSuccess],
  created_at: request.createdAt.toISOString(),
  updated_at: request.updatedAt.toISOString(),
})

/** Decisions, "attachments": v2 and v3 answer them. */
export const AttachmentEntry = Type.Object({ attachment_id: fields.Uuid, filename: Type.String() })

export const writeAttachments = (request: Pick<Model, "attachments">) =>
  request.attachments.map(({ id, filename }) => ({ attachment_id: id, filename }))

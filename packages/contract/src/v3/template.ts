import { LIMITS } from "@paraph/core/limits"
import type {
  Template as Model,
  NewTemplate,
  TemplateRequest,
  UseTemplate,
} from "@paraph/core/template/model"
import { Type } from "typebox"
import * as fields from "../shared/fields.ts"
import { readPlace, Sequence, SignerLanguage } from "../shared/signer.ts"
import { positionMembers, readPosition, writePosition } from "../shared/visual-signature.ts"

/** A documented addition: requests that are sent often (ADR 0035). */

const { closed, orNull } = fields
const Label = Type.String({
  minLength: 1,
  maxLength: LIMITS.labelCharacters,
  pattern: fields.TEXT,
  description: 'The part that somebody has, such as "Tenant"; each once.',
})
const DocumentIds = Type.Array(fields.Uuid, {
  maxItems: LIMITS.documentsPerRequest,
  description: "They stay as long as the template has them, and whoever uses it may use them.",
})

export const TemplatePlace = Type.Object(
  {
    document: Type.Integer({
      minimum: 0,
      maximum: LIMITS.documentsPerRequest - 1,
      description: "Counted from 0, in the order of document_ids.",
    }),
    ...positionMembers,
  },
  closed,
)

export const TemplateSignature = Type.Object(
  {
    label: Label,
    account_email: Type.Optional(orNull(fields.Email)),
    sequence: Type.Optional(Sequence),
    notify: Type.Optional(Type.Boolean({ description: "true unless given." })),
    language: Type.Optional(SignerLanguage),
    places: Type.Optional(Type.Array(TemplatePlace, { maxItems: LIMITS.positionsPerSignature })),
  },
  closed,
)

export const TemplateRequestBody = Type.Object(
  {
    title: Type.Optional(orNull(fields.Title)),
    message: Type.Optional(orNull(fields.Message)),
    quality: Type.Optional(orNull(fields.Quality)),
    legislation: Type.Optional(orNull(fields.Legislation)),
    signatures: Type.Array(TemplateSignature, { maxItems: LIMITS.signersPerRequest }),
    cc_email_addresses: Type.Optional(fields.EmailList),
    attach_on_success: Type.Optional(
      Type.Array(Type.Enum(["SIGNED_DOCUMENT", "SIGNATURE_PROTOCOL"]), { maxItems: 2, uniqueItems: true }),
    ),
    expires_in_days: Type.Optional(
      orNull(
        Type.Integer({
          minimum: 1,
          maximum: LIMITS.templateExpiryDays,
          description: "From the day on which the template is used.",
        }),
      ),
    ),
  },
  closed,
)
export type TemplateRequestBody = Type.Static<typeof TemplateRequestBody>

export const TemplateBody = Type.Object(
  { name: fields.Title, request: TemplateRequestBody, document_ids: Type.Optional(DocumentIds) },
  closed,
)
export type TemplateBody = Type.Static<typeof TemplateBody>

/** Who has which part this time; what is absent is as the template says. */
export const NamedSignature = Type.Object(
  {
    label: Label,
    account_email: Type.Optional(fields.Email),
    notify: Type.Optional(Type.Boolean()),
    language: Type.Optional(SignerLanguage),
  },
  closed,
)

export const UseTemplateBody = Type.Object(
  {
    title: Type.Optional(fields.Title),
    message: Type.Optional(fields.Message),
    signatures: Type.Optional(Type.Array(NamedSignature, { maxItems: LIMITS.signersPerRequest })),
    document_ids: Type.Optional(
      Type.Array(fields.Uuid, {
        minItems: 1,
        maxItems: LIMITS.documentsPerRequest,
        description: "Instead of those of the template.",
      }),
    ),
    initiate: Type.Optional(
      Type.Boolean({ description: "Whether it is sent at once; a DRAFT unless given." }),
    ),
  },
  closed,
)
export type UseTemplateBody = Type.Static<typeof UseTemplateBody>

const Place = Type.Object({ document: Type.Integer(), ...positionMembers })
const Signature = Type.Object({
  label: Type.String(),
  account_email: orNull(Type.String()),
  sequence: Sequence,
  notify: Type.Boolean(),
  language: SignerLanguage,
  places: Type.Array(Place),
})

export const TemplateRequestAnswer = Type.Object({
  title: orNull(Type.String()),
  message: orNull(Type.String()),
  quality: orNull(fields.Quality),
  legislation: orNull(fields.Legislation),
  signatures: Type.Array(Signature),
  cc_email_addresses: Type.Array(Type.String()),
  attach_on_success: Type.Array(Type.Enum(["SIGNED_DOCUMENT", "SIGNATURE_PROTOCOL"])),
  expires_in_days: orNull(Type.Integer()),
})

export const Template = Type.Object({
  id: fields.Uuid,
  name: Type.String(),
  created_by: Type.String({ description: "The member who made it, and may change it." }),
  created_at: fields.DateTime,
  updated_at: fields.DateTime,
  request: TemplateRequestAnswer,
  document_ids: Type.Array(fields.Uuid),
})
export type Template = Type.Static<typeof Template>

export const readTemplate = ({ name, request, document_ids: ids }: TemplateBody): NewTemplate => ({
  name,
  request: readRequest(request),
  documentIds: (ids ?? []).map((id) => id.toLowerCase()),
})

const readRequest = (body: TemplateRequestBody): TemplateRequest => ({
  title: body.title ?? null,
  message: body.message ?? null,
  quality: body.quality ?? null,
  legislation: body.legislation ?? null,
  signers: body.signatures.map((entry) => ({
    label: entry.label,
    email: entry.account_email ?? null,
    place: readPlace(entry.sequence),
    notify: entry.notify ?? true,
    language: entry.language ?? "en",
    places: (entry.places ?? []).map(({ document, ...position }) => ({
      document,
      position: readPosition(position),
    })),
  })),
  ccEmailAddresses: body.cc_email_addresses ?? [],
  attachOnSuccess: body.attach_on_success ?? [],
  expiresInDays: body.expires_in_days ?? null,
})

export const readUse = (body: UseTemplateBody): UseTemplate => ({
  title: body.title ?? null,
  message: body.message ?? null,
  signers: (body.signatures ?? []).map(({ label, account_email: email, notify, language }) => ({
    label,
    email: email ?? null,
    notify: notify ?? null,
    language: language ?? null,
  })),
  documentIds: body.document_ids?.map((id) => id.toLowerCase()) ?? null,
  initiate: body.initiate ?? false,
})

export const writeTemplate = ({ request, ...template }: Model): Template => ({
  id: template.id,
  name: template.name,
  created_by: template.owner,
  created_at: template.createdAt.toISOString(),
  updated_at: template.updatedAt.toISOString(),
  request: {
    title: request.title,
    message: request.message,
    quality: request.quality,
    legislation: request.legislation,
    signatures: request.signers.map(({ label, email, place, notify, language, places }) => ({
      label,
      account_email: email,
      // Choice 6: −1 says that there is none.
      sequence: place ?? -1,
      notify,
      language,
      places: places.map(({ document, position }) => ({ document, ...writePosition(position) })),
    })),
    cc_email_addresses: [...request.ccEmailAddresses],
    attach_on_success: [...request.attachOnSuccess],
    expires_in_days: request.expiresInDays,
  },
  document_ids: [...template.documentIds],
})

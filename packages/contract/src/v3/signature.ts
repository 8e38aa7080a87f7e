import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { warningOf } from "@paraph/core/signature-request/flagged-names"
import type {
  GroupEntry,
  Mark,
  Signature as Model,
  SignatureRequest,
  VisualSignature as VisualModel,
} from "@paraph/core/signature-request/model"
import type { NewEntry } from "@paraph/core/signature-request/new-request"
import { Type } from "typebox"
import { type Addresses, closed, orNull, Uuid } from "../shared/fields.ts"
import {
  readPlace,
  readSigner,
  type SignatureMembers,
  signatureMembers,
  signerMembers,
  writeSigner,
} from "../shared/signer.ts"
import { identityMembers } from "../shared/signer-identity.ts"
import { FormField, positionMembers, readVisual, writePosition } from "../shared/visual-signature.ts"
import { Vouch, writeVouch } from "./vouch.ts"

export const Position = Type.Object(positionMembers, closed)
const Positions = Type.Array(Position, { minItems: 1, maxItems: LIMITS.positionsPerSignature })

/** Decisions, "v3 create": a signature may be seen at several places of a document. */
export const VisualSignature = Type.Object(
  {
    form_field: Type.Optional(FormField),
    position: Type.Optional(Position),
    positions: Type.Optional(Positions),
  },
  { ...closed, description: "One of the three. When absent, the signer places the signature freely." },
)
export type VisualSignature = Type.Static<typeof VisualSignature>

export const SignerIdentityData = Type.Object(identityMembers, closed)
export type SignerIdentityData = Type.Static<typeof SignerIdentityData>

export const NewDocumentSignature = Type.Object(
  { document_id: Uuid, visual_signature: Type.Optional(orNull(VisualSignature)) },
  closed,
)

/** Decisions, "v3 create" and "v3 groups": a person or a group, who sign all documents or those named. */
export const NewSignature = Type.Object(
  {
    ...signerMembers,
    signer_identity_data: Type.Optional(orNull(SignerIdentityData)),
    signer_group_id: Type.Optional(Uuid),
    visual_signature: Type.Optional(orNull(VisualSignature)),
    document_signatures: Type.Optional(
      Type.Array(NewDocumentSignature, { minItems: 1, maxItems: LIMITS.documentsPerRequest }),
    ),
  },
  closed,
)
export type NewSignature = Type.Static<typeof NewSignature>

export function readSignature(entry: NewSignature): NewEntry {
  const wanted = readWanted(entry)
  if (entry.signer_group_id === undefined) return { ...readSigner(entry), wanted }
  if (entry.account_email !== undefined || entry.signer_identity_data != null || entry.language !== undefined)
    throw new Refusal("constraint-violated", "An entry is a person or a group, and not both.")
  return {
    type: "group",
    groupId: entry.signer_group_id.toLowerCase(),
    place: readPlace(entry.sequence),
    notify: entry.notify ?? true,
    wanted,
  }
}

function readWanted({
  visual_signature: visual,
  document_signatures: some,
}: NewSignature): NewEntry["wanted"] {
  if (some === undefined) return { type: "all", visual: readVisual(visual) }
  if (visual != null)
    throw new Refusal(
      "constraint-violated",
      "A visual_signature stands in document_signatures, or beside none.",
    )
  return {
    type: "some",
    marks: some.map((one) => ({
      documentId: one.document_id.toLowerCase(),
      visual: readVisual(one.visual_signature),
    })),
  }
}

export const DocumentSignature = Type.Object({
  document_id: Uuid,
  version_id: orNull(Uuid),
  visual_signature: orNull(VisualSignature),
})
export type DocumentSignature = Type.Static<typeof DocumentSignature>

export const Signature = Type.Object({
  ...signatureMembers,
  account_email: orNull(signatureMembers.account_email),
  name_warning: orNull(
    Type.Enum(["MIXED_SCRIPTS"], {
      description:
        "A word of the signer's name has letters of different scripts, which can imitate another name. The name is accepted; compare it with who is meant.",
    }),
  ),
  vouch: orNull(Vouch),
  signer_group_id: orNull(Uuid),
  document_signatures: Type.Array(DocumentSignature),
})
export type Signature = Type.Static<typeof Signature>

/** Everybody who signs; while the request is DRAFT its groups too, whose members are not fixed yet. */
export const writeSignatures = (request: SignatureRequest, addresses: Addresses): Signature[] => [
  ...request.signatures.map((signature) => writeSignature(signature, request, addresses)),
  ...(request.lifecycle === "draft" ? request.groups.map(writeGroupEntry) : []),
]

const writeSignature = (signature: Model, request: SignatureRequest, addresses: Addresses): Signature => ({
  ...writeSigner(signature, request, addresses),
  name_warning: warningOf(signature) === null ? null : "MIXED_SCRIPTS",
  vouch: signature.vouch && writeVouch(signature.vouch),
  signer_group_id: signature.groupId,
  document_signatures: signature.marks.map(writeMark),
})

const writeGroupEntry = (entry: GroupEntry): Signature => ({
  ...NOBODY_YET,
  sid: entry.id,
  signer_group_id: entry.groupId,
  sequence: entry.place,
  notify: entry.notify,
  document_signatures: entry.marks.map(writeMark),
})

const NOBODY_YET = {
  account_email: null,
  status_code: "OPEN",
  language: "en",
  signer_identity_data: null,
  last_viewed_at: null,
  mail_problem: null,
  waiting_for: null,
  name_warning: null,
  vouch: null,
} as const satisfies Partial<Record<keyof SignatureMembers | "name_warning" | "vouch", unknown>>

const writeMark = ({ documentId, versionId, visual }: Mark): DocumentSignature => ({
  document_id: documentId,
  version_id: versionId,
  visual_signature: writeVisual(visual),
})

function writeVisual(visual: VisualModel | null): VisualSignature | null {
  if (visual === null) return null
  if (visual.type === "form-field") return { form_field: visual.name }
  const [first, ...rest] = visual.positions.map(writePosition)
  if (first === undefined) return null
  return rest.length === 0 ? { position: first } : { positions: [first, ...rest] }
}

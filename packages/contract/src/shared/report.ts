import { LANGUAGES } from "@paraph/core/language"
import type { Protocol, ProtocolDocument, ProtocolEvent, ProtocolPerson } from "@paraph/core/report/model"
import { Type } from "typebox"
import { closed, DateTime, Legislation, orNull, Quality, Uuid } from "./fields.ts"

/** Decisions, "report". */
const queryMembers = {
  type: Type.Optional(
    Type.Enum(["PDF", "JSON", "HTML"], {
      description: "PDF unless given: sealed, with the story and its proofs inside it.",
    }),
  ),
  lang: Type.Optional(
    Type.Enum([...LANGUAGES], {
      description: "Of PDF and HTML; what Accept-Language asks for unless given, or en.",
    }),
  ),
}
export const ReportQuery = Type.Object(queryMembers)
export const ClosedReportQuery = Type.Object(queryMembers, closed)
export type ReportQuery = Type.Static<typeof ReportQuery>

const Sha256 = Type.String({ description: "SHA-256, in hexadecimal." })

const Person = Type.Object({
  signature_id: Uuid,
  name: orNull(Type.String()),
  name_established_by: orNull(
    Type.Enum(["account", "identification", "member", "requester", "certificate", "signer"], {
      description:
        "The account of the signer, a provider of identification, a member of the business who checked it in person, what the requester stated, the certificate of a provider, or typed by the signer.",
    }),
  ),
  name_established_source: orNull(
    Type.String({
      description: "The provider or the member who checked the name; null where it was only stated.",
    }),
  ),
  name_established_at: orNull(Type.String({ format: "date-time", description: "When it was checked." })),
  name_warning: orNull(
    Type.Enum(["mixed-scripts"], {
      description: "A word of the name has letters of different scripts, which can imitate another name.",
    }),
  ),
  email: orNull(Type.String()),
  identified_by: orNull(Type.String({ description: "The provider of identification that was asked." })),
  state: Type.Enum(["open", "declined", "signed", "error"]),
  signed_at: orNull(DateTime),
  decline_reason: orNull(Type.String()),
  consent: orNull(
    Type.Object({
      at: DateTime,
      version: Type.String(),
      language: Type.String(),
      sha256: Sha256,
      through: Type.String({ description: "How it was known that the person is the one who was asked." }),
    }),
  ),
  pages_served: Type.Array(
    Type.Object({
      document_id: Type.String(),
      pages: Type.String({ description: 'Such as "1-3,5"; empty where no page was served.' }),
      page_count: orNull(Type.Integer()),
    }),
    { description: "What the signer was served before the consent, which is not what was read." },
  ),
  factors: Type.Array(Type.Object({ at: DateTime, kind: Type.String(), to: orNull(Type.String()) })),
  ip_addresses: Type.Array(Type.String()),
  certificates: Type.Array(
    Type.Object({
      sha256: Sha256,
      subject: orNull(Type.String()),
      issuer: orNull(Type.String()),
      serial_number: orNull(Type.String()),
    }),
  ),
})

const ReportedDocument = Type.Object({
  document_id: Uuid,
  name: Type.String(),
  added_at: orNull(DateTime),
  sha256: orNull(Sha256),
  versions: Type.Array(
    Type.Object({
      document_id: Type.String(),
      at: DateTime,
      sha256: orNull(Sha256),
      signature_id: orNull(Uuid),
    }),
  ),
})

const ReportedEvent = Type.Object({
  seq: Type.Integer({ minimum: 1 }),
  type: Type.String(),
  at: DateTime,
  signature_id: orNull(Uuid),
  data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])),
  logged: Type.Boolean({
    description: "Whether it is under a signed head of the log yet, and so in `story`.",
  }),
})

/** The same octets as a `paraph-story/1` file: other programs check it without us. */
const ReportedStory = Type.Object({
  format: Type.Literal("paraph-story/1"),
  request: Uuid,
  log: Type.Object({
    key: Type.String({ description: "C2SP signed-note verifier key." }),
    checkpoint: Type.String({ description: "The signed head (C2SP tlog-checkpoint)." }),
    stamp: orNull(
      Type.String({ description: "RFC 3161 over the checkpoint, Base64; null where it has none." }),
    ),
  }),
  events: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0 }),
      salt: Type.String({ description: "Base64" }),
      body: Type.String({ description: "Canonical JSON (RFC 8785): what was hashed." }),
      path: Type.Array(Type.String({ description: "Base64" })),
    }),
  ),
})
type Story = Type.Static<typeof ReportedStory>

export const SignatureReport = Type.Object({
  protocol: Type.Object({
    signature_request_id: Uuid,
    kind: Type.Enum(["demo", "production"]),
    title: Type.String(),
    sender: Type.String(),
    quality: Quality,
    legislation: orNull(Legislation),
    status_overall: Type.Enum(["DRAFT", "OPEN", "SIGNED", "DECLINED", "ERROR", "EXPIRED", "WITHDRAWN"]),
    created_at: DateTime,
    ended_at: orNull(DateTime),
    people: Type.Array(Person),
    documents: Type.Array(ReportedDocument),
    events: Type.Array(ReportedEvent),
  }),
  story: orNull(ReportedStory),
})
export type SignatureReport = Type.Static<typeof SignatureReport>

/** `story` as a file has it; null while the log has no signed head with any of it. */
export function writeReport(protocol: Protocol, story: ReadableStory | null): SignatureReport {
  const { requestId, kind, title, sender, quality, legislation, status, createdAt, endedAt } = protocol
  return {
    protocol: {
      signature_request_id: requestId,
      ...{ kind, title, sender, quality, legislation, status_overall: status },
      created_at: createdAt.toISOString(),
      ended_at: timeOrNull(endedAt),
      people: protocol.people.map(writePerson),
      documents: protocol.documents.map(writeDocument),
      events: protocol.events.map(writeEvent),
    },
    story: story as Story | null,
  }
}

/** As `@paraph/evidence` has it. */
type ReadableStory = Readonly<Omit<Story, "log" | "events">> & {
  readonly log: Readonly<Story["log"]>
  readonly events: readonly (Omit<Story["events"][number], "path"> & { readonly path: readonly string[] })[]
}

const timeOrNull = (at: Date | null): string | null => at?.toISOString() ?? null

const writePerson = (person: ProtocolPerson): SignatureReport["protocol"]["people"][number] => ({
  signature_id: person.signatureId,
  name: person.name,
  name_established_by: person.nameBy,
  name_established_source: person.nameProof?.source ?? null,
  name_established_at: person.nameProof?.at ?? null,
  name_warning: person.nameWarning,
  email: person.email,
  identified_by: person.identifiedBy,
  state: person.state,
  signed_at: timeOrNull(person.signedAt),
  decline_reason: person.declineReason,
  consent: person.consent && { ...person.consent, at: person.consent.at.toISOString() },
  pages_served: person.served.map(({ documentId, pages, pageCount }) => ({
    document_id: documentId,
    pages,
    page_count: pageCount,
  })),
  factors: person.factors.map(({ at, kind, to }) => ({ at: at.toISOString(), kind, to })),
  ip_addresses: [...person.ipAddresses],
  certificates: person.certificates.map(({ sha256, subject, issuer, serialNumber }) => ({
    ...{ sha256, subject, issuer },
    serial_number: serialNumber,
  })),
})

const writeDocument = ({ id, name, uploadedAt, sha256, versions }: ProtocolDocument) => ({
  document_id: id,
  ...{ name, added_at: timeOrNull(uploadedAt), sha256 },
  versions: versions.map((version) => ({
    document_id: version.id,
    at: version.at.toISOString(),
    sha256: version.sha256,
    signature_id: version.signatureId,
  })),
})

const writeEvent = ({ seq, type, at, signatureId, data, logged }: ProtocolEvent) => ({
  ...{ seq, type, at: at.toISOString(), signature_id: signatureId },
  data: { ...data },
  logged,
})

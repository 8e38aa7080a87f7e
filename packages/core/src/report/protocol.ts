import type { ToldEvent, ToldStory } from "../evidence/model.ts"
import { displayName } from "../names/characters.ts"
import { type NameWarning, nameWarning } from "../names/scripts.ts"
import type { NameBy } from "../release/model.ts"
import { type Signature, type SignatureRequest, statusOf } from "../signature-request/model.ts"
import { readServed } from "../signature-request/served-pages.ts"
import type {
  Protocol,
  ProtocolCertificate,
  ProtocolConsent,
  ProtocolDocument,
  ProtocolEvent,
  ProtocolPerson,
  ProtocolVersion,
} from "./model.ts"

/** Who was asked is the request's to say; what they did is the evidence's. */
export function protocolOf(request: SignatureRequest, { events }: Pick<ToldStory, "events">): Protocol {
  const { id, kind, title, owner, creator, quality, legislation, createdAt } = request
  return {
    requestId: id,
    ...{ kind, title, sender: displayName(creator ?? owner), quality, legislation, createdAt },
    status: statusOf(request),
    endedAt: events.findLast(({ type }) => ENDINGS.has(type))?.at ?? null,
    people: request.signatures.map((signature) => personOf(signature, events)),
    documents: request.documents.map((document) => documentOf(document, events)),
    events: events.map(eventOf),
  }
}

const ENDINGS: ReadonlySet<string> = new Set(["request.completed", "request.ended"])

const eventOf = ({ seq, type, at, signatureId, data, logged }: ToldEvent): ProtocolEvent => ({
  ...{ seq, type, at, signatureId, data },
  logged: logged !== null,
})

function personOf(signature: Signature, all: readonly ToldEvent[]): ProtocolPerson {
  const { id: signatureId, email, state, signedAt, declineReason, identification } = signature
  const events = all.filter((event) => event.signatureId === signatureId)
  const ips = events.flatMap(({ data }) => text(data.ip) ?? [])
  return {
    ...{ signatureId, email, state, signedAt, declineReason },
    ...shownName(nameOf(signature, events), events),
    consent: consentOf(events),
    served: readServed(
      text(events.findLast(({ type }) => type === "signature.consented")?.data.served) ?? "",
    ),
    factors: events.flatMap(factorOf),
    ipAddresses: [...new Set(ips)],
    certificates: certificatesOf(events),
    identifiedBy: identification?.state === "ACCEPTED" ? identification.provider : null,
  }
}

type Named = Pick<ProtocolPerson, "name" | "nameBy" | "nameProof">

/** On one line, and with the warning that was recorded; a name from before there were warnings is looked at now. */
function shownName(
  { name, nameBy, nameProof }: Named,
  events: readonly ToldEvent[],
): Named & Pick<ProtocolPerson, "nameWarning"> {
  const shown = displayName(name ?? "") || null
  const isFlagged = events.some(({ type }) => type === "signature.name-flagged")
  const warning: NameWarning | null = isFlagged ? "mixed-scripts" : nameWarning(shown ?? "")
  const by = shown === null ? { nameBy: null, nameProof: null } : { nameBy, nameProof }
  return { name: shown, ...by, nameWarning: warning }
}

/**
 * Decisions, "identity behind AES". The name of the certificate counts most, then the one that was typed with the consent; before
 * that there is what the requester said, or nothing.
 */
function nameOf({ identity, identification }: Signature, events: readonly ToldEvent[]): Named {
  const established = events.findLast(({ data }) => text(data.name) !== null && text(data.nameBy) !== null)
  if (established !== undefined) {
    const { name, nameBy, nameSource, nameAt } = established.data
    const [source, at] = [text(nameSource), text(nameAt)]
    const nameProof = source === null || at === null ? null : { source, at }
    return { name: text(name), nameBy: text(nameBy) as NameBy, nameProof }
  }
  const typed = text(events.findLast(({ type }) => type === "signature.consented")?.data.name)
  if (typed !== null) return { name: typed, ...typedBy(identification) }
  const said = [identity?.firstName, identity?.lastName].filter((part) => part).join(" ")
  const by = said === "" ? null : "requester"
  return { name: said || null, nameBy: by, nameProof: null }
}

/** The name that was typed with the consent is the verified one where a provider identified the person. */
function typedBy(identification: Signature["identification"]): Pick<Named, "nameBy" | "nameProof"> {
  if (identification?.state !== "ACCEPTED") return { nameBy: "signer", nameProof: null }
  const { provider: source, decidedAt } = identification
  return {
    nameBy: "identification",
    nameProof: decidedAt && { source, at: decidedAt.toISOString() },
  }
}

function consentOf(events: readonly ToldEvent[]): ProtocolConsent | null {
  const event = events.findLast(({ type }) => type === "signature.consented")
  if (event === undefined) return null
  const { consentVersion, language, consentSha256, through } = event.data
  return {
    at: event.at,
    version: text(consentVersion) ?? "",
    language: text(language) ?? "",
    sha256: text(consentSha256) ?? "",
    through: text(through) ?? "",
  }
}

function factorOf({ type, at, data }: ToldEvent): ProtocolPerson["factors"] {
  if (type === "factor.passed") return [{ at, kind: text(data.kind) ?? "", to: text(data.to) }]
  return type === "key.released" ? [{ at, kind: text(data.factor) ?? "", to: null }] : []
}

function certificatesOf(events: readonly ToldEvent[]): readonly ProtocolCertificate[] {
  const made = events.flatMap(({ type, data }): readonly ProtocolCertificate[] => {
    const sha256 = text(data.certificateSha256)
    if (type !== "mark.made" || sha256 === null) return []
    const [subject, issuer, serialNumber] = [data.subject, data.issuer, data.serialNumber].map(text)
    return [{ sha256, subject: subject ?? null, issuer: issuer ?? null, serialNumber: serialNumber ?? null }]
  })
  return [...new Map(made.map((certificate) => [certificate.sha256, certificate])).values()]
}

const UPLOADS: ReadonlySet<string> = new Set(["request.created", "request.document-added"])
const VERSIONS: ReadonlySet<string> = new Set(["mark.made", "document.renewed"])

function documentOf(
  { id, name }: SignatureRequest["documents"][number],
  events: readonly ToldEvent[],
): ProtocolDocument {
  const own = events.filter(({ data }) => data.documentId === id)
  const upload = own.findLast(({ type }) => UPLOADS.has(type))
  return {
    ...{ id, name },
    uploadedAt: upload?.at ?? null,
    sha256: text(upload?.data.sha256),
    versions: own.filter(({ type }) => VERSIONS.has(type)).map(versionOf),
  }
}

const versionOf = ({ at, signatureId, data }: ToldEvent): ProtocolVersion => ({
  id: text(data.versionId) ?? "",
  ...{ at, signatureId },
  sha256: text(data.sha256),
})

function text(value: string | number | null | undefined): string | null {
  return typeof value === "string" ? value : null
}

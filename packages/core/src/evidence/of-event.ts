import type { Event } from "../signature-request/machine.ts"
import { type SignatureRequest, statusOf } from "../signature-request/model.ts"
import type { Evidence } from "./model.ts"

/** What a change of a request leaves behind as evidence. */
export function evidenceOf(
  event: Event,
  before: SignatureRequest,
  after: SignatureRequest,
): readonly Evidence[] {
  const status = statusOf(after)
  const ended = statusOf(before) === "OPEN" && status !== "OPEN"
  const ending: Evidence[] = ended
    ? [{ type: status === "SIGNED" ? "request.completed" : "request.ended", at: event.at, data: { status } }]
    : []
  return [...ofEvent(event, after), ...ending]
}

function ofEvent(event: Event, after: SignatureRequest): readonly Evidence[] {
  switch (event.type) {
    case "start":
      return []
    case "add-signer":
      return [{ type: "signature.added", at: event.at, signatureId: event.signature.id }]
    case "consent": {
      const { name, version, language, sha256, shown } = event.consent
      const data = { name, consentVersion: version, language, consentSha256: sha256, shown: shown.join(" ") }
      return [{ type: "signature.consented", at: event.at, signatureId: event.signatureId, data }]
    }
    case "mark":
      return ofMark(event, after)
    case "decline": {
      const data = { reason: event.reason }
      return [{ type: "signature.declined", at: event.at, signatureId: event.signatureId, data }]
    }
    case "fail":
      return [{ type: "signature.failed", at: event.at, signatureId: event.signatureId }]
  }
}

function ofMark(event: Extract<Event, { type: "mark" }>, after: SignatureRequest): readonly Evidence[] {
  const { signatureId, documentId, onto, versionId, at } = event
  const made: Evidence = { type: "mark.made", at, signatureId, data: { documentId, onto, versionId } }
  const signed = after.signatures.some((s) => s.id === signatureId && s.state === "signed")
  return signed ? [made, { type: "signature.signed", at, signatureId }] : [made]
}

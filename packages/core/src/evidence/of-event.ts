import { evidenceOfIdentification } from "../identification/told.ts"
import { calledFrom, type Way } from "../login/signer.ts"
import type { EstablishedName } from "../release/model.ts"
import type { Event, EventOf } from "../signature-request/event.ts"
import { evidenceOfNames } from "../signature-request/flagged-names.ts"
import { type Place, type SignatureRequest, statusOf } from "../signature-request/model.ts"
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
  return [...ofEvent(event, before, after), ...evidenceOfNames(before, after, event.at), ...ending]
}

function ofEvent(event: Event, before: SignatureRequest, after: SignatureRequest): readonly Evidence[] {
  const { at } = event
  switch (event.type) {
    case "start":
      return [{ type: "request.started", at }]
    case "update":
      return [{ type: "request.updated", at, data: { changed: Object.keys(event.changes).join(" ") } }]
    case "add-signer":
      return [ofSigner(event)]
    case "remove-signer":
      // The id in the data: the row of the signature is gone.
      return [{ type: "signature.removed", at, data: { signature: event.signatureId } }]
    case "add-group":
    case "replace-signers":
      return [{ type: "request.signers-changed", at, data: { signers: after.signatures.length } }]
    case "add-document":
      return [{ type: "request.document-added", at, data: ofDocument(event) }]
    case "remove-document":
      return [{ type: "request.document-removed", at, data: { documentId: event.documentId } }]
    case "add-observer":
      return [{ type: "observer.added", at, data: { observer: event.observer.id } }]
    case "remove-observer":
      return [{ type: "observer.removed", at, data: { observer: event.observerId } }]
    case "attach":
      return [{ type: "attachment.added", at, data: ofAttachment(event) }]
    case "detach":
      return [{ type: "attachment.removed", at, data: { attachment: event.attachmentId } }]
    case "vouch":
      return [ofVouch(event)]
    case "identify":
      return evidenceOfIdentification(event, before, after)
    case "consent":
      return ofConsent(event, after)
    case "take-turn":
      return ofTurn(event, after)
    case "log-in":
    case "offer-release":
    case "release":
    case "keep-values":
    case "end-turn":
      return [ofRelease(event)]
    case "mark":
      return ofMark(event, after)
    case "decline":
      return [ofDecline(event)]
    case "wait":
      return [{ type: "signature.waiting", at, signatureId: event.signatureId, data: { for: event.lack } }]
    case "fail":
      return [{ type: "signature.failed", at, signatureId: event.signatureId }]
    case "open":
      return [ofOpening(event)]
    case "mail-bounced":
      return [ofBounce(event)]
    case "renew":
      return [{ type: "document.renewed", at, data: ofRenewal(event) }]
    case "withdraw":
      return [{ type: "request.withdrawn", at, data: { message: event.message } }]
    // The reminder is evidence when it was sent; that a date passed is in the ending.
    case "remind":
    case "expire":
    case "warn-of-expiry":
      return []
  }
}

const ofDecline = ({ at, signatureId, reason, ...event }: EventOf<"decline">): Evidence => ({
  type: "signature.declined",
  at,
  signatureId,
  data: { reason, ...calledFrom(event) },
})

const ofBounce = ({ at, signatureId, problem }: EventOf<"mail-bounced">): Evidence => ({
  type: "signature.mail-bounced",
  at,
  signatureId,
  data: { problem },
})

const ofRenewal = ({ documentId, onto, versionId, sha256 }: EventOf<"renew">) => ({
  documentId,
  onto,
  versionId,
  ...(sha256 !== undefined && { sha256 }),
})

const ofDocument = ({ document: { id }, sha256 }: EventOf<"add-document">) => ({
  documentId: id,
  ...(sha256 !== undefined && { sha256 }),
})

/** Of somebody known by identity data alone there is no address. */
const ofSigner = ({ at, signature: { id, email } }: EventOf<"add-signer">): Evidence => ({
  type: "signature.added",
  at,
  signatureId: id,
  ...(email !== null && { data: { email } }),
})

const ofVouch = ({ at, signatureId, vouch }: EventOf<"vouch">): Evidence => {
  const { givenName, surname, mobileNumber, document, by } = vouch
  const data = {
    name: `${givenName} ${surname}`,
    document,
    by,
    ...(mobileNumber !== null && { mobileNumber }),
  }
  return { type: "signature.vouched", at, signatureId, data }
}

const ofAttachment = ({ attachment: { id, sha256, sizeBytes } }: EventOf<"attach">) => ({
  attachment: id,
  sha256,
  sizeBytes,
})

/** Whoever may change the request knows the address of a preview: that it was opened does not say that the signer did. */
function ofOpening({ at, signatureId, way = "link", ip }: EventOf<"open">): Evidence {
  const data = { ...(way !== "link" && { through: way }), ...(ip !== undefined && { ip }) }
  const of = { type: "signature.opened", at, signatureId } as const
  return Object.keys(data).length === 0 ? of : { ...of, data }
}

/** `through`: how it is known that the person is the one who was asked. */
function ofConsent(
  { at, signatureId, consent, way = "link", ip, served }: EventOf<"consent">,
  { signatures }: SignatureRequest,
): readonly Evidence[] {
  const { name, version, language, sha256, shown, look, places } = consent
  const of = { name, consentVersion: version, language, consentSha256: sha256, shown: shown.join(" ") }
  const seen = {
    look: look.type === "typed" ? `typed ${look.font}` : look.type,
    ...(served !== undefined && { served }),
    ...(places.length > 0 && { places: places.map(spelledPlace).join("; ") }),
  }
  // Who has no address was sent the code to the telephone.
  const bySms = way === "code" && signatures.find(({ id }) => id === signatureId)?.email === null
  const through = { through: bySms ? "SMS code" : WAYS[way], ...(ip !== undefined && { ip }) }
  const data = { ...of, ...seen, ...through }
  return [{ type: "signature.consented", at, signatureId, data }]
}

/** The same consent, with how the name in the certificate was established (decisions, "identity behind AES"). */
function ofTurn(
  { releaseId, name, until, provider, ...event }: EventOf<"take-turn">,
  after: SignatureRequest,
): readonly Evidence[] {
  const { at, signatureId, consent, way, served } = event
  const came = {
    ...(served !== undefined && { served }),
    ...(way !== undefined && { way }),
    ...calledFrom(event),
  }
  const consented = { type: "consent", at, signatureId, consent, ...came } as const
  const agreed = ofConsent(consented, after)
  const where = provider === null ? {} : { provider }
  const data = { release: releaseId, ...where, ...ofName(name), until: until.toISOString() }
  return [...agreed, { type: "signature.turn-taken", at, signatureId, data }]
}

/** Who established the name, how and when. */
const ofName = ({ name, by, proof }: EstablishedName) => ({
  name,
  nameBy: by,
  ...(proof !== null && { nameSource: proof.source, nameAt: proof.at }),
})

type OfRelease = EventOf<"log-in" | "offer-release" | "release" | "keep-values" | "end-turn">

function ofRelease(event: OfRelease): Evidence {
  const { at, signatureId, releaseId } = event
  const of = { at, signatureId }
  switch (event.type) {
    case "log-in":
      return { type: "provider.logged-in", ...of, data: { release: releaseId } }
    case "offer-release": {
      const { certificateSha256, name } = event
      const named = name === undefined ? {} : ofName(name)
      return { type: "key.offered", ...of, data: { release: releaseId, certificateSha256, ...named } }
    }
    case "release": {
      const { factor, binding } = event
      return {
        type: "key.released",
        ...of,
        data: { release: releaseId, factor, binding, ...calledFrom(event) },
      }
    }
    case "keep-values":
      return { type: "provider.signed", ...of, data: { release: releaseId } }
    case "end-turn": {
      const why = event.problem === undefined ? {} : { problem: event.problem }
      return { type: "signature.turn-ended", ...of, data: { release: releaseId, by: event.by, ...why } }
    }
  }
}

/** The page is counted from 0, as in the interface; points from the lower left corner. */
const spelledPlace = ({ documentId, position: { page, x, y, width, height } }: Place): string =>
  `${documentId} ${page} ${x} ${y} ${width} ${height}`

const WAYS = {
  link: "mailed link",
  preview: "preview",
  code: "e-mail code",
  account: "account",
} as const satisfies Record<Way, string>

function ofMark(event: EventOf<"mark">, after: SignatureRequest): readonly Evidence[] {
  const { signatureId, documentId, onto, versionId, sha256, at } = event
  const data = { documentId, onto, versionId, ...(sha256 !== undefined && { sha256 }), ...madeWith(event) }
  const made: Evidence = { type: "mark.made", at, signatureId, data }
  const signed = after.signatures.some((s) => s.id === signatureId && s.state === "signed")
  return signed ? [made, { type: "signature.signed", at, signatureId }] : [made]
}

/** Whoever holds the story in years need not open the document to say whose certificate it was. */
function madeWith({ certificate }: EventOf<"mark">): Readonly<Record<string, string>> {
  if (certificate === undefined) return {}
  const { sha256: certificateSha256, subject, issuer, serialNumber } = certificate
  return {
    certificateSha256,
    ...(subject !== undefined && { subject }),
    ...(issuer !== undefined && { issuer }),
    ...(serialNumber !== undefined && { serialNumber }),
  }
}

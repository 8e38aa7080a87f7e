import type { Document } from "@paraph/core/document/model"
import { identificationStatus } from "@paraph/core/identification/model"
import { identificationOf, identifiedName } from "@paraph/core/identification/needed"
import { LIMITS } from "@paraph/core/limits"
import type { SignerSession } from "@paraph/core/login/signer"
import { displayName } from "@paraph/core/names/characters"
import { mailboxOf, shortenedAddress, shownDestination } from "@paraph/core/one-time-code/destination"
import { proofOf } from "@paraph/core/one-time-code/model"
import { currentConsent } from "@paraph/core/signature-request/consent"
import { shownExit } from "@paraph/core/signature-request/exits"
import { keyHolder } from "@paraph/core/signature-request/key-holder"
import { type Signature, type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import { codeOfSession } from "@paraph/core/signature-request/signer-code"
import { placeIn, type View, viewSignature } from "@paraph/core/signature-request/view"
import type { FastifyRequest } from "fastify"
import type { Parts } from "../../parts.ts"
import { addressee } from "./addressee.ts"
import { atProviderOf } from "./at-provider.ts"
import { shownOf } from "./branding.ts"
import { factorOf, releaseOf } from "./factors.ts"
import { languageFor } from "./language.ts"

/** What the web application shows of a request to one of its signers. Private, not a contract. */
export async function writeView(parts: Parts, http: FastifyRequest, session: SignerSession) {
  const view = await viewSignature(parts, session)
  const { request, signature: own, documents } = view
  const { arrival, businessId } = session
  const identification = shownIdentification(parts, view)
  const screen = screenFor(session, view, identification)
  const language = languageFor(http, arrival.language, own.language)
  const { exitOrigins } = await parts.originsOf(businessId)
  const brand = await parts.brandOf(businessId)
  const exit = (url: string | null) => shownExit(url, arrival.exits.seconds, exitOrigins)
  return {
    signature: own.id,
    screen,
    language,
    request: {
      title: request.title,
      message: request.message,
      sender: brand.name,
      demo: request.kind === "demo",
      status: statusOf(request),
      quality: request.quality,
      expiresAt: request.expiresAt?.date ?? null,
    },
    branding: shownOf(brand),
    signer: {
      email: addressee(own),
      name: shownName(own.consent?.name ?? identifiedName(request, own, parts.now())),
    },
    people: people(request, own),
    documents: documents.map((document) => ({ ...ofDocument(document), place: placeIn(view, document) })),
    attachments: isOver(view)
      ? []
      : request.attachments.map(({ id, filename, contentType, sizeBytes }) => ({
          id,
          filename,
          contentType,
          sizeBytes,
        })),
    consent: currentConsent(language, keyHolder(request)),
    factor: await factorOf(parts, session, view),
    atProvider: await atProviderOf(parts, session, view, language),
    release: await releaseOf(parts, session, view),
    proof: screen === "preview" ? await proof(parts, session, view) : null,
    working: screen === "working" ? working(request, own) : null,
    identification,
    exits: {
      success: exit(arrival.exits.success),
      error: exit(arrival.exits.error),
      decline: exit(arrival.exits.decline),
    },
    hideDownload: arrival.hideDownload,
    waitingFor: request.signatures.filter((s) => s.state === "open" && s.id !== own.id).length,
  }
}

/** Who is in the midst of being identified stands there, and not before a document that cannot be signed yet. */
function screenFor({ way }: SignerSession, { screen }: View, identification: ShownIdentification) {
  if (screen !== "read") return screen
  if (way === "preview") return "preview"
  const isAtIt = ["STARTED", "PENDING_REVIEW", "REJECTED"].includes(identification?.status ?? "")
  return isAtIt ? "identify" : "read"
}

type ShownIdentification = ReturnType<typeof shownIdentification>

/** Null where nobody has to be identified, or it is not the time for it. */
function shownIdentification({ now, identityProviders }: Parts, { request, signature, screen }: View) {
  const known = screen === "read" ? identificationOf(request, signature) : null
  if (known === null) return null
  const { provider, reason, name, returnedAt, attempt } = known
  const status = identificationStatus(known, now())
  const of = identityProviders.find((one) => one.name === provider && one.kind === request.kind)
  const stated = displayName(
    [signature.identity?.firstName, signature.identity?.lastName].filter(Boolean).join(" "),
  )
  return {
    status,
    reason,
    provider: of?.title ?? provider,
    /** Whom the sender means, and who it is. */
    stated,
    name: shownName(name),
    returned: returnedAt !== null && status === "STARTED",
    triesLeft: LIMITS.identificationAttempts - attempt,
  }
}

const shownName = (name: string | null): string | null => name && displayName(name)

/** Decisions, "withdraw": signers lose access, those who have signed too. */
export const isOver = ({ request, screen }: View): boolean =>
  screen === "ended" || statusOf(request) === "WITHDRAWN"

/** In the order in which they sign, who may sign at any time last. */
function people(request: SignatureRequest, own: Signature) {
  const inOrder = request.signatures.toSorted((a, b) => (a.place ?? LAST) - (b.place ?? LAST))
  return inOrder.map((s) => ({
    name: nameOf(s),
    state: s.state,
    place: s.place,
    own: s.id === own.id,
  }))
}

const LAST = Number.MAX_SAFE_INTEGER

/** What somebody signed with, what the sender calls them, or as much of the address as the others need to know them by. */
function nameOf({ consent, identity, email }: Signature): string {
  const name = displayName(
    consent?.name ?? [identity?.firstName, identity?.lastName].filter(Boolean).join(" "),
  )
  return name || (email === null ? "•••" : shortenedAddress(email))
}

const ofDocument = (document: Document) => ({
  id: document.id,
  title: document.title,
  sizeBytes: document.sizeBytes,
  sha256: document.sha256,
  pageCount: document.pageCount,
  pageWidth: document.pageWidth,
  pageHeight: document.pageHeight,
  pageSizes: document.pageSizes,
  pdfa: document.pdfa,
})

/** Signatures on one document are made one after the other, so somebody else's may be what this person waits for. */
function working(request: SignatureRequest, own: Signature) {
  const wanted = own.marks.filter((m) => m.versionId === null).map((m) => m.documentId)
  const isAtIt = (s: Signature) =>
    s.id !== own.id &&
    s.state === "open" &&
    s.consent !== null &&
    s.marks.some((m) => m.versionId === null && wanted.includes(m.documentId))
  return {
    done: own.marks.length - wanted.length,
    of: own.marks.length,
    othersSigning: request.signatures.some(isAtIt),
    /** Something of the outside is missing; what it is helps nobody who signs. */
    delayed: own.waitingFor !== null,
  }
}

/** Null where we know neither an address nor a number that we reach: then there is nothing to prove by a code. */
async function proof(parts: Parts, session: SignerSession, { request, signature }: View) {
  const to = mailboxOf(request.kind, signature, parts.smsReach)
  if (to === null) return null
  const of = codeOfSession(session)
  const code = await parts.read(session.businessId, (reading) => reading.findCode(of.purpose, of.signatureId))
  return {
    channel: to.channel,
    sentTo: shownDestination(to),
    // The gateway has said that it never will.
    unreachable: to.channel === "sms" && signature.mailProblem !== null,
    ...proofOf(code, of, parts.now()),
  }
}

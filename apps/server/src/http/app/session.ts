import type { Signer, SignerSession } from "@paraph/core/login/signer"
import { Refusal } from "@paraph/core/refusal"
import type { Arrival } from "@paraph/core/signature-request/exits"
import { openDoor } from "@paraph/core/signature-request/open"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Parts } from "../../parts.ts"
import { hashOf, newSecret } from "../../secrets.ts"
import { identificationWays } from "./identification-ways.ts"

/**
 * `__Host-` binds the cookie to this very host; browsers accept that name over https only. The one that is sent in frames lies in
 * another jar of the browser, and could neither be replaced nor taken back by one of the same name that lies in the usual one.
 */
const cookieName = (parts: Parts): string => (isHttps(parts) ? "__Host-paraph-signer" : "paraph-signer")
const FRAMED_COOKIE = "__Host-paraph-signer-framed"
const isHttps = (parts: Parts): boolean => parts.publicUrl.startsWith("https:")

/** How somebody came; who came by their account is here as long as that login. */
export type Came =
  | { readonly way: "link" | "preview" }
  | { readonly way: "account"; readonly accountSessionId: string }
export type Arrived = Came & { readonly arrival: Arrival }

export async function openSession(
  parts: Parts,
  reply: FastifyReply,
  signer: Signer,
  arrived: Arrived,
): Promise<void> {
  const id = newSecret()
  await openDoor(parts, signer, { idHash: hashOf(id), ...arrived, ip: reply.request.ip })
  const { embedOrigins } = await parts.originsOf(signer.businessId)
  // In a frame of another site a browser sends a cookie only so; what it may do with it is judged by where a request comes from.
  const inFrames = isHttps(parts) && embedOrigins.length > 0
  keepCookie(parts, reply, inFrames ? "framed" : "usual", id)
}

/** Of whoever logs out: what the browser holds of either kind is taken back. */
export function dropSigner(parts: Parts, reply: FastifyReply): void {
  const of = { httpOnly: true, path: "/", secure: isHttps(parts) }
  reply.clearCookie(cookieName(parts), { ...of, sameSite: "lax" })
  if (isHttps(parts)) reply.clearCookie(FRAMED_COOKIE, { ...of, sameSite: "none", partitioned: true })
}

/** A browser has one session with us: whatever it had before, of either kind, is taken back. */
export function keepCookie(parts: Parts, reply: FastifyReply, kind: "usual" | "framed", id: string): void {
  const of = { httpOnly: true, path: "/", secure: isHttps(parts) }
  const usual = { ...of, sameSite: "lax" } as const
  const framed = { ...of, sameSite: "none", partitioned: true } as const
  if (kind === "framed") {
    reply.clearCookie(cookieName(parts), usual)
    reply.setCookie(FRAMED_COOKIE, id, framed)
    return
  }
  if (isHttps(parts)) reply.clearCookie(FRAMED_COOKIE, framed)
  reply.setCookie(cookieName(parts), id, usual)
}

/** Whether the session behind the cookie is the very one that would be opened now. */
export async function isOpenAlready(
  parts: Parts,
  request: FastifyRequest,
  { signatureId }: Signer,
  arrived: Arrived,
): Promise<boolean> {
  const found = await findSigner(parts, request)
  if (found?.signatureId !== signatureId || found.way !== arrived.way) return false
  const login = arrived.way === "account" ? arrived.accountSessionId : null
  return (found.accountSessionId ?? null) === login && isSame(found.arrival, arrived.arrival)
}

const isSame = (one: Arrival, other: Arrival): boolean =>
  one.language === other.language &&
  one.hideDownload === other.hideDownload &&
  (["success", "error", "decline", "seconds"] as const).every((name) => one.exits[name] === other.exits[name])

/** Whoever reads the answers of the interface could open a preview; only the mail is known to have reached the signer. */
export async function mustMayAct(parts: Parts, request: FastifyRequest): Promise<SignerSession> {
  const signer = await mustBeShown(parts, request)
  if (signer.way === "preview")
    throw new Refusal(
      "proof-needed",
      "Please prove who you are by the code first, or use the link that we mailed to you.",
    )
  return signer
}

/** In which a tab says whose signature it shows. */
const SHOWN = "paraph-signature"

/**
 * All tabs of a browser share one cookie, so whoever opens a second link would act with the first tab on what that tab does not
 * show: an act counts only for the signature that its tab has on the screen.
 */
export async function mustBeShown(parts: Parts, request: FastifyRequest): Promise<SignerSession> {
  const signer = await mustBeSigner(parts, request)
  if (request.headers[SHOWN] !== signer.signatureId)
    throw new Refusal(
      "another-shown",
      "Another document was opened in this browser since. Load the page again.",
    )
  return signer
}

/** The person behind the cookie; refuses when there is none or it has been idle for too long. */
export async function mustBeSigner(parts: Parts, request: FastifyRequest): Promise<SignerSession> {
  const signer = await findSigner(parts, request)
  if (signer === null) throw new Refusal("token-invalid", "Open the link from your e-mail again.")
  return signer
}

/** `seen`: whether this keeps the session alive. */
export async function findSigner(
  parts: Parts,
  request: FastifyRequest,
  seen = true,
): Promise<SignerSession | null> {
  const framed = isHttps(parts) ? request.cookies[FRAMED_COOKIE] : undefined
  const id = framed || request.cookies[cookieName(parts)]
  if (id === undefined || id === "") return null
  const session = await parts.findSession(hashOf(id), seen)
  const browserHash = identificationWays.browserHash(parts, request)
  return session && { ...session, ip: request.ip, ...(browserHash !== undefined && { browserHash }) }
}

export const readerOf = ({ signatureId, businessId, kind }: SignerSession) => ({
  id: signatureId,
  businessId,
  kind,
})

import type { Signer } from "@paraph/core/login/signer"
import { Refusal } from "@paraph/core/refusal"
import { openDoor } from "@paraph/core/signature-request/open"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Parts } from "../../parts.ts"
import { hashOf, newSecret } from "../../secrets.ts"

/** `__Host-` binds the cookie to this very host; browsers accept that name over https only. */
const cookieName = (parts: Parts): string => (isHttps(parts) ? "__Host-paraph-signer" : "paraph-signer")
const isHttps = (parts: Parts): boolean => parts.publicUrl.startsWith("https:")

export async function openSession(
  parts: Parts,
  reply: FastifyReply,
  signer: Signer,
  preview: boolean,
): Promise<void> {
  const id = newSecret()
  await openDoor(parts, signer, { idHash: hashOf(id), preview })
  reply.setCookie(cookieName(parts), id, {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: isHttps(parts),
  })
}

export type SignerSession = Signer & { readonly preview: boolean }

/** Whoever reads the answers of the interface could open a preview; only the mail is known to have reached the signer. */
export async function mustMayAct(parts: Parts, request: FastifyRequest): Promise<SignerSession> {
  const signer = await mustBeSigner(parts, request)
  if (signer.preview)
    throw new Refusal("proof-needed", "Please sign by the link in the e-mail that we sent to you.")
  return signer
}

/** The person behind the cookie; refuses when there is none or it has been idle for too long. */
export async function mustBeSigner(parts: Parts, request: FastifyRequest): Promise<SignerSession> {
  const id = request.cookies[cookieName(parts)]
  const signer = id && (await parts.findSession(hashOf(id)))
  if (!signer) throw new Refusal("token-invalid", "Open the link from your e-mail again.")
  return signer
}

/**
 * A state changes only by a POST of our own pages (security, R27); browsers say where a request comes from. Under
 * `no-referrer` a form hides its origin, so the older browsers that do not send Sec-Fetch-Site say "null" at the
 * door, where the token of the address is the proof.
 */
export function mustBeOurPage(parts: Parts, request: FastifyRequest, where: "door" | "app"): void {
  const { origin, "sec-fetch-site": site } = request.headers
  const ours =
    site === undefined
      ? origin === parts.publicUrl || (where === "door" && origin === "null")
      : site === "same-origin"
  if (!ours) throw new Refusal("cross-site", "This request did not come from our own page.")
}

import { isClaimed } from "@paraph/core/account/model"
import { identificationOf } from "@paraph/core/identification/needed"
import type { SignerSession } from "@paraph/core/login/signer"
import { releaseNumber, releaseProof } from "@paraph/core/one-time-code/release"
import { factorsOf } from "@paraph/core/release/factors"
import { establishedName } from "@paraph/core/release/name"
import { offeredTo } from "@paraph/core/release/pass"
import { needsProvider } from "@paraph/core/remote-key/providers"
import { keyHolder } from "@paraph/core/signature-request/key-holder"
import type { View } from "@paraph/core/signature-request/view"
import type { Parts } from "../../parts.ts"
import { remoteReleaseOf } from "./at-provider.ts"

/**
 * What the person can confirm with, before they press "sign", and the way to get something where they have nothing. Null where
 * the service's own key signs, and for whoever only looks: what somebody's account has is nobody else's business.
 */
export async function factorOf(parts: Parts, session: SignerSession, { request, signature }: View) {
  if (keyHolder(request) !== "signer" || session.way === "preview" || signature.state !== "open") return null
  if (needsProvider(request, parts.remoteProviders)) return null
  const at = parts.now()
  const account = signature.email === null ? null : await parts.accounts.findByEmail(signature.email)
  const known = account !== null && isClaimed(account)
  const proven = known ? await parts.accounts.findProvenName(account.id, request.businessId) : null
  const named = known ? { name: account.name, proven } : null
  const name = establishedName(request, signature, named, at)
  const { kinds, heldUntil } = factorsOf({ request, signature, session, account }, parts.smsReach, at)
  // Whoever sets one up comes back to the document by their account.
  const page = known ? "security" : "register"
  const next = encodeURIComponent(`/view/${request.id}`)
  return {
    name: name?.name ?? null,
    kinds: name === null ? [] : kinds,
    heldUntil,
    // Only the sender or the signer has stated the name, and no provider is about to identify the signer.
    identityNeeded:
      name === null && request.kind === "production" && identificationOf(request, signature) === null,
    setUp: signature.email === null ? null : `/account/${page}?for=factor&next=${next}`,
  }
}

/** What is to be confirmed, by what, and until when. */
export async function releaseOf(parts: Parts, session: SignerSession, view: View) {
  const { request, signature, screen } = view
  if (screen !== "release" || session.way === "preview") return null
  const provider = await remoteReleaseOf(parts, session, view)
  if (provider !== null) {
    const { releaseId: id, until } = signature.turn ?? {}
    return { id, binding: null, until, kinds: [], sms: null, provider }
  }
  const { release, account, binding } = await offeredTo(parts, session)
  const { kinds } = factorsOf({ request, signature, session, account }, parts.smsReach, parts.now())
  const sentTo = kinds.includes("sms") ? releaseNumber({ request, signature }, parts.smsReach) : null
  const releasing = { session, request, signature, binding }
  const proof = () =>
    parts.read(session.businessId, (reading) => releaseProof(reading, releasing, parts.now()))
  return {
    id: release.id,
    binding,
    until: release.until,
    kinds,
    sms: sentTo === null ? null : { channel: "sms" as const, sentTo, ...(await proof()) },
    provider: null,
  }
}

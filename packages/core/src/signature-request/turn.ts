import { Refusal } from "../refusal.ts"
import type { Effect } from "./event.ts"
import type { Signature, SignatureRequest } from "./model.ts"

/** Who may sign now: the lowest open place, and everyone without a place (part 2.2, `order`). */
export function turn(request: Pick<SignatureRequest, "signatures">): readonly Signature[] {
  const open = request.signatures.filter((s) => s.state === "open")
  const next = Math.min(...open.flatMap((s) => s.place ?? []))
  return open.filter((s) => s.place === null || s.place === next)
}

/** Decisions, "per signature": who is not to be notified, or has no address, is never written to. */
export const isReachable = (signature: Signature): boolean => signature.notify && signature.email !== null

/**
 * Whom to write to after a change: `before` had the turn until now, `at once` are those who hear of it even though others
 * sign first (SR-17, SR-18). Who has had a mail gets a second one when the turn comes, and everybody else a first.
 */
export function invitations(
  request: SignatureRequest,
  at: Date,
  { before, atOnce }: { readonly before: readonly Signature[]; readonly atOnce: readonly Signature[] },
): { readonly request: SignatureRequest; readonly effects: readonly Effect[] } {
  const hadTheTurn = new Set(before.map((s) => s.id))
  const newcomers = new Set(turn(request).flatMap((s) => (hadTheTurn.has(s.id) ? [] : [s.id])))
  const hearAtOnce = new Set(atOnce.map((s) => s.id))
  const effects = request.signatures.flatMap((s): readonly Effect[] => {
    if (!isReachable(s) || s.state !== "open") return []
    if (s.invitedAt === null && (newcomers.has(s.id) || hearAtOnce.has(s.id)))
      return [{ type: "invite", signatureId: s.id }]
    return newcomers.has(s.id) && s.invitedAt !== null ? [{ type: "your-turn", signatureId: s.id }] : []
  })
  const invited = new Set(effects.flatMap((e) => (e.type === "invite" ? [e.signatureId] : [])))
  const signatures = request.signatures.map((s) => (invited.has(s.id) ? { ...s, invitedAt: at } : s))
  return { request: { ...request, signatures }, effects }
}

export function openSignature(request: SignatureRequest, signatureId: string): Signature {
  const signature = request.signatures.find((s) => s.id === signatureId)
  if (signature === undefined) throw new Refusal("not-found", "There is no such signature.")
  if (signature.state !== "open")
    throw new Refusal("signature-not-open", `The signature is ${signature.state} already.`)
  return signature
}

export function whoseTurnItIs(request: SignatureRequest, signatureId: string): Signature {
  const signature = openSignature(request, signatureId)
  if (!turn(request).includes(signature)) throw new Refusal("not-your-turn", "Another signer comes first.")
  return signature
}

export function change(
  request: SignatureRequest,
  signatureId: string,
  to: Partial<Signature>,
): SignatureRequest {
  const signatures = request.signatures.map((s) => (s.id === signatureId ? { ...s, ...to } : s))
  return { ...request, signatures }
}

import { createHash } from "node:crypto"
import type { IssueCertificate } from "@paraph/core/certificate/ports"
import type { Clock } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import type {
  DestroySignerKey,
  IssueSignerCertificate,
  MakeSignerKey,
  Sha256Of,
} from "@paraph/core/release/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import { IssuingFailed } from "@paraph/gateways/issuing-ca/failed"
import type { Keys } from "@paraph/gateways/keys"
import { KeysFailed } from "@paraph/gateways/keys-failed"

/** The keys of signers, in the token of the kind, and their certificates (ADR 0041). */
export type SignerKeyParts = {
  readonly makeSignerKey: MakeSignerKey
  readonly issueSignerCertificate: IssueSignerCertificate
  readonly destroySignerKey: DestroySignerKey
  readonly sha256Of: Sha256Of
}

export const signerKeyParts = (
  keys: (kind: Kind) => Keys,
  issue: IssueCertificate,
  now: Clock,
): SignerKeyParts => ({
  makeSignerKey: (kind, label) => made(keys(kind), label).catch(ofKeys),
  issueSignerCertificate: (order) => issue(order, now()).catch(ofIssuing),
  destroySignerKey: (kind, label) => keys(kind).destroy(label).catch(ofKeys),
  sha256Of,
})

/** Whoever died after making it finds it again; a label is free at most once. */
async function made(keys: Keys, label: string): Promise<Uint8Array> {
  const known = await keys.publicKey(label)
  return known ?? keys.generate(label, "P-256")
}

export const ofKeys = (cause: unknown): never => {
  if (!(cause instanceof KeysFailed)) throw cause
  throw new Refusal("part-down", "The signing key cannot be reached.", { cause, lacks: "keys" })
}

/** What waiting mends, a missing authority too, is waited for; a name that cannot stand in a certificate never will. */
const ofIssuing = (cause: unknown): never => {
  if (!(cause instanceof IssuingFailed)) return ofKeys(cause)
  if (cause.code === "subject")
    throw new Refusal("constraint-violated", "The name cannot stand in a certificate.", { cause })
  throw new Refusal("part-down", "No certificate could be issued.", { cause, lacks: "keys" })
}

export const sha256Of = (of: Uint8Array | { readonly base64: string }): string =>
  createHash("sha256")
    .update("base64" in of ? Buffer.from(of.base64, "base64") : of)
    .digest("hex")

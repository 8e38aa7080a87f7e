import type { Quality, SignatureRequest } from "./model.ts"

/**
 * Whose key makes the signature (decisions, "what a quality means here"). SES: the service's own. AES, QES and AES_MINIMAL: the
 * signer's, which is made for this signature in our token, or lies at a qualified provider (`turn.provider`).
 */
export const keyHolder = ({ quality }: Pick<SignatureRequest, "quality">): "service" | "signer" =>
  quality === "SES" ? "service" : "signer"

/** What a finished signature weighs: never more than whose key made it (decisions, "quality"). */
export const signedQuality = (
  { kind, quality }: Pick<SignatureRequest, "kind" | "quality">,
  /** Where the key lay that made it. */
  provider: string | null,
): Quality | "DEMO" => {
  if (kind === "demo") return "DEMO"
  if (quality === "SES") return "SES"
  // The certificate was judged before it was used (choice 326); a key of ours makes no QES, whatever was asked for.
  return provider === null ? "AES" : "QES"
}

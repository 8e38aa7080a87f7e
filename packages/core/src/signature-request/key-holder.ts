import type { Quality, SignatureRequest } from "./model.ts"

/**
 * Whose key makes the signature (decisions, "what a quality means here"). SES: the service's own. AES, and AES_MINIMAL where the
 * signer cannot do more: one that is made for the signer and this signature. A demo QES is made in the same way, has no weight
 * and says so.
 */
export const keyHolder = ({ quality }: Pick<SignatureRequest, "quality">): "service" | "signer" =>
  quality === "SES" ? "service" : "signer"

/** What a finished signature weighs: never more than whose key made it (decisions, "quality"). */
export const signedQuality = ({
  kind,
  quality,
}: Pick<SignatureRequest, "kind" | "quality">): Quality | "DEMO" => {
  if (kind === "demo") return "DEMO"
  return quality === "AES_MINIMAL" ? "AES" : quality
}

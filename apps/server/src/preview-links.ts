import { createHmac, timingSafeEqual } from "node:crypto"

/**
 * The address of a signer without an account (part 2.2) stands in every answer, so it cannot be kept as a hash as the links
 * in mails are: it is derived, by a key of the operator, and opens the one signature that is named in it.
 */
export type PreviewLinks = {
  readonly urlOf: (signatureId: string) => string
  /** Null for a token that is none of ours. */
  readonly signatureIn: (token: string) => string | null
}

const ID_BYTES = 16
const MAC_BYTES = 32

export function createPreviewLinks(
  secret: Uint8Array,
  publicUrl: string,
  earlier: readonly Uint8Array[] = [],
): PreviewLinks {
  const macOf = macWith(secret)
  const macs = [macOf, ...earlier.map(macWith)]
  return {
    urlOf: (signatureId) => {
      const id = Buffer.from(signatureId.replaceAll("-", ""), "hex")
      return `${publicUrl}/preview/${Buffer.concat([id, macOf(id)]).toString("base64url")}`
    },
    signatureIn: (token) => {
      const bytes = Buffer.from(token, "base64url")
      if (bytes.length !== ID_BYTES + MAC_BYTES || bytes.toString("base64url") !== token) return null
      const id = bytes.subarray(0, ID_BYTES)
      if (!macs.some((mac) => timingSafeEqual(bytes.subarray(ID_BYTES), mac(id)))) return null
      return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
    },
  }
}

function macWith(secret: Uint8Array) {
  const key = createHmac("sha256", secret).update("preview links").digest()
  return (id: Uint8Array) => createHmac("sha256", key).update(id).digest()
}

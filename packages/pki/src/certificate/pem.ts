import { X509Certificate } from "node:crypto"

/**
 * RFC 7468, 5: every certificate of the text, DER, in its order. What stands between them is passed over; one that is damaged is
 * an error, since a file of trust that is read in part is another one.
 */
export function certificatesInPem(text: string): readonly Uint8Array[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new Uint8Array(new X509Certificate(block).raw))
}

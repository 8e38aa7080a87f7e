import { createHash } from "node:crypto"
import type { Certificate } from "@paraph/pki/certificate"

/** What a certificate is known by in reports: SHA-256 of its DER, hexadecimal. */
export function fingerprint({ der }: Pick<Certificate, "der">): string {
  return createHash("sha256").update(der).digest("hex")
}

// Certificates that came along with something else: in a CMS, a token or an OCSP answer. One that cannot be read does no
// harm there unless it is the one that is needed, and then it is missing.

import { ifReadable } from "../der/optional.ts"
import { type Certificate, readCertificate } from "./certificate.ts"

export function readableCertificates(encodings: readonly Uint8Array[]): readonly Certificate[] {
  return encodings.flatMap((der) => ifReadable(() => readCertificate(der)) ?? [])
}

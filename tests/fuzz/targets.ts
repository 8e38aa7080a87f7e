// Everything that is fuzzed. A new door that reads foreign bytes gets its line here.

import { planted } from "./planted.ts"
import type { Target } from "./target.ts"
import { attachments } from "./targets/attachment.ts"
import { certificate, extensions, signatureValue } from "./targets/certificate.ts"
import { cscCredentials, cscInfo, cscSignatures } from "./targets/csc.ts"
import { ber, der } from "./targets/der.ts"
import { images } from "./targets/image.ts"
import { jsonUploads } from "./targets/json-upload.ts"
import { names, paths } from "./targets/path.ts"
import {
  describing,
  marksInside,
  preparing,
  repairing,
  revisions,
  signatures,
  watermarking,
} from "./targets/pdf.ts"
import { differences } from "./targets/pdf-differences.ts"
import { encrypted } from "./targets/pdf-encrypted.ts"
import { filters, objectStreams, sectionStreams } from "./targets/pdf-structure.ts"
import { pkcs12 } from "./targets/pkcs12.ts"
import { crls, ocspRequests, ocspResponses } from "./targets/revocation.ts"
import { signedData, unsignedAttribute } from "./targets/signed-data.ts"
import { timestampRequests, timestampResponses, timestampTokens } from "./targets/timestamp.ts"
import { trustedLists, xml } from "./targets/trusted-list.ts"

export const targets: readonly Target[] = [
  ...[der, ber, certificate, extensions, signatureValue, names, paths],
  ...[signedData, unsignedAttribute, timestampRequests, timestampResponses, timestampTokens],
  ...[ocspRequests, ocspResponses, crls],
  ...[describing, objectStreams, sectionStreams, filters, encrypted],
  ...[signatures, marksInside, revisions, differences, preparing, repairing, watermarking, images],
  ...[jsonUploads, attachments],
  ...[cscInfo, cscCredentials, cscSignatures],
  ...[xml, trustedLists],
  ...[pkcs12],
]

export function targetNamed(name: string): Target {
  const found = [...targets, ...planted].find((target) => target.name === name)
  if (found === undefined) throw new RangeError(`There is no target ${name}.`)
  return found
}

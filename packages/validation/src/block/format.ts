// Format checking (EN 319 102-1, 5.2.2; EN 319 142-1, 4.2 and 5.3): whether the signature in the PDF is one at all.

import type { Mark } from "../material/material.ts"
import { because, failed, type Outcome, PASSED } from "../outcome.ts"

const SUB_FILTERS: readonly (string | undefined)[] = [
  "ETSI.CAdES.detached",
  "adbe.pkcs7.detached",
  "adbe.pkcs7.sha1",
]

export function checkFormat({ pdf, cms }: Mark): Outcome {
  // Octets behind the CMS are outside of every check; others take them for filling, so do we not.
  if (pdf.fault !== undefined) return failed("FORMAT_FAILURE", because("byte-range", { fault: pdf.fault }))
  if (!SUB_FILTERS.includes(pdf.subFilter))
    return failed("FORMAT_FAILURE", because("sub-filter", { subFilter: pdf.subFilter ?? "" }))
  if (cms === undefined) return failed("FORMAT_FAILURE", because("cms-unreadable"))
  // EN 319 142-1, 5.3.2: one signer. With several, readers disagree on whose signature it is.
  if (cms.signer === undefined) return failed("FORMAT_FAILURE", because("not-one-signer"))
  // ISO 32000-2, 12.8.3.3: what is signed is the document, and not a content that the CMS brings along.
  if (pdf.subFilter !== "adbe.pkcs7.sha1" && cms.signedData.content !== undefined)
    return failed("FORMAT_FAILURE", because("content-inside"))
  if (pdf.coverage === "unclear")
    return failed("FORMAT_FAILURE", because("byte-range", { fault: "coverage" }))
  return PASSED
}

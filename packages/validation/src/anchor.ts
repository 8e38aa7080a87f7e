import type { Certificate } from "@paraph/pki/certificate"
import type { CertificatePath } from "@paraph/pki/path-validation"

/** Anchors of ours are certificates; one that is only a name and a key has none. */
export function anchorOf({ anchor }: CertificatePath): Certificate | undefined {
  return "der" in anchor ? (anchor as Certificate) : undefined
}

/** From the signer's own certificate to the anchor's. */
export function upwards(path: CertificatePath): readonly Certificate[] {
  const anchor = anchorOf(path)
  return [...path.certificates.toReversed(), ...(anchor === undefined ? [] : [anchor])]
}

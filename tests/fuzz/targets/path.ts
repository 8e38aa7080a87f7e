// Names and certification paths. Whatever the pool holds, the search ends; whatever is found valid leads to the anchor.

import { join } from "node:path"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { DerError, readDer } from "@paraph/pki/der"
import { sequence } from "@paraph/pki/der-writer"
import { nameKey, sameName } from "@paraph/pki/name"
import { buildPaths } from "@paraph/pki/path-building"
import { validatePath } from "@paraph/pki/path-validation"
import { filesIn } from "../corpus.ts"
import { NOW, sampleWorld } from "../sample-pki.ts"
import { must, same, type Target } from "../target.ts"

export const names: Target = {
  name: "name",
  kind: "der",
  seeds: async () => {
    const { root, signer } = await sampleWorld()
    return [sequence(root.certificate.subject, signer.certificate.subject)]
  },
  corpus: (folder) =>
    filesIn(join(folder, "pkits"), ".crt", 4_000).map((one) => {
      const { subject, issuer } = readCertificate(one)
      return sequence(subject, issuer)
    }),
  refusals: [DerError],
  run: (input) => {
    const [one, other] = readDer(input).children
    if (one === undefined || other === undefined) return "no two names"
    const equal = sameName(one.bytes, other.bytes)
    must(sameName(one.bytes, one.bytes), "a name is the same as itself")
    must(equal === sameName(other.bytes, one.bytes), "sameness has no direction")
    must(
      equal === (nameKey(one.bytes) === nameKey(other.bytes)),
      "equal names have equal keys, others do not",
    )
    return String(equal)
  },
}

export const paths: Target = {
  name: "path",
  kind: "der",
  // The first certificate is the target, the others lie in the pool.
  seeds: async () => {
    const { root, signer, tsa, responder } = await sampleWorld()
    const all = [signer, tsa, responder, root].map(({ certificate }) => certificate.der)
    return [sequence(...all), sequence(...all.slice(1))]
  },
  corpus: (folder) => {
    const files = filesIn(join(folder, "pkits"), ".crt", 2_000)
    return files.flatMap((_, i) => (i % 6 === 0 ? [sequence(...files.slice(i, i + 6))] : []))
  },
  refusals: [DerError],
  run: async (input) => {
    const certificates = readDer(input).children.flatMap(({ bytes }) => readable(bytes))
    const [target, ...intermediates] = certificates
    if (target === undefined) return "no certificate"
    const { root, ...others } = await sampleWorld()
    const ways: string[] = []
    for (const path of buildPaths(target, { intermediates, anchors: [root.certificate] })) {
      const verdict = validatePath(path, { at: NOW })
      ways.push(verdict.valid ? "valid" : verdict.reason)
      if (verdict.valid && path.certificates.length === 1)
        must(
          [root, ...Object.values(others)].some(({ certificate }) => same(certificate.tbs, target.tbs)),
          "only what the anchor signed is valid below it",
        )
    }
    return ways.slice(0, 4).join(" ")
  },
}

function readable(der: Uint8Array): readonly Certificate[] {
  try {
    return [readCertificate(der)]
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

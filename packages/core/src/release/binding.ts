import type { Sha256 } from "../ports.ts"
import type { Release } from "./model.ts"

/**
 * What a factor is bound to, in hex: this signature, this certificate and the bytes of each mark. Each part stands on its own
 * line under its name, and none can hold a line break, so that no two releases have the same text.
 */
export function bindingOf(
  { id, signatureId, certificateSha256, marks, until }: Unpassed,
  sha256: Sha256,
): string {
  const lines = [
    "paraph release 1",
    `release ${id}`,
    `signature ${signatureId}`,
    `certificate ${certificateSha256}`,
    `until ${until.toISOString()}`,
    ...marks.map((m) => `mark ${m.documentId} ${m.onto} ${m.versionId} ${m.sha256}`),
  ]
  return sha256(lines.join("\n"))
}

type Unpassed = Pick<Release, "id" | "signatureId" | "certificateSha256" | "marks" | "until">

// Who signs: the same key and certificates for every program, in the forms that they read.

import { generateKeyPairSync, X509Certificate } from "node:crypto"
import { writeFileSync } from "node:fs"
import { createAuthority } from "@paraph/trust-sandbox/authority"
import type { IdentityFiles } from "./identity-files.ts"
import { SCRATCH } from "./inputs.ts"

export type KeyKind = "RSA-2048" | "P-256"

export async function writeIdentity(kind: KeyKind): Promise<IdentityFiles> {
  const { privateKey, publicKey } =
    kind === "RSA-2048"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" })
  const now = new Date()
  const authority = await createAuthority({ commonName: "Bench", now })
  const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
  const der = await authority.issue({ commonName: "Ada", publicKeySpki, now, validDays: 30 })
  const files = {
    key: `${SCRATCH}${kind}.key.pem`,
    certificate: `${SCRATCH}${kind}.pem`,
    issuer: `${SCRATCH}${kind}.issuer.pem`,
  }
  writeFileSync(files.key, privateKey.export({ type: "pkcs8", format: "pem" }))
  writeFileSync(files.certificate, new X509Certificate(der).toString())
  writeFileSync(files.issuer, authority.certificatePem)
  return files
}

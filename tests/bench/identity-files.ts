// A key and its certificates, as every program finds them: PEM files. Apart from the making of them, so that a process
// whose memory is measured loads no more than it needs.

import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"

/** Paths of PEM files. */
export type IdentityFiles = {
  readonly key: string
  readonly certificate: string
  readonly issuer: string
}

export type Identity = {
  readonly privateKey: KeyObject
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
}

export function readIdentity(files: IdentityFiles): Identity {
  const der = (path: string) => new Uint8Array(new X509Certificate(readFileSync(path)).raw)
  return {
    privateKey: createPrivateKey(readFileSync(files.key)),
    certificate: der(files.certificate),
    chain: [der(files.issuer)],
  }
}

// Signing with this engine, as the benchmarks do it: a baseline signature (B-B) that nobody sees.

import { sign } from "node:crypto"
import type { Base } from "@paraph/pades/base"
import { finish } from "@paraph/pades/finish"
import { prepare } from "@paraph/pades/prepare"
import type { Source } from "@paraph/pades/source"
import type { Identity } from "./identity-files.ts"

/** The tail to append. */
export function signOnce(
  document: Base | Source | Uint8Array,
  { privateKey, certificate, chain }: Identity,
  fieldName = "Paraph-1",
): Uint8Array {
  const prepared = prepare(document, { fieldName, certificate, chain, signedAt: new Date() })
  return finish(prepared, sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), privateKey))
}

// Adds to the document security store (ISO 32000-2, 12.8.4.3; EN 319 142-1, 5.4.2.2): what is there stays, what is there
// already is not added twice. There is no VRI dictionary: it repeats per signature what the three lists say for all.

import type { ValidationData } from "@paraph/pki/validation-data"
import type { SecurityStore, StoredItem } from "../../signed/security-store.ts"
import { amend, append, catalogOf, create, type Edits, ofCatalog } from "../../write/edits.ts"
import { latin1 } from "../../write/syntax.ts"

/** Answers whether there was anything to add. */
export function addToSecurityStore(edits: Edits, store: SecurityStore, data: ValidationData): boolean {
  const lists = {
    Certs: without(data.certificates, store.certificates),
    OCSPs: without(data.ocspResponses, store.ocspResponses),
    CRLs: without(data.crls, store.crls),
  }
  const added = Object.entries(lists)
    .filter(([, items]) => items.length > 0)
    .map(([key, items]) => [key, items.map((item) => create(edits, stream(item)))] as const)
  if (added.length === 0) return false

  if (store.dict === undefined) {
    const entries = added.map(([key, refs]) => `/${key} [${refs.join(" ")}]`)
    amend(edits, catalogOf(edits), { DSS: create(edits, `<<\n/Type /DSS\n${entries.join("\n")}\n>>`) })
  } else {
    const owner = ofCatalog(edits, "DSS", store.dict)
    for (const [key, refs] of added) append(edits, owner, key, ...refs)
  }
  return true
}

function without(items: readonly Uint8Array[], known: readonly StoredItem[]): readonly Uint8Array[] {
  const key = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1")
  const seen = new Set(known.map(({ der }) => key(der)))
  return items.filter((item) => {
    const fresh = !seen.has(key(item))
    seen.add(key(item))
    return fresh
  })
}

// Signatures and keys do not compress, so the bytes stand as they are.
function stream(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([latin1(`<< /Length ${bytes.length} >>\nstream\n`), bytes, latin1("\nendstream")])
}

import { hkdfSync } from "node:crypto"
import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { Details, DetailsSealer } from "../postgres/document-rows.ts"
import type { Blobs } from "./blobs.ts"

/**
 * What an inspection found in a PDF is text of that PDF: names of fields, and whatever else is in them. In the row it is
 * sealed with a key made of the document's own, and bound to the document's id.
 */
export const createDetailsSealer = (keyOf: Blobs["keyOf"]): DetailsSealer => ({
  seal: async (document, trx) => {
    const { signatureFields, pdfa } = document
    const plain = Buffer.from(JSON.stringify({ signatureFields, pdfa } satisfies Details))
    return wrapKey(detailsKey(await keyOf(document, trx)), plain, document.id)
  },
  open: async (row, sealed, trx) => {
    const blob = { name: row.blob_name, wrappedKey: row.wrapped_key, keyVersion: row.key_version }
    const key = await keyOf({ businessId: row.business_id, blob }, trx)
    return JSON.parse(unwrapKey(detailsKey(key), sealed, row.id).toString()) as Details
  },
})

const detailsKey = (key: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, "", "paraph document details", 32))

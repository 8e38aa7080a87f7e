import { hkdfSync } from "node:crypto"
import type { PreparedMark } from "@paraph/core/signature-request/intent"
import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { BusinessKeys } from "../keys/business-keys.ts"
import { createLookSealer } from "../keys/look-sealer.ts"
import { createMailSealer } from "../keys/mail-sealer.ts"
import { createResultSealer } from "../keys/result-sealer.ts"
import { createStorySealer } from "../keys/story-sealer.ts"
import { createSecretsSealer } from "../keys/webhook-secrets.ts"
import { type Details, detailsOf } from "../postgres/document-rows.ts"
import type { IntentKey } from "../postgres/intents.ts"
import type { RowSealer } from "../postgres/transact.ts"
import type { Blobs } from "./blobs.ts"

/**
 * What an inspection found in a PDF is text of that PDF: names of fields, and whatever else is in them. So is what will
 * be appended to it: catalog and pages, written anew. In the rows both are sealed with keys made of the document's own;
 * details are bound to the document's id, an intent to its signature and documents, what is said of an attachment to its id
 * and its request.
 */
export const createRowSealer = (keyOf: Blobs["keyOf"], keys: BusinessKeys): RowSealer => ({
  ...createSecretsSealer(keys),
  ...createLookSealer(keys),
  ...createMailSealer(keys),
  ...createResultSealer(keys),
  ...createStorySealer(keys),
  seal: async (document, trx) => {
    const plain = Buffer.from(JSON.stringify(detailsOf(document)))
    return wrapKey(detailsKey(await keyOf(document, trx)), plain, document.id)
  },
  open: async (row, sealed, trx) => {
    const blob = { name: row.blob_name, wrappedKey: row.wrapped_key, keyVersion: row.key_version }
    const key = await keyOf({ businessId: row.business_id, blob }, trx)
    return JSON.parse(unwrapKey(detailsKey(key), sealed, row.id).toString()) as Details
  },
  sealAttachment: async (of, said, trx) =>
    wrapKey(attachmentKey(await keyOf(of, trx)), said, `${of.id} ${of.requestId}`),
  openAttachment: async (of, sealed, trx) =>
    unwrapKey(attachmentKey(await keyOf(of, trx)), sealed, `${of.id} ${of.requestId}`),
  sealPrepared: async (base, key, prepared, trx) => {
    const plain = Buffer.from(JSON.stringify(prepared))
    return wrapKey(intentKey(await keyOf(base, trx)), plain, intentContext(key))
  },
  openPrepared: async (base, key, sealed, trx) => {
    const plain = unwrapKey(intentKey(await keyOf(base, trx)), sealed, intentContext(key))
    return JSON.parse(plain.toString()) as PreparedMark
  },
})

const detailsKey = (key: Uint8Array): Uint8Array => derived(key, "paraph document details")
const attachmentKey = (key: Uint8Array): Uint8Array => derived(key, "paraph attachment details")
const intentKey = (key: Uint8Array): Uint8Array => derived(key, "paraph signing intent")

const derived = (key: Uint8Array, label: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, "", label, 32))

const intentContext = ({ signatureId, documentId, baseId }: IntentKey): string =>
  `${signatureId} ${documentId} ${baseId}`

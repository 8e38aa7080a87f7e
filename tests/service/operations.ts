import { readFileSync } from "node:fs"
import type { Json, Version } from "./api.ts"
import { MANAGED } from "./managed-operations.ts"
import { entry, newAddress } from "./requests.ts"
import type { Things } from "./things.ts"

const FILES = { v1: "v1.swagger.json", v2: "v2.json", v3: "v3.json" } as const
const METHODS = ["get", "post", "put", "patch", "delete"]

export type Operation = { readonly id: string; readonly method: string; readonly path: string }

/** Every operation that the blessed description of a version tells of. */
export function operationsOf(v: Version): readonly Operation[] {
  const file = new URL(`../../openapi/${FILES[v]}`, import.meta.url)
  const { paths } = JSON.parse(readFileSync(file, "utf8")) as Json
  return Object.entries<Json>(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      item[method] === undefined
        ? []
        : [{ id: item[method].operationId as string, method: method.toUpperCase(), path }],
    ),
  )
}

/** Who gets what: see RULES in tests/service/rules.ts. */
export type Rule =
  | "public"
  | "anybody"
  | "read"
  | "read document"
  | "write"
  | "read evidence"
  | "write evidence"
  | "write document"
  | "use document"
  | "own"
  | "nobody"
  | "people"
  | "of the business"
  | "own of the business"
  | "name of the business"

export type Row = {
  readonly rule: Rule
  readonly ok: number | readonly number[]
  /** The request that it is tried on; an OPEN one unless said. */
  readonly on?: "draft" | "open" | "ended"
  readonly body?: (things: Things, v: Version) => unknown
  /** What the body is, where it is not JSON. */
  readonly type?: string
  readonly query?: (things: Things) => string
  /** Of an answer to anybody: the id that must be in it for who may read the thing, and for nobody else. */
  readonly shows?: (things: Things) => string
  /** Who sees it there, where these are others than who may read the request. */
  readonly to?: "readers of the document" | "the owner" | "the business"
}

const title = { title: "Another title" }
const content = Buffer.from("Annex").toString("base64")
const requestId = (things: Things) => things.requestId

/** One row for each operation, by its id; the versions have the same rules. */
export const MATRIX: Readonly<Record<string, Row>> = {
  login: { rule: "public", ok: 200 },

  listDocuments: { rule: "anybody", ok: 200, shows: (t) => t.documentId, to: "readers of the document" },
  createDocument: { rule: "anybody", ok: 200, body: (t) => ({ title: "Contract", content: t.pdf }) },
  getDocument: { rule: "read document", ok: 200 },
  getDocumentContent: { rule: "read document", ok: 200 },
  getDocumentPage: { rule: "read document", ok: [200, 202], query: () => "scale=20" },
  changeDocumentAccess: { rule: "write document", ok: 200, body: () => ({ read_access: ["nobody"] }) },
  addWatermark: { rule: "write document", ok: 200, body: () => ({ text: "COPY" }) },
  deleteDocument: { rule: "write document", ok: 204 },

  // Sealing is switched off here, and the business has no seal; with them, see seals.test.ts.
  sealDocument: { rule: "people", ok: 200, body: (t) => ({ content: t.pdf }) },
  createSealBatch: { rule: "people", ok: 200, body: (t) => ({ document_ids: [t.looseId] }) },
  listSealBatches: { rule: "anybody", ok: 200 },
  getSealBatch: { rule: "nobody", ok: 200 },
  cancelSealBatch: { rule: "nobody", ok: 200 },
  listSeals: { rule: "anybody", ok: 200 },
  getSealImage: { rule: "nobody", ok: 200 },

  listSignatureRequests: { rule: "anybody", ok: 200, shows: requestId },
  getSignatureRequests: { rule: "anybody", ok: 200, body: (t) => [t.requestId], shows: requestId },
  createSignatureRequest: {
    rule: "use document",
    ok: 200,
    body: (t) => ({ title: "Contract", document_id: t.documentId }),
  },
  getSignatureRequest: { rule: "read", ok: 200 },
  getSignatureReport: { rule: "read", ok: 200, query: () => "type=JSON" },
  updateSignatureRequest: { rule: "write", ok: 200, body: (t) => ({ id: t.requestId, ...title }) },
  patchSignatureRequest: { rule: "write", ok: 200, body: () => title },
  deleteSignatureRequest: { rule: "write", ok: 204 },
  remindSigners: { rule: "write", ok: 200 },
  withdrawSignatureRequest: { rule: "write", ok: 200 },
  addSignature: { rule: "write", ok: 200, body: (_, v) => entry(v, newAddress("late")) },
  removeSignature: { rule: "write", ok: 204 },
  // Only a member with a second factor vouches: vouching is tested in sole-control.test.ts.
  vouchForSigner: {
    rule: "people",
    ok: 200,
    body: () => ({ first_name: "Anna", last_name: "Muster", document: "PASSPORT" }),
  },
  addRequestDocument: { rule: "write", on: "draft", ok: 200, body: (t) => ({ document_id: t.looseId }) },
  removeRequestDocument: { rule: "write", on: "draft", ok: 204 },
  removeExpiresAt: { rule: "write", on: "draft", ok: 204 },
  initiateSignatureRequest: { rule: "write", on: "draft", ok: 200 },

  listCallbacks: { rule: "write", on: "ended", ok: 200 },
  replayCallback: { rule: "write", on: "ended", ok: 200 },
  addAttachment: {
    rule: "write",
    ok: 200,
    body: () => ({ filename: "annex.txt", content_type: "text/plain", content }),
  },
  getAttachmentContent: { rule: "read", ok: 200 },
  removeAttachment: { rule: "write", ok: 204 },
  getIdentificationStatus: { rule: "read evidence", ok: 200 },
  getIdentification: { rule: "write evidence", ok: 200 },
  listIdentificationFiles: { rule: "write evidence", ok: 200 },
  // Nobody was identified yet.
  getIdentificationFile: { rule: "write evidence", ok: 404 },
  getIdentificationJwt: { rule: "write evidence", ok: 404 },
  reviewIdentification: { rule: "write evidence", ok: 400, body: () => ({ decision: "ACCEPTED" }) },
  getSignatureRequestHold: { rule: "read", ok: 200 },
  // What is there was not deleted: deletion-receipts.test.ts.
  listDeletionReceipts: { rule: "anybody", ok: 200 },
  getDeletionReceipt: { rule: "nobody", ok: 200 },
  getDeletionReceiptStory: { rule: "nobody", ok: 200 },
  listSignatureObservers: { rule: "read", ok: 200 },
  getSignatureObserver: { rule: "read", ok: 200 },
  addSignatureObserver: {
    rule: "write",
    ok: 200,
    body: () => ({ type: "USER", email: newAddress("observer") }),
  },
  removeSignatureObserver: { rule: "write", ok: 204 },

  listGroups: { rule: "anybody", ok: 200, shows: (t) => t.groupId, to: "the business" },
  createGroup: {
    rule: "anybody",
    ok: 200,
    body: () => ({ name: "Board", members: [{ email: "board@example.org" }] }),
  },
  getGroup: { rule: "of the business", ok: 200 },
  changeGroup: {
    rule: "own of the business",
    ok: 200,
    body: () => ({ name: "Board", members: [{ email: "board@example.org" }] }),
  },
  deleteGroup: { rule: "own of the business", ok: 204 },

  listWebhooks: { rule: "anybody", ok: 200, shows: (t) => t.webhookId, to: "the owner" },
  createWebhook: { rule: "anybody", ok: 200, body: () => ({ url: "https://hooks.example.org/matrix" }) },
  getWebhook: { rule: "own", ok: 200 },
  rotateWebhookSecret: { rule: "own", ok: 200 },
  deleteWebhook: { rule: "own", ok: 204 },
  listWebhookDeliveries: { rule: "own", ok: 200 },
  replayWebhookDelivery: { rule: "own", ok: 200 },
  // The things of the matrix are of a production key, and of those no mail is kept.
  listMails: { rule: "anybody", ok: 200 },
  getMail: { rule: "nobody", ok: 200 },
  ...Object.fromEntries(
    Object.entries(MANAGED).map(([id, row]) => [id, { rule: "people", ...row }] as const),
  ),
  listTemplates: { rule: "anybody", ok: 200, shows: (t) => t.templateId ?? "none", to: "the business" },
  getTemplate: { rule: "of the business", ok: 200 },
  useTemplate: { rule: "of the business", ok: 200, body: () => ({ title: "Lease" }) },
  listEvents: { rule: "anybody", ok: 200, query: () => "page_size=500", shows: requestId },
  replayEvents: {
    rule: "own",
    ok: 200,
    body: (t) => ({ webhook_id: t.webhookId, after: "2026-01-01T00:00:00Z" }),
  },
  listSignatureActivities: {
    rule: "anybody",
    ok: 200,
    query: () => "start_date=2026-01-01&end_date=2026-12-31",
  },
  readSignatureQualities: {
    rule: "name of the business",
    ok: 200,
    query: (t) => `username=${encodeURIComponent(t.owner)}`,
  },
}

const OF_DOCUMENT = /^\/documents\/\{id\}/

/** The address of an operation on these things; what is changed or removed of a document is one that no request has. */
export function addressOf({ id, path }: Operation, v: Version, things: Things): string {
  const kind = path.split("/")[1] ?? ""
  const ofDocument = MATRIX[id]?.rule === "write document" ? things.looseId : things.documentId
  const ids: Readonly<Record<string, string>> = {
    id: OF_DOCUMENT.test(path)
      ? ofDocument
      : kind === "groups"
        ? things.groupId
        : kind === "webhooks"
          ? things.webhookId
          : kind === "templates"
            ? (things.templateId ?? things.requestId)
            : things.requestId,
    n: "0",
    sid: things.signatureId,
    document_id: things.secondId,
    callback_id: things.callbackId,
    delivery_id: things.deliveryId,
    attachment_id: things.attachmentId,
    evidence_id: things.evidenceId ?? "",
    name: "userinfo.jwt",
    observer_id: things.observerId,
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = ids[name]
    if (value === undefined || value === "") throw new Error(`${id}: there is no ${name}.`)
    return value
  })
  const query = MATRIX[id]?.query?.(things)
  return `/${v}${filled}${query === undefined ? "" : `?${query}`}`
}

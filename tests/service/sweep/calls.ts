import fc from "fast-check"
import type { Route } from "../../../apps/server/src/testing/route-table.ts"
import type { Json, Version } from "../api.ts"
import { MANAGED } from "../managed-operations.ts"
import { MATRIX } from "../operations.ts"
import { block } from "../pictures.ts"
import type { Described } from "./described-operations.ts"
import { type Extent, type RealValues, valuesOf } from "./schema-bodies.ts"
import type { Victim, VictimThings } from "./victim.ts"
import { WEB_RULES, webPath } from "./web-routes.ts"

/** One call of the sweep, without the caller's headers. */
export type SweepCall = {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly type: string | null
  readonly body: unknown
  readonly operation: Described | null
  /** `METHOD /url` of a route that no description lists. */
  readonly route: string | null
}

const EXTENTS: readonly Extent[] = ["required", "all"]

/** The calls of one operation: its written body, and one of required and one of all properties by its schema. */
export function operationCalls(operation: Described, victim: Victim, seed: number): readonly SweepCall[] {
  const { scope, id, method } = operation
  const row = scope === "validation/v1" ? undefined : MATRIX[id]
  const things = victim[row?.on ?? "open"]
  const path = `/${scope}${pathOf(operation, things)}${queryOf(operation, things, seed)}`
  const what = `${method} /${scope}${operation.path}`
  const of = { what, method, path, operation, route: null }
  if (operation.body === null) return [{ ...of, type: null, body: undefined }]
  const written = row?.body?.(things, scope as Version)
  const type = row?.type ?? operation.body.type
  if (type.startsWith("image/")) return [{ ...of, type, body: block(1, 1, [0, 128, 0]) }]
  const { root, body } = operation
  const real = realValues(operation, things)
  const generated = EXTENTS.map((extent) => sample(root, body.schema, extent, real, seed))
  // What each caller may make for itself takes a scan and a reader of PDFs: it is made once.
  const isOwn = !operation.path.includes("{") && row?.rule !== "people" && written !== undefined
  const bodies = isOwn ? [written] : [...(written === undefined ? [] : [written]), ...generated]
  return bodies.map((each) => ({
    ...of,
    type,
    body: type.includes("urlencoded") ? new URLSearchParams(each as Record<string, string>).toString() : each,
  }))
}

/** The calls of a route of the web pages, by the schema that Fastify checks its body with. */
export function routeCalls(
  { method, url, body }: Route,
  victim: Victim,
  business: string,
  seed: number,
): readonly SweepCall[] {
  const route = `${method} ${url}`
  const path = webPath(route, victim.open, business)
  const of = { what: route, method, path, operation: null, route }
  if (method === "GET" || method === "DELETE") return [{ ...of, type: null, body: undefined }]
  if (body === null) {
    if (url.endsWith("/picture")) return [{ ...of, type: "image/png", body: block(1, 1, [0, 0, 0]) }]
    if (!url.startsWith("/app/api")) return [{ ...of, type: null, body: undefined }]
    return [{ ...of, type: "application/json", body: {} }]
  }
  // A start of a login is about the caller's own address: what it sends to another person's is that person's email.
  const isPublic = WEB_RULES[route] === "public"
  const real = isPublic ? {} : { businessId: business, email: victim.open.secondSigner, kind: "production" }
  return EXTENTS.map((extent) => ({
    ...of,
    type: "application/json",
    body: sample(body, body as Json, extent, real, seed),
  }))
}

function sample(root: Json, schema: Json, extent: Extent, real: RealValues, seed: number): unknown {
  return fc.sample(valuesOf(root, schema, extent, real), { numRuns: 1, seed })[0]
}

/** Names of properties, and the victim's objects that they mean. */
function realValues({ id }: Described, things: VictimThings): RealValues {
  return {
    id: id === "updateSignatureRequest" ? things.requestId : things.documentId,
    content: things.pdf,
    document_id: things.documentId,
    document_ids: [things.looseId],
    webhook_id: things.webhookId,
    group_id: things.groupId,
    template_id: things.templateId,
    username: things.owner,
  }
}

function pathOf({ scope, id, path }: Described, things: VictimThings): string {
  const kind = path.split("/")[1] ?? ""
  const isDocument = /^\/documents\/\{id\}/.test(path)
  const ofDocument = MATRIX[id]?.rule === "write document" ? things.looseId : things.documentId
  const ids: Readonly<Record<string, string | undefined>> = {
    id: scope === "validation/v1" ? things.validationId : isDocument ? ofDocument : objectOf(kind, things),
    n: "0",
    sid: things.signatureId,
    document_id: things.secondId,
    callback_id: things.callbackId,
    delivery_id: things.deliveryId,
    attachment_id: things.attachmentId,
    evidence_id: things.evidenceId,
    name: "userinfo.jwt",
    observer_id: things.observerId,
  }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = ids[name]
    if (value === undefined || value === "") throw new Error(`${id} in ${scope}: no value for {${name}}.`)
    return value
  })
}

function objectOf(kind: string, things: VictimThings): string {
  const objects: Readonly<Record<string, string | undefined>> = {
    groups: things.groupId,
    webhooks: things.webhookId,
    templates: things.templateId,
    seals: things.sealId,
    "seal-batches": things.batchId,
    mails: things.mailId,
    members: things.memberId,
    "api-keys": things.keyId,
    "deletion-receipts": things.receiptId,
  }
  return objects[kind] ?? things.requestId
}

function queryOf({ scope, id, root, query }: Described, things: VictimThings, seed: number): string {
  const row = scope === "validation/v1" ? undefined : (MATRIX[id] ?? MANAGED[id])
  const written = row?.query?.(things)
  if (written !== undefined) return `?${written}`
  if (query.length === 0) return ""
  const values = query.map(({ name, schema }) => {
    const value = String(sample(root, schema, "all", {}, seed))
    return `${name}=${encodeURIComponent(value)}`
  })
  return `?${values.join("&")}`
}

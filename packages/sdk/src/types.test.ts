import { expectTypeOf, it } from "vitest"
import { createParaph, type V2Schemas, type V3Schemas } from "./index.ts"

type V2 = V2Schemas["schemas"]
type V3 = V3Schemas["schemas"]

const { v2, v3, validation } = createParaph({ url: "https://sign.example.org", username: "u", apiKey: "k" })
const id = "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11"

// Judged by the compiler; nothing here is called.
it("answers have the types of the description, and what an operation has not is refused", () => {
  const calls = {
    read: () => v2.get("/signature-requests/{id}", { path: { id } }),
    create: () =>
      v2.post("/signature-requests", { body: { title: "Lease" }, headers: { "Idempotency-Key": "a" } }),
    draft: () => v3.post("/signature-requests", { body: { title: "Lease", document_id: id } }),
    plan: () => v3.planSignatureRequest({ title: "Lease", document_id: id }),
    initiate: () => v3.post("/signature-requests/{id}/initiate", { path: { id } }),
    remove: () => v2.delete("/documents/{id}", { path: { id } }),
    logo: () => v3.put("/settings/logo", { body: new Blob([], { type: "image/png" }) }),
    settings: () => v3.get("/settings"),
    download: () => v2.download("/documents/{id}/content", { path: { id }, headers: { Range: "bytes=0-9" } }),
    requests: () => v3.list("/signature-requests", { query: { status_overall: "OPEN" } }),
    events: () => v2.list("/events"),
    audit: () => v3.list("/audit-log"),
    upload: () => v3.uploadDocument({ title: "Lease", content: new Blob() }),
    wait: () => v3.waitUntilSigned(id),
    validate: () => validation.validateDocument(new Blob(), { quality: "QES" }),
    infos: () => validation.get("/infos/{id}/signers", { path: { id }, query: { lang: "de" } }),
  }
  expectTypeOf(calls.read).returns.resolves.toEqualTypeOf<V2["SignatureRequest"]>()
  expectTypeOf(calls.create).returns.resolves.toEqualTypeOf<V2["SignatureRequest"]>()
  expectTypeOf(calls.draft).returns.resolves.toEqualTypeOf<V3["SignatureRequest"]>()
  expectTypeOf(calls.plan).returns.resolves.toEqualTypeOf<V3["RequestPlan"]>()
  expectTypeOf(calls.initiate).returns.resolves.toEqualTypeOf<V3["SignatureRequest"]>()
  expectTypeOf(calls.remove).returns.resolves.toEqualTypeOf<undefined>()
  expectTypeOf(calls.logo).returns.resolves.toEqualTypeOf<undefined>()
  expectTypeOf(calls.settings).returns.resolves.toEqualTypeOf<V3["Settings"]>()
  expectTypeOf(calls.download).returns.resolves.toEqualTypeOf<Response>()
  expectTypeOf(calls.requests).returns.toExtend<AsyncIterable<V3["SignatureRequest"]>>()
  expectTypeOf(calls.events).returns.toExtend<AsyncIterable<V2["Event"]>>()
  expectTypeOf(calls.audit).returns.toExtend<AsyncIterable<V3["AuditEntry"]>>()
  expectTypeOf(calls.upload).returns.resolves.toEqualTypeOf<V3["Document"]>()
  expectTypeOf(calls.wait).returns.resolves.toExtend<V3["SignatureRequest"] & { status_overall: "SIGNED" }>()
  expectTypeOf(calls.validate).returns.resolves.not.toBeUnknown()
  expectTypeOf(calls.infos).returns.resolves.not.toBeUnknown()
  expectTypeOf(calls.requests).returns.not.toBeAny()

  const refused = [
    // @ts-expect-error: no such path
    () => v2.get("/signature-request"),
    // @ts-expect-error: the version has no such operation
    () => v2.post("/signature-requests/{id}/initiate", { path: { id } }),
    // @ts-expect-error: a path needs its id
    () => v2.get("/signature-requests/{id}"),
    // @ts-expect-error: a title is needed
    () => v2.post("/signature-requests", { body: {} }),
    // @ts-expect-error: no such field
    () => v2.post("/signature-requests", { body: { title: "Lease", titel: "Lease" } }),
    // @ts-expect-error: no such status
    () => v2.list("/signature-requests", { query: { status_overall: "SINGED" } }),
    // @ts-expect-error: bytes are downloaded
    () => v2.get("/documents/{id}/content", { path: { id } }),
    // @ts-expect-error: the client logs in by itself
    () => v2.post("/access/login", { body: { username: "u", "api-key": "k" } }),
    // @ts-expect-error: one document is no list
    () => v2.list("/documents/{id}", { path: { id } }),
  ]
  expectTypeOf(refused).toBeArray()
})

import { Refusal } from "@paraph/core/refusal"
import type {
  SignatureRequest as Model,
  Signature as SignatureModel,
} from "@paraph/core/signature-request/model"
import fc from "fast-check"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { anyText, HELD } from "../testing/samples.ts"
import { readSample } from "./samples/read.ts"
import { CreateBody, readCreate, SignatureRequest, writeSignatureRequest } from "./signature-request.ts"

const addresses = { signingAppUrl: "https://sign.example" }
const UPLOADED = "7d3c1f0e-5b7a-4c58-9a9e-1f0b7a5c2d10"
const NEWEST = "b9e2a7c4-0c7d-4f0a-8f3b-6d1e2f3a4b5c"

const signature = (id: string, email: string, more: Partial<SignatureModel>): SignatureModel => ({
  id,
  email,
  place: null,
  language: "en",
  state: "open",
  consent: null,
  signedAt: null,
  declineReason: null,
  marks: [{ documentId: UPLOADED, versionId: null }],
  ...more,
})

const signedAt = new Date("2026-11-02T09:30:00Z")
const model: Model = {
  id: "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11",
  businessId: "b1",
  kind: "production",
  ownerId: "u1",
  owner: "acme-integration",
  title: "Lease of flat 4",
  message: "Please sign until Friday.",
  lifecycle: "started",
  inviting: "in-order",
  quality: "SES",
  legislation: "ZERTES",
  documents: [{ id: UPLOADED, newestId: NEWEST }],
  signatures: [
    signature("0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d", "ann@example.org", {
      place: 1,
      language: "de",
      state: "signed",
      signedAt,
      marks: [{ documentId: UPLOADED, versionId: NEWEST }],
    }),
    signature("1a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d", "bob@example.org", {}),
  ],
  callbacks: {
    success: "https://acme.example/signed?r=SERVICE_SIGNATURE_REQUEST_ID&d=SERVICE_DOCUMENT_ID",
  },
  readAccess: ["reader@example.org"],
  writeAccess: ["writer@example.org"],
  ccEmailAddresses: [],
  createdAt: new Date("2026-11-02T09:00:00Z"),
  updatedAt: signedAt,
}

describe("the body of a create", () => {
  it("reads the sample", () => {
    const body = Value.Parse(CreateBody, readSample("create-signature-request"))
    expect(readCreate(body, null)).toEqual({
      title: "Lease of flat 4",
      message: "Please sign until Friday.",
      document: { type: "document", id: UPLOADED },
      signers: [
        { email: "ann@example.org", place: 1, language: "de" },
        { email: "bob@example.org", place: 2, language: "en" },
        { email: "carl@example.org", place: null, language: "en" },
        { email: "dora@example.org", place: null, language: "en" },
      ],
      callbacks: {
        success: "https://acme.example/signed?r=SERVICE_SIGNATURE_REQUEST_ID&d=SERVICE_DOCUMENT_ID",
        update: "https://acme.example/update",
        error: "https://acme.example/failed",
      },
      quality: "SES",
      legislation: "ZERTES",
      readAccess: ["reader@example.org"],
      writeAccess: ["writer@example.org"],
      startAs: "started",
      inviting: "in-order",
    })
  })

  it("needs a title and a document alone", () => {
    expect(readCreate({ title: "t", document_id: UPLOADED }, null)).toMatchObject({
      message: null,
      signers: [],
      callbacks: {},
      quality: null,
      legislation: null,
      readAccess: [],
      writeAccess: [],
    })
  })

  const file_url = "https://a.example/"
  const document_id = UPLOADED
  it.each([
    ["none", {}, null],
    ["content and file_url", { file_url }, HELD],
    ["content and document_id", { document_id }, HELD],
    ["file_url and document_id", { file_url, document_id }, null],
    ["all three", { file_url, document_id }, HELD],
  ])("is refused with %s of the three ways to name a document", (_, ways, received) => {
    expect(() => readCreate({ title: "t", ...ways }, received)).toThrow(Refusal)
  })

  it.each([
    [{ type: "content", content: HELD, contentType: "application/pdf" }, {}, HELD],
    [{ type: "file-url", url: file_url }, { file_url }, null],
    [{ type: "document", id: document_id }, { document_id }, null],
  ])("is read with one way alone: %j", (document, way, received) => {
    expect(readCreate({ title: "t", ...way }, received).document).toEqual(document)
  })

  it.each([
    ["no title", { title: undefined }],
    ["an empty title", { title: "" }],
    ["a title of 1025 characters", { title: "x".repeat(1025) }],
    ["a message of 1025 characters", { message: "x".repeat(1025) }],
    ["a document_id that is no UUID", { document_id: "1" }],
    ["a signer without an address", { signatures: [{}] }],
    ["a signer whose address is none", { signatures: [{ account_email: "ann" }] }],
    ["the sequence 1000", { signatures: [{ account_email: "a@example.org", sequence: 1000 }] }],
    ["the sequence 1.5", { signatures: [{ account_email: "a@example.org", sequence: 1.5 }] }],
    ["the sequence -2", { signatures: [{ account_email: "a@example.org", sequence: -2 }] }],
    ["an unknown language", { signatures: [{ account_email: "a@example.org", language: "xx" }] }],
    ["201 signers", { signatures: Array(201).fill({ account_email: "a@example.org" }) }],
    ["a quality in lower case", { quality: "ses" }],
    ["an unknown legislation", { legislation: "EU" }],
    ["a callback that is no URL", { callback_success_url: "signed" }],
    ["read_access that is a string", { read_access: "ann@example.org" }],
  ])("is not of the schema with %s", (_, change) => {
    expect(Value.Check(CreateBody, { ...readSample("create-signature-request"), ...change })).toBe(false)
  })
})

describe("a signature request", () => {
  it("is written as in the sample, and the sample is of the schema", () => {
    expect(writeSignatureRequest(model, addresses)).toEqual(readSample("signature-request"))
    expect(Value.Check(SignatureRequest, readSample("signature-request"))).toBe(true)
  })

  it("calls a signature by a demo key DEMO, while quality says what was asked", () => {
    const wire = writeSignatureRequest({ ...model, kind: "demo" }, addresses)
    expect(wire.quality).toBe("SES")
    expect(wire.signatures.map((s) => s.signed_quality)).toEqual(["DEMO", undefined])
  })

  it("tells nothing of the name, the consent and the reason that a signer gave", () => {
    const told = signature(model.id, "ann@example.org", {
      state: "declined",
      declineReason: "a private reason",
    })
    const wire = writeSignatureRequest({ ...model, signatures: [told] }, addresses)
    expect(JSON.stringify(wire)).not.toMatch(/private reason|consent|marks|business/i)
  })

  it("is written in the schema's shape whatever state it is in", () => {
    const one = fc.record({
      place: fc.option(fc.integer({ min: 1, max: 999 })),
      state: fc.constantFrom("open" as const, "declined" as const, "signed" as const, "error" as const),
      language: fc.constantFrom("en" as const, "de" as const, "fr" as const, "it" as const),
      signedAt: fc.option(fc.constant(signedAt)),
    })
    const change = fc.record({
      title: anyText({ minLength: 1 }),
      message: fc.option(anyText()),
      kind: fc.constantFrom("demo" as const, "production" as const),
      lifecycle: fc.constantFrom("draft", "started", "failed", "expired", "withdrawn") as fc.Arbitrary<
        Model["lifecycle"]
      >,
      quality: fc.constantFrom("SES", "AES", "QES", "AES_MINIMAL") as fc.Arbitrary<Model["quality"]>,
      legislation: fc.constantFrom("ZERTES", "EIDAS", null) as fc.Arbitrary<Model["legislation"]>,
      signatures: fc
        .array(one, { maxLength: 4 })
        .map((all) => all.map((s) => signature(model.id, "a@example.org", s))),
    })
    fc.assert(
      fc.property(change, (fields) => {
        const wire = JSON.parse(JSON.stringify(writeSignatureRequest({ ...model, ...fields }, addresses)))
        expect(Value.Check(SignatureRequest, wire)).toBe(true)
      }),
    )
  })
})

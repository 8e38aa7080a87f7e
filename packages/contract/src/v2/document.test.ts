import type { Document as Model } from "@paraph/core/document/model"
import { Refusal } from "@paraph/core/refusal"
import fc from "fast-check"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { CreateBody, Document, readCreate, writeDocument } from "./document.ts"
import { readSample } from "./samples/read.ts"

const model: Model = {
  id: "b9e2a7c4-0c7d-4f0a-8f3b-6d1e2f3a4b5c",
  businessId: "b1",
  kind: "demo",
  ownerId: "u1",
  owner: "acme-integration",
  title: "Lease.pdf",
  contentType: "application/pdf",
  sizeBytes: 112_500_000,
  sha256: "",
  pageCount: 12,
  pageWidth: 595,
  pageHeight: 842,
  parentId: "7d3c1f0e-5b7a-4c58-9a9e-1f0b7a5c2d10",
  blob: { name: "documents/secret-place", wrappedKey: Uint8Array.of(1, 2, 3) },
  readAccess: ["reader@example.org"],
  writeAccess: ["writer@example.org"],
  createdAt: new Date("2026-11-02T09:00:00Z"),
  updatedAt: new Date("2026-11-02T09:30:00Z"),
}

describe("the body of a create", () => {
  it("reads the sample with content", () => {
    const body = Value.Parse(CreateBody, readSample("create-document"))
    expect(readCreate(body)).toEqual({
      title: "Lease.pdf",
      source: { type: "content", content: Buffer.from("%PDF-1.7\n"), contentType: "application/pdf" },
    })
  })

  it("reads the sample with an address", () => {
    const body = Value.Parse(CreateBody, readSample("create-document-by-url"))
    expect(readCreate(body)).toEqual({
      title: "Lease.pdf",
      source: { type: "file-url", url: "https://acme.example/lease.pdf?version=3" },
    })
  })

  it("takes content without a type for a PDF", () => {
    expect(readCreate({ title: "t", content: "JVBERi0xLjcK" }).source).toMatchObject({
      contentType: "application/pdf",
    })
  })

  it.each([
    ["both content and file_url", { content: "AAAA", file_url: "https://a.example/" }],
    ["neither", {}],
    ["content that is not Base64", { content: "%PDF" }],
  ])("is refused with %s", (_, rest) => {
    expect(() => readCreate({ title: "t", ...rest })).toThrow(Refusal)
  })

  it.each([
    ["no title", { title: undefined }],
    ["an empty title", { title: "" }],
    ["a title that is too long", { title: "x".repeat(1025) }],
    ["a title that is a number", { title: 7 }],
    ["content that is an object", { content: {} }],
    ["a file_url that is no URL", { content: undefined, file_url: "lease.pdf" }],
    [
      "a file_url that is too long",
      { content: undefined, file_url: `https://a.example/${"x".repeat(2048)}` },
    ],
  ])("is not of the schema with %s", (_, change) => {
    expect(Value.Check(CreateBody, { ...readSample("create-document"), ...change })).toBe(false)
  })
})

describe("a document", () => {
  it("is written as in the sample, and the sample is of the schema", () => {
    expect(writeDocument(model)).toEqual(readSample("document"))
    expect(Value.Check(Document, readSample("document"))).toBe(true)
  })

  it("has no parent_id when it was uploaded", () => {
    expect(writeDocument({ ...model, parentId: null })).not.toHaveProperty("parent_id")
  })

  it("never tells where its bytes lie, nor a key", () => {
    expect(JSON.stringify(writeDocument(model))).not.toMatch(/secret-place|wrapped|blob|sha256|business/i)
  })

  it("is written in the schema's shape whatever it holds", () => {
    const change = fc.record({
      title: fc.string({ unit: "binary" }),
      sizeBytes: fc.nat(),
      parentId: fc.option(fc.uuid()),
      readAccess: fc.array(fc.emailAddress(), { maxLength: 5 }),
      createdAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }),
    })
    fc.assert(
      fc.property(change, (fields) => {
        const wire = JSON.parse(JSON.stringify(writeDocument({ ...model, ...fields })))
        expect(Value.Check(Document, wire)).toBe(true)
      }),
    )
  })
})

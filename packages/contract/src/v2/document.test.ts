import type { Document as Model } from "@paraph/core/document/model"
import { Refusal } from "@paraph/core/refusal"
import fc from "fast-check"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { anyText, HELD } from "../testing/samples.ts"
import * as wire from "./document.ts"
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
  pageSizes: [{ count: 12, width: 595, height: 842 }],
  parentId: "7d3c1f0e-5b7a-4c58-9a9e-1f0b7a5c2d10",
  blob: { name: "documents/secret-place", wrappedKey: Uint8Array.of(1, 2, 3), keyVersion: 7 },
  readAccess: ["reader@example.org"],
  writeAccess: ["writer@example.org"],
  createdAt: new Date("2026-11-02T09:00:00Z"),
  updatedAt: new Date("2026-11-02T09:30:00Z"),
  viewChecked: true,
  flattened: null,
  removingSince: null,
  signatureFields: [
    {
      name: "Tenant",
      signed: false,
      positions: [{ page: 0, x: 72, y: 96.5, width: 180, height: 48 }],
    },
    { name: "Paraph-1", signed: true, positions: [] },
  ],
  pdfa: "PDF/A-2B",
}

describe("the body of a create", () => {
  // The server takes the bytes out of the body while it arrives, and leaves an empty string.
  const taken = { ...readSample("create-document"), content: "" }

  it("reads the sample with content", () => {
    const body = Value.Parse(CreateBody, taken)
    expect(readCreate(body, HELD)).toEqual({
      title: "Lease.pdf",
      flatten: false,
      source: { type: "content", content: HELD, contentType: "application/pdf" },
    })
  })

  it("reads the sample with an address", () => {
    const body = Value.Parse(CreateBody, readSample("create-document-by-url"))
    expect(readCreate(body, null)).toEqual({
      title: "Lease.pdf",
      flatten: false,
      source: { type: "file-url", url: "https://acme.example/lease.pdf?version=3" },
    })
  })

  it("takes content without a type for a PDF", () => {
    expect(readCreate({ title: "t", content: "" }, HELD).source).toMatchObject({
      contentType: "application/pdf",
    })
  })

  it("leaves the type that was given to be judged where all of them are", () => {
    expect(readCreate({ title: "t", content_type: "image/png" }, HELD).source).toMatchObject({
      contentType: "image/png",
    })
  })

  it("passes over a type beside file_url, since the download has one of its own", () => {
    const body = { title: "t", content_type: "image/png", file_url: "https://a.example/" }
    expect(readCreate(body, null).source).toEqual({ type: "file-url", url: "https://a.example/" })
  })

  it.each([
    ["both content and file_url", { content: "", file_url: "https://a.example/" }, HELD],
    ["file_url beside bytes that came without a member", { file_url: "https://a.example/" }, HELD],
    ["neither", {}, null],
  ])("is refused with %s", (_, rest, received) => {
    expect(() => readCreate({ title: "t", ...rest }, received)).toThrow(Refusal)
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

  it("has no pdf_a when it does not claim to be one", () => {
    expect(writeDocument({ ...model, pdfa: null })).not.toHaveProperty("pdf_a")
  })

  it("never tells where its bytes lie, nor a key", () => {
    expect(JSON.stringify(writeDocument(model))).not.toMatch(/secret-place|wrapped|blob|sha256|business/i)
  })

  it("is written in the schema's shape whatever it holds", () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    const change = fc.record({
      title: anyText(),
      sizeBytes: fc.nat(),
      parentId: fc.option(fc.uuid()),
      readAccess: fc.array(fc.emailAddress(), { maxLength: 5 }),
      pdfa: fc.option(fc.string()),
      signatureFields: fc.array(
        fc.record({
          name: anyText(),
          signed: fc.boolean(),
          positions: fc.array(
            fc.record({ page: fc.nat(), x: number, y: number, width: number, height: number }),
            { maxLength: 2 },
          ),
        }),
        { maxLength: 3 },
      ),
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

describe("the body of a change of access", () => {
  it.each([
    [{ read_access: ["a"] }, { readAccess: ["a"] }],
    [{ write_access: [] }, { writeAccess: [] }],
    [
      { read_access: [], write_access: ["b"] },
      { readAccess: [], writeAccess: ["b"] },
    ],
  ])("leaves out what is to stay: %j", (body, change) => {
    expect(wire.readAccess(Value.Parse(wire.AccessBody, body))).toEqual(change)
  })

  it("is refused when it changes nothing", () => {
    expect(() => wire.readAccess({})).toThrow(Refusal)
  })

  it.each([
    ["a list that is null", { read_access: null }],
    ["a list that is a string", { write_access: "ann@example.org" }],
    ["an empty entry", { read_access: [""] }],
    ["201 entries", { read_access: Array(201).fill("ann@example.org") }],
  ])("is not of the schema with %s", (_, body) => {
    expect(Value.Check(wire.AccessBody, body)).toBe(false)
  })
})

describe("the body of a watermark", () => {
  it.each([
    { text: "COPY" },
    { text: "x".repeat(200), opacity: 1, rotation: -360, pages: [0, 9_999_999] },
    { text: "COPY", opacity: 0.01, rotation: 360, pages: [] },
  ])("is read as it is: %j", (body) => {
    expect(wire.readWatermark(Value.Parse(wire.WatermarkBody, body))).toEqual(body)
  })

  it.each([
    ["no text", { text: undefined }],
    ["an empty text", { text: "" }],
    ["a text of 201 characters", { text: "x".repeat(201) }],
    ["a text with NUL", { text: "a\0" }],
    ["the opacity 0", { opacity: 0 }],
    ["an opacity above 1", { opacity: 1.01 }],
    ["an opacity that is a string", { opacity: "1" }],
    ["a rotation beyond a turn", { rotation: 361 }],
    ["a rotation beyond a turn the other way", { rotation: -361 }],
    ["a page before the first", { pages: [-1] }],
    ["half a page", { pages: [0.5] }],
    ["a page that is a string", { pages: ["0"] }],
    ["10,001 pages", { pages: Array(10_001).fill(0) }],
  ])("is not of the schema with %s", (_, change) => {
    expect(Value.Check(wire.WatermarkBody, { text: "COPY", ...change })).toBe(false)
  })
})

describe("the address of a page", () => {
  const id = model.id

  it.each([
    [{ n: "0" }, {}, { page: 0, scale: 100 }],
    [{ n: "12" }, { scale: "20" }, { page: 12, scale: 20 }],
    [{ n: "9999999" }, { scale: "100" }, { page: 9_999_999, scale: 100 }],
  ])("is read from %j and %j", (params, query, asked) => {
    const read = wire.readPage(
      Value.Parse(wire.PageParams, { id, ...params }),
      Value.Parse(wire.PageQuery, query),
    )
    expect(read).toEqual({ id, ...asked })
  })

  it.each(["", "-1", "01", "1.5", "1e3", "10000000", "a", " 1"])("has no page %j", (n) => {
    expect(Value.Check(wire.PageParams, { id, n })).toBe(false)
  })

  it.each(["", "50", "020", "100.0"])("has no scale %j", (scale) => {
    expect(Value.Check(wire.PageQuery, { scale })).toBe(false)
  })
})

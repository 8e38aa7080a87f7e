import { Refusal } from "@paraph/core/refusal"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { addresses, model, UPLOADED } from "../testing/requests.ts"
import { HELD } from "../testing/samples.ts"
import { readSample } from "./samples/read.ts"
import * as wire from "./signature-request.ts"

const { CreateBody, readCreate } = wire
const callbacks = {
  success: "https://acme.example/signed?r=SERVICE_SIGNATURE_REQUEST_ID&d=SERVICE_DOCUMENT_ID",
  update: "https://acme.example/update",
  error: "https://acme.example/failed",
}

describe("the body of a create", () => {
  it("reads the sample", () => {
    const body = Value.Parse(CreateBody, readSample("create-signature-request"))
    const { entries, ...command } = readCreate(body, null)
    expect(command).toEqual({
      title: "Lease of flat 4",
      message: "Please sign until Friday.",
      document: { type: "documents", ids: [UPLOADED] },
      callbacks,
      quality: "SES",
      legislation: "ZERTES",
      readAccess: ["reader@example.org"],
      writeAccess: ["writer@example.org"],
      ccEmailAddresses: ["archive@acme.example"],
      creator: "carla@acme.example",
      custom: "order 4711",
      attachOnSuccess: ["SIGNED_DOCUMENT"],
      expiresOn: null,
      startAs: "started",
      inviting: "in-order",
    })
    expect(entries.map((entry) => [entry.type, entry.place])).toEqual([
      ["person", 1],
      ["person", null],
      ["person", 2],
      ["person", null],
    ])
  })

  const nothing = {
    message: null,
    entries: [],
    callbacks: {},
    quality: null,
    legislation: null,
    readAccess: [],
    writeAccess: [],
    ccEmailAddresses: [],
    creator: null,
    custom: null,
    attachOnSuccess: [],
  }
  it.each([
    ["absent", {}],
    [
      "null",
      {
        message: null,
        quality: null,
        legislation: null,
        creator: null,
        custom: null,
        callback_error_url: null,
      },
    ],
  ])("needs a title and a document alone; the rest may be %s", (_, rest) => {
    const body = { title: "t", document_id: UPLOADED, ...rest }
    expect(Value.Check(CreateBody, body)).toBe(true)
    expect(readCreate(body, null)).toMatchObject(nothing)
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
    [{ type: "documents", ids: [document_id] }, { document_id: document_id.toUpperCase() }, null],
  ])("is read with one way alone: %j", (document, way, received) => {
    expect(readCreate({ title: "t", ...way }, received).document).toEqual(document)
  })

  it.each([
    ["no title", { title: undefined }],
    ["a title that is null", { title: null }],
    ["an empty title", { title: "" }],
    ["a title of 1025 characters", { title: "x".repeat(1025) }],
    ["a message of 1025 characters", { message: "x".repeat(1025) }],
    ["a document_id that is no UUID", { document_id: "1" }],
    ["a file_url of 2049 characters", { file_url: `https://a.example/${"x".repeat(2031)}` }],
    ["201 signers", { signatures: Array(201).fill({ account_email: "a@example.org" }) }],
    ["signatures that are null", { signatures: null }],
    ["a quality in lower case", { quality: "ses" }],
    ["an unknown legislation", { legislation: "EU" }],
    ["a callback that is no URL", { callback_success_url: "signed" }],
    ["read_access that is a string", { read_access: "ann@example.org" }],
    ["a copy to what is no address", { cc_email_addresses: ["archive"] }],
    ["a creator who is no address", { creator: "carla" }],
    ["10,001 characters of custom", { custom: "x".repeat(10_001) }],
    ["something unknown to attach", { attach_on_success: ["INVOICE"] }],
    ["the same attached twice", { attach_on_success: ["SIGNED_DOCUMENT", "SIGNED_DOCUMENT"] }],
  ])("is not of the schema with %s", (_, change) => {
    expect(Value.Check(CreateBody, { ...readSample("create-signature-request"), ...change })).toBe(false)
  })

  it("passes over what v2 does not know, and the former expiration_date", () => {
    const body = {
      title: "t",
      document_id,
      owner: "somebody",
      status_overall: "SIGNED",
      expires_at: "2027-01-01",
    }
    expect(Value.Check(CreateBody, body)).toBe(true)
    expect(readCreate(body, null)).toMatchObject({ ...nothing, expiresOn: null })
    const old = { title: "t", document_id, expiration_date: "2027-01-01" }
    expect(readCreate(old, null)).toMatchObject({ ...nothing, expiresOn: null })
    const patch = { expiration_date: "2027-01-01" } as object
    expect(wire.readPatch(model.id, patch)).toEqual({ id: model.id, changes: {} })
  })
})

describe("the body of an update", () => {
  const { id } = model

  it("leaves what is absent as it is", () => {
    expect(wire.readUpdate(Value.Parse(wire.UpdateBody, { id }))).toEqual({ id, changes: {} })
    expect(wire.readPatch(id, Value.Parse(wire.PatchBody, {}))).toEqual({ id, changes: {} })
  })

  it("changes what is there, and takes away what is null", () => {
    const given = {
      title: "New",
      message: null,
      quality: "AES",
      legislation: null,
      custom: null,
      callback_success_url: null,
      callback_error_url: "https://acme.example/e",
      attach_on_success: [],
      read_access: [],
      write_access: ["w"],
      cc_email_addresses: ["c@example.org"],
    }
    const changes = {
      title: "New",
      message: null,
      quality: "AES",
      legislation: null,
      custom: null,
      callbacks: { success: null, error: "https://acme.example/e" },
      attachOnSuccess: [],
      readAccess: [],
      writeAccess: ["w"],
      ccEmailAddresses: ["c@example.org"],
    }
    expect(wire.readPatch(id, Value.Parse(wire.PatchBody, given))).toEqual({ id, changes })
    expect(wire.readUpdate(Value.Parse(wire.UpdateBody, { id, ...given }))).toEqual({ id, changes })
  })

  it("replaces all signers where there are any, also by none", () => {
    const signatures = [{ account_email: "ann@example.org" }]
    expect(wire.readPatch(id, { signatures }).entries).toMatchObject([{ email: "ann@example.org" }])
    expect(wire.readPatch(id, { signatures: [] }).entries).toEqual([])
  })

  it.each([
    ["a title that is null", { title: null }],
    ["a quality that is null", { quality: null }],
    ["an id that is no UUID", { id: "1" }],
    ["no id", { id: undefined }],
    ["signatures that are null", { signatures: null }],
    ["read_access that is null", { read_access: null }],
  ])("is not of the schema with %s", (_, change) => {
    expect(Value.Check(wire.UpdateBody, { id, ...change })).toBe(false)
  })
})

describe("what is sent to withdraw and to remind", () => {
  it.each([
    [{}, null],
    [{ message: null }, null],
    [{ message: "" }, ""],
    [{ message: "x".repeat(2048) }, "x".repeat(2048)],
  ])("a message: %j", (body, message) => {
    expect(wire.readWithdraw(Value.Parse(wire.WithdrawBody, body))).toBe(message)
  })

  it.each([
    [{}, null],
    [{ sids: null }, null],
    [{ sids: [model.id] }, [model.id]],
  ])("signatures: %j", (body, sids) => {
    expect(wire.readRemind(Value.Parse(wire.RemindBody, body))).toEqual(sids)
  })

  it("has its limits", () => {
    expect(Value.Check(wire.WithdrawBody, { message: "x".repeat(2049) })).toBe(false)
    expect(Value.Check(wire.RemindBody, { sids: [] })).toBe(false)
    expect(Value.Check(wire.RemindBody, { sids: ["1"] })).toBe(false)
  })
})

it("a signature request is written as in the sample, and the sample is of the schema", () => {
  expect(wire.writeSignatureRequest(model, addresses)).toEqual(readSample("signature-request"))
  expect(Value.Check(wire.SignatureRequest, readSample("signature-request"))).toBe(true)
})

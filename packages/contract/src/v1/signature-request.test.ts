import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { addresses, model } from "../testing/requests.ts"
import { readSample as readSampleOfV2 } from "../v2/samples/read.ts"
import * as v2 from "../v2/signature-request.ts"
import { readSample } from "./samples/read.ts"
import { NewSignature, readSignature } from "./signature.ts"
import * as v1 from "./signature-request.ts"

const signer_email_address = "ann@example.org"

describe("v1 is v2 with other names of a signer", () => {
  it("reads a create as v2 does", () => {
    const body = Value.Parse(v1.CreateBody, readSample("create-signature-request"))
    const ofV2 = Value.Parse(v2.CreateBody, readSampleOfV2("create-signature-request"))
    const signatures = ofV2.signatures?.slice(0, 3) ?? []
    expect(v1.readCreate(body, null)).toEqual(v2.readCreate({ ...ofV2, signatures }, null))
  })

  it("reads an update as v2 does", () => {
    const { id } = model
    const body = { title: "t", message: null, cc_email_addresses: [] }
    expect(v1.readUpdate({ id, ...body })).toEqual(v2.readUpdate({ id, ...body }))
    const signatures = [{ signer_email_address, order: 3 }]
    expect(v1.readPatch(id, { signatures }).entries).toMatchObject([
      { email: signer_email_address, place: 3 },
    ])
  })

  it("passes over v2's name of the address, and takes its name of the signing order", () => {
    const entry = Value.Parse(NewSignature, {
      signer_email_address,
      sequence: 3,
      account_email: "b@example.org",
    })
    expect(readSignature(entry)).toMatchObject({ email: signer_email_address, place: 3 })
  })

  it.each([
    ["order -2", { order: -2 }],
    ["order 1000", { order: 1000 }],
    ["an address that is none", { signer_email_address: "ann" }],
    ["identity data by e-mail", { signer_identity_data: { email_address: "ann@example.org" } }],
    [
      "identity data without the country",
      {
        signer_identity_data: {
          provider: "demo_ident",
          first_name: "Ann",
          last_name: "Example",
          mobile_number: "+41790000000",
        },
      },
    ],
  ])("is not of the schema with %s", (_, change) => {
    expect(Value.Check(NewSignature, { signer_email_address, ...change })).toBe(false)
  })

  it("answers as in the sample, without attachments, and the sample is of the schema", () => {
    expect(v1.writeSignatureRequest(model, addresses)).toEqual(readSample("signature-request"))
    expect(Value.Check(v1.SignatureRequest, readSample("signature-request"))).toBe(true)
  })

  it("shows of who was named by e-mail in another version the names alone", () => {
    const [signature] = model.signatures.filter((s) => s.identity !== null)
    if (signature?.identity == null) throw new Error("The sample has nobody without an account.")
    const byMail = { ...signature, identity: { ...signature.identity, provider: null } }
    const answer = v1.writeSignatureRequest({ ...model, signatures: [byMail] }, addresses)
    expect(answer.signatures[0]?.signer_identity_data).toEqual({ first_name: "Eve", last_name: "Example" })
  })
})

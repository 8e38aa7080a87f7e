import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { addresses, model, signature } from "../testing/requests.ts"
import { NewSignature, readSignature, writeSignature } from "./signature.ts"

const account_email = "ann@example.org"
const five = {
  provider: "demo_ident",
  first_name: "Ann",
  last_name: "Example",
  mobile_number: "+41790000000",
  issuing_country: "ch",
}
const position = { page: "0", x: 0, y: 0, width: 1, height: 1 }

describe("a signer", () => {
  it("by e-mail alone: places freely, is written to, in English", () => {
    expect(readSignature(Value.Parse(NewSignature, { account_email }))).toEqual({
      type: "person",
      email: account_email,
      identity: null,
      place: null,
      notify: true,
      language: "en",
      wanted: { type: "all", visual: null },
    })
  })

  it("by the five members of part 2.4", () => {
    expect(readSignature(Value.Parse(NewSignature, { signer_identity_data: five }))).toMatchObject({
      email: null,
      identity: {
        provider: "demo_ident",
        firstName: "Ann",
        lastName: "Example",
        mobileNumber: "+41790000000",
        issuingCountry: "CH",
        identityReference: null,
      },
    })
  })

  it("by both: core will say who is invited (SR-13)", () => {
    const read = readSignature({ account_email, signer_identity_data: five })
    expect([read.email, read.identity?.firstName]).toEqual([account_email, "Ann"])
  })

  it("by the e-mail form, which has a language of its own", () => {
    const data = { email_address: "finn@example.org", language: "fr", identity_reference: "x-1" } as const
    const read = readSignature(Value.Parse(NewSignature, { signer_identity_data: data }))
    expect(read).toMatchObject({ email: "finn@example.org", language: "fr" })
    expect(read.identity).toMatchObject({ provider: null, firstName: null, identityReference: "x-1" })
    expect(readSignature({ signer_identity_data: data, language: "it" }).language).toBe("it")
  })

  it.each(Object.keys(five))("[SR-14 v2] is refused without %s, which is named", (name) => {
    const { [name as keyof typeof five]: _, ...rest } = five
    expect(() => readSignature({ signer_identity_data: rest })).toThrow(new RegExp(`lacks ${name}\\.`))
  })

  it("is refused with a message that names all that is missing, and where nothing says who it is", () => {
    const partly = { provider: "demo_ident", email_address: "a@example.org" }
    expect(() => readSignature({ signer_identity_data: partly })).toThrow(
      "lacks first_name, last_name, mobile_number, issuing_country.",
    )
    expect(() => readSignature({})).toThrow(/needs an e-mail address/)
    expect(() => readSignature({ signer_identity_data: null })).toThrow(/needs an e-mail address/)
  })

  it.each([
    [{ form_field: "Tenant" }, { type: "form-field", name: "Tenant" }],
    [{ position }, { type: "positions", positions: [{ page: 0, x: 0, y: 0, width: 1, height: 1 }] }],
    [null, null],
  ])("stands where %j says", (visual_signature, visual) => {
    const body = Value.Parse(NewSignature, { account_email, visual_signature })
    expect(readSignature(body).wanted).toEqual({ type: "all", visual })
  })

  it.each([{ form_field: "Tenant", position }, {}])(
    "[VIS-04 v2] stands at one place: %j",
    (visual_signature) => {
      expect(() => readSignature({ account_email, visual_signature })).toThrow(
        expect.objectContaining({ code: "constraint-violated" }),
      )
    },
  )

  it.each([
    [{ sequence: 0 }, 0],
    [{ order: 0 }, 0],
    [{ order: 7 }, 7],
    [{ order: 7, sequence: 7 }, 7],
    [{ sequence: -1 }, null],
    [{}, null],
  ])("has the signing order of %j, by either name", (order, place) => {
    expect(readSignature(Value.Parse(NewSignature, { account_email, ...order })).place).toBe(place)
  })

  it("is refused with two signing orders that differ", () => {
    expect(() => readSignature({ account_email, order: 1, sequence: 2 })).toThrow(
      "order and sequence are two names of one value, but 1 and 2 were sent. Send one of them.",
    )
  })

  it.each([
    ["an address that is none", { account_email: "ann" }],
    ["the sequence -2", { sequence: -2 }],
    ["the order 1000", { order: 1000 }],
    ["the sequence 1000", { sequence: 1000 }],
    ["the sequence 1.5", { sequence: 1.5 }],
    ["a sequence in quotes", { sequence: "1" }],
    ["an unknown language", { language: "xx" }],
    ["notify in quotes", { notify: "true" }],
    ["a country of three letters", { signer_identity_data: { ...five, issuing_country: "CHE" } }],
    ["a number that is none", { signer_identity_data: { ...five, mobile_number: "call me" } }],
    ["a first name that is empty", { signer_identity_data: { ...five, first_name: "" } }],
    ["a page that is a number", { visual_signature: { position: { ...position, page: 0 } } }],
    ["a page before the first", { visual_signature: { position: { ...position, page: "-1" } } }],
    ["no width", { visual_signature: { position: { ...position, width: 0 } } }],
    ["no height", { visual_signature: { position: { ...position, height: undefined } } }],
    ["a field without a name", { visual_signature: { form_field: "" } }],
  ])("is not of the schema with %s", (_, change) => {
    expect(Value.Check(NewSignature, { account_email, ...change })).toBe(false)
  })
})

describe("what is answered about a signer without an account", () => {
  const identity = {
    provider: null,
    firstName: "Finn",
    lastName: null,
    mobileNumber: "+41790000000",
    issuingCountry: null,
    identityReference: "x-1",
  }
  const finn = signature("3a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d", { email: "finn@example.org", identity })

  it("is an identifier, an address of their own, and the names", () => {
    const told = writeSignature(
      { ...finn, identity: { ...identity, provider: "demo_ident" } },
      model,
      addresses,
    )
    expect(told).toMatchObject({ account_email: finn.id, signing_url: addresses.previewUrl(finn.id) })
    expect(told.signer_identity_data).toEqual({ first_name: "Finn", last_name: null })
  })

  it("is the e-mail address too where they were named by it", () => {
    expect(writeSignature(finn, model, addresses).signer_identity_data).toEqual({
      email_address: "finn@example.org",
      first_name: "Finn",
      last_name: null,
    })
  })

  it("shows the first of several places, which only v3 can ask for", () => {
    const places = [1, 2].map((page) => ({ page, x: 0, y: 0, width: 1, height: 1 }))
    const marks = [
      { documentId: "d", versionId: null, visual: { type: "positions" as const, positions: places } },
    ]
    expect(writeSignature({ ...finn, marks }, model, addresses).visual_signature).toEqual({
      position: { ...position, page: "1" },
    })
  })
})

import { Refusal } from "@paraph/core/refusal"
import type { TSchema } from "typebox"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { addresses, GROUP, model, SECOND, signature, UPLOADED } from "../testing/requests.ts"
import { writePlan } from "./request-plan.ts"
import { readSample } from "./samples/read.ts"
import { NewSignature, readSignature } from "./signature.ts"
import * as v3 from "./signature-request.ts"

const { CreateBody, readCreate } = v3
const sample = () => Value.Parse(CreateBody, readSample("create-signature-request"))
const ids = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `7d3c1f0e-5b7a-4c58-9a9e-${String(i).padStart(12, "0")}` }))

describe("the body of a create", () => {
  it("reads the sample", () => {
    const { entries, ...command } = readCreate(sample())
    expect(command).toMatchObject({
      document: { type: "documents", ids: [UPLOADED, SECOND] },
      ccEmailAddresses: [],
      expiresOn: "2026-12-24",
      startAs: "draft",
      inviting: "all-at-once",
    })
    const place = (page: number) => ({ page, x: 1, y: 2, width: 3, height: 4 })
    expect(entries.map((entry) => entry.wanted)).toEqual([
      { type: "all", visual: { type: "form-field", name: "Tenant" } },
      {
        type: "some",
        marks: [
          { documentId: SECOND, visual: { type: "positions", positions: [place(0), place(1)] } },
          { documentId: UPLOADED, visual: null },
        ],
      },
      { type: "all", visual: null },
      { type: "all", visual: null },
    ])
    expect(entries[3]).toMatchObject({ type: "group", groupId: GROUP, place: 3, notify: false })
  })

  it("takes one document by document_id, or up to 50", () => {
    expect(readCreate({ title: "t", document_id: UPLOADED }).document).toEqual({
      type: "documents",
      ids: [UPLOADED],
    })
    expect(Value.Check(CreateBody, { title: "t", documents: ids(50) })).toBe(true)
  })

  it.each([
    ["both document_id and documents", { document_id: UPLOADED }],
    ["neither", { documents: undefined }],
    ["a document twice", { documents: [{ id: UPLOADED }, { id: UPLOADED.toUpperCase() }] }],
  ])("is refused with %s", (_, change) => {
    const body = Object.fromEntries(
      Object.entries({ ...sample(), ...change }).filter(([, value]) => value !== undefined),
    )
    expect(() => readCreate(Value.Parse(CreateBody, body))).toThrow(Refusal)
  })

  it.each([
    ["51 documents", { documents: ids(51) }],
    ["no documents at all", { documents: [] }],
    ["content", { content: "JVBERi0=" }],
    ["file_url", { file_url: "https://a.example/" }],
    ["cc_email_addresses, in place of which there are observers", { cc_email_addresses: [] }],
    ["owner", { owner: "somebody" }],
    ["expiration_date", { expiration_date: "2027-01-01" }],
    ["auto_delete_at, which is read only", { auto_delete_at: "2027-01-01" }],
    ["an expires_at with a time", { expires_at: "2026-12-24T00:00:00Z" }],
    ["an expires_at that is no day", { expires_at: "2026-02-30" }],
    ["a member of a document that is not known", { documents: [{ id: UPLOADED, name: "x" }] }],
  ])("is not of the schema with %s", (_, change) => {
    expect(Value.Check(CreateBody, { ...readSample("create-signature-request"), ...change })).toBe(false)
  })
})

describe("an entry of signatures", () => {
  const account_email = "ann@example.org"

  it.each([
    ["a person and a group", { account_email, signer_group_id: GROUP }],
    ["a group with a language", { signer_group_id: GROUP, language: "de" as const }],
    ["neither", {}],
    [
      "a place beside places by document",
      {
        account_email,
        visual_signature: { form_field: "A" },
        document_signatures: [{ document_id: UPLOADED }],
      },
    ],
    [
      "a position beside positions",
      {
        account_email,
        visual_signature: {
          position: { page: "0", x: 0, y: 0, width: 1, height: 1 },
          positions: [{ page: "0", x: 0, y: 0, width: 1, height: 1 }],
        },
      },
    ],
  ])("is refused as %s", (_, entry) => {
    expect(Value.Check(NewSignature, entry)).toBe(true)
    expect(() => readSignature(entry)).toThrow(Refusal)
  })

  it.each([
    ["order", { order: 1 }],
    ["an image, which is for seals", { visual_signature: { form_field: "A", image: {} } }],
    ["no position", { visual_signature: { positions: [] } }],
    ["51 positions", { visual_signature: { positions: Array(51).fill({}) } }],
    ["no document", { document_signatures: [] }],
    [
      "an identity that has an unknown member",
      { signer_identity_data: { email_address: account_email, x: 1 } },
    ],
  ])("is not of the schema with %s", (_, change) => {
    expect(Value.Check(NewSignature, { account_email, ...change })).toBe(false)
  })
})

const bodies: readonly (readonly [string, TSchema, object])[] = [
  ["update", v3.UpdateBody, { id: model.id, title: "t", expires_at: null }],
  ["patch", v3.PatchBody, { title: "t" }],
  ["withdrawal", v3.WithdrawBody, { message: "m" }],
  ["reminder", v3.RemindBody, { sids: [model.id] }],
  ["list", v3.ListQuery, { status_overall: "OPEN", page_size: "5" }],
  ["document", v3.AddDocumentBody, { document_id: UPLOADED }],
  ["dry run", v3.CreateQuery, { dry_run: "true" }],
]
it.each(bodies)("a member that nobody knows is refused: %s (R09)", (_, schema, body) => {
  expect(Value.Check(schema, body)).toBe(true)
  expect(Value.Check(schema, { ...body, unknown: "x" })).toBe(false)
})

it("an update sets and removes the expiry date", () => {
  const { id } = model
  expect(v3.readPatch(id, { expires_at: null })).toEqual({ id, changes: { expiresOn: null } })
  expect(v3.readUpdate({ id, expires_at: "2026-12-01" }).changes).toEqual({ expiresOn: "2026-12-01" })
})

const groups = [{ id: SECOND, groupId: GROUP, place: 7, notify: true, restricted: false, marks: [] }] as const

describe("a signature request", () => {
  it("is written as in the sample, and the sample is of the schema", () => {
    expect(v3.writeSignatureRequest(model, addresses)).toEqual(readSample("signature-request"))
    expect(Value.Check(v3.SignatureRequest, readSample("signature-request"))).toBe(true)
  })

  it("shows a group while it is DRAFT, and its members once they are fixed", () => {
    const shown = (request: typeof model) =>
      v3
        .writeSignatureRequest(request, addresses)
        .signatures.map((s) => [s.account_email, s.signer_group_id, s.sequence])
    expect(shown({ ...model, lifecycle: "draft", signatures: [], groups })).toEqual([[null, GROUP, 7]])
    const member = signature(UPLOADED, { email: "m@example.org", groupId: GROUP, place: 7 })
    expect(shown({ ...model, signatures: [member], groups })).toEqual([["m@example.org", GROUP, 7]])
  })

  it("names several places of one signature", () => {
    const positions = [0, 1].map((page) => ({ page, x: 0, y: 0, width: 1, height: 1 }))
    const marks = [
      { documentId: UPLOADED, versionId: null, visual: { type: "positions" as const, positions } },
    ]
    const { signatures } = v3.writeSignatureRequest(
      { ...model, signatures: [signature(UPLOADED, { email: "a@example.org", marks })] },
      addresses,
    )
    const [one] = signatures[0]?.document_signatures ?? []
    expect(one?.visual_signature?.positions?.map(({ page }) => page)).toEqual(["0", "1"])
  })
})

it("a plan says who is written to when, step by step", () => {
  const people = [
    signature(UPLOADED, { email: "first@example.org", place: 3 }),
    signature(UPLOADED, { email: "any@example.org" }),
    signature(UPLOADED, { email: "silent@example.org", place: 7, notify: false }),
  ]
  expect(writePlan({ ...model, signatures: people, groups })).toMatchObject({
    dry_run: true,
    quality: "SES",
    legislation: "ZERTES",
    invitations: [
      { account_email: "first@example.org", step: 1, mails: ["ON_INITIATE"] },
      { account_email: "any@example.org", step: 1, mails: ["ON_INITIATE"] },
      { account_email: "silent@example.org", step: 2, mails: [] },
      { signer_group_id: GROUP, step: 2, mails: ["ON_INITIATE", "ON_TURN"] },
    ],
  })
})

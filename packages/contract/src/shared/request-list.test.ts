import { Refusal } from "@paraph/core/refusal"
import { Type } from "typebox"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { model } from "../testing/requests.ts"
import { BulkBody, readBulk } from "./request-actions.ts"
import { readRequestList, requestListMembers, writeRequestLinks } from "./request-list.ts"

const ListQuery = Type.Object(requestListMembers)
const ADDRESS = "https://sign.example/v2/signature-requests"
const all = { pageSize: 50, search: null, from: { type: "page", number: 1 } } as const
const unfiltered = { status: null, signatureState: null, signerEmail: null }

describe("the query of a list of requests", () => {
  it.each([
    [{}, unfiltered],
    [{ status_overall: "SIGNED" }, { ...unfiltered, status: "SIGNED" }],
    [{ signature_status: "open" }, { ...unfiltered, signatureState: "open" }],
    [{ signature_status: "DECLINED" }, { ...unfiltered, signatureState: "declined" }],
    [{ signer_email_address: "a@example.org" }, { ...unfiltered, signerEmail: "a@example.org" }],
    [{ account_email: "a@example.org" }, { ...unfiltered, signerEmail: "a@example.org" }],
    [
      { account_email: "a@example.org", signer_email_address: "a@example.org" },
      { ...unfiltered, signerEmail: "a@example.org" },
    ],
  ])("is read from %j", (query, asked) => {
    expect(readRequestList(Value.Parse(ListQuery, query))).toEqual({ ...all, ...asked })
  })

  it.each([
    { status_overall: "open" },
    { status_overall: "" },
    { status_overall: ["OPEN", "SIGNED"] },
    { signature_status: "Open" },
    { account_email: "ann" },
    { page_size: "501" },
  ])("is not of the schema: %j", (query) => {
    expect(Value.Check(ListQuery, query)).toBe(false)
  })

  it("is refused with two different addresses of one signer", () => {
    const query = { account_email: "a@example.org", signer_email_address: "b@example.org" }
    expect(() => readRequestList(query)).toThrow(Refusal)
  })
})

it("the links of a list keep its filters, size and search", () => {
  const query = {
    status_overall: "OPEN",
    signature_status: "open",
    account_email: "a+b@example.org",
    search: "Miete & Zins",
    page_size: "2",
  } as const
  const asked = readRequestList(query)
  const header = writeRequestLinks(ADDRESS, asked, { requests: [model], hasNext: true, hasPrevious: true })
  const followed = [...(header ?? "").matchAll(/<(\S+)>/g)].map(([, link = ""]) =>
    readRequestList(Value.Parse(ListQuery, Object.fromEntries(new URL(link).searchParams))),
  )
  const cursor = { createdAt: model.createdAt, id: model.id }
  expect(followed).toEqual([
    { ...asked, from: { type: "after", cursor } },
    { ...asked, from: { type: "before", cursor } },
  ])
})

describe("the body of a bulk read", () => {
  const ids = (count: number) =>
    Array.from({ length: count }, (_, i) => `7d3c1f0e-5b7a-4c58-9a9e-${String(i).padStart(12, "0")}`)

  it("is up to 100 ids, each asked for once, in their order", () => {
    expect(Value.Check(BulkBody, ids(100))).toBe(true)
    const [first = "", second = ""] = [model.id, ...ids(1)]
    expect(readBulk([second, first.toUpperCase(), second])).toEqual([second, first])
  })

  it.each([[ids(101)], [["1"]], [{ ids: ids(1) }], [[null]], ["x"]])("is not of the schema: %j", (body) => {
    expect(Value.Check(BulkBody, body)).toBe(false)
  })
})

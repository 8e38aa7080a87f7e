import type { DocumentPage } from "@paraph/core/document/model"
import { Refusal } from "@paraph/core/refusal"
import { Type } from "typebox"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { listMembers, readList, writeLinks } from "./list.ts"

const ListQuery = Type.Object(listMembers)
const ADDRESS = "https://sign.example/v2/documents"
const NEWER = { createdAt: new Date("2026-11-02T09:00:00.001Z"), id: "b9e2a7c4-0c7d-4f0a-8f3b-6d1e2f3a4b5c" }
const OLDER = { createdAt: new Date("2026-11-01T09:00:00Z"), id: "7d3c1f0e-5b7a-4c58-9a9e-1f0b7a5c2d10" }

describe("the query of a list", () => {
  it.each([
    [{}, { pageSize: 50, search: null, from: { type: "page", number: 1 } }],
    [
      { page_number: "3", page_size: "500" },
      { pageSize: 500, search: null, from: { type: "page", number: 3 } },
    ],
    [
      { page_size: "1", search: "50 %" },
      { pageSize: 1, search: "50 %", from: { type: "page", number: 1 } },
    ],
    [{ search: "" }, { pageSize: 50, search: null, from: { type: "page", number: 1 } }],
  ])("is read from %j", (query, asked) => {
    expect(readList(Value.Parse(ListQuery, query))).toEqual(asked)
  })

  it.each([
    ...["0", "-1", "01", "1.0", "1e3", "", "a", "1234567890"].map((page_number) => ({ page_number })),
    ...["0", "501", "050", "1000", "", "-5"].map((page_size) => ({ page_size })),
    { page_number: 1 },
    { page_size: ["1", "2"] },
    { search: "x".repeat(1025) },
    { search: "a\0" },
    { cursor: "x".repeat(513) },
  ])("is not of the schema: %j", (query) => {
    expect(Value.Check(ListQuery, query)).toBe(false)
  })

  it("takes every size from 1 to 500, and no other", () => {
    const sizes = Array.from({ length: 1100 }, (_, i) => i).filter((i) =>
      Value.Check(ListQuery, { page_size: String(i) }),
    )
    expect(sizes).toEqual(Array.from({ length: 500 }, (_, i) => i + 1))
  })

  it("is refused with a cursor beside a page number: they could not both be meant", () => {
    const [cursor = ""] = cursorsOf(writeLinks(ADDRESS, readList({}), page([NEWER], true, false)))
    expect(() => readList({ cursor, page_number: "1" })).toThrow(Refusal)
  })

  it.each([
    "",
    "x",
    "AAAA",
    base64url("after 1 b9e2"),
    base64url(`beside 1 ${NEWER.id}`),
    base64url(`after -1 ${NEWER.id}`),
  ])("is refused with a cursor that is none of ours: %j", (cursor) => {
    expect(() => readList({ cursor })).toThrow(expect.objectContaining({ code: "constraint-violated" }))
  })
})

describe("the links of a list", () => {
  it("lead to the pages beside this one, with the same size and search", () => {
    const asked = readList({ page_size: "2", search: "Miete & Zins" })
    const header = writeLinks(ADDRESS, asked, page([NEWER, OLDER], true, true)) ?? ""
    expect(header).toMatch(/^<https:\/\/sign\.example\/v2\/documents\?\S+>; rel="next", <\S+>; rel="prev"$/)
    const followed = linksOf(header).map((link) => readList(Object.fromEntries(new URL(link).searchParams)))
    expect(followed).toEqual([
      { ...asked, from: { type: "after", cursor: OLDER } },
      { ...asked, from: { type: "before", cursor: NEWER } },
    ])
  })

  it("is one where there is one page more, and none where there is none", () => {
    const asked = readList({})
    expect(writeLinks(ADDRESS, asked, page([NEWER], true, false))).toMatch(/^<[^,]+>; rel="next"$/)
    expect(writeLinks(ADDRESS, asked, page([NEWER], false, true))).toMatch(/^<[^,]+>; rel="prev"$/)
    expect(writeLinks(ADDRESS, asked, page([NEWER], false, false))).toBeNull()
    expect(writeLinks(ADDRESS, asked, page([], false, true))).toBeNull()
  })
})

type Entry = typeof NEWER

function page(
  entries: readonly Entry[],
  hasNext: boolean,
  hasPrevious: boolean,
): Pick<DocumentPage, "hasNext" | "hasPrevious"> & { documents: readonly Entry[] } {
  return { documents: entries, hasNext, hasPrevious }
}

function linksOf(header: string | null): readonly string[] {
  return [...(header ?? "").matchAll(/<(\S+)>/g)].map(([, link = ""]) => link)
}

function cursorsOf(header: string | null): readonly string[] {
  return linksOf(header).map((link) => new URL(link).searchParams.get("cursor") ?? "")
}

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url")
}

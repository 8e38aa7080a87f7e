import type { TSchema } from "typebox"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import * as v2 from "../v2/document.ts"
import { readSample } from "../v2/samples/read.ts"
import * as v3 from "./document.ts"

const ID = "b9e2a7c4-0c7d-4f0a-8f3b-6d1e2f3a4b5c"
const taken: readonly (readonly [string, TSchema, object])[] = [
  ["create", v3.CreateBody, readSample("create-document")],
  ["create by address", v3.CreateBody, readSample("create-document-by-url")],
  ["change of access", v3.AccessBody, { read_access: [], write_access: ["ann@example.org"] }],
  ["watermark", v3.WatermarkBody, { text: "COPY", opacity: 0.5, rotation: 45, pages: [0] }],
  ["list", v3.ListQuery, { page_number: "1", page_size: "50", search: "Lease" }],
  ["page", v3.PageParams, { id: ID, n: "0" }],
  ["page and its scale", v3.PageQuery, { scale: "20" }],
]

describe.each(taken)("what is asked for in a %s", (_, schema, sample) => {
  it("is taken with the members that are known", () => {
    expect(Value.Check(schema, sample)).toBe(true)
  })

  it.each(["tilte", "callback_url", "owner", "__proto__"])("is refused with the member %s (R09)", (name) => {
    expect(Value.Check(schema, Object.fromEntries([...Object.entries(sample), [name, "x"]]))).toBe(false)
  })
})

const all: readonly (readonly [string, unknown])[] = Object.entries(v3)
const allOfV2 = new Map<string, unknown>(Object.entries(v2))

it("everything else about documents is as in v2: names, readers and answers", () => {
  expect(all.map(([name]) => name)).toEqual([...allOfV2.keys()])
  const [readers, schemas] = [all.filter(isReader), all.filter((one) => !isReader(one))]
  for (const [name, reader] of readers) expect(reader, name).toBe(allOfV2.get(name))
  // A schema differs in nothing but in what it does not know.
  for (const [name, schema] of schemas)
    expect(Object.assign({}, schema, { additionalProperties: undefined }), name).toEqual(allOfV2.get(name))
  expect(v3.Document).toBe(v2.Document)
  expect(v3.DocumentContent).toBe(v2.DocumentContent)
})

function isReader([, one]: readonly [string, unknown]): boolean {
  return typeof one === "function"
}

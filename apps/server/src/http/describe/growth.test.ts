import { describe, expect, it } from "vitest"
import { whatBreaks } from "./growth.ts"

/** A description with one operation, changed by a test as a careless hand would. */
function described(change: (operation: Operation) => void = () => undefined) {
  const operation: Operation = {
    parameters: [{ name: "search", in: "query", required: false }],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: {
              title: { type: "string", maxLength: 10 },
              quality: { enum: ["SES", "QES"] },
              signers: {
                type: "array",
                items: { type: "object", properties: { email: { type: "string" } } },
              },
            },
            required: ["title"],
          },
        },
      },
    },
    responses: {
      200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
      404: { description: "Not Found." },
    },
    thing: {
      type: "object",
      properties: { id: { type: "string" }, size: { type: "integer" } },
      required: ["id"],
    },
  }
  change(operation)
  const { thing, ...post } = operation
  return { paths: { "/things": { post } }, components: { schemas: { Thing: thing } } }
}
// biome-ignore lint/suspicious/noExplicitAny: each test reaches into the description by hand.
type Operation = any

const sent = (operation: Operation) => operation.requestBody.content["application/json"].schema

describe("a description that may only grow", () => {
  it.each<[string, (operation: Operation) => void]>([
    ["nothing", () => undefined],
    [
      "a new parameter that may be left out",
      (o) => o.parameters.push({ name: "page", in: "query", required: false }),
    ],
    ["a new member of the body", (o) => Object.assign(sent(o).properties, { note: { type: "string" } })],
    ["a wider limit", (o) => Object.assign(sent(o).properties.title, { maxLength: 20 })],
    ["a new value", (o) => sent(o).properties.quality.enum.push("AES")],
    ["a new member of the answer", (o) => Object.assign(o.thing.properties, { note: { type: "string" } })],
    ["a promise that a member is always there", (o) => o.thing.required.push("size")],
    ["a new problem", (o) => Object.assign(o.responses, { 409: { description: "Conflict." } })],
    [
      "another kind of body",
      (o) => Object.assign(o.requestBody.content, { "application/pdf": { schema: {} } }),
    ],
  ])("may have %s", (_, change) => {
    expect(whatBreaks(described(), described(change))).toEqual([])
  })

  it.each<[string, (operation: Operation) => void, string]>([
    ["a parameter", (o) => o.parameters.pop(), "the parameter query search is gone"],
    [
      "a parameter that was not needed",
      (o) => Object.assign(o.parameters[0], { required: true }),
      "the parameter query search is needed now",
    ],
    ["a member of the body", (o) => delete sent(o).properties.title, "title in a body is gone"],
    [
      "the right to leave a member out",
      (o) => sent(o).required.push("quality"),
      "quality in a body is needed now",
    ],
    [
      "a value",
      (o) => sent(o).properties.quality.enum.pop(),
      'quality in a body does not take "QES" any more',
    ],
    [
      "some of the length",
      (o) => Object.assign(sent(o).properties.title, { maxLength: 5 }),
      "title in a body has a tighter maxLength",
    ],
    [
      "a member deep inside",
      (o) => delete sent(o).properties.signers.items.properties.email,
      "email in each of signers in a body is gone",
    ],
    ["an answer", (o) => delete o.responses[200], "the answer 200 is gone"],
    ["a member of the answer", (o) => delete o.thing.properties.size, "size in the answer 200 is gone"],
    [
      "the promise of a member",
      (o) => o.thing.required.pop(),
      "id in the answer 200 is not always there any more",
    ],
    [
      "the type of a member",
      (o) => Object.assign(o.thing.properties.size, { type: "string" }),
      "size in the answer 200 has another type",
    ],
  ])("may not lose %s", (_, change, said) => {
    expect(whatBreaks(described(), described(change))).toEqual([`POST /things: ${said}`])
  })

  it("may not lose an operation", () => {
    expect(whatBreaks(described(), { ...described(), paths: {} })).toEqual(["POST /things is gone"])
  })
})

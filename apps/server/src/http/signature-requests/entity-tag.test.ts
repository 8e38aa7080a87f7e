import { expect, it } from "vitest"
import { entityTag, meetsIfMatch, meetsIfNoneMatch } from "./entity-tag.ts"

const tag = entityTag({ id: "1", title: "a" })

it("an entity tag is of what is answered, in quotes", () => {
  expect(tag).toMatch(/^"[\w-]{43}"$/)
  expect(entityTag({ id: "1", title: "a" })).toBe(tag)
  expect(entityTag({ id: "1", title: "b" })).not.toBe(tag)
})

it.each([
  ["*", true, true],
  [tag, true, true],
  [`"x", ${tag}`, true, true],
  [`W/${tag}`, false, true],
  ['"x"', false, false],
  ["", false, false],
  [tag.slice(1, -1), false, false],
])("%s meets If-Match: %s, If-None-Match: %s", (header, match, noneMatch) => {
  expect([meetsIfMatch(header, tag), meetsIfNoneMatch(header, tag)]).toEqual([match, noneMatch])
})

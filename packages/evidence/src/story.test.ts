import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { readBody, writeBody } from "./body.ts"
import { checkStory, keyOfStory } from "./check-story.ts"
import { entryOf } from "./leaf.ts"
import { EvidenceRefused } from "./refused.ts"
import { readStory, type Story, type StoryEvent, writeStory } from "./story.ts"
import { bodyOf, type Logged, loggedStory } from "./testing/logged-story.ts"

describe("a body", () => {
  it("is written in one way, whichever the order of its members", () => {
    const { v, request, seq, type, at, data } = bodyOf(1)
    const bytes = writeBody({ data: { pages: 1, name: "Ada № 1" }, at, type, seq, request, v })
    expect(bytes).toEqual(writeBody({ v, request, seq, type, at, data }))
    expect(readBody(bytes)).toEqual(bodyOf(1))
  })

  it("is refused in any other spelling, and where it says anything else", () => {
    const text = Buffer.from(writeBody(bodyOf(1))).toString("utf8")
    for (const wrong of [
      text.replace(":1,", ": 1,"),
      text.replace('"v":1', '"v":2'),
      text.replace('"seq":1', '"seq":0'),
      text.replace('"seq":1', '"seq":1.5'),
      text.replace("№", "\\u2116"),
      text.replace('"type":"signature.opened"', '"type":"<b>"'),
      text.replace(/"at":"[^"]*"/, '"at":"2026-02-30T00:00:00.000Z"'),
      text.replace(/"at":"[^"]*"/, '"at":"yesterday"'),
      text.replace(/"at":"[^"]*"/, '"at":"2026-13-01T00:00:00.000Z"'),
      text.replace('"data":{', '"data":{"endless":1e400,'),
      text.replace('"data":{', '"data":{"half":"\\ud800",'),
      text.replace('"data":{', '"data":{"more":{},'),
      text.replace("{", '{"also":1,'),
      `${text} `,
      "[]",
      "null",
      "",
    ])
      expect(() => readBody(Buffer.from(wrong)), wrong).toThrow(EvidenceRefused)
    expect(() => readBody(Uint8Array.of(0xff))).toThrow(EvidenceRefused)
    expect(() => writeBody(bodyOf(1, { data: { name: "x".repeat(60_000) } }))).toThrow(EvidenceRefused)
  })

  it("says nothing by its entry: the same twice has another salt", () => {
    const body = writeBody(bodyOf(1))
    expect(entryOf(Buffer.alloc(32, 1), body)).not.toEqual(entryOf(Buffer.alloc(32, 2), body))
    expect(() => entryOf(Buffer.alloc(31), body)).toThrow(EvidenceRefused)
  })
})

describe("a story", () => {
  let logged: Logged
  let other: Logged
  beforeAll(async () => {
    logged = await loggedStory(12, 300)
    other = await loggedStory(12, 2)
  })

  it("holds as it was logged, also after it was a file", () => {
    const { story, key } = logged
    const checked = checkStory(readStory(writeStory(story)), key)
    expect(checked.faults).toEqual([])
    expect(checked.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    expect(checked.head).toMatchObject({ origin: "paraph.test/log" })
    expect(keyOfStory(story)).toEqual(key)
  })

  it("of another log, or with a head that nobody signed, is not believed at all", () => {
    const { story, key } = logged
    expect(checkStory(story, other.key)).toEqual({ faults: [{ fault: "checkpoint" }], events: [] })
    const cut = { ...story, log: { ...story.log, checkpoint: other.story.log.checkpoint } }
    expect(checkStory(cut, key).faults).toEqual([{ fault: "checkpoint" }])
    const garbled = { ...story, log: { ...story.log, checkpoint: "nothing" } }
    expect(checkStory(garbled, key).faults).toEqual([{ fault: "checkpoint" }])
  })

  it("is noticed to be another, whatever was changed, left out, doubled, swapped or put in", () => {
    const { story, key } = logged
    const changes = fc.oneof(
      fc.record({ kind: fc.constantFrom("remove", "double", "swap", "foreign"), at: fc.nat(10) }),
      fc.record({
        kind: fc.constantFrom("body", "salt", "path", "index", "back-date"),
        at: fc.nat(11),
        place: fc.nat(),
      }),
    )
    fc.assert(
      fc.property(changes, (change) => {
        const changed = apply(story, change, other.story)
        expect(changed.events).not.toEqual(story.events)
        expect(checkStory(changed, key).faults.length).toBeGreaterThan(0)
      }),
      { numRuns: 2000 },
    )
  })

  it("is a file of exactly these members", () => {
    const text = writeStory(logged.story)
    for (const wrong of [
      "",
      "[]",
      "{}",
      text.replace("paraph-story/1", "paraph-story/2"),
      text.replace('"events": [', '"more": 1, "events": ['),
      text.replace('"index":', '"indices":'),
    ])
      expect(() => readStory(wrong)).toThrow(EvidenceRefused)
  })
})

type Change = { readonly kind: string; readonly at: number; readonly place?: number }

/** All but the last can be removed: what is behind it nobody can say. */
function apply(story: Story, { kind, at, place = 0 }: Change, other: Story): Story {
  const events = [...story.events]
  const [one, next, foreign] = [events[at], events[at + 1], other.events[at]]
  if (one === undefined || foreign === undefined) throw new Error("There is no such event.")
  if (kind === "remove") events.splice(at, 1)
  else if (kind === "double") events.splice(at, 0, one)
  else if (kind === "swap" && next !== undefined) events.splice(at, 2, next, one)
  else if (kind === "foreign") events[at] = foreign
  else events[at] = changedEvent(one, kind, place)
  return { ...story, events }
}

function changedEvent(event: StoryEvent, kind: string, place: number): StoryEvent {
  if (kind === "index") return { ...event, index: event.index + 1 + (place % 7) }
  if (kind === "salt") return { ...event, salt: flipped(event.salt, place) }
  if (kind === "back-date") return { ...event, body: event.body.replace("2026-", "2025-") }
  if (kind === "body") return { ...event, body: event.body.replace("Ada", "Eve") }
  const path = event.path.map((hash, i) => (i === place % event.path.length ? flipped(hash, place) : hash))
  return { ...event, path }
}

function flipped(base64: string, place: number): string {
  const bytes = Buffer.from(base64, "base64")
  bytes[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ (1 << (place % 8))
  return bytes.toString("base64")
}

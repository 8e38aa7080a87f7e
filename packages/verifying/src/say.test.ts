import { readCertificate } from "@paraph/pki/certificate"
import { beforeAll, describe, expect, it } from "vitest"
import { sayVerified } from "./say.ts"
import { later, type ToldWorld, toldWorld } from "./testing/told-world.ts"
import type { Verified } from "./verified.ts"
import { verifyFiles } from "./verify.ts"
import { LANGUAGES } from "./words/words.ts"

let told: ToldWorld
let found: Verified
beforeAll(async () => {
  told = await toldWorld()
  const files = [
    { name: "contract.pdf", bytes: told.contract },
    { name: "report.pdf", bytes: told.report },
  ]
  found = await verifyFiles({
    files,
    logKeys: [told.key],
    trusted: [readCertificate(told.root)],
    now: later(3),
  })
})

describe("what was found", () => {
  it.each(LANGUAGES)("is said without a value that is missing, in %s", (language) => {
    for (const verified of [found, { ...found, trusted: 0 }]) {
      const text = JSON.stringify(sayVerified(verified, language))
      expect(text).not.toMatch(/\{\w+\}|undefined|NaN/)
      expect(text).toContain("paraph.test/log")
    }
  })

  it("takes from names of files, of people and of events what could deceive whoever reads", () => {
    const [story] = found.stories
    const [event] = story?.events ?? []
    if (story === undefined || event === undefined) throw new Error("There is a story.")
    const evil = "a\u202Efdp.exe\u001b[2J\n"
    const hostile: Verified = {
      ...found,
      documents: found.documents.map((document) => ({ ...document, name: evil })),
      stories: [{ ...story, name: evil, events: [{ ...event, data: { [evil]: evil } }] }],
      others: [{ name: evil, problem: "unknown" }],
    }
    const written = JSON.stringify(sayVerified(hostile, "en"))
    for (const octet of ["\u202E", "\\u202e", "\\u001b", "\\n"]) expect(written).not.toContain(octet)
  })

  it("does not print a thousand faults", () => {
    const [story] = found.stories
    if (story === undefined) throw new Error("There is a story.")
    const faults = Array.from({ length: 1000 }, (_, i) => ({ fault: "inclusion" as const, seq: i + 1 }))
    const [part] = sayVerified({ ...found, documents: [], stories: [{ ...story, faults }] }, "en").parts
    expect(part?.sentences.length).toBeLessThan(30)
    expect(part?.sentences).toContain("and 980 more")
  })
})

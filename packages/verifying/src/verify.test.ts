import { writeStory } from "@paraph/evidence/story"
import { samplePdf } from "@paraph/pades/sample"
import { readCertificate } from "@paraph/pki/certificate"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { loggedStory } from "../../evidence/src/testing/logged-story.ts"
import { sayVerified } from "./say.ts"
import { trustedLogKeys } from "./take-in.ts"
import { later, reportWith, sha256, type ToldWorld, toldWorld } from "./testing/told-world.ts"
import type { Verified } from "./verified.ts"
import { type ComparePages, type Given, verifyFiles } from "./verify.ts"
import { LANGUAGES, verifyWords } from "./words/words.ts"

let told: ToldWorld
beforeAll(async () => {
  told = await toldWorld()
})

type Files = Readonly<Record<string, Uint8Array | string>>

/** For whoever has the root, and the key as it was published. */
const verified = (files: Files, more: Partial<Given> = {}): Promise<Verified> =>
  verifyFiles({
    files: Object.entries(files).map(([name, content]) => ({
      name,
      bytes: typeof content === "string" ? Buffer.from(content, "utf8") : content,
    })),
    logKeys: [told.key],
    trusted: [readCertificate(told.root)],
    now: later(3),
    ...more,
  })

describe("the contract, its report and its story", () => {
  it("all hold for whoever has the root and the key of the log", async () => {
    const found = await verified({ "contract.pdf": told.contract, "report.pdf": told.report })
    expect(found.standing).toBe("holds")
    const [contract, report] = found.documents
    expect(contract?.report?.signatures).toMatchObject([
      { signer: "Ada", indication: "TOTAL-PASSED", level: "PAdES-BASELINE-LTA", timeProof: "time-stamp" },
    ])
    expect(contract?.mentions?.map(({ seq, type, of }) => [seq, type, of])).toEqual([
      [1, "request.created", "earlier"],
      [4, "mark.made", "file"],
    ])
    expect(report).toMatchObject({ standing: "holds", carriesStory: true, mentions: [] })
    expect(found.stories).toMatchObject([
      { name: "report.pdf", standing: "holds", faults: [], told: 5, key: { isTrusted: true } },
    ])
    expect(found.stories[0]?.head?.origin).toBe("paraph.test/log")
    expect(found.stories[0]?.stamp).toMatchObject({ indication: "TOTAL-PASSED", authority: "Clock 0" })
    expect(found.stories[0]?.events.map(({ type }) => type).at(-1)).toBe("request.completed")
  })

  it("still hold in a year, when nobody answers any more", async () => {
    const found = await verified(
      { "contract.pdf": told.contract, "report.pdf": told.report },
      { now: later(24 * 365) },
    )
    expect(found.standing).toBe("holds")
  })

  it("without the key of the log the story agrees with itself, and no more is said", async () => {
    const found = await verified({ "report.pdf": told.report }, { logKeys: [] })
    expect(found).toMatchObject({ standing: "unsure", documents: [{ standing: "holds" }] })
    const [story] = found.stories
    expect(story).toMatchObject({ standing: "unsure", faults: [], key: { isTrusted: false } })
    expect(story?.key).toMatchObject({ line: told.keyLine, fingerprint: sha256(told.key.publicKey) })
  })

  it("of another log than the one that is trusted, a story does not hold", async () => {
    const { key } = await loggedStory(1, 1)
    const found = await verified({ "story.json": writeStory(told.story) }, { logKeys: [key] })
    expect(found).toMatchObject({ standing: "fails", stories: [{ faults: [{ fault: "key" }], events: [] }] })
  })

  it("a key of the same name is not the key", async () => {
    const { key, story } = await loggedStory(2, 1)
    expect(key.name).toBe(told.key.name)
    const found = await verified({ "story.json": writeStory(story) }, { logKeys: [told.key] })
    expect(found.standing).toBe("fails")
  })

  it("without anybody trusted, signatures and time-stamp cannot be said to hold", async () => {
    const found = await verified(
      { "contract.pdf": told.contract, "report.pdf": told.report },
      { trusted: [] },
    )
    expect(found).toMatchObject({
      standing: "unsure",
      trusted: 0,
      documents: [{ standing: "unsure" }, { standing: "unsure" }],
      stories: [{ standing: "unsure", faults: [] }],
    })
  })

  it("the time-stamp of the story needs news of its authority, which the report brings along", async () => {
    const alone = await verified({ "story.json": writeStory(told.story) })
    expect(alone.stories[0]).toMatchObject({ standing: "unsure", stamp: { indication: "INDETERMINATE" } })
    const beside = await verified({ "story.json": writeStory(told.story), "report.pdf": told.report })
    expect(beside.stories[0]).toMatchObject({ standing: "holds", stamp: { indication: "TOTAL-PASSED" } })
  })

  it("the time-stamp of another head does not hold", async () => {
    const { story: other, key } = await loggedStory(2, 3)
    const moved = { ...other, log: { ...other.log, stamp: told.story.log.stamp } }
    const found = await verified({ "story.json": writeStory(moved) }, { logKeys: [key] })
    expect(found.stories[0]).toMatchObject({
      standing: "fails",
      stamp: { indication: "TOTAL-FAILED", subIndication: "HASH_FAILURE" },
    })
  })

  it("a signed PDF of which the story knows nothing is not said to be told of", async () => {
    const found = await verified({ "other.pdf": told.other, "report.pdf": told.report })
    expect(found.documents[0]).toMatchObject({
      standing: "unsure",
      mentions: [],
      report: { indication: "TOTAL-PASSED" },
    })
    expect(found.standing).toBe("unsure")
    const alone = await verified({ "other.pdf": told.other })
    expect(alone).toMatchObject({ standing: "holds", documents: [{ mentions: null }] })
  })
})

describe("what was changed is noticed", () => {
  it("any octet of a signed contract before its end", async () => {
    // The signature covers the file up to where it was raised; behind it stands what the last time-stamp covers.
    const { contract } = told
    await fc.assert(
      fc.asyncProperty(fc.nat(contract.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Uint8Array.from(contract)
        changed[at] = (changed[at] ?? 0) ^ by
        const found = await verified({ "contract.pdf": changed, "report.pdf": told.report })
        const [document] = found.documents
        // Even where a signature tolerates it (the unused zeros of a hole), the story names another file.
        const isSame = document?.mentions?.some(({ of, type }) => of === "file" && type === "mark.made")
        expect(isSame ?? false).toBe(false)
        if (at < 500) expect(found.standing).not.toBe("holds")
      }),
      { numRuns: 80 },
    )
  }, 60_000)

  it("anything in the file of a story", async () => {
    const text = writeStory(told.story)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.constantFrom("0", "a", "Z", "}", " ", '"'),
        async (at, by) => {
          const changed = `${text.slice(0, at)}${by}${text.slice(at + 1)}`
          const found = await verified({ "story.json": changed, "report.pdf": told.report })
          const means = (one: string) => {
            try {
              return JSON.stringify(JSON.parse(one))
            } catch {
              return "no JSON"
            }
          }
          const story = found.stories.find(({ name }) => name === "story.json")
          if (means(changed) === means(text)) expect(story?.standing).toBe("holds")
          else if (isOnlyPadding(changed, text)) expect(story).toBeDefined()
          else if (isInStamp(at, text) && story?.standing === "holds")
            // Certificates that lie in a token for convenience are not signed by it; what it says is.
            expect(story.stamp).toMatchObject({ time: later(1).toISOString(), authority: "Clock 0" })
          else expect(story?.standing ?? "refused").not.toBe("holds")
        },
      ),
      { numRuns: 200 },
    )
  }, 60_000)

  it("a story in a report that somebody exchanged behind the seal", async () => {
    const { story } = await loggedStory(5, 2)
    const sealed = Buffer.from(told.report).toString("latin1")
    const at = sealed.indexOf('"salt": "')
    const changed = Buffer.from(told.report)
    changed.write(changed[at + 12] === 0x41 ? "B" : "A", at + 12, "latin1")
    const found = await verified({ "report.pdf": changed })
    expect(found).toMatchObject({ standing: "fails", documents: [{ standing: "fails" }] })
    expect(found.stories[0]?.faults.map(({ fault }) => fault)).toEqual(["inclusion"])
    const foreign = await verified({ "report.pdf": reportWith(writeStory(story)) })
    expect(foreign).toMatchObject({ documents: [{ standing: "unsure" }], stories: [{ standing: "fails" }] })
  })
})

function isInStamp(at: number, text: string): boolean {
  const begins = text.indexOf('"stamp"')
  return at > begins && at < text.indexOf("\n", begins)
}

/** Base64 leaves bits over at its end, which say nothing: the octets are the same. */
function isOnlyPadding(changed: string, text: string): boolean {
  try {
    return octets(changed) === octets(text)
  } catch {
    return false
  }
}

function octets(text: string): string {
  const { log, events, ...rest } = JSON.parse(text) as typeof told.story
  const plain = (base64: string) => Buffer.from(base64, "base64").toString("hex")
  return JSON.stringify([
    rest,
    { ...log, stamp: plain(log.stamp ?? "") },
    events.map(({ salt, path, ...event }) => [event, plain(salt), path.map(plain)]),
  ])
}

describe("files that are neither", () => {
  it("are named and said to be so, and the rest is checked", async () => {
    const found = await verified({
      "letter.txt": "Dear Ada",
      "story.json": "{}",
      "empty.pdf": "",
      "broken.pdf": "%PDF-1.7 nothing",
      "contract.pdf": told.contract,
    })
    expect(found.others).toEqual([
      { name: "letter.txt", problem: "unknown" },
      { name: "story.json", problem: "story" },
      { name: "empty.pdf", problem: "unknown" },
    ])
    expect(found.documents).toMatchObject([
      { name: "broken.pdf", report: null, standing: "unsure" },
      { standing: "holds" },
    ])
    expect(found.standing).toBe("unsure")
  })

  it("a report whose story is damaged says so", async () => {
    const found = await verified({ "report.pdf": reportWith('{"format":"paraph-story/1"}') })
    expect(found).toMatchObject({
      stories: [],
      others: [{ name: "report.pdf: story.json", problem: "story" }],
    })
    expect(found.documents).toMatchObject([{ carriesStory: true }])
  })

  it("what somebody signed behind what the story tells is theirs alone", async () => {
    const again = told.world.sign(later(2), told.contract, { fieldName: "Again", reason: "Another one" })
    const appended = await told.world.raise(again, "B-LTA", later(2))
    const found = await verified({ "contract.pdf": appended, "story.json": writeStory(told.story) })
    const [contract] = found.documents
    expect(contract?.mentions?.some(({ type, of }) => type === "mark.made" && of === "earlier")).toBe(true)
    expect(contract).toMatchObject({ isSignedLater: true, standing: "unsure" })
    expect(sayVerified(found, "en").parts[0]?.sentences.join(" ")).toContain("behind what the story tells")
  })

  it("a file that was signed elsewhere is not told of because it was once uploaded here", async () => {
    const elsewhere = await told.world.raise(
      told.world.sign(later(2), samplePdf(), { reason: "Elsewhere" }),
      "B-LTA",
      later(2),
    )
    const found = await verified({ "contract.pdf": elsewhere, "story.json": writeStory(told.story) })
    expect(found.documents).toMatchObject([
      { isSignedLater: true, standing: "unsure", mentions: [{ type: "request.created", of: "earlier" }] },
    ])
  })

  it("that a file brings a story along does not say that it is the report of it", async () => {
    const sealed = told.world.sign(later(2), reportWith(writeStory(told.story)), { reason: "A nice one" })
    const forged = await told.world.raise(sealed, "B-LTA", later(2))
    const found = await verified({ "report.pdf": forged })
    expect(found.documents).toMatchObject([{ carriesStory: true, standing: "unsure" }])
    const { documents } = await verified({ "report.pdf": told.report })
    expect(documents).toMatchObject([{ standing: "holds", reportSealedBy: "Ada" }])
  })

  it("nothing at all cannot be said to hold", async () => {
    expect(await verified({})).toMatchObject({ standing: "unsure", documents: [], stories: [] })
  })

  it("keys of logs are read one in each line", () => {
    expect(trustedLogKeys(`# production\n${told.keyLine}\r\n\n`)).toEqual([told.key])
    for (const wrong of ["", "# none", "key", `${told.keyLine}x`])
      expect(() => trustedLogKeys(wrong)).toThrow("key of a log")
  })
})

describe("[B1] a document to which something was added that can be seen", () => {
  const place = { page: 0, x: 50, y: 50, width: 100, height: 40 }
  const twice = () => {
    const first = told.world.sign(later(0), samplePdf(), { fieldName: "One" })
    return told.world.raise(told.world.sign(later(0), first, { fieldName: "Two", place }), "B-LTA", later(0))
  }
  const seen =
    (different: boolean, complete = true): ComparePages =>
    async (_, pages) =>
      pages.map(({ field }) => ({ field, complete, pages: [{ page: 0, different }] }))

  it("holds only where its pages were compared and look the same", async () => {
    const files = { "twice.pdf": await twice() }
    expect((await verified(files, { comparePages: seen(false) })).standing).toBe("holds")
    for (const comparePages of [seen(true), seen(false, false)])
      expect((await verified(files, { comparePages })).standing).toBe("unsure")
  })

  it("cannot be said to hold where nothing draws pages, which is said in every language", async () => {
    const found = await verified({ "twice.pdf": await twice() })
    expect(found).toMatchObject({ standing: "unsure", comparesPages: false })
    const [first] = found.documents[0]?.report?.signatures ?? []
    expect(first?.reasons).toContainEqual({ code: "not-all-compared", weight: "fail" })
    for (const language of LANGUAGES)
      expect(sayVerified(found, language).notes).toEqual([verifyWords(language).notDrawn])
  })

  it("is called changed where a page looks different", async () => {
    const comparePages = seen(true)
    const found = await verified({ "twice.pdf": await twice() }, { comparePages })
    expect(sayVerified(found, "en").headline).toMatch(/^A document was changed after it was signed/)
  })
})

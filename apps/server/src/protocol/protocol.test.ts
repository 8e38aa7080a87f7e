import { LANGUAGES } from "@paraph/core/language"
import type { Protocol } from "@paraph/core/report/model"
import { describePdf } from "@paraph/pades/describe"
import type { Block } from "@paraph/pades/paper-block"
import { describe, expect, it } from "vitest"
import { protocolBlocks } from "./blocks.ts"
import { protocolPolicy, writeProtocolPage } from "./page.ts"
import { writeProtocolPaper } from "./paper.ts"
import { sayEvent } from "./say-event.ts"
import type { Shown } from "./shown.ts"
import { MAX_STEPS } from "./timeline.ts"
import { en } from "./words/en.ts"
import { wordsOf } from "./words/of-language.ts"

const at = new Date("2026-11-16T09:00:00Z")
const HEX = "ab".repeat(32)

const event = (seq: number, type: string, signatureId: string | null = null, data = {}) => ({
  ...{ seq, type, at, signatureId, data },
  logged: true,
})

const protocol: Protocol = {
  requestId: "42",
  kind: "demo",
  title: "Lease",
  sender: "acme",
  quality: "AES",
  legislation: null,
  status: "SIGNED",
  createdAt: at,
  endedAt: at,
  people: [
    {
      signatureId: "s1",
      name: "Ada Lovelace",
      nameBy: "account",
      nameProof: null,
      nameWarning: null,
      email: "ada@example.org",
      state: "signed",
      signedAt: at,
      declineReason: null,
      consent: { at, version: "aes-1", language: "en", sha256: HEX, through: "mailed link" },
      served: [{ documentId: "d1", pages: "1-12", pageCount: 12 }],
      factors: [{ at, kind: "passkey", to: null }],
      ipAddresses: ["192.0.2.1"],
      certificates: [{ sha256: HEX, subject: "CN=Ada", issuer: "CN=CA", serialNumber: "7F" }],
      identifiedBy: null,
    },
  ],
  documents: [{ id: "d1", name: "Lease.pdf", uploadedAt: at, sha256: HEX, versions: [] }],
  events: [event(1, "request.created"), event(2, "signature.opened", "s1", { ip: "192.0.2.1" })],
}
const shown = (more: Partial<Protocol> = {}, of: Partial<Shown> = {}): Shown => ({
  protocol: { ...protocol, ...more },
  log: { key: "log.example+00+AA", checkpoint: "log.example\n31\nroot\n", stamp: null },
  language: "en",
  sealer: "Acme reports 1",
  publicUrl: "https://sign.example.org",
  ...of,
})
const textsOf = (blocks: readonly Block[]): string => JSON.stringify(blocks)

describe("the words of the protocol", () => {
  it.each(LANGUAGES)(
    "say the same in %s: each event and each value, with the same placeholders",
    (language) => {
      const words = wordsOf(language)
      const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).toSorted()
      const compare = (one: unknown, other: unknown, path: string): void => {
        if (typeof one === "string") {
          expect([path, holes(String(other))]).toEqual([path, holes(one)])
          expect(String(other).trim()).not.toBe("")
          return
        }
        const [ours, theirs] = [one as Record<string, unknown>, other as Record<string, unknown>]
        expect([path, Object.keys(theirs).toSorted()]).toEqual([path, Object.keys(ours).toSorted()])
        for (const key of Object.keys(ours)) compare(ours[key], theirs[key], `${path}.${key}`)
      }
      compare(en, words, language)
    },
  )

  it("say what an event carries, in the order of reading; of one that they do not know, its name", () => {
    const data = { by: "acme", ip: "192.0.2.1", through: "e-mail code", sha256: HEX, attempt: 1 }
    expect(sayEvent({ type: "signature.opened", data }, "de")).toBe(
      "Die Seite zum Unterschreiben wurde geöffnet (über: Code per E-Mail; von: 192.0.2.1; durch: acme).",
    )
    expect(sayEvent({ type: "moon.risen", data: {} }, "en")).toBe("moon.risen")
    expect(sayEvent({ type: "constructor", data: { through: "toString" } }, "en")).toBe(
      "constructor (by: toString).",
    )
  })
})

describe("the protocol", () => {
  it.each(LANGUAGES)(
    "says of a demo that it is one, then the outcome, and how to check it, in %s",
    (language) => {
      const { demo, check, outcomes } = wordsOf(language)
      const blocks = protocolBlocks(shown({}, { language }))
      const said = blocks.map((block) => (block.type === "paragraph" ? block.text : block.type))
      expect(said.indexOf(demo)).toBe(said.indexOf("verdict") - 1)
      expect(blocks.find(({ type }) => type === "verdict")).toMatchObject({
        sign: "good",
        heading: outcomes.SIGNED.heading,
      })
      expect(textsOf(blocks)).toContain(check.heading)
      expect(textsOf(blocks)).toContain("https://sign.example.org/log/demo/key")
      expect(textsOf(protocolBlocks(shown({ kind: "production" }, { language })))).not.toContain(demo)
    },
  )

  it("names who declined, and counts who has signed", () => {
    const [person] = protocol.people
    if (person === undefined) throw new Error("There is nobody.")
    const declined = { ...person, signatureId: "s2", name: "Bob", state: "declined" as const }
    const people = [person, declined]
    const verdict = (status: Protocol["status"]) =>
      protocolBlocks(shown({ status, people })).find(({ type }) => type === "verdict")
    expect(verdict("DECLINED")).toMatchObject({ sign: "bad", text: expect.stringContaining("Bob declined") })
    expect(verdict("OPEN")).toMatchObject({ text: "1 of 2 people have signed so far." })
  })

  it("what a stranger wrote cannot turn the direction, begin a line, fill a page, or be markup", () => {
    const name = `a\u202eb\n<script>${"x".repeat(5000)}`
    const [person] = protocol.people
    if (person === undefined) throw new Error("There is nobody.")
    const hostile = shown({
      title: name,
      sender: name,
      people: [
        { ...person, name, email: name, ipAddresses: [name], identifiedBy: name, declineReason: name },
      ],
      documents: [{ id: "d1", name, uploadedAt: at, sha256: HEX, versions: [] }],
      events: [event(1, "signature.declined", "s1", { reason: name }), event(2, "x.y", "s9", { to: name })],
    })
    expect(textsOf(protocolBlocks(hostile))).not.toMatch(/\u202e|\\n|x{6000}/)
    const page = writeProtocolPage(hostile)
    expect(page).not.toContain("<script>")
    expect(page).toContain("&lt;script&gt;")
  })

  it("of thousands of steps shows some, and counts the others", () => {
    const events = Array.from({ length: MAX_STEPS + 7 }, (_, i) => event(i + 1, "signature.opened", "s1"))
    expect(textsOf(protocolBlocks(shown({ events })))).toContain("and 7 more")
  })

  it.each(LANGUAGES)("is the same paper each time in %s, with the story inside it", (language) => {
    const order = { ...shown({}, { language }), madeAt: at, storyFile: '{"format":"paraph-story/1"}' }
    const bytes = writeProtocolPaper(order)
    expect(bytes).toEqual(writeProtocolPaper(structuredClone(order)))
    expect(describePdf(bytes)).toMatchObject({ pdfa: "PDF/A-3A" })
    expect(Buffer.from(bytes).toString("latin1")).toContain("/AFRelationship /Data")
  })

  it.each(LANGUAGES)(
    "as a page in %s says where the sealed one is, and of nothing that it is attached",
    (language) => {
      const events = Array.from({ length: MAX_STEPS + 7 }, (_, i) => event(i + 1, "signature.opened", "s1"))
      const { check } = wordsOf(language)
      const page = writeProtocolPage(shown({ events }, { language, sealer: null }))
      const address = "https://sign.example.org/v2/signature-requests/42/report"
      for (const said of [`${address}?type=PDF`, `${address}?type=JSON`]) expect(page).toContain(said)
      const attached = check.attached.slice(0, check.attached.indexOf("{count}"))
      expect(page).not.toContain(attached)
      // Wherever it names the file, it says in the same breath that it is in the PDF.
      const named = page.split(/(?<=[.:;])\s|<[^>]+>/).filter((sentence) => sentence.includes("story.json"))
      expect(named).toHaveLength(2)
      for (const paragraph of page.split(/<\/?(?:p|li)\b/).filter((one) => one.includes("story.json")))
        expect(paragraph).toMatch(/PDF (?:sigillato|scellé)|gesiegelte[n]? PDF|sealed PDF/)
      expect(textsOf(protocolBlocks(shown({ events }, { language })))).toContain(attached.slice(0, 20))
    },
  )

  it("as a page allows its own style and nothing else, and says where there is no proof yet", () => {
    expect(protocolPolicy()).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'/)
    const late = shown({ events: [{ ...event(1, "request.created"), logged: false }] }, { sealer: null })
    expect(writeProtocolPage(late)).toContain(en.notLogged)
    expect(writeProtocolPage(shown({}, { sealer: null }))).not.toContain(en.notLogged)
  })
})

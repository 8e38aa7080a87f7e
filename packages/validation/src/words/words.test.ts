import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { REASON_VALUES, type ReasonCode } from "../reason-codes.ts"
import { PLACEHOLDER, wordsOf } from "./of-language.ts"
import { sayDay, sayIndication, sayReason, saySubIndication, sayTime } from "./say.ts"
import { LANGUAGES } from "./words.ts"

const CODES = Object.keys(REASON_VALUES) as ReasonCode[]
const ROOT = new URL("..", import.meta.url).pathname

describe("the words of a validation", () => {
  it("every language says everything, and nothing in the words of another", () => {
    const spoken = LANGUAGES.map((language) => new Map(leaves(wordsOf(language))))
    const keys = [...(spoken[0]?.keys() ?? [])]
    expect(keys.length).toBeGreaterThan(200)
    for (const key of keys) {
      const sentences = spoken.map((language) => language.get(key)?.trim() ?? "")
      for (const sentence of sentences) expect([key, sentence]).toEqual([key, expect.stringMatching(/./)])
      if (SAME.test(key)) continue
      expect([key, new Set(sentences).size]).toEqual([key, LANGUAGES.length])
    }
  })

  it("a sentence takes the same values in every language, and only those that its reason has", () => {
    for (const code of CODES) {
      const taken = LANGUAGES.map((language) => placeholders(wordsOf(language).reasons[code]))
      for (const names of taken) {
        expect([code, names]).toEqual([code, taken[0]])
        const allowed: readonly string[] = REASON_VALUES[code]
        expect([code, names.filter((name) => !allowed.includes(name))]).toEqual([code, []])
      }
    }
  })

  it("labels take the same values in every language", () => {
    const [first, ...others] = LANGUAGES.map((language) => new Map(leaves(wordsOf(language))))
    for (const other of others)
      for (const [key, text] of other)
        expect([key, placeholders(text)]).toEqual([key, placeholders(first?.get(key) ?? "")])
  })

  it("every code is said somewhere in the engine, and none is left over", () => {
    const text = sources(ROOT)
      .map((file) => readFileSync(file, "utf8"))
      .join("\n")
    // Those of the determination are put together from its own type, which is a union.
    const said = (code: string) =>
      text.includes(`"${code}"`) || text.includes(`"${code.replace("qualification-", "")}"`)
    expect(CODES.filter((code) => !said(code))).toEqual([])
  })

  it("every label stands somewhere in the report for people", () => {
    const text = sources(join(ROOT, "pdf-report"))
      .map((file) => readFileSync(file, "utf8"))
      .join("\n")
    const labels = Object.keys(wordsOf("en").report)
    expect(labels.filter((label) => !new RegExp(`\\.${label}\\b`).test(text))).toEqual([])
  })

  it("is one sentence for each reason, with every value in its place", () => {
    for (const language of LANGUAGES)
      for (const code of CODES) {
        const full = sayReason({ code, values: EXAMPLES }, language)
        expect(full).not.toMatch(/[{}]|undefined/)
        expect(full).toMatch(/^\p{Lu}.*\.$/u)
      }
  })

  it("says when a certificate was revoked, and why", () => {
    const revoked = { code: "revoked", values: { ...EXAMPLES, reason: "keyCompromise" } }
    expect(sayReason(revoked, "en")).toBe(
      "The certificate of “Anna Muster” was revoked on 1 March 2026, 09:30:05 UTC (the key may have fallen into other hands); nothing proves that the signature was made before.",
    )
    expect(sayReason(revoked, "de")).toContain("«Anna Muster» wurde am 1. März 2026, 09:30:05 UTC widerrufen")
    expect(sayReason(revoked, "fr")).toContain("le 1er mars 2026, 09:30:05 UTC")
    expect(sayReason(revoked, "it")).toContain("1º marzo 2026, 09:30:05 UTC")
  })

  it("tells an algorithm that has ended from one that was never accepted", () => {
    const values = { algorithm: "SHA1", until: "2012-08-01" }
    expect(sayReason({ code: "signature-weak", values }, "en")).toBe(
      "The signature uses SHA1, which has not counted as safe since 1 August 2012.",
    )
    expect(sayReason({ code: "signature-weak", values: { ...values, until: "1970-01-01" } }, "de")).toBe(
      "Die Signatur benutzt SHA1, was nicht als sicher gilt.",
    )
  })

  it("a name cannot turn the direction of our sentence, begin a line or bring braces to life", () => {
    const said = sayReason(
      { code: "expired", values: { certificate: "a\u202eb\nc{notAfter}", notAfter: "2026-01-02" } },
      "en",
    )
    expect(said).toBe("The certificate of “a\ufffdb\ufffdc{notAfter}” expired on 2 January 2026.")
  })

  it("of a code that it does not know it says the code", () => {
    expect(sayReason({ code: "from-the-future" }, "de")).toBe("from-the-future")
    expect(sayReason({ code: "toString" }, "de")).toBe("toString")
  })

  it("headings carry the term of the standard in brackets", () => {
    expect(sayIndication("TOTAL-FAILED", "en")).toBe("Not valid (TOTAL-FAILED)")
    expect(saySubIndication("TRY_LATER", "it")).toMatch(/\(TRY_LATER\)$/)
  })

  it("what is no time stays as it is", () => {
    expect(sayTime("yesterday", "en")).toBe("yesterday")
    expect(sayDay("", "fr")).toBe("")
    expect(sayTime("+010000-01-01T00:00:00.000Z", "en")).toBe("1 January 10000, 00:00:00 UTC")
  })
})

/** Words that two languages have in common. */
const SAME = /^\/report\/(format|signatures?|verdict|claimName|claimContact|page|level)$/

const EXAMPLES = {
  certificate: "Anna Muster",
  issuer: "Beispiel CA",
  since: "2026-03-01T09:30:05.000Z",
  thisUpdate: "2026-03-01T09:30:05.000Z",
  time: "2026-03-01T09:30:05.000Z",
  notBefore: "2020-01-01",
  notAfter: "2026-01-02",
  until: "2012-08-01",
  algorithm: "SHA1",
  fault: "byte-range-overlaps",
  subFilter: "adbe.x509.rsa_sha1",
  path: "/Root/Pages",
  page: "3",
  reason: "superseded",
  law: "EU",
  when: "signing",
}

function leaves(value: object, path = ""): readonly (readonly [string, string])[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === "string"
      ? [[`${path}/${key}`, inner] as const]
      : leaves(inner as object, `${path}/${key}`),
  )
}

function placeholders(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name ?? ""))].toSorted()
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ["words", "testing"].includes(entry.name) ? [] : sources(path)
    return entry.name.endsWith(".ts") && !/\.test\.ts$|reason-codes\.ts$/.test(entry.name) ? [path] : []
  })
}

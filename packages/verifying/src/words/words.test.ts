import { describe, expect, it } from "vitest"
import type { Evidence } from "../../../core/src/evidence/model.ts"
import { LANGUAGES, sayEvent, verifyWords } from "./words.ts"

type Sentences = ReadonlyMap<string, string>

/** Every sentence under the path that leads to it. */
function sentencesOf(words: object, path = ""): Sentences {
  return new Map(
    Object.entries(words).flatMap(([name, value]: [string, string | object]) =>
      typeof value === "string" ? [[`${path}/${name}`, value]] : [...sentencesOf(value, `${path}/${name}`)],
    ),
  )
}

const valuesIn = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()

describe.each(LANGUAGES)("%s", (language) => {
  const english = sentencesOf(verifyWords("en"))
  const own = sentencesOf(verifyWords(language))

  it("has every sentence, with its values, and no other", () => {
    expect([...own.keys()]).toEqual([...english.keys()])
    for (const [path, sentence] of own) {
      expect(valuesIn(sentence), path).toEqual(valuesIn(english.get(path) ?? ""))
      expect(sentence.trim(), path).toBe(sentence)
      expect(sentence, path).not.toBe("")
    }
  })

  it("is not left in English", () => {
    if (language === "en") return
    const same = [...own].filter(([path, sentence]) => sentence === english.get(path))
    expect(same.map(([path]) => path)).toEqual([])
  })

  it("does not call the log what the signature protocol is called", () => {
    const protocol = { en: "protocol", de: "Protokoll", fr: "protocole", it: "protocollo" }[language]
    const told = [...own.values()].join("\n").replaceAll(/signature protocol|Signaturprotokoll/gi, "")
    expect(told.toLowerCase()).not.toContain(protocol.toLowerCase())
  })

  it("says an event that it does not know by its type", () => {
    const known: Evidence["type"] = "signature.signed"
    expect(sayEvent(known, language)).not.toBe(known)
    expect(sayEvent("something.new", language)).toBe("something.new")
    expect(sayEvent("toString", language)).toBe("toString")
  })
})

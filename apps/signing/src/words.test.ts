import { describe, expect, it } from "vitest"

const LANGUAGES = ["en", "de", "fr", "it"] as const

const CATALOGUES = import.meta.glob<string>(["./locales/*.po", "./account/locales/*.po"], {
  query: "?raw",
  import: "default",
  eager: true,
})
const SOURCES = Object.entries(
  import.meta.glob<string>(["./**/*.{ts,tsx}", "!./**/*.test.ts", "!./**/*.d.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
)

/** The signing pages and the account pages have catalogues of their own. */
const AREAS = [
  { name: "signing", locales: "./locales", texts: textsOf((file) => !file.startsWith("./account/")) },
  {
    name: "account",
    locales: "./account/locales",
    // They share one part that speaks.
    texts: textsOf((file) => file.startsWith("./account/") || file === "./parts/language-select.tsx"),
  },
]

/** Words that are the same in English and in the other language. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  de: ["passkeys"],
  fr: ["about.message", "read.pages", "read.documents", "documents.list", "place.suggestions"],
  it: ["account.password", "password", "passkeys"],
}

describe.each(AREAS)("the words of the $name pages", ({ locales, texts }) => {
  const words = Object.fromEntries(
    LANGUAGES.map((language) => [language, readPo(CATALOGUES[`${locales}/${language}.po`] ?? "")]),
  )
  const english = words.en ?? new Map<string, string>()
  const ids = [...english.keys()]

  it("are the same messages in every language, and none is empty", () => {
    expect(ids.length).toBeGreaterThan(20)
    for (const language of LANGUAGES) {
      expect([...(words[language]?.keys() ?? [])].toSorted(), language).toEqual(ids.toSorted())
      for (const [id, text] of words[language] ?? []) expect(text.trim(), `${language}: ${id}`).not.toBe("")
    }
  })

  it("take the same values in every language", () => {
    for (const language of LANGUAGES)
      for (const [id, text] of words[language] ?? [])
        expect(valuesIn(text), `${language}: ${id}`).toEqual(valuesIn(english.get(id) ?? ""))
  })

  it("are left in English nowhere by accident", () => {
    for (const language of ["de", "fr", "it"] as const) {
      const same = ids.filter((id) => words[language]?.get(id) === english.get(id))
      expect(
        same.filter((id) => !SAME[language]?.includes(id)),
        language,
      ).toEqual([])
    }
  })

  it("are Swiss in German: no ß; polite everywhere", () => {
    for (const text of words.de?.values() ?? [])
      expect(text).not.toMatch(/ß|(?<!\p{L})(du|dein|dir|dich)(?!\p{L})/iu)
    for (const text of words.fr?.values() ?? [])
      expect(text).not.toMatch(/(?<!\p{L})(tu|ton|tes|toi)(?!\p{L})/iu)
    for (const text of words.it?.values() ?? [])
      expect(text).not.toMatch(/(?<!\p{L})(tu|tuo|tua|tuoi)(?!\p{L})/iu)
  })

  it("are all said somewhere, and nothing is said that is not there", () => {
    const said = texts.flatMap(saidIn)
    const begun = said.filter((id) => id.endsWith("."))
    const isSaid = (id: string) =>
      begun.some((start) => id.startsWith(start)) || texts.some((text) => isNamedIn(id, text))
    expect(ids.filter((id) => !isSaid(id))).toEqual([])
    expect(said.filter((id) => !id.endsWith(".") && !english.has(id))).toEqual([])
  })
})

function textsOf(isOf: (file: string) => boolean): readonly string[] {
  return SOURCES.flatMap(([file, text]) => (isOf(file) ? text : []))
}

/** Message by id. Our files have one line each, as PO allows. */
function readPo(text: string): ReadonlyMap<string, string> {
  const entries = text.matchAll(/^msgid (".+")\nmsgstr (".*")$/gm)
  return new Map([...entries].map(([, id = "", said = ""]) => [JSON.parse(id), JSON.parse(said)]))
}

/** What a message takes: names in braces, in plurals too. */
const valuesIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name = ""]) => name))].toSorted()

/** Ids that are said as they stand, and the starts of those that are put together ("people."). */
const saidIn = (source: string): readonly string[] =>
  [...source.matchAll(/\bsay\(\s*["`]([\w.-]+)(?=["`$])/g)].map(([, id = ""]) => id)

/** Ids may stand in a list and be said later. */
const isNamedIn = (id: string, source: string): boolean => source.includes(`"${id}"`)

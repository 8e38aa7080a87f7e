import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"

const CONSOLE = resolve(import.meta.dirname, "../../apps/console/src")
const LANGUAGES = ["en", "de", "fr", "it"] as const

/** Every sentence that the console says, by its id, which is the English sentence. */
const said = new Set(
  globSync("**/*.{ts,tsx}", { cwd: CONSOLE }).flatMap((file) =>
    [...readFileSync(join(CONSOLE, file), "utf8").matchAll(/i18n\._\(\s*("(?:[^"\\]|\\.)*"|'[^']*')/g)].map(
      ([, literal = ""]) =>
        literal.startsWith("'") ? literal.slice(1, -1) : (JSON.parse(literal) as string),
    ),
  ),
)

/** PO files hold each message on one line here, with the escapes of JSON. */
const catalogue = (language: string) =>
  new Map(
    [
      ...readFileSync(join(CONSOLE, `locales/${language}.po`), "utf8").matchAll(
        /^msgid (".+")\nmsgstr (".*")$/gm,
      ),
    ].map(([, id = "", words = ""]) => [JSON.parse(id) as string, JSON.parse(words) as string] as const),
  )

/** What is filled in: the names in braces, and those that a plural is about. */
const values = (message: string) =>
  [...new Set([...message.matchAll(/\{(\w+)(?=[},])/g)].map(([, name]) => name))].sort()

it.each(LANGUAGES)("every sentence of the console is there in %s, and nothing else is", (language) => {
  expect(said.size).toBeGreaterThan(200)
  expect([...catalogue(language).keys()].sort()).toEqual([...said].sort())
})

it.each(["de", "fr", "it"])(
  "every sentence is translated into %s, with the same values in it",
  (language) => {
    const wrong = [...catalogue(language)].filter(
      ([id, words]) => words === "" || String(values(words)) !== String(values(id)),
    )
    expect(wrong).toEqual([])
  },
)

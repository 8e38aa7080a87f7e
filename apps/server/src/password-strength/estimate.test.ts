import { mustBeGood } from "@paraph/core/account/password"
import { LIMITS } from "@paraph/core/limits"
import { describe, expect, it } from "vitest"
import { readCommonPasswords } from "./common-passwords.ts"
import { createEstimateGuesses, startThread } from "./estimate.ts"

const estimateGuesses = createEstimateGuesses()
const ADA = { email: "ada.lovelace@example.org", name: "Ada Lovelace" }
const check = (password: string, person = ADA) => mustBeGood({ estimateGuesses }, password, person)
const refused = expect.objectContaining({ code: "password-weak" })

describe("[B14] a password that is chosen", () => {
  it.each([
    ["a word with digits for letters", "passw0rd1234"],
    ["symbols for letters", "P@$$w0rd1234"],
    ["a season and a year", "Sommer2026!!"],
    ["a season and a year in English", "Winter2025!!"],
    ["in French", "motdepasse2026"],
    ["in Italian", "juventus1897!"],
    ["keys beside each other", "qwertzuiop123"],
    ["a repetition", "Ab1!Ab1!Ab1!Ab1!"],
    ["the product's name", "Paraph123456!"],
    ["a town, a year and a symbol", "Zuerich2026!"],
    ["a town without its umlaut", "Zurich2026!!"],
    ["a town in French", "Geneve-2026!"],
    ["a country", "Schweiz2026!"],
    ["a country in Italian", "Svizzera2026"],
    ["a month", "November2026!"],
    ["a month in German without its umlaut", "Maerz2026!!!"],
    ["a name and a year", "Christine2026!"],
    ["the person's name", "Lovelace2026!!"],
    ["the person's name backwards", "ecalevol2026!"],
    ["the person's address", "ada.lovelace@example.org1"],
    ["the person's domain", "Example.org2026"],
  ])("is refused: %s", async (_, password) => {
    await expect(check(password)).rejects.toThrow(refused)
  })

  it("is refused where the word is the person's own, and taken from somebody else", async () => {
    const person = { email: "x@kvq-zumthor-bauer.example", name: "Qadira Zumthorbauer" }
    await expect(check("Zumthorbauer2026", person)).rejects.toThrow(refused)
    expect(await check("Zumthorbauer2026")).toBe("Zumthorbauer2026")
  })

  it.each([
    "a long walk by the lake",
    "Haus-Kerze-9-Tram-blau",
    "xK9$wq!TzP2#",
    "ein Gruss aus Zürich",
    "correct horse battery staple",
  ])("is taken: %s", async (password) => expect(await check(password)).toBe(password))
})

describe("[ASVS 6.2.4] the list of common passwords", () => {
  it("has at least 3,000 that are long enough, and each is refused in any case", async () => {
    const list = readCommonPasswords()
    const long = list.filter((password) => [...password].length >= LIMITS.passwordCharactersLeast)
    expect(long.length).toBeGreaterThanOrEqual(3_000)
    const accepted: string[] = []
    for (const password of list)
      for (const spelled of [password, password.toUpperCase()])
        if (
          (await estimateGuesses(
            ADA.email,
            [...spelled].slice(0, LIMITS.passwordCharactersEstimated).join(""),
            [],
          )) > 0
        )
          accepted.push(spelled)
    expect(accepted).toEqual([])
  })
})

it("[B14] takes bounded time for the longest password, whatever is in it", async () => {
  await check("a long walk by the lake")
  const most = LIMITS.passwordCharactersMost
  const hostile = [
    "4@3$5!1o0sS$".repeat(30),
    "passwordsommerlake1990".repeat(20),
    "a".repeat(most),
    "ab1".repeat(most),
    "ß\u{1F600}é".repeat(most),
  ].map((text) => [...text].slice(0, most).join(""))
  const before = process.cpuUsage()
  for (const password of hostile) await check(password).catch(() => undefined)
  const { user, system } = process.cpuUsage(before)
  // About 0.5 s together on one core of 2025.
  expect((user + system) / 1e6).toBeLessThan(10)
})

it("[B14] ends the thread when it is idle, and starts another one for the next password", async () => {
  let started = 0
  let ended = Promise.withResolvers<void>()
  const own = createEstimateGuesses(1, () => {
    started += 1
    ended = Promise.withResolvers<void>()
    return startThread().on("exit", () => ended.resolve())
  })
  for (const starts of [1, 2]) {
    expect(await own("a@example.com", "passw0rd1234", [])).toBeLessThan(LIMITS.passwordGuessesLog10)
    await ended.promise
    expect(started).toBe(starts)
  }
})

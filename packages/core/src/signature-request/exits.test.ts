import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import { NO_ARRIVAL, originOf, readArrival, shownExit } from "./exits.ts"

const exit = (url: string, kind: "demo" | "production" = "production") =>
  readArrival({ exitURL: url }, kind).exits.success

describe("the query of an address", () => {
  it("is read without regard to case, and the first of two counts", () => {
    const query = {
      EXITurl: "https://a.example/done?x=1&y=ü",
      ErrorURL: ["https://b.example/", "https://c.example/"],
      declineurl: "https://d.example",
      RedirectTimeout: "30",
      hideDOWNLOAD: "true",
      LANG: "de-CH",
    }
    expect(readArrival(query, "production")).toEqual({
      exits: {
        success: "https://a.example/done?x=1&y=%C3%BC",
        error: "https://b.example/",
        decline: "https://d.example/",
        seconds: 30,
      },
      hideDownload: true,
      language: "de",
    })
    expect(readArrival({}, "demo")).toEqual(NO_ARRIVAL)
    expect(readArrival({ hidedownload: "false", lang: "xx", redirectTimeout: "soon" }, "demo")).toEqual(
      NO_ARRIVAL,
    )
  })

  it.each([
    ["https to anywhere", "https://app.example:8443/x", "production", true],
    ["http", "http://app.example/x", "demo", false],
    ["http to this machine with a demo key", "http://localhost:3000/x", "demo", true],
    ["http to this machine by its number", "http://127.0.0.1/x", "demo", true],
    ["http to this machine with a production key", "http://localhost:3000/x", "production", false],
    ["http to a host that begins like this machine", "http://localhost.evil.example/", "demo", false],
    ["a script", "javascript:alert(1)", "demo", false],
    ["data", "data:text/html,<b>", "demo", false],
    ["an address without a scheme", "//evil.example", "demo", false],
    ["a path", "/app/", "demo", false],
    ["a name before the host", "https://bank.example@evil.example/", "production", false],
    ["a password before the host", "https://a:b@evil.example/", "production", false],
    ["a backslash", "https:\\\\evil.example", "production", false],
    ["a tab in the scheme", "ht\ttps://evil.example", "production", false],
    ["a host that is none", "https://%00/", "production", false],
  ] as const)("takes or leaves %s", (_, url, kind, taken) => {
    expect(exit(url, kind) !== null).toBe(taken)
  })

  it("has a bound on its length", () => {
    const of = (length: number) => `https://a.example/${"x".repeat(length - 18)}`
    expect(exit(of(LIMITS.urlCharacters))).toHaveLength(LIMITS.urlCharacters)
    expect(exit(of(LIMITS.urlCharacters + 1))).toBeNull()
    // Encoded it would be longer.
    expect(exit(`https://a.example/${"ü".repeat(1000)}`)).toBeNull()
  })

  it("waits 10 to 90 seconds, whatever is asked for, and 45 unless it is", () => {
    const seconds = (text: unknown) => readArrival({ redirectTimeout: text }, "demo").exits.seconds
    expect(["0", "-5", "9", "10", "9.9", "90", "91", "999999999", "", "x", "1e1", null].map(seconds)).toEqual(
      [10, 10, 10, 10, 10, 90, 90, 90, 45, 45, 45, 45],
    )
  })

  it("[R30] never throws, and leads to https or to this machine alone, for any Unicode", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.webUrl({ withQueryParameters: true }),
      fc.string().map((rest) => `https://${rest}`),
      fc.string().map((rest) => `http://localhost${rest}`),
    )
    const value = fc.oneof(text, fc.array(text), fc.anything())
    const names = fc.constantFrom("exitURL", "ERRORURL", "declineUrl", "redirectTimeout", "lang", "__proto__")
    fc.assert(
      fc.property(fc.dictionary(names, value), fc.constantFrom("demo", "production"), (query, kind) => {
        const { exits, language } = readArrival(query, kind as "demo")
        expect(exits.seconds).toBeGreaterThanOrEqual(10)
        expect(exits.seconds).toBeLessThanOrEqual(90)
        expect([null, "en", "de", "fr", "it"]).toContain(language)
        for (const url of [exits.success, exits.error, exits.decline]) {
          if (url === null) continue
          const { protocol, hostname, username, password, href } = new URL(url)
          expect(href).toBe(url)
          expect(username + password).toBe("")
          const isOwn = kind === "demo" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
          expect(protocol === "https:" || isOwn).toBe(true)
          // What is shown is where it goes.
          expect(shownExit(url, 45, [])?.host).toBe(new URL(url).host)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe("the origins that a business lists", () => {
  it("[B12] open by themselves, and any other asks the person, also where the business lists none", () => {
    const allowed = ["https://app.example"]
    const ask = (url: string, list: readonly string[]) => shownExit(url, 45, list)?.ask
    expect(ask("https://app.example/done", allowed)).toBe(false)
    expect(ask("https://app.example:444/done", allowed)).toBe(true)
    expect(ask("https://app.example.evil.example/", allowed)).toBe(true)
    expect(ask("https://other.example/", [])).toBe(true)
    expect(ask("http://localhost:3000/", [])).toBe(true)
    expect(shownExit(null, 45, allowed)).toBeNull()
  })

  it.each([
    ["https://app.example", "https://app.example"],
    ["https://APP.example:443/", "https://app.example"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["https://app.example/path", null],
    ["https://app.example?x", null],
    ["https://*.example", null],
    ["https://u@app.example", null],
    ["app.example", null],
    ["javascript:x", null],
    ["https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"],
    ["https://zürich.example", "https://xn--zrich-kva.example"],
    ["http://app.example", null],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["https://app.example;script-src", null],
    ["https://a'b.example", null],
    ["https://a$&b.example", null],
    ["https://a,b.example", null],
    ["https://a_b.example", null],
  ])("%s is %s", (text, origin) => expect(originOf(text)).toBe(origin))
})

// What is said of people: names, telephone numbers, claims of identity providers, days and colours. By Intl, and by rules that hold
// whatever the words are.

import { readAccent } from "@paraph/core/branding/accent"
import { shadesOf } from "@paraph/core/branding/shades"
import { addDays, addMonths, dateIn, endOfDay, isDate, startOfDay } from "@paraph/core/dates"
import { displayName } from "@paraph/core/names/characters"
import { Refusal } from "@paraph/core/refusal"
import { isAllowed, readNumber, shortenedNumber } from "@paraph/core/telephone/number"
import { judge } from "../../../packages/core/src/identification/judge.ts"
import { hasGivenNames, isSameName, isSamePerson } from "../../../packages/core/src/identification/names.ts"
import type { IdentityProvider } from "../../../packages/core/src/identification/ports.ts"
import { readVerified } from "../../../packages/core/src/identification/verified-claims.ts"
import { must, type Target } from "../target.ts"
import { inText, json, Nothing, texts } from "../texts.ts"

export const personNames: Target = {
  name: "person-name",
  kind: "words",
  words: [
    "ü",
    "ue",
    "u\u0308",
    "ß",
    "ss",
    "É",
    "-",
    "’",
    " ",
    "\n",
    "von",
    "İ",
    "ı",
    "Ø",
    "ö",
    "ł",
    "å",
    "aa",
    "Σ",
    "ς",
    "ﬀ",
    "Ⅳ",
  ],
  seeds: () =>
    texts(
      ...[
        "Jürg Müller\nJuerg Mueller",
        "Zoë de la Cruz\nZoe De La Cruz",
        "Anne-Marie O’Neill\nAnne Marie ONeill",
        "Ada\nAda",
      ],
      ...[
        "Ada Lovelace\nAda King Lovelace",
        "Łukasz Żak\nLukasz Zak",
        "李 小龍\n李 小龍",
        "Søren\nSoeren",
        "\n",
        "Ada Lovelace\nBob Lovelace",
      ],
    ),
  refusals: [Nothing],
  run: (input) => {
    const [one = "", other = ""] = inText(input).split("\n")
    const [same, person] = [isSameName(one, other), isSamePerson(one, other)]
    must(
      isSameName(other, one) === same && isSamePerson(other, one) === person,
      "it does not matter who is named first",
    )
    must(!same || person, "who has the same name may be the same person")
    must(
      isSameName(one, one) === /[\p{L}\p{N}]/u.test(one.normalize("NFKD")),
      "a name is itself, and nothing is no name",
    )
    must(!same || hasGivenNames(one, other), "the same given names are among them")
    // How it is typed does not count: composed or not, spaces and hyphens.
    for (const spelt of [one.normalize("NFD"), one.normalize("NFC"), ` ${one} `.replaceAll("-", " ")])
      must(isSameName(spelt, other) === same, "spelling the same letters otherwise makes no other person")
    const bare = one.normalize("NFD").replace(/\p{M}/gu, "")
    must(isSameName(one, bare) === isSameName(one, one), "accents do not count")
    if (!person) throw new Nothing("somebody else")
    return `${same}`
  },
}

export const telephoneNumbers: Target = {
  name: "telephone-number",
  kind: "words",
  words: [
    "+",
    "00",
    "0",
    "(0)",
    "( 0 )",
    "+41",
    "+1",
    "+7",
    "+423",
    "79",
    " ",
    "-",
    "/",
    ".",
    "()",
    "١",
    "９",
    "\u200b",
    "+44 (0)",
  ],
  seeds: () =>
    texts(
      "+41 79 123 45 67",
      "0041791234567",
      "+44 (0) 7700 900123",
      "079 123 45 67",
      "+1 (202) 555-0143",
      "+423 123 4567",
      "+0123456789",
    ),
  refusals: [Nothing],
  run: (input) => {
    const stated = inText(input)
    const number = readNumber(stated)
    if (number === null) throw new Nothing("no number")
    must(/^\+[1-9][0-9]{7,14}$/.test(number), "it is one by E.164")
    must(
      readNumber(number) === number && readNumber(`00${number.slice(1)}`) === number,
      "the number of a number is itself",
    )
    const digits = stated
      .replace(/\(\s*0\s*\)/, "")
      .replace(/\D/g, "")
      .replace(/^00/, "")
    must(digits === number.slice(1), "no figure is added, and none is left out")
    const shown = shortenedNumber(number).replace(/[^0-9]/g, "")
    must(
      shown.length <= number.length - 3 && number.includes(shown.slice(-2)),
      "what is shown is not the number",
    )
    for (let length = 2; length <= number.length; length++) {
      const prefix = number.slice(0, length)
      must(
        isAllowed([prefix], number) && !isAllowed([prefix, `!${prefix}`], number),
        "a prefix allows, and the same refused refuses",
      )
      const [short, refused] = [number.slice(0, 2), `!${prefix}`]
      const orders = [isAllowed([short, refused], number), isAllowed([refused, short], number)]
      must(!orders.includes(true), "the longest prefix refuses, wherever it stands")
      if (length > 2)
        must(
          isAllowed([prefix, `!${short}`], number) && isAllowed([`!${short}`, prefix], number),
          "or allows",
        )
    }
    return `${number[1]} ${number.length}`
  },
}

const PROVIDER: IdentityProvider = {
  name: "ident",
  title: "Ident",
  kind: "production",
  trustFrameworks: ["eidas", "ch_e_id"],
  assuranceLevels: ["high"],
  verifiedWithinDays: 30,
} as IdentityProvider
const NOW = new Date("2026-11-15T12:00:00Z")
const STATED = { firstName: "Jürg", lastName: "Müller", issuingCountry: "CH" }

const CLAIMS = {
  verification: {
    trust_framework: "eidas",
    assurance_level: "high",
    time: "2026-11-10T09:00:00Z",
    evidence: [
      {
        type: "document",
        document_details: { type: "passport", date_of_expiry: "2030-01-01", issuer: { country_code: "CH" } },
        attachments: [
          { content_type: "image/png", content: "AAAA" },
          { url: "https://id.example/1", digest: { alg: "sha-256", value: "AAAA" } },
        ],
      },
    ],
  },
  claims: { given_name: "Jürg Peter", family_name: "MUELLER", birthdate: "1980-02-29" },
}

export const identityClaims: Target = {
  name: "identity-claims",
  kind: "json",
  words: [
    ...[
      "verification",
      "claims",
      "verified_claims",
      "given_name",
      "family_name",
      "birthdate",
      "evidence",
      "trust_framework",
    ],
    ...[
      "1980-02-29",
      "2026-11-15T12:00:00Z",
      "2026-11-10T09:00:00+01:00",
      "Jürg",
      "Müller",
      "Bob",
      "CHE",
      "eidas",
      "low",
    ],
  ],
  seeds: () => [
    json({ verified_claims: CLAIMS }),
    json({ verified_claims: [{ ...CLAIMS, verification: {} }, CLAIMS] }),
    json({ verified_claims: { ...CLAIMS, claims: { ...CLAIMS.claims, given_name: "Bob" } } }),
    json({ sub: "1" }),
  ],
  refusals: [Nothing],
  run: (input) => {
    const claims = claimsIn(input)
    const verdict = judge(claims, PROVIDER, STATED, NOW)
    if (verdict.type === "waiting") throw new Nothing("waiting")
    if (verdict.type === "reject") throw new Nothing(verdict.reason)
    const { verified } = verdict
    const all = [claims.verified_claims].flat()
    must(
      all.some((one) => one === verified.told),
      "what counts was told",
    )
    must(
      readVerified(JSON.parse(JSON.stringify(verified.told)))?.familyName === verified.familyName,
      "and is read so again",
    )
    must(PROVIDER.trustFrameworks.includes(verified.trustFramework), "by a framework that is taken")
    must(
      verified.assuranceLevel === "high" && verified.evidence.length > 0,
      "on evidence of the level that was asked for",
    )
    const age = NOW.getTime() - (verified.time?.getTime() ?? 0)
    must(age >= -300_000 && age <= 30 * 86_400_000, "of the last thirty days")
    must(
      verified.evidence.every(({ endsOn }) => endsOn === null || endsOn >= "2026-11-15"),
      "with no document that has ended",
    )
    must(
      verdict.name === displayName(`${verified.givenName} ${verified.familyName}`),
      "the name is the one that was verified, as it is shown",
    )
    const isName = isSameName(verified.familyName, "Müller") && hasGivenNames(verified.givenName, "Jürg")
    if (verdict.type === "accept") must(isName, "nobody is accepted under another name")
    return `${verdict.type} ${"reason" in verdict ? verdict.reason : ""}`
  },
}

function claimsIn(input: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(inText(input))
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Said below: a provider's library reads the JSON before we do.
  }
  throw new Nothing("no claims")
}

const ZONES = [
  ...[
    "Europe/Zurich",
    "Pacific/Auckland",
    "America/St_Johns",
    "America/Santiago",
    "Africa/Cairo",
    "Asia/Beirut",
  ],
  ...["America/Havana", "America/Asuncion", "Pacific/Apia", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"],
]

export const calendarDays: Target = {
  name: "calendar-day",
  kind: "words",
  words: [
    "2026",
    "-02-29",
    "-13-",
    "2024-02-29",
    "-00-",
    "0000",
    "9999-12-31",
    "9998",
    "1000-01-01",
    "T00:00:00Z",
    "2026-09-06",
    "2025-04-25",
  ],
  seeds: () =>
    texts(
      "2026-11-15",
      "2024-02-29",
      "2026-03-29",
      "2026-10-25",
      "2025-09-07",
      "2025-04-25",
      "2011-12-30",
      "2026-02-30",
      "2026-1-1",
    ),
  refusals: [Nothing],
  run: (input) => {
    const date = inText(input)
    if (!isDate(date)) throw new Nothing("no day")
    must(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) === date, "it is a day of the calendar")
    must(addDays(addDays(date, 1), -1) === date, "the day before tomorrow is today")
    const month = addMonths(date, 1)
    // The last year has no other one after it.
    if (month.startsWith("9999")) return "the end"
    must(
      isDate(month) && month > date && month.slice(8) <= date.slice(8),
      "a month later is a day of the next month",
    )
    for (const zone of ZONES) mustBeDay(date, zone)
    return `${date.slice(0, 2)} ${date.slice(5, 7)}`
  },
}

/** A day that a zone has left out, as Samoa did, begins and ends where it would be. */
function mustBeDay(date: string, zone: string): void {
  const [begin, end] = [startOfDay(date, zone), endOfDay(date, zone)]
  const hours = (end.getTime() - begin.getTime()) / 3_600_000
  must(hours >= 0 && hours <= 49, "a day has its hours")
  if (hours === 0 || zone === "Pacific/Apia") return
  must(dateIn(zone, begin) === date, "its first moment lies in it")
  must(dateIn(zone, new Date(begin.getTime() - 1)) < date, "the moment before does not")
  must(dateIn(zone, new Date(end.getTime() - 1)) === date, "its last moment lies in it")
}

export const accents: Target = {
  name: "accent",
  kind: "words",
  words: ["#", "1f4e79", "ffffff", "767676", "777777", "000", "rgb(0,0,0)", "url(x)", ";", "0", "f"],
  seeds: () => texts("#1f4e79", "#1F4E79", "#767676", "#777777", "#ffffff", "#000000", "red", "#12345"),
  refusals: [Refusal],
  run: (input) => {
    const accent = readAccent(inText(input))
    must(/^#[0-9a-f]{6}$/.test(accent), "it is a colour, and ends nothing in a style")
    must(ratio(accent, "#ffffff") >= 4.5, "white words on it can be read")
    const { light, dark } = shadesOf(accent)
    for (const shade of [light, dark])
      must(
        Object.values(shade).every((one) => /^#[0-9a-f]{6}$/.test(one)),
        "what is made of it are colours",
      )
    must(ratio(light.accent, "#f6f3ec") >= 4.5, "it can be read on paper")
    must(ratio(dark.accent, "#1b2130") >= 7 && ratio(dark.accent, dark.on) >= 4.5, "and at night")
    return `${accent === light.accent}`
  },
}

/** WCAG 2.2, by tables of our own. */
function ratio(one: string, other: string): number {
  const light = (colour: string) =>
    [0.2126, 0.7152, 0.0722]
      .map((weight, i) => {
        const share = Number(`0x${colour.slice(1 + 2 * i, 3 + 2 * i)}`) / 255
        return weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
      })
      .reduce((sum, part) => sum + part)
  const [a, b] = [light(one), light(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

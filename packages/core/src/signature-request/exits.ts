import { LANGUAGES, type Language } from "../language.ts"
import { LIMITS } from "../limits.ts"
import type { Kind } from "./model.ts"

/** Part 4: where the browser goes when the person is done here; null: nowhere, they stay (URL-05). */
export type Exits = {
  readonly success: string | null
  readonly error: string | null
  readonly decline: string | null
  /** How long the page waits before it goes there. */
  readonly seconds: number
}

/** What an integrator put behind the address that brought the person here (decisions, "exit URLs"). */
export type Arrival = {
  readonly exits: Exits
  readonly hideDownload: boolean
  readonly language: Language | null
}

/** What one of the exits is, as the page shows it. */
export type Exit = {
  readonly url: string
  readonly host: string
  readonly seconds: number
  /** The business does not list this origin: the page asks the person, and opens nothing by itself. */
  readonly ask: boolean
}

/** URL-03. */
const SECONDS = { least: 10, usual: 45, most: 90 } as const

export const NO_ARRIVAL: Arrival = {
  exits: { success: null, error: null, decline: null, seconds: SECONDS.usual },
  hideDownload: false,
  language: null,
}

/**
 * Reads the query of an address. Anybody can write one, and the signer cannot mend it: what is not good is as if it were not
 * there, and never an error. Names are read without regard to case; of two the first counts.
 */
export function readArrival(query: Readonly<Record<string, unknown>>, kind: Kind): Arrival {
  const given = (name: string) => firstOf(query, name)
  return {
    exits: {
      success: exitOf(given("exiturl"), kind),
      error: exitOf(given("errorurl"), kind),
      decline: exitOf(given("declineurl"), kind),
      seconds: secondsOf(given("redirecttimeout")),
    },
    hideDownload: ["true", "1", "yes", ""].includes(given("hidedownload")?.toLowerCase() ?? "false"),
    language: languageOf(given("lang")),
  }
}

function firstOf(query: Readonly<Record<string, unknown>>, name: string): string | null {
  for (const [key, value] of Object.entries(query)) {
    if (key.toLowerCase() !== name) continue
    const first: unknown = Array.isArray(value) ? value[0] : value
    return typeof first === "string" ? first.trim() : null
  }
  return null
}

/**
 * https alone, and http to this machine with demo keys, for whoever is just building. Names and passwords in an address
 * are there to make one host look like another.
 */
function exitOf(text: string | null, kind: Kind): string | null {
  // A parser of URLs would drop what is not seen, and show another address than was written.
  if (text === null || text.length > LIMITS.urlCharacters || !/^https?:\/\/[^\s\p{C}\\]+$/iu.test(text))
    return null
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "" || url.hostname === "") return null
  if (url.href.length > LIMITS.urlCharacters) return null
  const isOwnMachine = kind === "demo" && url.protocol === "http:" && LOCAL.test(url.hostname)
  return url.protocol === "https:" || isOwnMachine ? url.href : null
}

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/

function secondsOf(text: string | null): number {
  if (text === null || !/^[+-]?\d{1,9}(\.\d{1,9})?$/.test(text)) return SECONDS.usual
  return Math.min(SECONDS.most, Math.max(SECONDS.least, Math.trunc(Number(text))))
}

/** Decisions, "languages": an unknown one falls back to the browser's. `de-CH` is `de`. */
export function languageOf(text: string | null): Language | null {
  const primary = text?.toLowerCase().split(/[-_]/)[0]
  return LANGUAGES.find((language) => language === primary) ?? null
}

/**
 * `allowed`: the origins that the business lists. Anybody can put an exit behind a signing link, so any other origin is opened only
 * when the person agrees, also where the business lists none (choice 211).
 */
export function shownExit(url: string | null, seconds: number, allowed: readonly string[]): Exit | null {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null) return null
  const ask = !allowed.includes(parsed.origin)
  return { url: parsed.href, host: parsed.host, seconds, ask }
}

/**
 * An origin as somebody types it into a list; null for what is none. It stands in a header of ours, where a semicolon or a quote
 * would end what it belongs to: URL lets both be in a host, DNS does not. Without TLS it is one's own machine or none.
 */
export function originOf(text: string): string | null {
  const url = text.length > LIMITS.urlCharacters ? null : URL.parse(text.trim())
  if (url === null || !HOST.test(url.hostname)) return null
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && LOCAL.test(url.hostname))
  const isBare = url.pathname === "/" && url.search === "" && url.hash === "" && url.username === ""
  return isSafe && isBare && url.password === "" ? url.origin : null
}

const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/

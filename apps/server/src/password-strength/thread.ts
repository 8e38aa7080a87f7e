// The thread that estimates how many guesses a password withstands. The dictionaries take about 150 MB and up to two seconds of
// CPU to load, so they are in a thread of their own, which ends when it is idle.
import { parentPort } from "node:worker_threads"
import { LIMITS } from "@paraph/core/limits"
import { ZxcvbnFactory } from "@zxcvbn-ts/core"
import * as usual from "@zxcvbn-ts/language-common"
import * as german from "@zxcvbn-ts/language-de"
import * as english from "@zxcvbn-ts/language-en"
import * as french from "@zxcvbn-ts/language-fr"
import * as italian from "@zxcvbn-ts/language-it"
import { readCommonPasswords } from "./common-passwords.ts"
import type { Answer, Question } from "./messages.ts"
import { placesAndTimes, spellings } from "./places.ts"

const common = readCommonPasswords()
const isCommon = new Set(
  common.map((password) => [...password].slice(0, LIMITS.passwordCharactersEstimated).join("")),
)
const { check } = estimator()

parentPort?.on("message", ({ id, password, words }: Question) => {
  // An exact entry needs no estimate. The rest of the list is in a dictionary too, for its variants.
  const guessesLog10 = isCommon.has(password.toLowerCase()) ? 0 : check(password, [...words]).guessesLog10
  parentPort?.postMessage({ id, guessesLog10 } satisfies Answer)
})

function estimator(): { readonly check: (password: string, words: string[]) => { guessesLog10: number } } {
  const factory = new ZxcvbnFactory({
    graphs: usual.adjacencyGraphs,
    dictionary: {
      ...named("common", usual.dictionary),
      ...named("en", english.dictionary),
      ...named("de", german.dictionary),
      ...named("fr", french.dictionary),
      ...named("it", italian.dictionary),
      "common-long": [...common] as never,
      "places-and-times": [...placesAndTimes()] as never,
    },
    // "P4$$w0rd" is recognized with few; each more costs time, 100 of them (the default) up to seconds for one password.
    l33tMaxSubstitutions: 10,
  })
  return { check: (password, words) => factory.check(password, words) }
}

/** Some packages call their lists by the same names, and one would replace another. */
function named(language: string, lists: Readonly<Record<string, unknown>>): Record<string, never> {
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [`${name}-${language}`, spelled(list) as never]),
  )
}

/** With the spellings of keyboards that have no umlauts or accents: "zuerich" and "zurich" are guessed like "zürich". */
function spelled(list: unknown): unknown {
  if (!Array.isArray(list)) return list
  // Most words are plain ASCII and have one spelling; loading half a million of them is to stay quick.
  const marked = list.filter((word: unknown) => typeof word === "string" && /[^\0-\x7f]/.test(word))
  return [...list, ...marked.flatMap(spellings)]
}

// The thread that estimates how many guesses a password withstands. The dictionaries take about 110 MB and up to a second of
// CPU to load, so they are in a thread of their own, which ends when it is idle.
import { parentPort } from "node:worker_threads"
import { ZxcvbnFactory } from "@zxcvbn-ts/core"
import * as common from "@zxcvbn-ts/language-common"
import * as german from "@zxcvbn-ts/language-de"
import * as english from "@zxcvbn-ts/language-en"
import * as french from "@zxcvbn-ts/language-fr"
import * as italian from "@zxcvbn-ts/language-it"
import type { Answer, Question } from "./messages.ts"

const { check } = estimator()

parentPort?.on("message", ({ id, password, words }: Question) => {
  const { guessesLog10 } = check(password, [...words])
  parentPort?.postMessage({ id, guessesLog10 } satisfies Answer)
})

function estimator(): { readonly check: (password: string, words: string[]) => { guessesLog10: number } } {
  const factory = new ZxcvbnFactory({
    graphs: common.adjacencyGraphs,
    dictionary: {
      ...named("common", common.dictionary),
      ...named("en", english.dictionary),
      ...named("de", german.dictionary),
      ...named("fr", french.dictionary),
      ...named("it", italian.dictionary),
    },
    // "P4$$w0rd" is recognized with few; each more costs time, 100 of them (the default) up to seconds for one password.
    l33tMaxSubstitutions: 10,
  })
  return { check: (password, words) => factory.check(password, words) }
}

/** Some packages call their lists by the same names, and one would replace another. */
function named(language: string, lists: Readonly<Record<string, unknown>>): Record<string, never> {
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [`${name}-${language}`, list as never]),
  )
}

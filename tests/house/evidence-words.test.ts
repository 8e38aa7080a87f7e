import { verifyWords } from "@paraph/verifying/words"
import { expect, it } from "vitest"
import { en } from "../../apps/server/src/protocol/words/en.ts"

it("whatever evidence tells, those who check it without us have a word for", () => {
  const told = Object.keys(en.events)
  expect(told.length).toBeGreaterThan(40)
  for (const language of ["en", "de", "fr", "it"] as const)
    expect(Object.keys(verifyWords(language).events).sort()).toEqual(told.toSorted())
})

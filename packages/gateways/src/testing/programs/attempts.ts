// For the tests: a PDF process that has native code attempt what it is told (native/probe).

import { answerOnce } from "../../pdf/answer.ts"
import type { Attempt } from "../sandbox/attempts.ts"

export type AttemptsQuery = { readonly probe: string; readonly attempts: readonly Attempt[] }

answerOnce<AttemptsQuery>(({ probe, attempts }, document) => {
  const loaded = { exports: {} }
  process.dlopen(loaded, probe)
  const attempt = loaded.exports as (name: string, argument: string) => string
  // Read first: the document is what it may have.
  const isRead = document.read(0, document.length).length === document.length
  const outcomes = Object.fromEntries(
    attempts.map(({ title, name, argument }) => [title, attempt(name, argument)]),
  )
  return { value: { ...outcomes, "[control] read its own document": isRead ? "done" : "failed" } }
})

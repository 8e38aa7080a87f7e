import { expect, it } from "vitest"
import { mailProblemOf } from "./mail-problem.ts"

it.each([
  ["5.1.1", "5.1.1 The mailbox does not exist."],
  ["5.2.2", "5.2.2 The mailbox is full."],
  ["4.4.7", "4.4.7 The mail could not be delivered in time."],
  ["5.7.509", "5.7.509 The mail system of the recipient does not accept the mail."],
  ["5.0.0", "5.0.0 The mail was refused."],
  ["5.999.999", "5.999.999 The mail was refused."],
  [null, "The mail was refused."],
])("says in words of ours what %s means", (status, words) => {
  expect(mailProblemOf(status)).toBe(words)
})

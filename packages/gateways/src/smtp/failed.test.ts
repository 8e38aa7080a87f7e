import { expect, it } from "vitest"
import { MailFailed } from "./failed.ts"

it.each([
  ["an unknown mailbox", "RCPT TO", 550, "5.1.1", "recipient"],
  ["a refusal without a status", "RCPT TO", 550, null, "recipient"],
  ["a domain that takes no mail", "RCPT TO", 556, "5.1.10", "recipient"],
  ["a content that is refused", "DATA", 554, "5.6.0", "recipient"],
  ["a full mailbox", "RCPT TO", 552, "5.2.2", "recipient"],
  ["a mail that is too large", "DATA", 552, "5.3.4", "size"],
  ["a mail that is too large, by another code", "DATA", 554, "5.3.4", "size"],
  ["greylisting", "RCPT TO", 450, "4.2.0", null],
  ["a relay that does not know us", "RCPT TO", 554, "5.7.1", null],
  ["a wrong password", "AUTH PLAIN", 535, "5.7.8", null],
  ["a login that is missing", "MAIL FROM", 530, "5.7.0", null],
  ["a sender that is not ours", "MAIL FROM", 553, "5.1.8", null],
  ["a server that is closed", "CONN", 554, null, null],
  ["a command out of order", "DATA", 503, "5.5.1", null],
  ["no answer", "", undefined, null, null],
] as const)("%s", (_, command, responseCode, status, expected) => {
  expect(new MailFailed({ code: "E", responseCode, command, status }).forGood).toBe(expected)
})

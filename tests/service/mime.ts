// A mail as a mail program sees it: parsed back by a parser that is not the writer.
import PostalMime, { type Email } from "postal-mime"
import { expect } from "vitest"
import { type ReceivedMail, rawMail } from "./mailbox.ts"

/** Parses the mail and checks what every mail of ours must be. */
export async function soundMail(mail: ReceivedMail, language: string): Promise<Email> {
  const raw = await rawMail(mail)
  // RFC 5322, 2.1.1; and nothing but ASCII is on the wire.
  const lines = raw.toString("latin1").split("\r\n")
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998)
  expect(lines.find((line) => /[^\t\x20-\x7e]/.test(line))).toBeUndefined()
  const email = await PostalMime.parse(raw)
  expect(email.text?.length).toBeGreaterThan(100)
  expect(email.html).toContain(`<html lang="${language}`)
  expect(email.html).not.toMatch(/<(img|script|link|iframe)\b|undefined|\bnull\b/i)
  const headers = new Map(email.headers.map(({ key, value }) => [key, value]))
  expect(headers.get("auto-submitted")).toBe("auto-generated")
  expect(headers.get("x-auto-response-suppress")).toBe("All")
  // One link at most, and only into the service.
  expect(linksIn(email).length).toBeLessThanOrEqual(1)
  return email
}

/** Every address in it, in whichever part, each once. */
export function linksIn({ text = "", html = "" }: Pick<Email, "text" | "html">): readonly string[] {
  const found = `${text} ${html.replaceAll("&amp;", "&")}`.match(/https?:\/\/[^\s"'<>]+/g) ?? []
  return [...new Set(found)]
}

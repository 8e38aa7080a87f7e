import { expect, it } from "vitest"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { fr } from "./fr.ts"
import { it as italian } from "./it.ts"
import type { Words } from "./words.ts"

it("every language says everything, and nothing in the words of another", () => {
  const spoken = [en, de, fr, italian].map(said)
  const keys = Object.keys(spoken[0] ?? {})
  expect(keys.length).toBe(13)
  for (const key of keys) {
    const sentences = spoken.map((language) => language[key])
    for (const sentence of sentences) expect(sentence?.trim()).toBeTruthy()
    expect(new Set(sentences).size).toBe(4)
  }
})

it("names the sender and the title wherever a sentence takes them", () => {
  for (const { invitation } of [en, de, fr, italian]) {
    expect(invitation.subject("SENDER", "TITLE")).toMatch(/SENDER.*TITLE/u)
    expect(invitation.heading("SENDER", "TITLE")).toMatch(/SENDER.*TITLE/u)
    expect(invitation.messageFrom("SENDER")).toContain("SENDER")
    expect(invitation.unexpected("SENDER")).toContain("SENDER")
    expect(invitation.documents(1)).not.toContain("1")
    expect(invitation.documents(12)).toContain("12")
  }
})

function said({ demo, invitation }: Words): Record<string, string> {
  const { subject, heading, documents, messageFrom, unexpected, ...plain } = invitation
  return {
    demo,
    ...plain,
    subject: subject("S", "T"),
    heading: heading("S", "T"),
    documents: documents(2),
    messageFrom: messageFrom("S"),
    unexpected: unexpected("S"),
  }
}

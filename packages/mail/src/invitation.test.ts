import { describe, expect, it } from "vitest"
import { type Invitation, invitation } from "./invitation.ts"

const LINK = "https://sign.example.ch/app/s/AbC123?x=1&y=2"

const PLAIN: Invitation = {
  letter: "invitation",
  language: "en",
  sender: "Acme AG",
  title: "Rental agreement",
  message: "Dear Anna\n\nPlease sign by Friday.",
  link: LINK,
  demo: false,
  documentCount: 1,
  creator: null,
  quality: "SES",
  lastDay: null,
  invitedOn: null,
  theirTurnIsLater: false,
}

describe("an invitation", () => {
  it("says who asks for what, in the subject and in both parts", () => {
    const mail = invitation(PLAIN)
    expect(mail.subject).toBe("Acme AG asks you to sign: Rental agreement")
    expect(mail.text).toContain("Acme AG asks you to sign “Rental agreement”")
    expect(mail.text).toContain("> Dear Anna\n>\n> Please sign by Friday.")
    expect(mail.text).toContain(LINK)
    expect(mail.html).toContain("Dear Anna<br><br>Please sign by Friday.")
    expect(mail.html).toContain('<html lang="en"')
  })

  it("tells a test, a later turn and the number of documents from each other", () => {
    const mail = invitation({ ...PLAIN, demo: true, theirTurnIsLater: true, documentCount: 3 })
    expect(mail.text).toContain("TEST – no legal effect")
    expect(mail.text).toContain("There are 3 documents to sign.")
    expect(mail.text).toContain("Others sign before you")
    expect(mail.html).toContain("TEST – no legal effect")
    const now = invitation(PLAIN)
    expect(now.html).not.toContain("TEST")
    expect(now.text).not.toContain("Others sign before you")
  })

  it("leaves the quotation out where the sender wrote nothing", () => {
    for (const message of [null, "", " \r\n "]) {
      const mail = invitation({ ...PLAIN, message })
      expect(mail.html).not.toContain("<blockquote")
      expect(mail.text).not.toContain(">")
    }
  })

  it("writes German as Switzerland does", () => {
    const mail = invitation({ ...PLAIN, language: "de", theirTurnIsLater: true })
    expect(mail.subject).toBe("Acme AG bittet Sie um Ihre Unterschrift: Rental agreement")
    expect(mail.html).toContain('lang="de-CH"')
    expect(mail.text + mail.html).not.toContain("ß")
  })

  it("keeps a subject of bearable length whatever the title", () => {
    const mail = invitation({ ...PLAIN, sender: "S".repeat(1024), title: "😀".repeat(512) })
    expect(Array.from(mail.subject).length).toBeLessThan(230)
    expect(mail.subject.isWellFormed()).toBe(true)
    expect(mail.subject.endsWith("…")).toBe(true)
    expect(mail.text.length).toBeLessThan(2_500)
  })

  it("names who made it, until when it can be signed, and what kind of signature is asked for", () => {
    const mail = invitation({ ...PLAIN, creator: "ann@acme.example", lastDay: "2026-11-30", quality: "QES" })
    expect(mail.text).toContain("The request was made by ann@\u200Cacme.\u200Cexample.")
    expect(mail.text).toContain("You can sign until 30 November 2026.")
    expect(mail.text).toContain("A qualified electronic signature is asked for")
    expect(invitation(PLAIN).text).not.toMatch(/made by|sign until|qualified/u)
  })

  it("comes a second time when the turn has come, and again as a reminder that names the first day", () => {
    const second = invitation({ ...PLAIN, letter: "your-turn" })
    expect(second.subject).toBe("It is your turn to sign: Rental agreement")
    const reminder = invitation({ ...PLAIN, letter: "reminder", invitedOn: "2026-11-02" })
    expect(reminder.subject).toBe("Acme AG reminds you to sign: Rental agreement")
    expect(reminder.text).toContain("We first wrote to you on 2 November 2026.")
    for (const mail of [second, reminder]) expect(mail.text).toContain("> Dear Anna")
  })
})

import { shadesOf } from "@paraph/core/branding/shades"
import { LANGUAGES } from "@paraph/core/language"
import { describe, expect, it } from "vitest"
import type { MailBrand } from "./brand.ts"
import { code } from "./code.ts"
import { type Invitation, invitation } from "./invitation.ts"
import { notice } from "./notice.ts"

const LOGO = { contentId: "logo@sign.example.ch", name: "Nordwind", width: 600, height: 150 }
const BRAND: MailBrand = { shades: shadesOf("#0f766e"), logo: LOGO, business: "Acme AG" }

const asked: Invitation = {
  letter: "invitation",
  language: "en",
  demo: false,
  sender: "Nordwind",
  creator: null,
  title: "Lease",
  message: "Hello",
  link: "https://sign.example.ch/sign/AbC",
  documentCount: 1,
  quality: "SES",
  lastDay: null,
  invitedOn: null,
  theirTurnIsLater: false,
}

describe("a mail of a business that shows itself", () => {
  it("has its colours in both schemes, and none of ours", () => {
    const { html } = invitation({ ...asked, brand: BRAND })
    const { light, dark } = shadesOf("#0f766e")
    for (const colour of [light.accent, dark.accent]) expect(html).toContain(colour)
    for (const ours of ["#1d3a86", "#a8c0ff"]) expect(html).not.toContain(ours)
  })

  it("shows the logo in its proportions, from within the mail, and our name in the foot", () => {
    const { html } = invitation({ ...asked, brand: BRAND })
    expect(html).toContain('<img src="cid:logo@sign.example.ch" width="192" height="48" alt="Nordwind"')
    expect(html.match(/<img/g)).toHaveLength(1)
    expect(html.indexOf(">Paraph<")).toBeGreaterThan(html.indexOf("</h1>"))
  })

  it("escapes the name of whoever it is, and never breaks a line of the mail by it", () => {
    const name = `"><script>alert(1)</script>${"x".repeat(2000)}`
    const { html } = invitation({ ...asked, brand: { ...BRAND, logo: { ...LOGO, name } } })
    expect(html).not.toContain("<script")
    expect(Math.max(...html.split("\n").map((line) => line.length))).toBeLessThan(998)
  })

  it.each(LANGUAGES)(
    "says in %s whose it is where the sender has another name, in every letter",
    (language) => {
      const of = { language, sender: "Nordwind", title: "Lease", demo: false, brand: BRAND }
      const letters = [
        invitation({ ...asked, ...of }),
        code({ ...of, code: "042137" }),
        notice({ ...of, letter: "withdrawn", reader: "signer", message: null }),
      ]
      for (const { text, html } of letters)
        for (const part of [text, html]) expect(part).toMatch(/Acme AG \S+ Paraph/)
      const same = invitation({ ...asked, ...of, brand: { ...BRAND, business: null } })
      expect(same.text).not.toContain("Acme AG")
    },
  )
})
